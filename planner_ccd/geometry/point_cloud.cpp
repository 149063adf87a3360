#include "planner_ccd/geometry/point_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "planner_ccd/geometry/space_curve.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

constexpr double kSteps = 65535.0;  ///< Of the curve, along each axis.

/// A separate function: otherwise GCC 12 at -O3 uses the unrounded double (hierarchy/ssv_tree_builder.cpp).
[[gnu::noinline]] float to_float(double x) { return static_cast<float>(x); }

template <typename T>
double load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return static_cast<double>(value);
}

}  // namespace

Vector3d PointView::operator[](std::size_t i) const {
  const char* at = static_cast<const char*>(first) + static_cast<std::ptrdiff_t>(i) * point_step;
  Vector3d p;
  for (int k = 0; k < 3; ++k, at += coordinate_step) {
    p[k] = scalar == Scalar::Float32 ? load<float>(at) : load<double>(at);
  }
  return p;
}

/// A point's displacement is at most the sum of its coordinates' displacements, each a difference of two doubles that
/// is rounded once. (A root of squares would lose values below 1e-154.)
PointCloud::PointCloud(const PointView& view, double radius, const std::string& name) {
  stored_.radius = radius;
  if (!(radius > 0.0) || !(radius <= kMaxCoordinate)) {
    throw InputError(name + ": the radius of its points must be a positive number of metres, not " +
                     std::to_string(radius));
  }
  if (view.count > kMostPoints) {
    throw InputError(name + ": " + std::to_string(view.count) + " points; at most " + std::to_string(kMostPoints) +
                     " are taken, so make it coarser");
  }
  Vector3d lo = Vector3d::Constant(std::numeric_limits<double>::infinity()), hi = -lo;
  bool exact = true;  // exactly representable in single precision about 0
  std::size_t kept = 0;
  for (std::size_t i = 0; i < view.count; ++i) {
    const Vector3d p = view[i];
    if (!p.allFinite()) continue;
    if (p.cwiseAbs().maxCoeff() > kMaxCoordinate) {
      throw InputError(name + ": point " + std::to_string(i) + " lies beyond 1e7 m");
    }
    ++kept;
    lo = lo.cwiseMin(p);
    hi = hi.cwiseMax(p);
    for (int k = 0; k < 3 && exact && view.scalar == PointView::Scalar::Float64; ++k) {
      exact = static_cast<double>(to_float(p[k])) == p[k];
    }
  }
  stored_.left_out = view.count - kept;
  if (kept == 0) {
    throw InputError(
        name + ": it has no points" +
        (stored_.left_out == 0 ? "" : " but " + std::to_string(stored_.left_out) + " that are not finite"));
  }
  if (!exact) stored_.origin = 0.5 * (lo + hi);
  stored_.points.reserve(kept);
  for (std::size_t i = 0; i < view.count; ++i) {
    const Vector3d p = view[i] - stored_.origin;
    if (!p.allFinite()) continue;
    stored_.points.push_back({{to_float(p[0]), to_float(p[1]), to_float(p[2])}, static_cast<std::int32_t>(i)});
  }
  double moved = 0.0;
  for (int i = 0; i < size() && !exact; ++i) {
    moved = std::max(moved, (point(i) - view[number(i)]).lpNorm<1>());
  }
  stored_.ball_radius = moved > 0.0 ? add_up(radius, moved * kRoundUp) : radius;
  sort();
}

PointCloud::PointCloud(Stored stored) : stored_(std::move(stored)) {
  const auto is_length = [](double x) { return x > 0.0 && x <= kMaxCoordinate; };
  bool sound = is_length(stored_.radius) && is_length(stored_.ball_radius) && stored_.ball_radius >= stored_.radius &&
               stored_.origin.allFinite() && stored_.origin.cwiseAbs().maxCoeff() <= kMaxCoordinate &&
               !stored_.points.empty() && stored_.points.size() <= kMostPoints;
  for (int i = 0; sound && i < size(); ++i) {
    sound = point(i).allFinite() && point(i).cwiseAbs().maxCoeff() <= 2.0 * kMaxCoordinate && number(i) >= 0;
  }
  if (!sound) throw InputError("what was stored is no cloud of points");
  sort();
}

void PointCloud::sort() {
  std::array<float, 3> highest = lowest_ = stored_.points.front().at;
  for (const Point& p : stored_.points) {
    for (std::size_t k = 0; k < 3; ++k) {
      lowest_[k] = std::min(lowest_[k], p.at[k]);
      highest[k] = std::max(highest[k], p.at[k]);
    }
  }
  double extent = 0.0;
  for (std::size_t k = 0; k < 3; ++k) extent = std::max(extent, static_cast<double>(highest[k]) - lowest_[k]);
  scale_ = extent > 0.0 ? kSteps / extent : 0.0;
  if (!std::isfinite(scale_)) scale_ = 0.0;
  std::vector<std::pair<std::uint64_t, std::int32_t>> order;
  order.reserve(stored_.points.size());
  for (int i = 0; i < size(); ++i) order.emplace_back(place_on_curve(i), i);
  sort_by_place(order);
  std::vector<Point> sorted;
  sorted.reserve(stored_.points.size());
  for (const auto& [place, i] : order) sorted.push_back(stored_.points[i]);
  stored_.points = std::move(sorted);
}

std::uint64_t PointCloud::place_on_curve(int i) const {
  const Point& p = stored_.points[i];
  std::array<std::uint32_t, 3> cell;
  for (std::size_t k = 0; k < 3; ++k) {
    cell[k] = static_cast<std::uint32_t>(std::min(kSteps, (static_cast<double>(p.at[k]) - lowest_[k]) * scale_));
  }
  return planner_ccd::place_on_curve(cell);
}

int PointCloud::find(int number) const {
  const auto found = std::find_if(stored_.points.begin(), stored_.points.end(),
                                  [&](const Point& point) { return point.number == number; });
  return found == stored_.points.end() ? -1 : static_cast<int>(found - stored_.points.begin());
}

}  // namespace planner_ccd
