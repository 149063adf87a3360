#include "planner_ccd/advancement/proof_replay.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/advancement/posed_nodes.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// Least n.p over the primitive.
double support_below(const Primitive& p, const Eigen::Vector3d& n) {
  if (p.kind == PrimitiveKind::Cube) {
    double below = p.radius;
    for (const Eigen::Vector3d& half : half_edges(p)) below += std::abs(n.dot(half));
    return n.dot(p.corners[0]) - below;
  }
  double least = std::min({n.dot(p.corners[0]), n.dot(p.corners[1]), n.dot(p.corners[2])});
  if (p.kind != PrimitiveKind::Cylinder) return least - p.radius;
  const Eigen::Vector3d axis = (p.corners[1] - p.corners[0]).normalized();
  return least - p.radius * n.cross(axis).norm();
}

/// n.b - n.a of two primitives. Each product of three coordinates and their sum errs by less than 4u times the sum of the
/// magnitudes: 64u of both covers this and the sums above.
double primitive_gap(const Primitive& a, const Primitive& b, const Eigen::Vector3d& n) {
  double magnitude = a.radius + b.radius;
  for (int i = 0; i < 3; ++i) magnitude += a.corners[i].cwiseAbs().maxCoeff() + b.corners[i].cwiseAbs().maxCoeff();
  return support_below(b, n) + support_below(a, -n) - 64.0 * kUnitRoundoff * magnitude;
}

bool covers(const CertifiedSpan& span, const ProofEntry& entry) {
  constexpr double kSlack = 1.0 + 1e-9;
  return span.back * kSlack >= entry.m - entry.t0 && span.forward * kSlack >= entry.t1 - entry.m;
}

}  // namespace

bool replay(const ProofEntry& entry, EdgeState& edge) {
  const SearchPair& pair = edge.problem().pairs[entry.pair];
  const PairState& state = edge.pair_state(entry.m, pair.chain);
  const PairMotion& motion = edge.pair_motion(pair.chain, entry.t0, entry.t1);
  const SpanRequest request{pair.margin + edge.pads().position, edge.pads(),
                            std::max(entry.m - entry.t0, entry.t1 - entry.m)};
  PosedGap posed;
  if (entry.primitives) {
    const Primitive a = placed(state, pair.tree_a->primitive(entry.a));
    posed = posed_primitive(a, {primitive_gap(a, pair.tree_b->primitive(entry.b), entry.n), entry.n});
  } else {
    posed = posed_nodes(pair, entry.a, entry.b, state, [&](const Ssv& a, const Ssv& b) {
      return SeparatingGap{ssv_gap_along(a, b, entry.n), entry.n};
    });
  }
  return posed.gap.gap > request.margin && covers(posed.certify(state, motion, request), entry);
}

}  // namespace planner_ccd
