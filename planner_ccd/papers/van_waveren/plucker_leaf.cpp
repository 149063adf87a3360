#include "planner_ccd/papers/van_waveren/plucker_leaf.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/plucker_piece.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using plucker::FeaturePair;
using plucker::Piece;
using plucker::PieceAdvance;
using plucker::PieceLimits;
using plucker::Span;

constexpr double kLargest = 1e100;  ///< Keeps every product finite.

/// Corners of both features, padded to triangles by repeating the first corner.
struct Features {
  std::array<MovingPoint, 3> a;
  std::array<MovingPoint, 3> b;
  FeaturePair pair;
};

Vector3d at(const MovingPoint& p, double t) { return (1.0 - t) * p.start + t * p.end; }

double stray(const std::array<MovingPoint, 3>& corners) {
  const Vector3d first = corners[0].end - corners[0].start;
  return std::max((corners[1].end - corners[1].start - first).norm(),
                  (corners[2].end - corners[2].start - first).norm());
}

/// Contact at t_hi: the witness in the true motion.
void describe(LeafResult& result, const Features& f, const plucker::PieceContact& contact, double separation) {
  result.verdict = Verdict::Contact;
  result.t_hi = contact.r;
  result.weights_a = contact.closest.weights_a;
  result.weights_b = contact.closest.weights_b;
  result.feature_a = feature_of(result.weights_a);
  result.feature_b = feature_of(result.weights_b);
  result.point_a.setZero();
  result.point_b.setZero();
  for (int i = 0; i < 3; ++i) {
    result.point_a += result.weights_a[i] * at(f.a[i], contact.r);
    result.point_b += result.weights_b[i] * at(f.b[i], contact.r);
  }
  result.normal = contact.normal;
  result.tolerance_reached = std::max(0.0, (contact.distance - separation) * (1.0 + 4.0 * kUnitRoundoff));
}

/// In the frame that moves with B's first corner, with B's centre for origin, A translates by v. Positions, u = 2^-53,
/// M the largest coordinate, L the largest distance from the origin plus |v|: 2u M for the shift, 4u M for v, 2u L for
/// the sum, less than 8u (3 M + L) in norm; half of the strays is added, since the clearance takes it twice.
LeafResult decide_features(const Features& f, const LeafOptions& options) {
  LeafResult result;
  result.t_hi = options.t_max;
  double largest = 0.0;
  for (const auto* corners : {&f.a, &f.b}) {
    for (const MovingPoint& c : *corners) {
      if (!c.start.allFinite() || !c.end.allFinite()) return result;
      largest = std::max({largest, c.start.cwiseAbs().maxCoeff(), c.end.cwiseAbs().maxCoeff()});
    }
  }
  if (largest > kLargest) return result;
  const Vector3d centre = (f.b[0].start + f.b[1].start + f.b[2].start) / 3.0;
  const Vector3d v = (f.a[0].end - f.a[0].start) - (f.b[0].end - f.b[0].start);
  Triangle a;
  Triangle b;
  double size = 0.0;
  for (int i = 0; i < 3; ++i) {
    a[i] = f.a[i].start - centre;
    b[i] = f.b[i].start - centre;
    size = std::max({size, a[i].norm(), b[i].norm()});
  }
  size += v.norm();
  const double strays = stray(f.a) + stray(f.b);
  const PieceLimits limits{options.min_separation, options.tolerance, size,
                           8.0 * kUnitRoundoff * (3.0 * largest + size) + 0.5 * strays * (1.0 + 8.0 * kUnitRoundoff)};
  const Piece piece(plucker::Kind::Translation, v, 1.0, a, b, limits, {0.0, options.t_max});
  const plucker::Spans spans = piece.suspects(f.pair);
  int budget = options.max_iterations;
  for (int s = 0; s < spans.count; ++s) {
    const PieceAdvance advance = piece.advance(f.pair, spans.items[s], budget);
    if (advance.verdict == Verdict::Free) continue;
    result.t_lo = std::clamp(advance.proved, 0.0, options.t_max);
    result.iterations = options.max_iterations - std::max(budget, 0);
    if (advance.verdict == Verdict::Contact) describe(result, f, advance.contact, options.min_separation);
    return result;
  }
  result.verdict = Verdict::Free;
  result.t_lo = options.t_max;
  result.iterations = options.max_iterations - budget;
  return result;
}

}  // namespace

LeafResult PluckerKernel::decide(const VertexFaceMotion& m, const LeafOptions& options) const {
  return decide_features({{m.vertex, m.vertex, m.vertex}, m.face, {plucker::PairType::VertexFace, 0, 0}}, options);
}

LeafResult PluckerKernel::decide(const EdgeEdgeMotion& m, const LeafOptions& options) const {
  return decide_features({{m.a[0], m.a[1], m.a[0]}, {m.b[0], m.b[1], m.b[0]}, {plucker::PairType::EdgeEdge, 0, 0}},
                         options);
}

}  // namespace planner_ccd
