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
constexpr int kFew = 8;  ///< Up to so many primitives the extent and the plane of each matter to the fit.

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
    const Moments m = range.end - range.begin > 1 ? moments(range) : Moments();
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
  items_.resize(count);
  radius_.resize(count);
  mark_.assign(soup.vertices.size(), -1);
  for (std::size_t i = 0; i < count; ++i) {
    const double r = soup.source(soup.primitives[i]).radius;
    const int p = static_cast<int>(i);
    const Vector3d &a = corner(p, 0), &b = corner(p, 1), &c = corner(p, 2);
    items_[i] = {(a + b + c) / 3.0, 0.5 * (b - a).cross(c - a).norm() + r * ((b - a).norm() + r)};
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

/// Mean and covariance of the surface: a triangle of area A contributes A/12 (9 g g^T + sum p p^T), g its centroid. Among
/// many triangles the extent of each matters little, and A g g^T does.
SsvTreeBuilder::Moments SsvTreeBuilder::moments(const Range& range) const {
  Moments m{Vector3d::Zero(), Matrix3d::Identity()};
  const Vector3d reference = items_[order_[range.begin]].centroid;
  double total = 0.0;
  for (int i = range.begin; i < range.end; ++i) total += items_[order_[i]].weight;
  const bool uniform = !(total > 0.0);  // Only segments and points without radius.
  const bool few = range.end - range.begin <= kFew;
  double weight = 0.0;
  Vector3d diagonal = Vector3d::Zero(), mixed = Vector3d::Zero();  // xx yy zz, xy yz zx
  const auto add = [&](double w, const Vector3d& p) {
    const Vector3d wp = w * p;
    diagonal += wp.cwiseProduct(p);
    mixed += wp.cwiseProduct(Vector3d(p[1], p[2], p[0]));
  };
  for (int i = range.begin; i < range.end; ++i) {
    const Item& item = items_[order_[i]];
    const double w = uniform ? 1.0 : item.weight;
    const Vector3d g = item.centroid - reference;
    weight += w;
    m.mean += w * g;
    add(few ? 0.75 * w : w, g);
    for (int k = 0; few && k < 3; ++k) add(w / 12.0, corner(order_[i], k) - reference);
  }
  m.mean /= weight;
  Matrix3d second;
  second << diagonal[0], mixed[0], mixed[2], mixed[0], diagonal[1], mixed[1], mixed[2], mixed[1], diagonal[2];
  const Matrix3d covariance = second / weight - m.mean * m.mean.transpose();
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
  const int count = range.end - range.begin;
  if (count == 1)
    return fit_triangle(
        {corner(order_[range.begin], 0), corner(order_[range.begin], 1), corner(order_[range.begin], 2)});
  const SsvFitter::Result by_moments = fitter_.fit(balls, m.axes);
  if (count > kFew) return by_moments.volume;
  const auto largest = *std::max_element(order_.begin() + range.begin, order_.begin() + range.end,
                                         [&](int i, int j) { return items_[i].weight < items_[j].weight; });
  const SsvFitter::Result by_triangle = fitter_.fit(balls, triangle_axes(largest));
  return by_triangle.size < by_moments.size ? by_triangle.volume : by_moments.volume;
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
                                     [&](int p) { return items_[p].centroid.dot(axis) < threshold; });
  return static_cast<int>(middle - order_.begin());
}

int SsvTreeBuilder::split_median(const Range& range, const Vector3d& axis) {
  const int middle = range.begin + (range.end - range.begin) / 2;
  std::nth_element(order_.begin() + range.begin, order_.begin() + middle, order_.begin() + range.end,
                   [&](int i, int j) { return items_[i].centroid.dot(axis) < items_[j].centroid.dot(axis); });
  return middle;
}

/// Bins the centroids along the longest principal axis; the cut of least sum of count times surface of the box about the
/// centroids. -1 when there is no extent.
int SsvTreeBuilder::split_surface_area(const Range& range, const Moments& m) {
  struct Bin {
    Vector3d lo = Vector3d::Constant(std::numeric_limits<double>::infinity());
    Vector3d hi = Vector3d::Constant(-std::numeric_limits<double>::infinity());
    int count = 0;
    void add(const Bin& b) {
      lo = lo.cwiseMin(b.lo);
      hi = hi.cwiseMax(b.hi);
      count += b.count;
    }
    double cost() const {
      const Vector3d s = hi - lo;
      return count * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    }
  };
  const Matrix3d to_local = m.axes.transpose();
  local_.clear();
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  for (int i = range.begin; i < range.end; ++i) {
    local_.push_back(to_local * (items_[order_[i]].centroid - m.mean));
    lo = std::min(lo, local_.back()[0]);
    hi = std::max(hi, local_.back()[0]);
  }
  const double scale = kBins / (hi - lo);
  if (!(hi > lo) || !std::isfinite(scale)) return -1;
  Bin bins[kBins];
  for (const Vector3d& p : local_) {
    Bin& bin = bins[std::clamp(static_cast<int>((p[0] - lo) * scale), 0, kBins - 1)];
    bin.lo = bin.lo.cwiseMin(p);
    bin.hi = bin.hi.cwiseMax(p);
    ++bin.count;
  }
  double right_cost[kBins] = {};
  Bin sum;
  for (int k = kBins - 1; k > 0; --k) {
    sum.add(bins[k]);
    right_cost[k] = sum.count > 0 ? sum.cost() : std::numeric_limits<double>::infinity();
  }
  sum = Bin();
  double best = std::numeric_limits<double>::infinity(), threshold = 0.0;
  for (int k = 1; k < kBins; ++k) {
    sum.add(bins[k - 1]);
    const double cost = sum.count > 0 ? sum.cost() + right_cost[k] : best;
    if (cost < best) {
      best = cost;
      threshold = lo + k / scale;
    }
  }
  return split_at(range, m.axes.col(0), threshold + m.mean.dot(m.axes.col(0)));
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
