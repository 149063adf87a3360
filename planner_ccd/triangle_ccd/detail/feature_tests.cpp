#include "planner_ccd/triangle_ccd/detail/feature_tests.hpp"

namespace planner_ccd::leaf {
namespace {

class FeatureTests {
 public:
  FeatureTests(const LeafKernel& kernel, const TriangleMotion& a, const TriangleMotion& b, const LeafOptions& options)
      : kernel_(kernel), options_(options), proved_(options.t_max) {
    best_.verdict = Verdict::Free;
    best_.t_hi = options.t_max;
    for (int i = 0; i < 3; ++i) {
      faces_[i] = {a[i], b};
      faces_[i + 3] = {b[i], a};
      for (int j = 0; j < 3; ++j) edges_[3 * i + j] = {{a[i], a[(i + 1) % 3]}, {b[j], b[(j + 1) % 3]}};
    }
  }

  LeafResult run() {
    for (const LeafHit& hit : kernel_.decide_all(std::span<const VertexFaceMotion>(faces_), options_)) {
      const int i = static_cast<int>(hit.index);
      if (take(hit.result)) place(i % 3, 3, i >= 3);
    }
    options_.t_max = best_.t_hi;
    for (const LeafHit& hit : kernel_.decide_all(std::span<const EdgeEdgeMotion>(edges_), options_)) {
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
    if (r.verdict == Verdict::Undecided) {
      if (best_.verdict == Verdict::Free) best_.verdict = Verdict::Undecided;
      return false;
    }
    if (best_.verdict == Verdict::Contact && r.t_hi >= best_.t_hi) return false;
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

  const LeafKernel& kernel_;
  LeafOptions options_;
  std::array<VertexFaceMotion, 6> faces_;
  std::array<EdgeEdgeMotion, 9> edges_;
  LeafResult best_;
  double proved_;
  int iterations_ = 0;
};

}  // namespace

LeafResult feature_tests(const LeafKernel& kernel, const TriangleMotion& a, const TriangleMotion& b,
                         const LeafOptions& options) {
  return FeatureTests(kernel, a, b, options).run();
}

}  // namespace planner_ccd::leaf
