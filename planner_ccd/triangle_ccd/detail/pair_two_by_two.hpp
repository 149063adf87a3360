#pragma once

#include <limits>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/pair_directions.hpp"

namespace planner_ccd::leaf {

/// One coordinate of a point in both lanes, at both ends.
struct Everywhere {
  Double2 x[2], y[2], z[2];

  explicit Everywhere(const Vector3x2& p)
      : x{firsts(p.x, p.x), seconds(p.x, p.x)},
        y{firsts(p.y, p.y), seconds(p.y, p.y)},
        z{firsts(p.z, p.z), seconds(p.z, p.z)} {}

  Double2 along(const Vector3x2& n, int end) const { return n.x * x[end] + n.y * y[end] + n.z * z[end]; }
};

/// What two directions prove; pair_lanes.cpp does the same in other lanes, and says more.
class Certifier {
 public:
  Certifier(const TrianglePairMotion& m, double separation)
      : p1_(m.p1), p2_(m.p2), q0_(m.q0), q1_(m.q1), q2_(m.q2), size_(m.size), separation_(separation) {}

  Double2 share(const Vector3x2& n) const {
    const Double2 scale = this->scale(n), pad = this->pad(n, scale);
    const End start(*this, n, 0), end(*this, n, 1);
    const auto always =
        ((start.along(pad) > 0) & (end.along(pad) > 0)) | ((start.against(pad) > 0) & (end.against(pad) > 0));
    const auto turned = start.against(pad) > start.along(pad);
    const Double2 sign = turned ? both(-1.0) : both(1.0);
    Double2 over = both(0.0), under = both(1.0);  // their quotient is the inverse of the first root
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) {
        const Double2 s = sign * (start.q[j] - start.p[i]) - pad, e = sign * (end.q[j] - end.p[i]) - pad;
        const Double2 fall = s - e;
        const auto sooner = fall * under > over * s;
        over = sooner ? fall : over;
        under = sooner ? s : under;
      }
    }
    const auto known =
        (greatest(start.along(pad), start.against(pad)) > 0) & (scale >= kLeastScale) & (scale <= kGreatestScale);
    const Double2 until = known ? least(under / over * kPairRootDown, both(1.0)) : both(-1.0);
    return always ? both(1.0) : until;
  }

 private:
  /// All that (7) needs of one end.
  struct End {
    Double2 p[3], q[3];

    End(const Certifier& c, const Vector3x2& n, int end)
        : p{both(0.0), c.p1_.along(n, end), c.p2_.along(n, end)},
          q{c.q0_.along(n, end), c.q1_.along(n, end), c.q2_.along(n, end)} {}

    Double2 along(Double2 pad) const {
      return least(least(q[0], q[1]), q[2]) - greatest(greatest(p[1], p[2]), p[0]) - pad;
    }
    Double2 against(Double2 pad) const {
      return least(least(p[1], p[2]), p[0]) - greatest(greatest(q[0], q[1]), q[2]) - pad;
    }
  };

  Double2 scale(const Vector3x2& n) const {
    const Vector3x2 size = absolute(n);
    return (size.x + size.y + size.z) * size_;
  }

  Double2 pad(const Vector3x2& n, Double2 scale) const {
    const Double2 rounding = kPairPad * scale + 1e-300, huge = both(std::numeric_limits<double>::infinity());
    if (!(separation_ > 0)) return rounding < kHugePad ? rounding : huge;
    const Double2 n2 = dot(n, n);
    const Double2 length{std::sqrt(n2[0]), std::sqrt(n2[1])};
    return rounding < kHugePad ? rounding + separation_ * length * (1 + 8 * kUnitRoundoff) : huge;
  }

  Everywhere p1_, p2_, q0_, q1_, q2_;
  double size_, separation_;
};

/// proved_share for machines and builds without other lanes, and what the lanes are compared with.
inline double proved_share_two_by_two(const TrianglePairMotion& pair, std::span<const Vector3x2> directions,
                                      double separation) {
  const Certifier certifier(pair, separation);
  Double2 best = both(-1.0);
  for (const Vector3x2& n : directions) best = greatest(best, certifier.share(n));
  return greatest_lane(best);
}

}  // namespace planner_ccd::leaf
