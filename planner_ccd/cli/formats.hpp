#pragma once

namespace planner_ccd::cli {

/// io/README.md and cli/README.md.
extern const char* const kFileFormats;
extern const char* const kCommandManual;

}  // namespace planner_ccd::cli
