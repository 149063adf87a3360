#include "planner_ccd/hierarchy/ssv_tree_builder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/geometry/principal_axes.hpp"
#include "planner_ccd/math/lanes.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

constexpr int kMedianDepth = 48;  ///< 48 + log2(2^31 primitives) < SsvTree::kMaxDepth.
constexpr int kBins = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Some centroids and the box about them, as the least of (x, y), (z, -z) and (-x, -y).
struct Bin {
  lanes::Double2 xy = lanes::both(kInfinity), zz = lanes::both(kInfinity), minus_xy = lanes::both(kInfinity);
  int count = 0;

  void add(const Vector3d& p) {
    xy = lanes::min(xy, lanes::Double2{p[0], p[1]});
    zz = lanes::min(zz, lanes::Double2{p[2], -p[2]});
    minus_xy = lanes::min(minus_xy, lanes::Double2{-p[0], -p[1]});
    ++count;
  }
  void add(const Bin& b) {
    xy = lanes::min(xy, b.xy);
    zz = lanes::min(zz, b.zz);
    minus_xy = lanes::min(minus_xy, b.minus_xy);
    count += b.count;
  }
  double cost() const {
    if (count == 0) return kInfinity;
    const lanes::Double2 size = -minus_xy - xy;
    const double height = -zz[1] - zz[0];
    return count * (size[0] * size[1] + size[1] * height + height * size[0]);
  }
};

/// The number of bins left of the cheapest cut; -1 if there is none.
int best_cut(const Bin* bins, int count) {
  double right_cost[kBins];
  Bin sum;
  for (int k = count - 1; k > 0; --k) {
    sum.add(bins[k]);
    right_cost[k] = sum.cost();
  }
  sum = Bin();
  double best = kInfinity;
  int cut = -1;
  for (int k = 1; k < count; ++k) {
    sum.add(bins[k - 1]);
    if (const double cost = sum.cost() + right_cost[k]; cost < best) {
      best = cost;
      cut = k;
    }
  }
  return cut;
}

}  // namespace

SsvTreeBuilder::SsvTreeBuilder(PrimitiveSoup soup)
    : leaf_size_(soup.vertices.size() > 2 * soup.primitives.size() ? 2 : 1) {
  tree_.soup_ = std::move(soup);
}

SsvTree SsvTreeBuilder::build() {
  prepare();
  const int count = static_cast<int>(items_.size());
  tree_.nodes_.reserve(2 * count - 1);
  tree_.nodes_.resize(1);
  std::vector<Range> stack{{0, 0, count, 0}};
  while (!stack.empty()) {
    const Range range = stack.back();
    stack.pop_back();
    build_from(range, stack);
  }
  sort_storage();
  return std::move(tree_);
}

/// Fits the node of a range and stacks its halves.
void SsvTreeBuilder::build_from(const Range& range, std::vector<Range>& stack) {
  const Moments m = range.count() > 1 ? moments(range) : Moments();
  gather(range);
  tree_.store(range.node, fit(range, m), balls_, 0.0);
  if (range.count() <= leaf_size_) {
    tree_.nodes_[range.node].link = range.begin;
    tree_.nodes_[range.node].info |= static_cast<std::uint32_t>(range.count()) << SsvTree::kCountShift;
    return;
  }
  const int middle = split(range, m);
  const int left = static_cast<int>(tree_.nodes_.size());
  tree_.nodes_.resize(left + 2);
  tree_.nodes_[range.node].link = left;
  stack.push_back({left + 1, middle, range.end, range.depth + 1});
  stack.push_back({left, range.begin, middle, range.depth + 1});
}

