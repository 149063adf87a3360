#include "planner_ccd/hierarchy/ssv_tree_builder.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace planner_ccd {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kMedianDepth = 48;  ///< 48 + log2(2^31 primitives) < SsvTree::kMaxDepth.
constexpr int kBins = 16;

/// Single precision, to nearest. Through volatile memory, because GCC 12 at -O3 forwards the unrounded double to reads
/// of the stored float (SLP vectoriser), and the radius would then be computed for a generator that is not the stored
/// one.
float round_to_float(double x) {
  const volatile auto f = static_cast<float>(x);
  return f;
}

/// Single precision, towards +infinity.
float round_up(double x) {
  const float f = round_to_float(x);
  return static_cast<double>(f) < x ? std::nextafterf(f, std::numeric_limits<float>::infinity()) : f;
}

void store(const Vector3d& v, float (&out)[3]) {
  for (int k = 0; k < 3; ++k) out[k] = round_to_float(v[k]);
}

}  // namespace

SsvTreeBuilder::SsvTreeBuilder(PrimitiveSoup soup, const SsvTreeOptions& options) : options_(options) {
  tree_.soup_ = std::move(soup);
}

SsvTree SsvTreeBuilder::build() {
  prepare();
  const int count = static_cast<int>(order_.size());
  tree_.nodes_.reserve(2 * count);
  tree_.nodes_.resize(1);
  std::vector<Range> stack{{0, 0, count, 0}};
  while (!stack.empty()) {
    const Range range = stack.back();
    stack.pop_back();
    gather(range);
    const Moments m = moments(range);
    write_node(range, fit(range, m));
    if (range.end - range.begin <= options_.leaf_size) continue;
    const int middle = split(range, m);
    const int left = static_cast<int>(tree_.nodes_.size());
    tree_.nodes_.resize(left + 2);
    SsvTree::Node& node = tree_.nodes_[range.node];
    node.link = left;
    node.info &= ~SsvTree::kCountMask;
    stack.push_back({left + 1, middle, range.end, range.depth + 1});
    stack.push_back({left, range.begin, middle, range.depth + 1});
  }
  sort_storage();
  return std::move(tree_);
}

/// Weights, centroids, and the bounds of everything. A rounded primitive weighs as the capsule about it.
void SsvTreeBuilder::prepare() {
  const PrimitiveSoup& soup = tree_.soup_;
  const std::size_t count = soup.primitives.size();
  order_.resize(count);
  std::iota(order_.begin(), order_.end(), 0);
  centroid_.resize(count);
  weight_.resize(count);
  radius_.resize(count);
  mark_.assign(soup.vertices.size(), -1);
  for (std::size_t i = 0; i < count; ++i) {
    const double r = soup.source(soup.primitives[i]).radius;
    const int p = static_cast<int>(i);
    const Vector3d &a = corner(p, 0), &b = corner(p, 1), &c = corner(p, 2);
    centroid_[i] = (a + b + c) / 3.0;
    weight_[i] = 0.5 * (b - a).cross(c - a).norm() + r * ((b - a).norm() + r);
    radius_[i] = r;
    rounded_ = rounded_ || r > 0.0;
    for (const Vector3d* v : {&a, &b, &c}) {
      tree_.bounds_.extend(Vector3d(*v - Vector3d::Constant(r)));
      tree_.bounds_.extend(Vector3d(*v + Vector3d::Constant(r)));
    }
  }
  tree_.center_ = tree_.bounds_.center();
  double reach = 0.0;
  for (std::size_t i = 0; i < count; ++i) {
    for (int k = 0; k < 3; ++k) {
      reach = std::max(reach, (corner(static_cast<int>(i), k) - tree_.center_).norm() + radius_[i]);
    }
  }
  tree_.bounding_radius_ = reach * (1.0 + 8.0 * 0x1p-53);
}

/// The vertices of a node's primitives, each once when no primitive has a radius.
void SsvTreeBuilder::gather(const Range& range) {
  points_.clear();
  point_radii_.clear();
  for (int i = range.begin; i < range.end; ++i) {
    for (int k = 0; k < 3; ++k) {
      const int vertex = tree_.soup_.primitives[order_[i]].vertex[k];
      if (mark_[vertex] == range.node && !rounded_) continue;
      mark_[vertex] = range.node;
      points_.push_back(tree_.soup_.vertices[vertex]);
      if (rounded_) point_radii_.push_back(radius_[order_[i]]);
    }
  }
}

