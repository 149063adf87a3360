#pragma once

#include <cstdint>
#include <random>

#include "support/scale.hpp"

namespace planner_ccd::draws {

using testing::scaled;

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
