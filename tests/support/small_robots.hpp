#pragma once

#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/robot/robot_spec.hpp"

/// Robots of a few links built by hand, for contacts aimed at one bound.
namespace planner_ccd::testing {

inline Eigen::Isometry3d shift(const Eigen::Vector3d& by) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.translation() = by;
  return X;
}

inline Geometry ball(double radius, const Eigen::Vector3d& at = Eigen::Vector3d::Zero()) {
  return {Sphere{radius}, shift(at), "ball"};
}

/// One large triangle through `point` across `normal`.
inline Geometry wall(const Eigen::Vector3d& point, const Eigen::Vector3d& normal, double size = 20.0) {
  auto mesh = std::make_shared<TriangleMesh>();
  const Eigen::Vector3d u = normal.unitOrthogonal(), v = normal.normalized().cross(u);
  mesh->vertices = {point - size * (u + v), point + size * (3.0 * u - v), point + size * (3.0 * v - u)};
  mesh->triangles.emplace_back(0, 1, 2);
  return {MeshPtr(mesh), Eigen::Isometry3d::Identity(), "wall"};
}

/// A chain base, l1, l2, ... of joints j1, j2, ...; geometry is attached to the last link.
class ChainSpec {
 public:
  RobotSpec spec;

  ChainSpec() {
    spec.name = "chain";
    spec.links.push_back({"base", {}, {}});
  }
  ChainSpec& joint(JointType type, const Eigen::Vector3d& axis, double lower, double upper,
                   const Eigen::Vector3d& at = Eigen::Vector3d::Zero()) {
    JointSpec j;
    j.name = "j" + std::to_string(spec.joints.size() + 1);
    j.type = type;
    j.parent = spec.links.back().name;
    j.child = "l" + std::to_string(spec.joints.size() + 1);
    j.axis = axis;
    j.origin = shift(at);
    j.lower = lower;
    j.upper = upper;
    spec.links.push_back({j.child, {}, {}});
    spec.joints.push_back(j);
    return *this;
  }
  ChainSpec& slide(const Eigen::Vector3d& axis, double reach = 100.0) {
    return joint(JointType::Prismatic, axis, -reach, reach);
  }
  ChainSpec& turn(const Eigen::Vector3d& axis, double reach = 10.0,
                  const Eigen::Vector3d& at = Eigen::Vector3d::Zero()) {
    return joint(JointType::Revolute, axis, -reach, reach, at);
  }
  ChainSpec& with(Geometry geometry) {
    spec.links.back().collision.push_back(std::move(geometry));
    return *this;
  }
  ChainSpec& base(Geometry geometry) {
    spec.links.front().collision.push_back(std::move(geometry));
    return *this;
  }
};

}  // namespace planner_ccd::testing
