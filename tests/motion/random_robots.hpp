#pragma once

#include <Eigen/Geometry>
#include <random>
#include <string>

#include "planner_ccd/robot/robot_model.hpp"

namespace planner_ccd::random_robots {

class Rng {
 public:
  explicit Rng(std::uint64_t seed) : engine_(seed) {}
  double uniform(double lo, double hi) { return lo + (hi - lo) * std::generate_canonical<double, 53>(engine_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
  bool coin(double p) { return uniform(0.0, 1.0) < p; }
  Eigen::Vector3d vector(double size) { return size * Eigen::Vector3d(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)); }
  Eigen::Vector3d direction() {
    for (;;) {
      const Eigen::Vector3d v = vector(1.0);
      if (v.norm() > 0.1 && v.norm() <= 1.0) return v.normalized();
    }
  }
  /// Half of them along a coordinate axis, as in real robots.
  Eigen::Vector3d axis() {
    if (coin(0.5)) return direction();
    return (coin(0.5) ? 1.0 : -1.0) * Eigen::Vector3d::Unit(integer(0, 2));
  }
  Eigen::Isometry3d pose(double size) {
    Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
    if (coin(0.2)) return X;
    X.linear() = Eigen::AngleAxisd(uniform(-3, 3), direction()).toRotationMatrix();
    if (!coin(0.2)) X.translation() = vector(size);
    return X;
  }

 private:
  std::mt19937_64 engine_;
};

struct Options {
  int min_joints = 1;
  int max_joints = 8;
  double branching = 0.3;  ///< Chance that a joint does not hang on the last link.
};

/// A kinematic tree with joints of every type, mimic and fixed ones included.
inline RobotSpec robot(Rng& rng, const Options& options = {}) {
  RobotSpec spec;
  spec.name = "random";
  spec.links.push_back({"link0", {}, {}});
  const int n = rng.integer(options.min_joints, options.max_joints);
  for (int i = 1; i <= n; ++i) {
    spec.links.push_back({"link" + std::to_string(i), {}, {}});
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    const int parent = rng.coin(options.branching) ? rng.integer(0, i - 1) : i - 1;
    joint.parent = "link" + std::to_string(parent);
    joint.child = "link" + std::to_string(i);
    joint.origin = rng.pose(0.4);
    joint.axis = rng.axis();
    const int pick = rng.integer(0, 11);
    joint.type = pick <= 4    ? JointType::Revolute
                 : pick <= 6  ? JointType::Continuous
                 : pick <= 8  ? JointType::Prismatic
                 : pick == 9  ? JointType::Planar
                 : pick == 10 ? JointType::Floating
                              : JointType::Fixed;
    if (joint.type == JointType::Revolute) joint.lower = -3.0, joint.upper = 3.0;
    if (joint.type == JointType::Prismatic) joint.lower = -1.0, joint.upper = 1.0;
    if (joint.type == JointType::Revolute && rng.coin(0.2)) {
      for (const JointSpec& other : spec.joints) {
        if (other.type == JointType::Revolute && !other.mimic) {
          joint.mimic = MimicSpec{other.name, rng.uniform(-1.5, 1.5), rng.uniform(-0.5, 0.5)};
          break;
        }
      }
    }
    spec.joints.push_back(joint);
  }
  return spec;
}

/// Somewhere within `size` of `from` in every coordinate; quaternions stay unit.
inline Eigen::VectorXd near(Rng& rng, const RobotModel& model, const Eigen::VectorXd& from, double size) {
  Eigen::VectorXd q = from;
  for (int i = 0; i < q.size(); ++i) q[i] += rng.coin(0.1) ? 0.0 : size * rng.uniform(-1, 1);
  for (const Joint& joint : model.joints()) {
    if (joint.type == JointType::Floating) q.segment<4>(joint.q_index + 3).normalize();
  }
  return q;
}

inline Eigen::VectorXd anywhere(Rng& rng, const RobotModel& model) { return near(rng, model, model.neutral(), 2.0); }

}  // namespace planner_ccd::random_robots
