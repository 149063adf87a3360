#include <algorithm>
#include <cmath>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

constexpr double kSpeedWithoutLimit = 1.0;  ///< [rad/s], [m/s]

/// [s] Slightly longer than the limits require, so that rounding does not exceed them.
double least_time(const RobotModel& model, const JointVectorRef& from, const JointVectorRef& to) {
  double time = 0.0;
  for (int i = 0; i < model.dof(); ++i) {
    const double limit = model.coordinates()[static_cast<std::size_t>(i)].max_velocity;
    const double speed = std::isfinite(limit) && limit > 0.0 ? limit : kSpeedWithoutLimit;
    time = std::max(time, std::abs(to[i] - from[i]) / speed);
  }
  return std::max(1e-3, time * (1.0 + 1e-9));
}

std::string list_of(const JointVectorRef& q, const std::vector<int>& coordinates) {
  std::string text;
  for (const int i : coordinates) text += (text.empty() ? "" : ", ") + format_number(q[i]);
  return "[" + text + "]";
}

}  // namespace

std::string format_joint_trajectory(const JointPath& path, const RobotModel& model,
                                    const std::vector<std::string>& joints) {
  std::vector<int> coordinates;
  std::string names;
  for (int i = 0; i < model.dof(); ++i) {
    const Coordinate& c = model.coordinates()[static_cast<std::size_t>(i)];
    const Joint& joint = model.joints()[static_cast<std::size_t>(c.joint)];
    if (!joints.empty() && std::find(joints.begin(), joints.end(), joint.name) == joints.end()) continue;
    if (joint.q_size != 1)
      throw InputError("a JointTrajectory has no joint of several values: " + joint.name + "; write CSV");
    coordinates.push_back(i);
    names += (names.empty() ? "" : ", ") + joint.name;
  }
  std::string text = "joint_names: [" + names + "]\npoints:\n";
  double time = 0.0;
  for (std::size_t w = 0; w < path.waypoints.size(); ++w) {
    if (w > 0) time += least_time(model, path.waypoints[w - 1], path.waypoints[w]);
    if (!path.times.empty()) time = path.times[w];
    text += "- {positions: " + list_of(path.waypoints[w], coordinates) + ", time_from_start: " + format_number(time) +
            "}\n";
  }
  return text;
}

}  // namespace planner_ccd
