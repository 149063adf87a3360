#pragma once

#include <string>
#include <vector>

namespace planner_ccd::cli {

/// Texts made of the tables in options.hpp.

/// A manual page (section 1) in roff.
std::string man_page(const std::string& version);

/// A completion script; `shell` is one of "bash", "zsh", "fish".
std::string completion_script(const std::string& shell);

/// What `planner_ccd help` knows, and what it prints: sections of io/README.md and cli/README.md, so that these are at hand where the
/// command is.
std::vector<std::string> help_topics();
std::string help_text(const std::string& topic);

}  // namespace planner_ccd::cli
