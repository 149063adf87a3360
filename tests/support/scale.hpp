#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace planner_ccd::testing {

/// Scales a number of draws by the environment variable PLANNER_CCD_TEST_SCALE. `at_least`: the fewest draws with which
/// a test that counts verdicts passes reliably.
inline int scaled(int count, int at_least = 1) {
  const char* text = std::getenv("PLANNER_CCD_TEST_SCALE");
  return text == nullptr ? count : std::max(at_least, static_cast<int>(std::lround(count * std::atof(text))));
}

/// A test's own seed, shifted by PLANNER_CCD_TEST_SEED (default 0) so that a long campaign can be run in parts.
inline unsigned seeded(unsigned seed) {
  const char* text = std::getenv("PLANNER_CCD_TEST_SEED");
  return text == nullptr ? seed : seed + 1000u * static_cast<unsigned>(std::atoi(text));
}

}  // namespace planner_ccd::testing
