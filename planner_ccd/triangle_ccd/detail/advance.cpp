#include "planner_ccd/triangle_ccd/detail/advance.hpp"

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd::leaf {
namespace {

using Eigen::Vector3d;

Vector3d position(const MovingPoint& p, double t) { return (1 - t) * p.start + t * p.end; }

/// Unit vector from A towards B; if rounding loses the witness distance, the patch's own normal, turned against the
/// relative motion.
Vector3d contact_normal(const MovingPatch& patch, const PatchPoint& p, double t) {
  if (p.distance > 1e-9 * patch.size) return p.direction.normalized();
  const Vector3x2 &q = patch.corner[0], &u2 = patch.u, &v2 = patch.v;
  const Vector3d u = (1 - t) * u2.first() + t * u2.second(), v = (1 - t) * v2.first() + t * v2.second();
  const auto [alpha, beta] = parameters(patch.shape, p);
  const Vector3d velocity =
      (q.second() - q.first()) + alpha * (u2.second() - u2.first()) + beta * (v2.second() - v2.first());
  Vector3d n = u.cross(v);
  if (n.squaredNorm() <= 1e-24 * u.squaredNorm() * v.squaredNorm()) n = -velocity;
  const double length = n.norm();
  if (!(length > 0)) return Vector3d::UnitX();
  return n.dot(velocity) > 0 ? Vector3d(-n / length) : Vector3d(n / length);
}

void set_common(LeafResult& result, const MovingPatch& patch, const PatchAdvance& found, double min_separation) {
  result.verdict = Verdict::Contact;
  result.t_lo = found.proved;
  result.t_hi = found.t_hi;
  result.normal = contact_normal(patch, found.witness, found.t_hi);
  result.tolerance_reached = std::max(0.0, distance_up(patch, found.witness) - min_separation);
}

Feature edge_feature(double share) {
  return share <= 0 ? Feature::Vertex0 : share >= 1 ? Feature::Vertex1 : Feature::Edge01;
}

Feature face_feature(const std::array<double, 3>& w) {
  const int used = (w[0] > 0 ? 1 : 0) | (w[1] > 0 ? 2 : 0) | (w[2] > 0 ? 4 : 0);
  switch (used) {
    case 1: return Feature::Vertex0;
    case 2: return Feature::Vertex1;
    case 4: return Feature::Vertex2;
    case 3: return Feature::Edge01;
    case 6: return Feature::Edge12;
    case 5: return Feature::Edge20;
    default: return Feature::Face;
  }
}

}  // namespace

double greatest_speed(const MovingPatch& patch) {
  double fastest = 0;
  for (const Vector3x2& q : patch.corner) fastest = std::max(fastest, (q.second() - q.first()).squaredNorm());
  return std::sqrt(fastest) * (1 + 16 * kUnitRoundoff) + 4 * kUnitRoundoff * patch.size;
}

PatchAdvance advance(const MovingPatch& patch, const LeafOptions& options, TimeInterval on, int budget) {
  const double enough = options.min_separation + options.tolerance;
  PatchAdvance out{Verdict::Undecided, on.lo, on.hi, {}, 0};
  // A short interval is evaluated in its middle: that shows a contact there or proves all of it.
  double t = 0.5 * (on.lo + on.hi);
  const bool is_short = (on.hi - on.lo) * 4 * patch.size <= options.tolerance ||
                        (on.hi - on.lo) * greatest_speed(patch) <= options.tolerance;
  if (!is_short) t = on.lo;
  while (out.iterations < budget) {
    ++out.iterations;
    out.witness = nearest_point(patch, t);
    const TimeInterval proved = certified_times(patch, out.witness.direction, options.min_separation);
    const bool reaches_back = proved.lo <= out.proved;
    if (reaches_back && proved.hi >= on.hi) {
      out.proved = proved.hi;
      out.verdict = Verdict::Free;
      return out;
    }
    if (distance_up(patch, out.witness) <= enough) {
      out.verdict = Verdict::Contact;
      out.t_hi = t;
      return out;
    }
    if (reaches_back && proved.hi > out.proved) {
      out.proved = proved.hi;
    } else if (!(t > out.proved)) {
      return out;  // no gap to be seen at this precision
    }
    t = out.proved;
  }
  return out;
}

void set_contact(LeafResult& result, const VertexFaceMotion& motion, const MovingPatch& patch,
                 const PatchAdvance& found, double min_separation) {
  set_common(result, patch, found, min_separation);
  const auto [alpha, beta] = parameters(patch.shape, found.witness);
  result.weights_a = {1.0, 0.0, 0.0};
  result.weights_b = {std::max(0.0, 1 - alpha - beta), alpha, beta};
  result.feature_a = Feature::Vertex0;
  result.feature_b = face_feature(result.weights_b);
  result.point_a = position(motion.vertex, found.t_hi);
  result.point_b = Vector3d::Zero();
  for (int i = 0; i < 3; ++i) result.point_b += result.weights_b[i] * position(motion.face[i], found.t_hi);
}

void set_contact(LeafResult& result, const EdgeEdgeMotion& motion, const MovingPatch& patch, const PatchAdvance& found,
                 double min_separation) {
  set_common(result, patch, found, min_separation);
  const auto [alpha, beta] = parameters(patch.shape, found.witness);
  result.weights_a = {1 - alpha, alpha, 0.0};
  result.weights_b = {1 - beta, beta, 0.0};
  result.feature_a = edge_feature(alpha);
  result.feature_b = edge_feature(beta);
  result.point_a = (1 - alpha) * position(motion.a[0], found.t_hi) + alpha * position(motion.a[1], found.t_hi);
  result.point_b = (1 - beta) * position(motion.b[0], found.t_hi) + beta * position(motion.b[1], found.t_hi);
}

}  // namespace planner_ccd::leaf
