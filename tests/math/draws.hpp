#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

namespace planner_ccd::draws {

/// How many draws a test makes: `n` times PLANNER_CCD_TEST_SCALE.
inline int scaled(int n) {
  const char* s = std::getenv("PLANNER_CCD_TEST_SCALE");
  const double scale = s ? std::atof(s) : 1.0;
  return static_cast<int>(n * (scale > 0.0 ? scale : 1.0));
}

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : engine_(seed) {}
  double uniform(double lo, double hi) { return lo + (hi - lo) * std::generate_canonical<double, 53>(engine_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
  bool coin(double p) { return uniform(0.0, 1.0) < p; }
  std::uint64_t bits() { return engine_(); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace planner_ccd::draws