/// Mean and covariance of the surface: a triangle of area A contributes A/12 (9 g g^T + sum p p^T), g its centroid.
SsvTreeBuilder::Moments SsvTreeBuilder::moments(const Range& range) const {
  Moments m{0.0, Vector3d::Zero(), Matrix3d::Identity()};
  const Vector3d reference = centroid_[order_[range.begin]];
  double total = 0.0;
  for (int i = range.begin; i < range.end; ++i) total += weight_[order_[i]];
  const bool uniform = !(total > 0.0);  // Only segments and points without radius.
  Matrix3d second = Matrix3d::Zero();
  for (int i = range.begin; i < range.end; ++i) {
    const int p = order_[i];
    const double w = uniform ? 1.0 : weight_[p] / total;
    const Vector3d g = centroid_[p] - reference;
    m.weight += w;
    m.mean += w * g;
    second += 0.75 * w * g * g.transpose();
    for (int k = 0; k < 3; ++k) {
      const Vector3d d = corner(p, k) - reference;
      second += w / 12.0 * d * d.transpose();
    }
  }
  m.mean /= m.weight;
  const Matrix3d covariance = second / m.weight - m.mean * m.mean.transpose();
  m.mean += reference;
  Eigen::SelfAdjointEigenSolver<Matrix3d> solver;
  solver.computeDirect(covariance);
  if (solver.eigenvectors().allFinite()) {
    m.axes.col(0) = solver.eigenvectors().col(2).normalized();
    m.axes.col(1) = solver.eigenvectors().col(1);
    m.axes.col(1) = (m.axes.col(1) - m.axes.col(1).dot(m.axes.col(0)) * m.axes.col(0)).normalized();
    m.axes.col(2) = m.axes.col(0).cross(m.axes.col(1));
    if (!m.axes.allFinite()) m.axes.setIdentity();
  }
  return m;
}

/// Longest edge first, normal last; any frame about the edge when the triangle is degenerate.
Matrix3d SsvTreeBuilder::triangle_axes(int primitive) const {
  const Vector3d& a = corner(primitive, 0);
  const Vector3d edges[3] = {corner(primitive, 1) - a, corner(primitive, 2) - corner(primitive, 1),
                             a - corner(primitive, 2)};
  int longest = 0;
  for (int k = 1; k < 3; ++k) {
    if (edges[k].squaredNorm() > edges[longest].squaredNorm()) longest = k;
  }
  const Vector3d u = edges[longest];
  if (!(u.squaredNorm() > 0.0)) return Matrix3d::Identity();
  Vector3d n = u.cross(edges[(longest + 1) % 3]);
  if (!(n.norm() > 1e-12 * u.squaredNorm())) n = u.unitOrthogonal();
  Matrix3d axes;
  axes.col(0) = u.normalized();
  axes.col(2) = n.normalized();
  axes.col(1) = axes.col(2).cross(axes.col(0));
  return axes;
}

Ssv SsvTreeBuilder::fit(const Range& range, const Moments& m) {
  const BallSet balls{points_, point_radii_};
  const auto largest = *std::max_element(order_.begin() + range.begin, order_.begin() + range.end,
                                         [&](int i, int j) { return weight_[i] < weight_[j]; });
  const Ssv by_triangle = fitter_.fit(balls, triangle_axes(largest));
  if (range.end - range.begin == 1) return by_triangle;
  const Ssv by_moments = fitter_.fit(balls, m.axes);
  const double growth = 1e-3 * (by_moments.edge0.norm() + by_moments.radius);
  return grown_volume(by_triangle, growth) < grown_volume(by_moments, growth) ? by_triangle : by_moments;
}

void SsvTreeBuilder::write_node(const Range& range, const Ssv& volume) {
  SsvTree::Node& node = tree_.nodes_[range.node];
  store(volume.origin - tree_.center_, node.origin);
  store(volume.edge0, node.edge0);
  store(volume.edge1, node.edge1);
  const double extent = std::max(volume.edge0.norm(), volume.edge1.norm()) + 2.0 * volume.radius;
  node.info = (std::bit_cast<std::uint32_t>(static_cast<float>(extent)) & 0xFFFF0000u) |
              static_cast<std::uint32_t>(volume.type) |
              static_cast<std::uint32_t>(std::min(range.end - range.begin, 64)) << SsvTree::kCountShift;
  node.link = range.begin;
  node.radius = round_up(covering_radius(tree_.volume(range.node), BallSet{points_, point_radii_}));
  const double reach = (volume.origin - tree_.center_).norm() + volume.edge0.norm() + volume.edge1.norm() + node.radius;
  tree_.volume_reach_ = std::max(tree_.volume_reach_, 1.0001 * reach);
}

