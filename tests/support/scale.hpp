#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace planner_ccd::testing {

/// How much larger than by default a campaign should be: environment variable PLANNER_CCD_TEST_SCALE.
inline int scaled(int count) {
  const char* text = std::getenv("PLANNER_CCD_TEST_SCALE");
  return text == nullptr ? count : std::max(1, static_cast<int>(std::lround(count * std::atof(text))));
}

}  // namespace planner_ccd::testing
