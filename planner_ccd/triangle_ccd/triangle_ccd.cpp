#include <Eigen/LU>
#include <cmath>

#include "planner_ccd/triangle_ccd/detail/patch.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using leaf::TimeInterval;
using leaf::Vector3x2;

/// Whole triangles are within d of each other when the hull of the nine differences b_j - a_i has a point within d of the
/// origin, so patch.hpp (2) holds with nine corners. A few directions, each that of the triangles' nearest points where the
/// last one stopped, dismiss most pairs before any vertex-face or edge-edge test, and show an overlap at the start, which
/// those tests do not see: an edge through a face touches none of the fifteen pairs of features.
constexpr int kDirections = 4;

struct Differences {
  std::array<Vector3x2, 9> corner;
  double size = 0.0;        ///< Greatest coordinate of a difference [m].
  double coordinate = 0.0;  ///< Greatest coordinate of a corner [m].
  bool axis_apart = false;
};

Differences differences(const TriangleMotion& a, const TriangleMotion& b, double separation) {
  Differences out;
  const Vector3x2 a0 = leaf::load(a[0]), a1 = leaf::load(a[1]), a2 = leaf::load(a[2]);
  const Vector3x2 b0 = leaf::load(b[0]), b1 = leaf::load(b[1]), b2 = leaf::load(b[2]);
  const leaf::PatchRange range{least(least(b0, b1), b2) - greatest(greatest(a0, a1), a2),
                               greatest(greatest(b0, b1), b2) - least(least(a0, a1), a2),
                               (a0 + a1 + a2) + (b0 + b1 + b2)};
  out.size = leaf::patch_size(range);
  for (const Vector3x2& x : {a0, a1, a2, b0, b1, b2}) {
    out.coordinate = std::max(out.coordinate, leaf::greatest_lane(leaf::greatest_coordinate(x)));
  }
  out.axis_apart = leaf::axis_apart(range, separation);
  out.corner = {b0 - a0, b0 - a1, b0 - a2, b1 - a0, b1 - a1, b1 - a2, b2 - a0, b2 - a1, b2 - a2};
  return out;
}

Triangle at(const TriangleMotion& m, double t) {
  Triangle out;
  for (int i = 0; i < 3; ++i) out[i] = (1 - t) * m[i].start + t * m[i].end;
  return out;
}

/// Convex weights of a point of a triangle, to rounding.
std::array<double, 3> weights(const Triangle& x, const Vector3d& p) {
  Eigen::Matrix<double, 3, 2> sides;
  sides << x[1] - x[0], x[2] - x[0];
  const Eigen::Vector2d solution = (sides.transpose() * sides).fullPivLu().solve(sides.transpose() * (p - x[0]));
  const double v = std::clamp(solution[0], 0.0, 1.0), w = std::clamp(solution[1], 0.0, 1.0 - v);
  return {1 - v - w, v, w};
}

LeafResult overlap(const Triangle& a, const Triangle& b, const TriangleDistance& d, double t, double min_separation) {
  LeafResult r;
  r.verdict = LeafVerdict::Contact;
  r.t_lo = r.t_hi = t;
  r.weights_a = weights(a, d.point_a);
  r.weights_b = weights(b, d.point_b);
  r.feature_a = d.feature_a;
  r.feature_b = d.feature_b;
  r.point_a = d.point_a;
  r.point_b = d.point_b;
  r.normal = d.normal;
  r.tolerance_reached = std::max(0.0, d.upper - min_separation);
  return r;
}

/// The fifteen tests: six of a vertex and a face at once, then nine of two edges, up to the earliest contact of the six.
class FeatureTests {
 public:
  FeatureTests(LeafKernel kernel, const TriangleMotion& a, const TriangleMotion& b, const LeafOptions& options)
      : kernel_(kernel), options_(options), proved_(options.t_max) {
    best_.verdict = LeafVerdict::Apart;
    best_.t_hi = options.t_max;
    for (int i = 0; i < 3; ++i) {
      faces_[i] = {a[i], b};
      faces_[i + 3] = {b[i], a};
      for (int j = 0; j < 3; ++j) edges_[3 * i + j] = {{a[i], a[(i + 1) % 3]}, {b[j], b[(j + 1) % 3]}};
    }
  }

