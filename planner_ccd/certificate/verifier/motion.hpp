#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "planner_ccd/certificate/verifier/model.hpp"

namespace pccd {

/// A body in the world at an instant: a point of it at x moves with x' = v + w x x, x'' = v' + w' x x + w x x'.
struct BodyState {
  Matrix R;
  Vector p, w, v, w_dot, v_dot;
};

/// What |q|, |q'|, |q''|, |q'''| of a move never exceed on an interval; `tube` in q's own units.
struct MoveBounds {
  double value, rate, acceleration, jerk, tube;
};

/// All bodies at the middle of [t0, t1] of a segment, and all moves on it.
struct Instant {
  std::vector<BodyState> bodies;
  std::vector<std::vector<MoveBounds>> moves;  ///< By body.
};

/// a + b rho: a bound for points within rho of their body's origin.
struct LinearBound {
  double a = 0.0, b = 0.0;
  double at(double rho) const { return up(a + up(b * rho)); }
};

/// Body A from body B at the same instant (`at`), with bounds of A's points in B's frame over the interval: |x''| <= second,
/// |x'''| <= third; `tube`: no point is farther from where it would be without the tube.
struct Relative {
  BodyState at;
  LinearBound second, third, tube;
};

/// The bodies of one segment at the middles of dyadic intervals: what was computed is kept, within bounds.
class Motion {
 public:
  explicit Motion(const Statement& statement) : s_(statement) {}

  void set_segment(std::size_t segment);
  void set_bodies(std::uint32_t a, std::uint32_t b);
  /// A from B over [t0, t1], in units of 2^-31; a single instant when they are one. The reference is good until the next call.
  const Relative& over(std::uint64_t t0, std::uint64_t t1);

 private:
  struct Element {  ///< Of the way from B to A.
    std::uint32_t body;
    int move;  ///< -1: the body's fixed placement.
  };

  const Statement& s_;
  std::size_t segment_ = 0;
  std::uint32_t a_ = kNone, b_ = kNone;
  std::vector<Element> way_;
  std::unordered_map<std::uint64_t, Instant> instants_;
  std::unordered_map<std::uint64_t, Relative> relatives_;

  const Instant& instant(std::uint64_t t0, std::uint64_t t1);
  void place(std::uint32_t body, const std::vector<std::array<Interval, 6>>& derivatives, double half,
             Instant& out) const;
  void bound(const Instant& instant, Relative& out) const;
};

}  // namespace pccd
