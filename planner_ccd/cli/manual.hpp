#pragma once

#include <string>
#include <vector>

namespace planner_ccd::cli {

/// Texts generated from the tables in options.hpp.

/// A manual page (section 1) in roff.
std::string man_page(const std::string& version);

/// A completion script; `shell` is one of "bash", "zsh", "fish".
std::string completion_script(const std::string& shell);

/// Topics and texts of `planner_ccd help`: sections of io/README.md and cli/README.md, compiled into the command.
std::vector<std::string> help_topics();
std::string help_text(const std::string& topic);

}  // namespace planner_ccd::cli
