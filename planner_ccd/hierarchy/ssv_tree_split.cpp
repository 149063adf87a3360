#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/hierarchy/ssv_tree_builder.hpp"
#include "planner_ccd/math/lanes.hpp"

/// Where SsvTreeBuilder cuts a range of primitives in two.
namespace planner_ccd {
namespace {

using namespace lanes;
using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kMedianDepth = 48;  ///< 48 + log2(2^31 primitives) < SsvTree::kMaxDepth.
constexpr int kBins = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Some centroids and the box about them, as the least of (x, y), (z, -z) and (-x, -y).
struct Bin {
  Double2 xy = both(kInfinity), zz = both(kInfinity), minus_xy = both(kInfinity);
  int count = 0;

  void add(const Vector3d& p) {
    xy = min(xy, Double2{p[0], p[1]});
    zz = min(zz, Double2{p[2], -p[2]});
    minus_xy = min(minus_xy, Double2{-p[0], -p[1]});
    ++count;
  }
  void add(const Bin& b) {
    xy = min(xy, b.xy);
    zz = min(zz, b.zz);
    minus_xy = min(minus_xy, b.minus_xy);
    count += b.count;
  }
  double cost() const {
    if (count == 0) return kInfinity;
    const Double2 size = -minus_xy - xy;
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

int SsvTreeBuilder::split(const Range& range, const Moments& m) {
  const Vector3d axis = m.axes.col(0);
  if (range.depth >= kMedianDepth || options_.split == SplitRule::Median) return split_median(range, axis);
  if (options_.split == SplitRule::SurfaceArea && range.count() <= kFew) return split_few(range, m);
  const int middle =
      options_.split == SplitRule::Mean ? split_at(range, axis, m.mean.dot(axis)) : split_surface_area(range, m);
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

}  // namespace planner_ccd