/// Weights, centroids, and the bounds of everything. A rounded primitive has the weight of the capsule about it.
void SsvTreeBuilder::prepare() {
  const PrimitiveSoup& soup = tree_.soup_;
  items_.resize(soup.primitives.size());
  mark_.assign(soup.vertices.size(), -1);
  Vector3d lo = Vector3d::Constant(std::numeric_limits<double>::infinity()), hi = -lo;
  double widest = 0.0;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    const PrimitiveRecord& record = soup.primitives[i];
    Item& item = items_[i];
    item.primitive = static_cast<std::int32_t>(i);
    std::copy(record.vertex, record.vertex + 3, item.vertex);
    const double r = soup.source(record).radius;
    const Vector3d &a = corner(item, 0), &b = corner(item, 1), &c = corner(item, 2);
    item.centroid = (a + b + c) / 3.0;
    item.weight = 0.5 * (b - a).cross(c - a).norm() + r * ((b - a).norm() + r);
    widest = std::max(widest, r);
    lo = lo.cwiseMin(a.cwiseMin(b).cwiseMin(c) - Vector3d::Constant(r));
    hi = hi.cwiseMax(a.cwiseMax(b).cwiseMax(c) + Vector3d::Constant(r));
  }
  rounded_ = widest > 0.0;
  tree_.bounds_ = Eigen::AlignedBox3d(lo, hi);
  tree_.center_ = tree_.bounds_.center();
  tree_.center_distance_ = tree_.center_.norm();
  double reach = 0.0;
  for (const Item& item : items_) {
    const double r = rounded_ ? soup.source(soup.primitives[item.primitive]).radius : 0.0;
    double square = 0.0;
    for (int k = 0; k < 3; ++k) square = std::max(square, (corner(item, k) - tree_.center_).squaredNorm());
    reach = std::max(reach, rounded_ ? std::sqrt(square) + r : square);
  }
  tree_.bounding_radius_ = (rounded_ ? reach : std::sqrt(reach)) * (1.0 + 8.0 * kUnitRoundoff);
}

/// The vertices of a node's primitives, each once when no primitive has a radius.
void SsvTreeBuilder::gather(const Range& range) {
  const std::size_t corners = 3 * static_cast<std::size_t>(range.count());
  balls_.clear(rounded_ ? corners : std::min(corners, mark_.size()), rounded_);
  for (int i = range.begin; i < range.end; ++i) {
    const Item& item = items_[i];
    if (rounded_) {
      const double radius = tree_.soup_.source(tree_.soup_.primitives[item.primitive]).radius;
      for (const std::int32_t vertex : item.vertex) balls_.add(tree_.soup_.vertices[vertex], radius);
      continue;
    }
    for (const std::int32_t vertex : item.vertex) {
      if (mark_[vertex] == range.node) continue;
      mark_[vertex] = range.node;
      balls_.add(tree_.soup_.vertices[vertex]);
    }
  }
  balls_.complete();
}

/// Mean and covariance of the surface: a triangle of area A contributes A/12 (9 g g^T + sum p p^T), g its centroid.
/// With many triangles the extent of each matters little, and A g g^T suffices.
SsvTreeBuilder::Moments SsvTreeBuilder::moments(const Range& range) const {
  Moments m{Vector3d::Zero(), Matrix3d::Identity()};
  const Vector3d reference = items_[range.begin].centroid;
  const int step = stride(range);
  double total = 0.0;
  for (int i = range.begin; i < range.end; i += step) total += items_[i].weight;
  const bool uniform = !(total > 0.0);  // Only segments and points without radius.
  const bool few = range.count() <= kFew;
  double weight = 0.0;
  Vector3d diagonal = Vector3d::Zero(), mixed = Vector3d::Zero();  // xx yy zz, xy yz zx
  const auto add = [&](double w, const Vector3d& p) {
    const Vector3d wp = w * p;
    diagonal += wp.cwiseProduct(p);
    mixed += wp.cwiseProduct(Vector3d(p[1], p[2], p[0]));
  };
  for (int i = range.begin; i < range.end; i += step) {
    const Item& item = items_[i];
    const double w = uniform ? 1.0 : item.weight;
    const Vector3d g = item.centroid - reference;
    weight += w;
    m.mean += w * g;
    add(few ? 0.75 * w : w, g);
    for (int k = 0; few && k < 3; ++k) add(w / 12.0, corner(item, k) - reference);
  }
  m.mean /= weight;
  Matrix3d second;
  second << diagonal[0], mixed[0], mixed[2], mixed[0], diagonal[1], mixed[1], mixed[2], mixed[1], diagonal[2];
  const Matrix3d covariance = second / weight - m.mean * m.mean.transpose();
  m.mean += reference;
  m.axes = principal_axes(covariance);
  return m;
}

