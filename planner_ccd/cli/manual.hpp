#pragma once

#include <string>

namespace planner_ccd::cli {

/// Texts made of the tables in options.hpp.

/// A manual page (section 1) in roff.
std::string man_page(const std::string& version);

/// A completion script; `shell` is one of "bash", "zsh", "fish".
std::string completion_script(const std::string& shell);

}  // namespace planner_ccd::cli
