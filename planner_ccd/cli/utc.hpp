#pragma once

#include <cstdint>
#include <string>

namespace planner_ccd::cli {

/// "2026-11-19 10:15:00.250 UTC", from nanoseconds since 1970.
std::string utc_text(std::int64_t ns);

}  // namespace planner_ccd::cli
