#include "bench/growth_worlds.hpp"

#include <cmath>
#include <map>
#include <random>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd::bench {
namespace {

constexpr double kReach = 1.4;  ///< [m] Of the arms here.

MeshPtr finer(const TriangleMesh& mesh) {
  auto out = std::make_shared<TriangleMesh>(mesh);
  out->triangles.clear();
  std::map<std::pair<int, int>, int> middles;
  const auto middle = [&](int a, int b) {
    const auto [it, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<int>(out->vertices.size()));
    if (fresh) out->vertices.push_back(0.5 * (mesh.vertices[a] + mesh.vertices[b]));
    return it->second;
  };
  for (const Eigen::Vector3i& t : mesh.triangles) {
    const int ab = middle(t[0], t[1]), bc = middle(t[1], t[2]), ca = middle(t[2], t[0]);
    out->triangles.insert(out->triangles.end(), {{t[0], ab, ca}, {t[1], bc, ab}, {t[2], ca, bc}, {ab, bc, ca}});
  }
  return out;
}

void refine(std::vector<Geometry>& geometry, int times) {
  for (Geometry& g : geometry) {
    for (int i = 0; i < times; ++i) {
      if (const auto* mesh = std::get_if<MeshPtr>(&g.shape)) g.shape = finer(**mesh);
    }
  }
}

/// Boxes of edge `edge` at random places of a cube of half width `half` around (0, 0, 0.6), none in the way of the base.
Scene boxes_in_room(int count, double edge, double half) {
  std::mt19937 rng(7);
  std::uniform_real_distribution<double> place(-half, half), angle(-3.1, 3.1);
  Scene scene;
  while (static_cast<int>(scene.objects.size()) < count) {
    SceneObject box;
    box.pose.translation() = Eigen::Vector3d(place(rng), place(rng), 0.6 + place(rng));
    const Eigen::Vector3d axis(angle(rng), angle(rng), angle(rng));
    box.pose.linear() = Eigen::AngleAxisd(angle(rng), axis.normalized()).toRotationMatrix();
    if (box.pose.translation().head<2>().norm() < 0.25 + edge && box.pose.translation().z() < 0.7 + edge) continue;
    box.name = "box" + std::to_string(scene.objects.size());
    box.geometry.push_back({Box{{edge, edge, edge}}, Eigen::Isometry3d::Identity(), "box"});
    scene.objects.push_back(std::move(box));
  }
  return scene;
}

}  // namespace

World finer_arm_clutter(int times) {
  World world = load_world("arm_clutter");
  world.motion.clear();
  RobotSpec spec;
  const RobotModel& robot = *world.robot;
  spec.name = robot.name();
  for (const Link& link : robot.links()) {
    spec.links.push_back({link.name, link.collision, {}});
    refine(spec.links.back().collision, times);
  }
  for (const Joint& j : robot.joints()) {
    JointSpec joint;
    joint.name = j.name;
    joint.type = j.type;
    joint.parent = robot.links()[j.parent_link].name;
    joint.child = robot.links()[j.child_link].name;
    joint.origin = robot.links()[j.parent_link].X_BodyLink.inverse() * j.X_ParentBodyJoint;
    joint.axis = j.axis;
    if (std::isfinite(j.lower)) joint.lower = j.lower;
    if (std::isfinite(j.upper)) joint.upper = j.upper;
    spec.joints.push_back(std::move(joint));
  }
  world.robot = std::make_shared<const RobotModel>(std::move(spec));
  const SceneObjects coarse = world.scene.objects;
  for (SceneObject object : coarse) {
    refine(object.geometry, times);
    world.scene.objects.replace(std::move(object));
  }
  return world;
}

World arm_among_boxes(int boxes, Crowding crowding) {
  World world = load_world("arm_clutter");
  world.motion.clear();
  constexpr double kEdge = 0.3;  // [m] of ten boxes
  const double scale = std::cbrt(boxes / 10.0);
  world.scene = crowding == Crowding::Share ? boxes_in_room(boxes, kEdge / scale, kReach)
                                            : boxes_in_room(boxes, kEdge, kReach * scale);
  return world;
}

World chain_among_boxes(int joints) {
  World world;
  RobotSpec spec;
  spec.name = "chain" + std::to_string(joints);
  spec.links.push_back({"link0", {}, {}});
  const double length = kReach / joints;
  for (int i = 0; i < joints; ++i) {
    const std::string name = "link" + std::to_string(i + 1);
    Geometry bar{Box{{0.06, 0.06, 0.8 * length}}, Eigen::Isometry3d::Identity(), "box"};
    bar.pose.translation().z() = 0.5 * length;
    spec.links.push_back({name, {bar}, {}});
    JointSpec joint;
    joint.name = "joint" + std::to_string(i + 1);
    joint.type = JointType::Revolute;
    joint.parent = "link" + std::to_string(i);
    joint.child = name;
    joint.origin.translation().z() = i == 0 ? 0.3 : length;
    joint.axis = i % 2 == 0 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    joint.lower = -0.5 * 3.1 * std::min(1.0, 7.0 / joints);
    joint.upper = -*joint.lower;
    spec.joints.push_back(std::move(joint));
  }
  world.robot = std::make_shared<const RobotModel>(std::move(spec));
  world.matrix = CollisionMatrix{};
  for (int i = 1; i < joints; ++i) {
    world.matrix.exclude("link" + std::to_string(i), "link" + std::to_string(i + 1), ExclusionReason::User);
  }
  world.scene = boxes_in_room(30, 0.15, kReach);
  return world;
}

}  // namespace planner_ccd::bench
