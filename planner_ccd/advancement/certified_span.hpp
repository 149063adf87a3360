#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "planner_ccd/advancement/pair_tube.hpp"
#include "planner_ccd/geometry/ssv.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/motion/pair_motion.hpp"

namespace planner_ccd {

/// What one evaluation proves: apart by more than the margin from m - back to m + forward. Negative: not even at m, in a tube.
struct CertifiedSpan {
  double back;
  double forward;
};

/// The interval around the sample, and the distance to keep.
struct SpanRequest {
  double margin;  ///< [m] Wanted clearance plus the rounding pad of the poses.
  RoundingPads pads;
  double half_width;  ///< Greatest |s| that counts: bounds that grow with |s| are taken there.
  /// [m] For a body that is not a hull of spheres at its corners: the radius of the flat discs there (a cylinder), or
  /// the reach of the body around its one corner (a cube). Points there move by at most spread |n x w| faster along n
  /// than the corner, and their levers are longer by at most spread.
  double spread = 0.0;
  PairTube* tube = nullptr;  ///< Null: the motion is exact.

  /// (25) of a corner.
  PairTube::Reach reach_anywhere(const Eigen::Vector3d& corner, const PairMotion& motion) const {
    PairTube::Reach reach = tube->anywhere(corner, motion);
    reach.now = (reach.now + spread * tube->turn()) * kRoundUp;
    return reach;
  }
  /// (24) of all corners.
  std::array<PairTube::Reach, 4> reach_along(const Eigen::Vector3d& n, const Eigen::Vector3d* corners, int count,
                                             const PairMotion& motion) const {
    std::array<PairTube::Reach, 4> out = tube->along(n, corners, count, motion, half_width);
    if (spread > 0.0) {
      for (PairTube::Reach& reach : out) reach.now = (reach.now + spread * tube->turn()) * kRoundUp;
    }
    return out;
  }
};

/// The largest h, rounded down, with slack - s closing - s^2/2 acceleration > 0 for all 0 <= s < h: (4) of MATHS.md T4.
/// slack > 0, acceleration >= 0. Written so that neither sign of `closing` cancels.
inline double first_root(double slack, double closing, double acceleration) {
  const double root = std::sqrt(closing * closing + 2.0 * acceleration * slack);
  const double h = closing > 0.0 ? 2.0 * slack / (closing + root) : (root - closing) / acceleration;
  return h * kRoundDown;  // acceleration 0 and closing <= 0: 0/0 or x/0, see caller
}

/// Two-sided Taylor step (2) of one pair of convex volumes, of third order. (MATHS.md T3)
///
/// corners: of A's generator, in B's frame, where n is fixed; the radius is in the gap and never enters the motion bound. The span holds for
/// |s| <= half_width. Third order needs at most as many evaluations as second order with the levers of the single point, and costs less:
/// n.c'' = n.(v' + w x v) + c.(n x w' + w (n.w) - n (w.w)) is affine in c. In a tube each corner's gap decreases by PairTube::along,
/// whose growth adds to the closing speed and to n.c''; where that leaves nothing, by PairTube::anywhere.
inline CertifiedSpan certified_span(const SeparatingGap& g, const Eigen::Vector3d* corners, int count,
                                    const PairState& state, const PairMotion& motion, const SpanRequest& request) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const Eigen::Vector3d nw = g.normal.cross(state.w);  // n.(w x c) = c.(n x w)
  const double nv = g.normal.dot(state.v);
  const double na = g.normal.dot(state.v_dot + state.w.cross(state.v));
  const Eigen::Vector3d bend =
      g.normal.cross(state.w_dot) + g.normal.dot(state.w) * state.w - state.w.squaredNorm() * g.normal;
  double more_speed = request.pads.speed;
  double more_acceleration = request.pads.acceleration + request.half_width / 3.0 * motion.jerk_bound();
  if (request.spread > 0.0) {
    more_speed += request.spread * nw.norm();
    more_acceleration += request.spread * bend.norm();
  }
  double along[4], closing[4], acceleration[4];
  double top = -kInfinity;
  double fastest = 0.0;
  double greatest = 0.0;
  for (int j = 0; j < count; ++j) {
    along[j] = g.normal.dot(corners[j]);
    closing[j] = nv + nw.dot(corners[j]);
    top = std::max(top, along[j]);
    fastest = std::max(fastest, std::abs(closing[j]));
    acceleration[j] = std::clamp(na + bend.dot(corners[j]) + more_acceleration, 0.0, motion.acceleration_bound());
    greatest = std::max(greatest, acceleration[j]);
  }
  // Most pairs are far apart: all corners together, and no root, show that they stay so over the whole interval.
  const double h = request.half_width;
  const double displaced = request.tube == nullptr ? 0.0 : request.tube->most(motion, h);
  if (g.gap - request.margin - displaced > h * (fastest + more_speed + 0.5 * h * greatest) * kRoundUp) {
    return {kInfinity, kInfinity};
  }
  CertifiedSpan span{kInfinity, kInfinity};
  const auto certify = [&](int j, double slack, const PairTube::Reach& tube) {
    const double towards = closing[j] + more_speed + tube.forward;
    const double away = -closing[j] + more_speed + tube.back;
    const double bent = acceleration[j] + tube.bend;
    if (towards > 0.0 || bent > 0.0) span.forward = std::min(span.forward, first_root(slack, towards, bent));
    if (away > 0.0 || bent > 0.0) span.back = std::min(span.back, first_root(slack, away, bent));
  };
  std::array<PairTube::Reach, 4> tube;
  if (request.tube != nullptr) tube = request.reach_along(g.normal, corners, count, motion);
  for (int j = 0; j < count; ++j) {
    double slack = g.gap - request.margin + (top - along[j]);
    if (request.tube != nullptr) {
      if (!(slack > tube[j].now)) tube[j] = request.reach_anywhere(corners[j], motion);
      slack -= tube[j].now;
    }
    if (!(slack > 0.0)) return {-1.0, -1.0};
    certify(j, slack, request.tube == nullptr ? PairTube::Reach{} : tube[j]);
  }
  return span;
}

}  // namespace planner_ccd