/// Longest edge first, normal last; any frame about the edge when the triangle is degenerate.
Matrix3d SsvTreeBuilder::triangle_axes(const Item& item) const {
  const Vector3d edges[3] = {corner(item, 1) - corner(item, 0), corner(item, 2) - corner(item, 1),
                             corner(item, 0) - corner(item, 2)};
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
  const auto begin = items_.begin() + range.begin, end = items_.begin() + range.end;
  if (range.count() == 1) return fit_triangle({corner(*begin, 0), corner(*begin, 1), corner(*begin, 2)});
  const SsvFitter::Result by_moments = fitter_.fit(balls_, m.axes);
  if (range.count() > kFew) return by_moments.volume;
  const auto largest = std::max_element(begin, end, [](const Item& x, const Item& y) { return x.weight < y.weight; });
  const SsvFitter::Result by_triangle = fitter_.fit(balls_, triangle_axes(*largest));
  return by_triangle.size < by_moments.size ? by_triangle.volume : by_moments.volume;
}

/// Divides a range of primitives in two.
int SsvTreeBuilder::split(const Range& range, const Moments& m) {
  const Vector3d axis = m.axes.col(0);
  if (range.depth >= kMedianDepth) return split_median(range, axis);
  if (range.count() <= kFew) return split_few(range, m);
  const int middle = split_surface_area(range, m);
  return middle > range.begin && middle < range.end ? middle : split_median(range, axis);
}

int SsvTreeBuilder::split_at(const Range& range, const Vector3d& axis, double threshold) {
  const auto middle = std::partition(items_.begin() + range.begin, items_.begin() + range.end,
                                     [&](const Item& item) { return item.centroid.dot(axis) < threshold; });
  return static_cast<int>(middle - items_.begin());
}

int SsvTreeBuilder::split_median(const Range& range, const Vector3d& axis) {
  const int middle = range.begin + range.count() / 2;
  std::nth_element(items_.begin() + range.begin, items_.begin() + middle, items_.begin() + range.end,
                   [&](const Item& x, const Item& y) { return x.centroid.dot(axis) < y.centroid.dot(axis); });
  return middle;
}

/// Bins the centroids along the longest principal axis; the cost of a cut is the sum of count times surface of the box
/// about the centroids. -1 when there is no extent.
int SsvTreeBuilder::split_surface_area(const Range& range, const Moments& m) {
  local_.clear();
  double lo = kInfinity, hi = -kInfinity;
  for (int i = range.begin; i < range.end; i += stride(range)) {
    local_.push_back(m.axes.transpose() * (items_[i].centroid - m.mean));
    lo = std::min(lo, local_.back()[0]);
    hi = std::max(hi, local_.back()[0]);
  }
  const double scale = kBins / (hi - lo);
  if (!(hi > lo) || !std::isfinite(scale)) return -1;
  Bin bins[kBins];
  for (const Vector3d& p : local_) bins[std::clamp(static_cast<int>((p[0] - lo) * scale), 0, kBins - 1)].add(p);
  const int cut = best_cut(bins, kBins);
  return cut < 0 ? -1 : split_at(range, m.axes.col(0), lo + cut / scale + m.mean.dot(m.axes.col(0)));
}

/// The same with one bin per primitive, in order.
int SsvTreeBuilder::split_few(const Range& range, const Moments& m) {
  Item* const first = items_.data() + range.begin;
  const int count = range.count();
  if (count <= 2) return range.begin + 1;
  Vector3d local[kFew];
  for (int k = 0; k < count; ++k) {
    const Item item = first[k];
    const Vector3d p = m.axes.transpose() * (item.centroid - m.mean);
    int at = k;
    for (; at > 0 && local[at - 1][0] > p[0]; --at) {
      local[at] = local[at - 1];
      first[at] = first[at - 1];
    }
    local[at] = p;
    first[at] = item;
  }
  Bin bins[kFew];
  for (int k = 0; k < count; ++k) bins[k].add(local[k]);
  const int cut = best_cut(bins, count);
  return range.begin + (cut > 0 ? cut : count / 2);
}

/// Sorts primitives and vertices by the order in which the leaves name them.
void SsvTreeBuilder::sort_storage() {
  PrimitiveSoup& soup = tree_.soup_;
  std::vector<PrimitiveRecord> primitives;
  primitives.reserve(items_.size());
  std::vector<Vector3d> vertices;
  vertices.reserve(soup.vertices.size());
  std::fill(mark_.begin(), mark_.end(), -1);
  for (const Item& item : items_) {
    PrimitiveRecord r = soup.primitives[item.primitive];
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
