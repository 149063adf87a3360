#include "planner_ccd/triangle_ccd/closest_features.hpp"

#include <Eigen/Geometry>
#include <algorithm>

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// The nearest point of the boundary: sufficient for a triangle without area.
std::array<double, 3> closest_boundary_weights(const Vector3d& p, const Triangle& t) {
  std::array<double, 3> best{1.0, 0.0, 0.0};
  double least = (t[0] - p).squaredNorm();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const Vector3d edge = t[j] - t[i];
    const double length = edge.squaredNorm();
    const double s = length > 0.0 ? std::clamp((p - t[i]).dot(edge) / length, 0.0, 1.0) : 0.0;
    const double distance = (t[i] + s * edge - p).squaredNorm();
    if (distance >= least) continue;
    least = distance;
    best = {};
    best[i] = 1.0 - s;
    best[j] = s;
  }
  return best;
}

/// Below this ratio of squared area to squared edges rounding decides the regions.
constexpr double kFlat = 1e-20;

std::array<double, 3> closest_weights(const Vector3d& p, const Triangle& t) {
  const Vector3d ab = t[1] - t[0];
  const Vector3d ac = t[2] - t[0];
  const double flat = kFlat * ab.squaredNorm() * std::max(ac.squaredNorm(), (ac - ab).squaredNorm());
  if (ab.cross(ac).squaredNorm() <= flat) return closest_boundary_weights(p, t);
  const Vector3d ap = p - t[0];
  const double d1 = ab.dot(ap);
  const double d2 = ac.dot(ap);
  if (d1 <= 0.0 && d2 <= 0.0) return {1.0, 0.0, 0.0};
  const Vector3d bp = p - t[1];
  const double d3 = ab.dot(bp);
  const double d4 = ac.dot(bp);
  if (d3 >= 0.0 && d4 <= d3) return {0.0, 1.0, 0.0};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 && d1 - d3 > 0.0) {
    const double v = d1 / (d1 - d3);
    return {1.0 - v, v, 0.0};
  }
  const Vector3d cp = p - t[2];
  const double d5 = ab.dot(cp);
  const double d6 = ac.dot(cp);
  if (d6 >= 0.0 && d5 <= d6) return {0.0, 0.0, 1.0};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 && d2 - d6 > 0.0) {
    const double w = d2 / (d2 - d6);
    return {1.0 - w, 0.0, w};
  }
  const double va = d3 * d6 - d5 * d4;
  const double along = d4 - d3;
  const double against = d5 - d6;
  if (va <= 0.0 && along >= 0.0 && against >= 0.0 && along + against > 0.0) {
    const double w = along / (along + against);
    return {0.0, 1.0 - w, w};
  }
  const double total = va + vb + vc;
  if (!(total > 0.0)) return closest_boundary_weights(p, t);
  const double v = std::clamp(vb / total, 0.0, 1.0);
  const double w = std::clamp(vc / total, 0.0, 1.0 - v);
  return {std::max(0.0, 1.0 - v - w), v, w};
}

}  // namespace

ClosestFeatures closest_point_triangle(const Vector3d& point, const Triangle& triangle) {
  ClosestFeatures result;
  result.weights_a = {1.0, 0.0, 0.0};
  result.weights_b = closest_weights(point, triangle);
  result.point_a = point;
  const auto& w = result.weights_b;
  result.point_b = w[0] * triangle[0] + w[1] * triangle[1] + w[2] * triangle[2];
  return result;
}

ClosestFeatures closest_segments(const std::array<Vector3d, 2>& a, const std::array<Vector3d, 2>& b) {
  const Vector3d da = a[1] - a[0];
  const Vector3d db = b[1] - b[0];
  const Vector3d r = a[0] - b[0];
  const double aa = da.squaredNorm();
  const double bb = db.squaredNorm();
  const double ab = da.dot(db);
  const double ar = da.dot(r);
  const double br = db.dot(r);
  double s = 0.0;
  double t = 0.0;
  if (aa > 0.0 && bb > 0.0) {
    // |da x db|^2 by the cross product: aa bb - ab^2 cancels for nearly parallel segments.
    const double denominator = da.cross(db).squaredNorm();
    if (denominator > 0.0) s = std::clamp((ab * br - ar * bb) / denominator, 0.0, 1.0);
    t = (ab * s + br) / bb;
    if (t < 0.0 || t > 1.0) {
      t = std::clamp(t, 0.0, 1.0);
      s = std::clamp((ab * t - ar) / aa, 0.0, 1.0);
    }
  } else if (aa > 0.0) {
    s = std::clamp(-ar / aa, 0.0, 1.0);
  } else if (bb > 0.0) {
    t = std::clamp(br / bb, 0.0, 1.0);
  }
  ClosestFeatures result;
  result.weights_a = {1.0 - s, s, 0.0};
  result.weights_b = {1.0 - t, t, 0.0};
  result.point_a = (1.0 - s) * a[0] + s * a[1];
  result.point_b = (1.0 - t) * b[0] + t * b[1];
  return result;
}

Feature feature_of(const std::array<double, 3>& weights) {
  const int present = (weights[0] != 0.0 ? 1 : 0) + (weights[1] != 0.0 ? 2 : 0) + (weights[2] != 0.0 ? 4 : 0);
  switch (present) {
    case 1: return Feature::Vertex0;
    case 2: return Feature::Vertex1;
    case 4: return Feature::Vertex2;
    case 3: return Feature::Edge01;
    case 6: return Feature::Edge12;
    case 5: return Feature::Edge20;
    default: return Feature::Face;
  }
}

}  // namespace planner_ccd