  LeafResult run() {
    for (const LeafHit& hit : vertex_face_ccd(kernel_, std::span<const VertexFaceMotion>(faces_), options_)) {
      const int i = static_cast<int>(hit.index);
      if (take(hit.result)) place(i % 3, 3, i >= 3);
    }
    options_.t_max = best_.t_hi;
    for (const LeafHit& hit : edge_edge_ccd(kernel_, std::span<const EdgeEdgeMotion>(edges_), options_)) {
      const int i = static_cast<int>(hit.index);
      if (take(hit.result)) place(i / 3, i % 3, false);
    }
    best_.t_lo = std::min(proved_, best_.t_hi);
    best_.iterations = iterations_;
    return best_;
  }

 private:
  /// True when `r` is the contact to keep.
  bool take(const LeafResult& r) {
    iterations_ += r.iterations;
    proved_ = std::min(proved_, r.t_lo);
    if (r.verdict == LeafVerdict::MayTouch) {
      if (best_.verdict == LeafVerdict::Apart) best_.verdict = LeafVerdict::MayTouch;
      return false;
    }
    if (best_.verdict == LeafVerdict::Contact && r.t_hi >= best_.t_hi) return false;
    best_ = r;
    return true;
  }

  /// Turns weights and features of the vertex or edge i (and the edge j, or the face for 3) into those of the triangles.
  void place(int i, int j, bool swapped) {
    best_.weights_a = rotated(best_.weights_a, i);
    best_.feature_a = rotated(best_.feature_a, i);
    if (j < 3) {
      best_.weights_b = rotated(best_.weights_b, j);
      best_.feature_b = rotated(best_.feature_b, j);
    }
    if (!swapped) return;
    std::swap(best_.weights_a, best_.weights_b);
    std::swap(best_.feature_a, best_.feature_b);
    std::swap(best_.point_a, best_.point_b);
    best_.normal = -best_.normal;
  }

  static std::array<double, 3> rotated(const std::array<double, 3>& w, int by) {
    std::array<double, 3> out{};
    for (int k = 0; k < 3; ++k) out[(k + by) % 3] = w[k];
    return out;
  }

  /// Vertex0, Vertex1 or Edge01 of the feature, as numbered in the triangle.
  static Feature rotated(Feature f, int by) {
    const int k = static_cast<int>(f);
    const int first = k < 3 ? 0 : 3;
    return static_cast<Feature>(first + (k - first + by) % 3);
  }

  LeafKernel kernel_;
  LeafOptions options_;
  std::array<VertexFaceMotion, 6> faces_;
  std::array<EdgeEdgeMotion, 9> edges_;
  LeafResult best_;
  double proved_;
  int iterations_ = 0;
};

}  // namespace

LeafResult triangle_ccd(LeafKernel kernel, const TriangleMotion& a, const TriangleMotion& b,
                        const LeafOptions& options) {
  const Differences d = differences(a, b, options.min_separation);
  LeafResult apart;
  apart.t_hi = options.t_max;
  if (!std::isfinite(d.size)) return apart;  // MayTouch
  apart.verdict = LeafVerdict::Apart;
  apart.t_lo = options.t_max;
  if (d.axis_apart) return apart;

  double proved = 0.0;  // all of [0, proved)
  bool start_known = false;
  for (int i = 0; i < kDirections; ++i) {
    const Triangle a_now = at(a, proved), b_now = at(b, proved);
    const TriangleDistance nearest = triangle_distance(a_now, b_now);
    ++apart.iterations;
    const TimeInterval times = leaf::certified_times(d.corner, d.size, nearest.normal, options.min_separation);
    if (!(times.lo <= proved && times.hi > proved)) {
      // The corners at `proved` are off by 3 u of their coordinates, the distance by six such errors times sqrt(3).
      const double upper = nearest.upper + 32 * leaf::kUnit * d.coordinate;
      if (upper <= options.min_separation + options.tolerance) {
        LeafResult found = overlap(a_now, b_now, nearest, proved, options.min_separation);
        found.iterations = apart.iterations;
        return found;
      }
      break;
    }
    start_known = true;
    if (times.hi >= options.t_max) return apart;
    proved = times.hi;
  }

  LeafResult found = FeatureTests(kernel, a, b, options).run();
  found.iterations += apart.iterations;
  if (found.verdict == LeafVerdict::Apart && !start_known) {
    found.verdict = LeafVerdict::MayTouch;
    found.t_lo = 0.0;
  }
  found.t_lo = std::min(std::max(found.t_lo, proved), found.t_hi);
  return found;
}

}  // namespace planner_ccd
