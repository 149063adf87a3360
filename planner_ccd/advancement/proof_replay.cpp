#include "planner_ccd/advancement/proof_replay.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/advancement/certified_span.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// Least n.p over the primitive.
double support_below(const Primitive& p, const Eigen::Vector3d& n) {
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
  SpanRequest request{pair.margin + edge.pads().position, edge.pads(),
                      std::max(entry.m - entry.t0, entry.t1 - entry.m)};
  if (entry.primitives) {
    Primitive a = pair.tree_a->primitive(entry.a);
    for (Eigen::Vector3d& c : a.corners) c = state.R * c + state.o;
    const bool cylinder = a.kind == PrimitiveKind::Cylinder;
    request.spread = cylinder ? a.radius : 0.0;
    const double gap = primitive_gap(a, pair.tree_b->primitive(entry.b), entry.n);
    return gap > request.margin &&
           covers(certified_span({gap, entry.n}, a.corners.data(), cylinder ? 2 : 3, state, motion, request), entry);
  }
  const Ssv a = state.place(pair.tree_a->volume(entry.a));
  const double gap = ssv_gap_along(a, pair.tree_b->volume(entry.b), entry.n);
  if (!(gap > request.margin)) return false;
  Eigen::Vector3d corners[4];
  for (int j = 0; j < a.corner_count(); ++j) corners[j] = a.corner(j);
  return covers(certified_span({gap, entry.n}, corners, a.corner_count(), state, motion, request), entry);
}

}  // namespace planner_ccd
