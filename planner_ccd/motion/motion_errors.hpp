#pragma once

#include <string>
#include <vector>

#include "planner_ccd/geometry/scene_object.hpp"
#include "planner_ccd/math/types.hpp"
#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The error of a link's pose on the link that carries it, or in the world for a root: a base that stands a little off, a tool that was
/// mounted a little askew. Everything beyond the link moves with it.
struct LinkError {
  std::string link;
  PoseError error;

  friend bool operator==(const LinkError&, const LinkError&) = default;
};

/// How far what really happens may be from the motion that is asked about. Free then holds for every joint value within
/// its error of the nominal one, at every instant, whatever the other joints and instants do, and for every link's pose within its own.
/// Errors of objects belong to the scene (SceneObject::pose_error).
struct MotionErrors {
  /// [rad or m] >= 0, one for each coordinate of the robot; empty: none. Those of a floating joint are three lengths,
  /// which bound its origin's error along each axis, and four times the same angle [rad], by which it may be turned.
  JointVector tracking;
  std::vector<LinkError> links;

  bool any() const { return tracking.size() > 0 || !links.empty(); }
  friend bool operator==(const MotionErrors& a, const MotionErrors& b) {
    return a.tracking.size() == b.tracking.size() && a.tracking == b.tracking && a.links == b.links;
  }
};

/// The same error of every joint: `radians` of what turns, `metres` of what slides.
JointVector same_tracking(const RobotModel& robot, double radians, double metres);
/// The root links of the robots in the model, in the order of its links: where errors of bases belong.
std::vector<std::string> base_links(const RobotModel& robot);

}  // namespace planner_ccd
#pragma GCC visibility pop
