#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/hierarchy/ssv_tree_builder.hpp"

/// Where SsvTreeBuilder cuts a range of primitives in two.
namespace planner_ccd {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

constexpr int kMedianDepth = 48;  ///< 48 + log2(2^31 primitives) < SsvTree::kMaxDepth.
constexpr int kBins = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Some centroids and the box about them.
struct Bin {
  Vector3d lo = Vector3d::Constant(kInfinity);
  Vector3d hi = Vector3d::Constant(-kInfinity);
  int count = 0;

  void add(const Vector3d& p) {
    lo = lo.cwiseMin(p);
    hi = hi.cwiseMax(p);
    ++count;
  }
  void add(const Bin& b) {
    lo = lo.cwiseMin(b.lo);
    hi = hi.cwiseMax(b.hi);
    count += b.count;
  }
  double cost() const {
    if (count == 0) return kInfinity;
    const Vector3d s = hi - lo;
    return count * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
  }
};

/// The number of bins left of the cut of least cost; -1 if there is none.
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

/// Bins the centroids along the longest principal axis; the cut of least sum of count times surface of the box about the
/// centroids. -1 when there is no extent.
int SsvTreeBuilder::split_surface_area(const Range& range, const Moments& m) {
  const Matrix3d to_local = m.axes.transpose();
  local_.clear();
  double lo = kInfinity, hi = -kInfinity;
  for (int i = range.begin; i < range.end; i += stride(range)) {
    local_.push_back(to_local * (items_[i].centroid - m.mean));
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

/// The same with a bin for each, in order.
int SsvTreeBuilder::split_few(const Range& range, const Moments& m) {
  const auto first = items_.begin() + range.begin;
  if (range.count() > 2) {
    const Vector3d axis = m.axes.col(0);
    std::sort(first, items_.begin() + range.end,
              [&](const Item& x, const Item& y) { return x.centroid.dot(axis) < y.centroid.dot(axis); });
  }
  Bin bins[kFew];
  for (int k = 0; k < range.count(); ++k) bins[k].add(m.axes.transpose() * (first[k].centroid - m.mean));
  const int cut = range.count() > 2 ? best_cut(bins, range.count()) : 1;
  return range.begin + (cut > 0 ? cut : range.count() / 2);
}

}  // namespace planner_ccd
