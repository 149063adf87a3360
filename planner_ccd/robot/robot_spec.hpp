#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/math/types.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

enum class JointType { Fixed, Revolute, Continuous, Prismatic, Planar, Floating };

/// value = multiplier * (value of `joint`) + offset. `joint` may itself be a mimic joint.
struct MimicSpec {
  std::string joint;
  double multiplier = 1.0;
  double offset = 0.0;
};

/// A joint as a file or a program states it; RobotModel checks it.
struct JointSpec {
  std::string name;
  JointType type = JointType::Fixed;
  std::string parent;                               ///< Link name.
  std::string child;                                ///< Link name.
  Pose origin = Pose::Identity();                   ///< X_ParentJoint at value 0.
  Eigen::Vector3d axis = Eigen::Vector3d::UnitX();  ///< In the joint's frame; normalised by RobotModel.
  std::optional<double> lower;                      ///< [rad] or [m]; absent: unlimited.
  std::optional<double> upper;                      ///< [rad] or [m]; absent: unlimited.
  std::optional<double> max_velocity;               ///< [rad/s] or [m/s]
  std::optional<MimicSpec> mimic;
};

struct LinkSpec {
  std::string name;
  std::vector<Geometry> collision;  ///< In the link's frame.
  std::vector<Geometry> visual;     ///< In the link's frame; only the viewer and `--use-visual` look at it.
  int robot = 0;                    ///< Which of several robots it belongs to (robots_of); `combine` sets it.
};

/// A robot as plain data: what URDF says, or what a program puts together. Links may form several trees (several robots
/// standing in one world); see `combine`.
struct RobotSpec {
  std::string name;
  std::vector<LinkSpec> links;
  std::vector<JointSpec> joints;
};

/// A robot to be placed in a common world: every link and joint name gets `prefix` put before it.
struct PlacedRobot {
  RobotSpec spec;
  std::string prefix;
  Pose base = Pose::Identity();  ///< X_WorldRoot
};

/// Several robots as one: their roots are fixed to a common link "world", or "world_2", ... where a robot has a link of that name.
/// Throws InputError when names collide.
RobotSpec combine(const std::vector<PlacedRobot>& robots);

/// By link, a number of the robot that it belongs to: links of one tree with the same LinkSpec::robot are one robot.
std::vector<int> robots_of(const RobotSpec& spec);

}  // namespace planner_ccd
#pragma GCC visibility pop
