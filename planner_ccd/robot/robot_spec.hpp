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

/// A joint as given by a file or a program; RobotModel validates it.
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
  /// Its value is a matter of time, not of a configuration (validation/moving_frame.hpp): queries of configurations refuse the robot.
  bool by_clock = false;
  /// Objects of a scene that its child carries from the motion's start on: a scene in which one stands still is refused.
  std::vector<std::string> carries = {};
};

struct LinkSpec {
  std::string name;
  std::vector<Geometry> collision;  ///< In the link's frame.
  std::vector<Geometry> visual;     ///< In the link's frame; used only by the viewer and `--use-visual`.
  int robot = 0;                    ///< Its robot, if there are several (robots_of); set by `combine`.
};

/// A robot as plain data, read from URDF or made by a program. Links may form several trees (several robots in one
/// world); see `combine`.
struct RobotSpec {
  std::string name;
  std::vector<LinkSpec> links;
  std::vector<JointSpec> joints;
};

/// A robot to be placed in a common world; `prefix` is prepended to every link and joint name.
struct PlacedRobot {
  RobotSpec spec;
  std::string prefix;
  Pose base = Pose::Identity();  ///< X_WorldRoot
};

/// Several robots as one: their roots are fixed to a common link "world", or "world_2", ... if a robot has a link of
/// that name. Throws InputError when names collide.
RobotSpec combine(const std::vector<PlacedRobot>& robots);

/// By link, the number of its robot: links of one tree with the same LinkSpec::robot form one robot.
std::vector<int> robots_of(const RobotSpec& spec);

}  // namespace planner_ccd
#pragma GCC visibility pop
