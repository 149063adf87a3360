#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "planner_ccd/certificate/verifier/model.hpp"

namespace pccd {

/// What a value is of: one or two numbers of bodies or volumes, the ends of an interval, a segment.
struct Key {
  std::uint64_t what, interval, segment;
  bool operator==(const Key&) const = default;
};

/// Values that were computed before: of all keys that share a place the last one's. References are good until the next call.
template <typename Value, int kBits>
class Recent {
 public:
  const Value* find(const Key& key) {
    const auto& entry = entry_of(key);
    return entry.first == key ? &entry.second : nullptr;
  }
  Value& replace(const Key& key) {
    auto& entry = entry_of(key);
    entry.first = key;
    return entry.second;
  }

 private:
  std::vector<std::pair<std::optional<Key>, Value>> entries_;
  std::array<std::uint16_t, std::size_t{1} << kBits> place_{};  ///< 1 + number of the entry; 0: none yet.

  std::pair<std::optional<Key>, Value>& entry_of(const Key& key) {
    constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15;
    auto& place = place_[((key.what * kOdd + key.interval) * kOdd + key.segment) * kOdd >> (64 - kBits)];
    if (place == 0) {
      entries_.emplace_back();
      place = static_cast<std::uint16_t>(entries_.size());
    }
    return entries_[place - 1U];
  }
};

/// A body in the world at an instant: a point of it at x moves with x' = v + w x x, x'' = v' + w' x x + w x x'.
struct BodyState {
  NearRotation R;
  Near p, w, v, w_dot, v_dot;
};

/// What |q|, |q'|, |q''|, |q'''| of a move never exceed on an interval; `tube` in q's own units.
struct MoveBounds {
  double value, rate, acceleration, jerk, tube;
};

/// A body at the middle of an interval, and its moves on all of it.
struct Placed {
  BodyState state;
  std::vector<MoveBounds> moves;
};

/// a + b rho: a bound for points within rho of their body's origin.
struct LinearBound {
  double a = 0.0, b = 0.0;
  double at(double rho) const { return up(a + up(b * rho)); }
};

/// Body A from body B: a point of A at c is at p + R c in B's frame in the middle of the interval, with velocity p' + w x R c and
/// acceleration p'' + w' x R c + w x (w x R c). On all of it its derivatives are |x''| <= second, |x'''| <= third; `tube`: it is no
/// farther from where it would be without the tube.
struct Relative {
  NearRotation R;
  Near w, w_dot;
  std::array<Near, 3> p;  ///< And its derivatives.
  LinearBound second, third, tube;
};

/// The bodies of one segment at the middles of dyadic intervals: what was computed is kept, within bounds.
class Motion {
 public:
  explicit Motion(const Statement& statement) : s_(statement) {}

  void set_segment(std::size_t segment) { segment_ = segment; }
  /// A from B over [t0, t1], in units of 2^-31; a single instant when they are one. The reference is good until the next call.
  const Relative& over(std::uint32_t a, std::uint32_t b, std::uint64_t t0, std::uint64_t t1);

 private:
  const Statement& s_;
  std::size_t segment_ = 0;
  const Placed world_;
  Recent<Placed, 10> placed_;
  Recent<Relative, 10> relatives_;
  std::vector<std::uint32_t> bodies_;  ///< On the way.

  const Placed& place(std::uint32_t body, std::uint64_t t0, std::uint64_t t1);
  void move_on(const Body& body, double middle, double half, Placed& out) const;
  void bound(std::uint32_t a, std::uint32_t b, std::uint64_t t0, std::uint64_t t1, Relative& out);
};

}  // namespace pccd
