#pragma once

#include <string>
#include <vector>

#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/robot/robot_spec.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Something that moves by itself while the robot moves, by key frames: a conveyor, a turntable, a vehicle. A link without
/// geometry, in no robot, that objects can be attached to; these are checked against everything but each other.
/// Between two key frames it moves at constant speed: straight, turning about one axis the shorter way (poses), or along
/// or about its axis (values).
struct MovingFrame {
  std::string name;
  JointType type = JointType::Floating;             ///< Or Revolute, or Prismatic.
  Pose origin = Pose::Identity();                   ///< Revolute, Prismatic: X_WorldFrame at value 0.
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< Revolute, Prismatic: in the frame.
  std::vector<double> times = {};                   ///< [s] On the clock of the motion; each later than the one before.
  std::vector<Pose> poses = {};                     ///< Floating: X_WorldFrame at each time.
  std::vector<double> values = {};                  ///< Revolute [rad], Prismatic [m]: at each time.
  std::vector<std::string> carries = {};            ///< Objects of the scene attached to it from the motion's start on.
  std::string where = {};                           ///< For messages: file and line; empty: "moving 'name'".
};

/// The robot, and for every frame a link of its name (behind a link "NAME/base" fixed to the world and a joint of its
/// name, which come after all others). The joint moves by the clock, and so a checker of this robot answers for motions with times
/// alone, and in scenes where the frames hold what they carry (with_carried in validation/timeline.hpp). Throws InputError for names that are taken, a zero axis, times that do not
/// increase, as many poses or values as there are not times, and poses between which the shorter way to turn is in doubt
/// (half a turn).
RobotSpec with_moving_frames(RobotSpec robot, const std::vector<MovingFrame>& frames);

/// A motion of the robot alone as one of `robot`, made by with_moving_frames: from the motion's start to its end, with
/// the knots of all. Throws InputError for a motion without times, and for frames whose key frames do not cover it.
Trajectory with_moving_frames(const RobotModel& robot, const Trajectory& motion,
                              const std::vector<MovingFrame>& frames);

}  // namespace planner_ccd
#pragma GCC visibility pop
