#include "planner_ccd/cli/utc.hpp"

#include <chrono>
#include <cstdio>

namespace planner_ccd::cli {

std::string utc_text(std::int64_t ns) {
  using namespace std::chrono;
  const sys_time<nanoseconds> time{nanoseconds(ns)};
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<milliseconds>(time - day));
  char text[64];
  std::snprintf(text, sizeof(text), "%04d-%02u-%02u %02d:%02d:%02d.%03d UTC", static_cast<int>(date.year()),
                static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
                static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text;
}

}  // namespace planner_ccd::cli
