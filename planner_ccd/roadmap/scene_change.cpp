#include "planner_ccd/roadmap/scene_change.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "planner_ccd/geometry/shape_points.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/scene/same_scene.hpp"

namespace planner_ccd {
namespace {

using Rule = std::tuple<std::string, std::string, double>;

/// The scene's rules about pairs, in canonical order: allowed pairs have a margin of -1.
std::multiset<Rule> rules(const Scene& scene) {
  std::multiset<Rule> out;
  for (const AllowedPair& pair : scene.allow) out.insert({std::min(pair.a, pair.b), std::max(pair.a, pair.b), -1.0});
  for (const PairMargin& m : scene.margins) out.insert({std::min(m.a, m.b), std::max(m.a, m.b), m.margin});
  return out;
}

/// Later margins override earlier ones: the order of unchanged entries must be unchanged.
bool margins_in_order(const Scene& before, const Scene& after) {
  if (before.margins.size() != after.margins.size()) return before.margins.empty() || after.margins.empty();
  return std::equal(
      before.margins.begin(), before.margins.end(), after.margins.begin(),
      [](const PairMargin& x, const PairMargin& y) { return x.a == y.a && x.b == y.b && x.margin == y.margin; });
}

/// Collects objects named by a rule that is in only one of the scenes. False when such a rule names no object, or all.
bool objects_of_changed_rules(const Scene& before, const Scene& after, std::set<std::string>& objects) {
  const std::multiset<Rule> a = rules(before), b = rules(after);
  std::vector<Rule> changed;
  std::set_symmetric_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(changed));
  for (const Rule& rule : changed) {
    bool of_object = false;
    for (const std::string& name : {std::get<0>(rule), std::get<1>(rule)}) {
      if (name == "*") return false;
      if (before.objects.find(name) == nullptr && after.objects.find(name) == nullptr) continue;
      objects.insert(name);
      of_object = true;
    }
    if (!of_object) return false;
  }
  return true;
}

/// [m] Rounding error of placing a point by a pose: fewer than 64 roundings of coordinates within `size`.
double rounding_of(double size) { return 128.0 * kUnitRoundoff * size; }

/// A box around an object at its pose.
Eigen::AlignedBox3d box_of(const SceneObject& object) {
  Eigen::AlignedBox3d box;
  for (const Geometry& g : object.geometry) {
    const Eigen::Isometry3d X = object.pose * g.pose;
    for_each_ball(g.shape, [&](const Eigen::Vector3d& p, double radius) {
      const Eigen::Vector3d center = X * p;
      const double r = radius * kRoundUp + rounding_of(p.cwiseAbs().sum() + object.pose.translation().cwiseAbs().sum() +
                                                       g.pose.translation().cwiseAbs().sum() + radius);
      box.extend(Eigen::Vector3d(center.array() - r));
      box.extend(Eigen::Vector3d(center.array() + r));
    });
  }
  return box;
}

/// [m] Bounds the displacement of points of `box` from one pose to the other.
double greatest_way(const Eigen::AlignedBox3d& box, const Eigen::Isometry3d& from, const Eigen::Isometry3d& to) {
  const Eigen::Affine3d X = Eigen::Affine3d(to.matrix()) * Eigen::Affine3d(from.matrix()).inverse();
  double way = 0.0;
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d p = box.corner(static_cast<Eigen::AlignedBox3d::CornerType>(i));
    way = std::max(way, (X * p - p).norm());
  }
  const double size =
      box.min().cwiseAbs().cwiseMax(box.max().cwiseAbs()).sum() + from.translation().norm() + to.translation().norm();
  return way * kRoundUp + rounding_of(size);
}

}  // namespace

SceneChange compare(const Scene& before, const Scene& after, double margin) {
  SceneChange change;
  std::set<std::string> ruled_anew;
  if (!same_attached(before, after) || !same_padding(before, after) || !margins_in_order(before, after) ||
      !objects_of_changed_rules(before, after, ruled_anew)) {
    change.everything = true;
    return change;
  }
  for (const PairMargin& m : after.margins) margin = std::max(margin, m.margin);
  double padding = 0.0, displaced = 0.0;
  for (const AttachedObject& held : after.attached) displaced = std::max(displaced, displacement(held.object));
  for (const Padding& p : after.padding) padding = std::max(padding, p.padding);
  std::set<std::string> candidates = ruled_anew;
  const auto differences =
      SceneObjects::differences(before.objects, after.objects, std::numeric_limits<std::size_t>::max());
  for (const SceneObjects::Difference& d : *differences) {
    if (d.before != nullptr) candidates.insert(d.before->name);
    if (d.after != nullptr) candidates.insert(d.after->name);
  }
  for (const std::string& name : candidates) {
    const SceneObject *was = before.objects.find(name), *is = after.objects.find(name);
    const bool alike = was != nullptr && is != nullptr && !ruled_anew.count(name) && same_geometry(*was, *is) &&
                       was->pose_error == is->pose_error;
    if (alike && was->pose.matrix() == is->pose.matrix()) continue;
    if (was != nullptr) change.departed.insert(name);
    if (is == nullptr) continue;
    SceneChange::Arrival arrival{name, box_of(*is), std::numeric_limits<double>::infinity()};
    if (alike) arrival.moved = greatest_way(box_of(*was), was->pose, is->pose);
    const double around = (margin + padding + displaced + displacement(*is)) * kRoundUp;
    arrival.box.min().array() -= around;
    arrival.box.max().array() += around;
    change.arrivals.push_back(std::move(arrival));
  }
  return change;
}

}  // namespace planner_ccd