int SsvTreeBuilder::split(const Range& range, const Moments& m) {
  const Vector3d axis = m.axes.col(0);
  if (range.depth >= kMedianDepth || options_.split == SplitRule::Median) return split_median(range, axis);
  const int middle =
      options_.split == SplitRule::Mean ? split_at(range, axis, m.mean.dot(axis)) : split_surface_area(range, m);
  return middle > range.begin && middle < range.end ? middle : split_median(range, axis);
}

int SsvTreeBuilder::split_at(const Range& range, const Vector3d& axis, double threshold) {
  const auto middle = std::partition(order_.begin() + range.begin, order_.begin() + range.end,
                                     [&](int p) { return centroid_[p].dot(axis) < threshold; });
  return static_cast<int>(middle - order_.begin());
}

int SsvTreeBuilder::split_median(const Range& range, const Vector3d& axis) {
  const int middle = range.begin + (range.end - range.begin) / 2;
  std::nth_element(order_.begin() + range.begin, order_.begin() + middle, order_.begin() + range.end,
                   [&](int i, int j) { return centroid_[i].dot(axis) < centroid_[j].dot(axis); });
  return middle;
}

/// Bins the centroids along each principal axis; the cut of least sum of count times box surface. -1 when none exists.
int SsvTreeBuilder::split_surface_area(const Range& range, const Moments& m) {
  struct Bin {
    Eigen::AlignedBox3d box;
    int count = 0;
  };
  const auto surface = [](const Eigen::AlignedBox3d& b) {
    const Vector3d s = b.sizes();
    return s[0] * s[1] + s[1] * s[2] + s[2] * s[0];
  };
  const Matrix3d to_local = m.axes.transpose();
  Eigen::AlignedBox3d spread;
  for (int i = range.begin; i < range.end; ++i) spread.extend(Vector3d(to_local * centroid_[order_[i]]));
  double best = std::numeric_limits<double>::infinity(), threshold = 0.0;
  int best_axis = -1;
  for (int axis = 0; axis < 3; ++axis) {
    const double lo = spread.min()[axis], width = spread.sizes()[axis] / kBins;
    if (!(width > 0.0)) continue;
    Bin bins[kBins];
    for (int i = range.begin; i < range.end; ++i) {
      const int p = order_[i];
      const double x = m.axes.col(axis).dot(centroid_[p]);
      Bin& bin = bins[std::clamp(static_cast<int>((x - lo) / width), 0, kBins - 1)];
      ++bin.count;
      for (int k = 0; k < 3; ++k) bin.box.extend(Vector3d(to_local * corner(p, k)));
    }
    double right_cost[kBins] = {};
    Bin sum;
    for (int k = kBins - 1; k > 0; --k) {
      sum.box.extend(bins[k].box);
      sum.count += bins[k].count;
      right_cost[k] = sum.count > 0 ? surface(sum.box) * sum.count : std::numeric_limits<double>::infinity();
    }
    sum = Bin();
    for (int k = 1; k < kBins; ++k) {
      sum.box.extend(bins[k - 1].box);
      sum.count += bins[k - 1].count;
      if (sum.count == 0) continue;
      const double cost = surface(sum.box) * sum.count + right_cost[k];
      if (cost < best) {
        best = cost;
        best_axis = axis;
        threshold = lo + k * width;
      }
    }
  }
  return best_axis < 0 ? -1 : split_at(range, m.axes.col(best_axis), threshold);
}

/// Primitives and vertices in the order in which the leaves name them.
void SsvTreeBuilder::sort_storage() {
  PrimitiveSoup& soup = tree_.soup_;
  std::vector<PrimitiveRecord> primitives;
  primitives.reserve(order_.size());
  std::vector<Vector3d> vertices;
  vertices.reserve(soup.vertices.size());
  std::fill(mark_.begin(), mark_.end(), -1);
  for (const int p : order_) {
    PrimitiveRecord r = soup.primitives[p];
    for (std::int32_t& vertex : r.vertex) {
      if (mark_[vertex] < 0) {
        mark_[vertex] = static_cast<int>(vertices.size());
        vertices.push_back(soup.vertices[vertex]);
      }
      vertex = mark_[vertex];
    }
    primitives.push_back(r);
  }
  for (SurfaceComponent& c : soup.components) c.vertex = mark_[c.vertex];
  vertices.shrink_to_fit();
  soup.primitives = std::move(primitives);
  soup.vertices = std::move(vertices);
  tree_.nodes_.shrink_to_fit();
}

}  // namespace planner_ccd
