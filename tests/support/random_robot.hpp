#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <random>
#include <string>

#include "planner_ccd/robot/robot_model.hpp"
#include "support/scale.hpp"

namespace planner_ccd::testing {

/// Random draws for tests from one seeded generator, so that a seed reproduces a failure.
class Draw {
 public:
  explicit Draw(unsigned seed) : rng_(seed) {}

  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(rng_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng_); }
  Eigen::Vector3d vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Eigen::Vector3d direction() {
    Eigen::Vector3d v;
    do {
      v = vector(1.0);
    } while (v.norm() < 0.1 || v.norm() > 1.0);
    return v.normalized();
  }
  /// Half of the time along a coordinate axis, as in most robots.
  Eigen::Vector3d axis() {
    if (integer(0, 1) == 0) return direction();
    return (integer(0, 1) == 0 ? 1.0 : -1.0) * Eigen::Vector3d::Unit(integer(0, 2));
  }
  Eigen::Isometry3d pose(double size) {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    const Eigen::Vector3d about = direction();  // before the angle: argument order varies by compiler
    X.linear() = Eigen::AngleAxisd(uniform(-3.1, 3.1), about).toRotationMatrix();
    X.translation() = vector(size);
    return X;
  }

  /// A forest of `count` links behind link "base", joints of all types, some mimicking an earlier one.
  RobotSpec robot(int count) {
    RobotSpec spec;
    spec.name = "random";
    spec.links.push_back({"base", {}, {}});
    std::vector<std::string> masters;
    for (int i = 0; i < count; ++i) {
      const std::string link = "link" + std::to_string(i);
      JointSpec joint;
      joint.name = "joint" + std::to_string(i);
      joint.parent = spec.links[std::max<int>(0, static_cast<int>(spec.links.size()) - 1 - (integer(0, 3) == 0))].name;
      joint.child = link;
      if (integer(0, 4) > 0) joint.origin = pose(0.5);
      joint.axis = axis();
      static constexpr JointType kTypes[] = {JointType::Revolute,  JointType::Revolute, JointType::Continuous,
                                             JointType::Prismatic, JointType::Planar,   JointType::Floating,
                                             JointType::Fixed,     JointType::Revolute};
      joint.type = kTypes[integer(0, 7)];
      const bool single = joint.type == JointType::Revolute || joint.type == JointType::Prismatic;
      if (single) joint.lower = -2.5, joint.upper = 2.5;
      if (single && !masters.empty() && integer(0, 5) == 0) {
        joint.mimic =
            MimicSpec{masters[integer(0, static_cast<int>(masters.size()) - 1)], uniform(-2, 2), uniform(-1, 1)};
      } else if (single) {
        masters.push_back(joint.name);
      }
      spec.links.push_back({link, {}, {}});
      spec.joints.push_back(std::move(joint));
    }
    return spec;
  }

  /// A configuration; quaternions are unit, other values within `size`.
  Eigen::VectorXd configuration(const RobotModel& robot, double size) {
    Eigen::VectorXd q(robot.dof());
    for (int i = 0; i < q.size(); ++i) q[i] = uniform(-size, size);
    for (const Joint& joint : robot.joints()) {
      if (joint.type == JointType::Floating)
        q.segment<4>(joint.q_index + 3) = Eigen::Quaterniond(pose(1.0).linear()).coeffs();
    }
    return q;
  }

 private:
  std::mt19937_64 rng_;
};

}  // namespace planner_ccd::testing
