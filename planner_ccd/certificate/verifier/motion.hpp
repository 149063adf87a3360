#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "planner_ccd/certificate/verifier/model.hpp"

namespace pccd {

using Key = std::pair<std::uint64_t, std::uint64_t>;  ///< Two numbers of bodies or volumes; the ends of an interval.
struct KeyHash {
  std::size_t operator()(const Key& k) const {
    return (k.first * 0x9E3779B97F4A7C15 + k.second) * 0x9E3779B97F4A7C15 >> 8;
  }
};

/// A body in the world at an instant: a point of it at x moves with x' = v + w x x, x'' = v' + w' x x + w x x'.
struct BodyState {
  Matrix R;
  Vector p, w, v, w_dot, v_dot;
};

/// What |q|, |q'|, |q''|, |q'''| of a move never exceed on an interval; `tube` in q's own units.
struct MoveBounds {
  double value, rate, acceleration, jerk, tube;
};

/// Bodies at the middle of [t0, t1] of a segment, and their moves on it; as many as were asked for.
struct Instant {
  struct Placed {
    BodyState state;
    std::vector<MoveBounds> moves;
  };
  std::unordered_map<std::uint32_t, Placed> bodies;
};

/// a + b rho: a bound for points within rho of their body's origin.
struct LinearBound {
  double a = 0.0, b = 0.0;
  double at(double rho) const { return up(a + up(b * rho)); }
};

/// Body A from body B: a point of A at c is at p[0] + R[0] c in B's frame in the middle of the interval, with velocity p[1] + R[1] c
/// and acceleration p[2] + R[2] c. On all of it its derivatives are |x''| <= second, |x'''| <= third; `tube`: it is no farther from
/// where it would be without the tube.
struct Relative {
  std::array<Matrix, 3> R;
  std::array<Vector, 3> p;
  LinearBound second, third, tube;
};

/// The bodies of one segment at the middles of dyadic intervals: what was computed is kept, within bounds.
class Motion {
 public:
  explicit Motion(const Statement& statement) : s_(statement) {}

  void set_segment(std::size_t segment);
  /// A from B over [t0, t1], in units of 2^-31; a single instant when they are one. The reference is good until the next call.
  const Relative& over(std::uint32_t a, std::uint32_t b, std::uint64_t t0, std::uint64_t t1);

 private:
  struct Element {  ///< Of the way from B to A.
    std::uint32_t body;
    int move;  ///< -1: the body's fixed placement.
  };

  const Statement& s_;
  std::size_t segment_ = 0, placed_ = 0;
  std::unordered_map<std::uint64_t, Instant> instants_;
  std::unordered_map<Key, Relative, KeyHash> relatives_;

  std::vector<Element> way(std::uint32_t a, std::uint32_t b) const;
  const BodyState& place(std::uint32_t body, std::uint64_t t0, std::uint64_t t1, Instant& out);
  void move_on(const Body& body, double middle, double half, Instant::Placed& out) const;
  void bound(const std::vector<Element>& way, const Instant& instant, Relative& out) const;
};

}  // namespace pccd
