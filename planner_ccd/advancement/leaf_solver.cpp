#include "planner_ccd/advancement/leaf_solver.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/plucker_axis.hpp"

namespace planner_ccd {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

/// Kernels answer in u in [0, 1]. Times are rounded towards t0, so that the reported part is proved.
double proved_time(double t0, double t1, double u) { return t0 + (t1 - t0) * (u * kRoundDown); }

LeafStep step_of(const LeafResult& result, bool contact_counts, double t0, double t1) {
  if (result.verdict == Verdict::Free) return {kNever, kNever};
  const bool contact = result.verdict == Verdict::Contact && contact_counts;
  return {proved_time(t0, t1, result.t_lo), contact ? t0 + (t1 - t0) * result.t_hi : kNever};
}

/// The only move that changes A's pose relative to B; -1 if there are several or its rate is not constant.
int single_move(const EdgeMotion& motion, const PairChain& chain) {
  int single = -1;
  for (const PairChain::Step& step : chain.steps) {
    if (motion.rate_bound(step.move) == 0.0) continue;
    if (single >= 0 || motion.move(step.move).degree > 1) return -1;
    single = step.move;
  }
  return single;
}

}  // namespace

LeafStep solve_leaf(EdgeState& edge, const SearchPair& pair, int primitive_a, int primitive_b, double t0, double t1,
                    const SearchLimits& limits) {
  const LeafKernel& kernel = limits.leaf ? *limits.leaf : *inclusion_kernel();
  const Primitive a = pair.tree_a->primitive(primitive_a);
  const Primitive b = pair.tree_b->primitive(primitive_b);
  if (a.kind != PrimitiveKind::RoundedTriangle || b.kind != PrimitiveKind::RoundedTriangle || !(t0 < t1)) {
    return {t0, kNever};
  }
  const PairMotion& bounds = edge.pair_motion(pair.chain, t0, t1);
  const PairChain& chain = edge.problem().chains[pair.chain];
  const PairState start = edge.pair_state(t0, pair.chain);
  const double h = t1 - t0;
  Triangle at_start;
  for (int j = 0; j < 3; ++j) at_start[j] = start.R_BA * a.corners[j] + start.p_BA;
  double keep = pair.margin + a.radius + b.radius + edge.pads().position;
  if (PairTube* tube = edge.tube(pair, t0)) {
    PairTube::Reach most{};
    for (const Eigen::Vector3d& corner : at_start) most.now = std::max(most.now, tube->anywhere(corner, bounds).now);
    most.forward = tube->anywhere(at_start[0], bounds).forward;
    keep = (keep + std::min(most.now + h * most.forward, tube->most(bounds, h))) * kRoundUp;
  }

  if (!std::isfinite(keep)) return {t0, kNever};

  LeafOptions options;
  options.tolerance = limits.tolerance / 8.0;
  const int single = kernel.leaves_axis_motion() ? single_move(edge.motion(), chain) : -1;
  if (single >= 0) {
    options.min_separation = (keep + 8.0 * edge.pads().computed) * kRoundUp;  // start, axis and origin: MATHS.md 5
    AxisMotion motion;
    const bool rotation = edge.problem().moves.moves[single].kind == MoveKind::Rotation;
    motion.kind = rotation ? AxisMotion::Kind::Rotation : AxisMotion::Kind::Translation;
    motion.axis = rotation ? start.w : start.v;
    motion.to = motion.axis.norm() * h;
    if (rotation) {
      const Kinematics& k = edge.kinematics(t0);
      const BodyState& f = k.bodies[chain.body_b];
      motion.origin = f.R_WB.transpose() * (k.moves[single].origin - f.p_WB);
    }
    if (!(motion.to > 0.0)) return {t0, kNever};
    return step_of(axis_triangle_ccd(at_start, b.corners, motion, options), true, t0, t1);
  }

  const PairState end = edge.pair_state(t1, pair.chain);
  TriangleMotion moving, resting;
  double e = 0.0;
  for (int j = 0; j < 3; ++j) {
    moving[j] = {at_start[j], end.R_BA * a.corners[j] + end.p_BA};
    resting[j] = {b.corners[j], b.corners[j]};
    e = std::max(e, start.acceleration_bound(at_start[j], bounds, h));
  }
  e = (e + edge.pads().acceleration) * h * h / 8.0 * kRoundUp;
  if (!std::isfinite(e)) return {t0, kNever};
  options.min_separation = keep + e;
  return step_of(triangle_ccd(kernel, moving, resting, options), 8.0 * e <= limits.tolerance, t0, t1);
}

}  // namespace planner_ccd
