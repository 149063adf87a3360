#include "planner_ccd/validation/cloud_filters.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/hierarchy/primitive_distance.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/robot/kinematics.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr int kBlock = 64;  ///< Successive points, mostly neighbours, are culled together.

bool is_near(const SsvTree& tree, const Vector3d& p, double within) {
  const Primitive point{PrimitiveKind::RoundedTriangle, {p, p, p}, 0.0, 0, -1};
  Ssv at;
  at.origin = p;
  std::vector<int> stack{0};
  while (!stack.empty()) {
    const int node = stack.back();
    stack.pop_back();
    if (ssv_gap(at, tree.volume(node)).gap > within) continue;
    if (!tree.is_leaf(node)) {
      stack.insert(stack.end(), {tree.left(node), tree.right(node)});
      continue;
    }
    for (int i = 0; i < tree.primitive_count(node); ++i) {
      if (primitive_distance(point, tree.primitive(tree.first_primitive(node) + i)).upper <= within) return true;
    }
  }
  return false;
}

FilteredCloud without(const CloudPtr& cloud, const std::vector<bool>& drop) {
  PointCloud::Stored kept = cloud->stored();
  std::size_t next = 0;
  for (std::size_t i = 0; i < kept.points.size(); ++i) {
    if (!drop[i]) kept.points[next++] = kept.points[i];
  }
  const int dropped = cloud->size() - static_cast<int>(next);
  if (dropped == 0) return {cloud, 0};
  kept.points.resize(next);
  return {next == 0 ? nullptr : std::make_shared<const PointCloud>(std::move(kept)), dropped};
}

Isometry3d pose_of(const CloudPtr& cloud, const Pose& X_WorldCloud) {
  if (cloud == nullptr) throw InputError("there is no cloud: a null pointer was given");
  return Isometry3d(rigid(X_WorldCloud, "pose of the cloud").matrix());
}

}  // namespace

/// A link or held object, in its body's frame.
struct RobotFilter::Body {
  int body;
  std::shared_ptr<const SsvTree> tree;
};

RobotFilter::RobotFilter(std::shared_ptr<const RobotModel> robot, const std::vector<AttachedObject>& held)
    : robot_(std::move(robot)) {
  if (robot_ == nullptr) throw InputError("there is no robot: a null pointer was given");
  std::vector<Body> parts;
  const LinkTrees trees = link_trees(*robot_);
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (trees[i] != nullptr) parts.push_back({robot_->links()[i].body, trees[i]});
  }
  for (const AttachedObject& attached : held) {
    const int link = robot_->find_link(attached.link);
    if (link < 0) {
      throw InputError("held object '" + attached.object.name + "': the robot has no link '" + attached.link + "'");
    }
    const Link& holder = robot_->links()[static_cast<std::size_t>(link)];
    std::vector<Geometry> geometry = attached.object.geometry;
    make_rigid(geometry, attached.object.name);
    const Pose X_BodyObject = holder.X_BodyLink * rigid(attached.object.pose, attached.object.name);
    for (Geometry& g : geometry) g.pose = X_BodyObject * g.pose;
    parts.push_back({holder.body, std::make_shared<const SsvTree>(SsvTree::build(geometry, attached.object.name))});
  }
  bodies_ = std::make_shared<const std::vector<Body>>(std::move(parts));
}

FilteredCloud RobotFilter::drop_robot(const CloudPtr& cloud, const Pose& X_WorldCloud, const JointVectorRef& q,
                                      double within) const {
  const Isometry3d X_WC = pose_of(cloud, X_WorldCloud);
  if (!(within >= 0.0) || !std::isfinite(within)) {
    throw InputError("the distance from the robot must be 0 or a positive number of metres, not " +
                     std::to_string(within));
  }
  const Kinematics at = kinematics(*robot_, q);
  std::vector<Isometry3d> to_part;
  for (const Body& body : *bodies_) {
    to_part.push_back(at.bodies[static_cast<std::size_t>(body.body)].pose().inverse() * X_WC);
  }
  const int count = cloud->size();
  std::vector<bool> drop(static_cast<std::size_t>(count), false);
  for (int begin = 0; begin < count; begin += kBlock) {
    const int end = std::min(count, begin + kBlock);
    Eigen::AlignedBox3d box;
    for (int i = begin; i < end; ++i) box.extend(cloud->point(i));
    const double around = 1.001 * 0.5 * box.diagonal().norm() + 1.001 * within;
    for (std::size_t k = 0; k < bodies_->size(); ++k) {
      const SsvTree& tree = *(*bodies_)[k].tree;
      if ((to_part[k] * box.center() - tree.bounding_center()).norm() > around + 1.001 * tree.bounding_radius())
        continue;
      for (int i = begin; i < end; ++i) {
        if (drop[static_cast<std::size_t>(i)]) continue;
        const Vector3d p = to_part[k] * cloud->point(i);
        const bool in_box = tree.bounds().contains(p);
        drop[static_cast<std::size_t>(i)] =
            (in_box && inside(tree, p) == Containment::Inside) || is_near(tree, p, within);
      }
    }
  }
  return without(cloud, drop);
}

FilteredCloud drop_region(const CloudPtr& cloud, const Pose& X_WorldCloud, const Vector3d& min, const Vector3d& max) {
  const Isometry3d X_WC = pose_of(cloud, X_WorldCloud);
  if (!min.allFinite() || !max.allFinite() || (min.array() > max.array()).any()) {
    throw InputError("a region needs a lowest and a highest corner, of finite numbers of metres");
  }
  const Eigen::AlignedBox3d box(min, max);
  std::vector<bool> drop;
  for (int i = 0; i < cloud->size(); ++i) drop.push_back(box.contains(X_WC * cloud->point(i)));
  return without(cloud, drop);
}

Assumption points_dropped(int count, double within, const std::string& name) {
  std::ostringstream text;
  text << count << " points of a cloud, in the robot or within " << within << " m of it, were left out";
  return {.kind = AssumptionKind::PointsDropped, .text = text.str(), .names = {name}};
}

Assumption region_cleared(int count, const std::string& name) {
  return {.kind = AssumptionKind::PointsDropped,
          .text = std::to_string(count) + " points of a cloud, in a region that was cleared, were left out",
          .names = {name}};
}

}  // namespace planner_ccd
