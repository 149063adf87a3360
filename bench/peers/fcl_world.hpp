#pragma once

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision_object.h>

#include <functional>
#include <memory>
#include <vector>

#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd::bench {

using FclModel = fcl::BVHModel<fcl::OBBRSSd>;

/// The triangles of a tree without rounded primitives and cylinders.
std::shared_ptr<FclModel> fcl_model(const SsvTree& tree);

/// What stands for a body.
using FclGeometries = std::function<std::shared_ptr<fcl::CollisionGeometryd>(const Collider&)>;

/// The bodies and pairs of a CollisionWorld as FCL objects, used as planning frameworks do: one mesh with OBBRSS tree
/// per link and obstacle, all resting ones in a dynamic AABB tree, self pairs filtered by their boxes. Kinematics are
/// this project's, for both sides.
class FclWorld {
 public:
  FclWorld(const RobotModel& robot, const CollisionWorld& world);
  FclWorld(const RobotModel& robot, const CollisionWorld& world, const FclGeometries& geometries);

  /// True if the robot is in contact at t.
  bool collides(EdgeMotion& motion, double t);
  /// [m] Least distance of any pair at t; stops early below `enough`.
  double distance(EdgeMotion& motion, double t);

  std::int64_t checks = 0;  ///< Configurations checked.

 private:
  struct Body {
    int body;
    int collider;
    std::unique_ptr<fcl::CollisionObjectd> object;
  };
  struct Pair {
    int a, b;  ///< Indices into moving_.
  };
  const CollisionWorld& world_;
  Kinematics kinematics_;
  std::vector<Body> moving_;
  std::vector<Body> fixed_;
  std::vector<Pair> self_pairs_;
  std::vector<std::vector<std::uint8_t>> checked_;  ///< [moving][fixed]
  fcl::DynamicAABBTreeCollisionManagerd obstacles_;

  void place(EdgeMotion& motion, double t);
};

/// A motion checked at a joint step, as discrete planners do: the ends and n - 1 configurations between.
struct DiscreteResult {
  bool hit = false;
  double t = 0.0;  ///< Of the sample that hit.
};

/// In the order of planners: the end, then the middles of halves, quarters, ... The first hit ends it.
DiscreteResult discrete_bisection(FclWorld& world, EdgeMotion& motion, double length, double step);
/// In order from the start, so that the first hit is the first contact up to the step.
DiscreteResult discrete_in_order(FclWorld& world, EdgeMotion& motion, double length, double step);

}  // namespace planner_ccd::bench
