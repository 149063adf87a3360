#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "planner_ccd/triangle_ccd/detail/coplanarity.hpp"

namespace planner_ccd::leaf {

/// Closed intervals that hold every time at which a patch may touch the origin for the first time.
class Suspects {
 public:
  static constexpr int kMost = 32;  ///< Four borders of three and eight corners of one are 20.

  void add(TimeInterval interval) { interval_[count_++] = interval; }
  void sort();
  int count() const { return count_; }
  const TimeInterval& operator[](int i) const { return interval_[i]; }

 private:
  std::array<TimeInterval, kMost> interval_;
  int count_ = 0;
};

/// Whether its coefficients, and so all its values on [0, 1], lie within the band.
inline bool always_near_zero(const Cubic& cubic) {
  const auto& b = cubic.bernstein;
  return !(std::max(std::max(std::abs(b[0]), std::abs(b[1])), std::max(std::abs(b[2]), std::abs(b[3]))) > cubic.band);
}

/// Dimensional reduction of a patch whose cubic is always near zero (cubic.hpp (7), (8)), at separation 0. False when the
/// plane is not known well enough for it; then nothing is claimed.
bool reduce(const MovingPatch& patch, const Cubic& cubic, const LeafOptions& options, Suspects& out);

}  // namespace planner_ccd::leaf
