#include "planner_ccd/motion/trajectory.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/robot/detail/unit_quaternion.hpp"

namespace planner_ccd {
namespace {

[[noreturn]] void fail(std::size_t point, const std::string& message) {
  throw InputError("point " + std::to_string(point) + " of the trajectory: " + message);
}

void require(const RobotModel& robot, const JointVectorRef& values, const char* what, bool may_be_empty,
             std::size_t point) {
  if (may_be_empty && values.size() == 0) return;
  if (values.size() != robot.dof()) {
    fail(point, std::to_string(values.size()) + " " + what + " where robot '" + robot.name() + "' has " +
                    std::to_string(robot.dof()) + " coordinates");
  }
  if (!values.allFinite()) fail(point, std::string(what) + " that are not finite");
}

void require(const RobotModel& robot, const TrajectoryPoint& p, std::size_t i) {
  if (!std::isfinite(p.time)) fail(i, "the time is not finite");
  require(robot, p.position, "positions", false, i);
  require(robot, p.velocity, "velocities", true, i);
  require(robot, p.acceleration, "accelerations", true, i);
  if (p.acceleration.size() > 0 && p.velocity.size() == 0) {
    fail(i, "accelerations without velocities define no motion; give velocities too, or leave the accelerations out");
  }
  for (const Joint& joint : robot.joints()) {
    if (joint.type != JointType::Floating || joint.is_mimic) continue;
    const auto moves = [&](const JointVectorRef& v) {
      return v.size() > 0 && v.segment<7>(joint.q_index).cwiseAbs().maxCoeff() > 0.0;
    };
    if (moves(p.velocity) || moves(p.acceleration)) {
      fail(i, "the floating joint '" + joint.name +
                  "' goes straight from key frame to key frame; leave out its velocities and accelerations");
    }
  }
}

enum class Rule { Line, Cubic, Quintic };

/// (1) and (2). Each coefficient is a sum of at most 6 products of at most 5 rounded factors: fewer than 16 roundings of
/// terms that, over all coefficients and on [0, 1], weigh at most
/// |p0| + 31 |d| + 18 (|v0| + |v1|) T + 4 (|a0| + |a1|) T^2. The error takes twice that.
void interpolate(const TrajectoryPoint& from, const TrajectoryPoint& to, Eigen::Index i, Rule rule,
                 TrajectorySegment& segment) {
  const double T = segment.duration();
  const double d = to.position[i] - from.position[i];
  Polynomial p;
  p.c[0] = from.position[i];
  double weight = std::abs(p.c[0]) + std::abs(to.position[i]) + 31.0 * std::abs(d);
  if (rule == Rule::Line) {
    p.c[1] = d;
    p.degree = d == 0.0 ? 0 : 1;
    segment.value.push_back(p);
    segment.error.push_back(4.0 * kUnitRoundoff * (std::abs(p.c[0]) + std::abs(to.position[i])));
    return;
  }
  const double v0 = from.velocity[i] * T, v1 = to.velocity[i] * T;
  weight += 18.0 * (std::abs(v0) + std::abs(v1));
  p.c[1] = v0;
  if (rule == Rule::Cubic) {
    p.c[2] = 3.0 * d - (2.0 * v0 + v1);
    p.c[3] = -2.0 * d + (v0 + v1);
    p.degree = 3;
  } else {
    const double a0 = from.acceleration[i] * T * T, a1 = to.acceleration[i] * T * T;
    weight += 4.0 * (std::abs(a0) + std::abs(a1));
    p.c[2] = 0.5 * a0;
    p.c[3] = 10.0 * d - (6.0 * v0 + 4.0 * v1) - 0.5 * (3.0 * a0 - a1);
    p.c[4] = -15.0 * d + (8.0 * v0 + 7.0 * v1) + 0.5 * (3.0 * a0 - 2.0 * a1);
    p.c[5] = 6.0 * d - 3.0 * (v0 + v1) - 0.5 * (a0 - a1);
    p.degree = 5;
  }
  while (p.degree > 0 && p.c[p.degree] == 0.0) --p.degree;
  segment.value.push_back(p);
  segment.error.push_back(32.0 * kUnitRoundoff * weight);
}

TrajectorySegment segment_between(const RobotModel& robot, const TrajectoryPoint& from, const TrajectoryPoint& to) {
  TrajectorySegment segment;
  segment.t0 = from.time;
  segment.t1 = to.time;
  Rule rule = Rule::Line;
  if (segment.duration() > 0.0 && from.velocity.size() > 0 && to.velocity.size() > 0) {
    rule = from.acceleration.size() > 0 && to.acceleration.size() > 0 ? Rule::Quintic : Rule::Cubic;
  }
  for (Eigen::Index i = 0; i < robot.dof(); ++i) {
    const Joint& joint = robot.joints()[robot.coordinates()[i].joint];
    interpolate(from, to, i, joint.type == JointType::Floating ? Rule::Line : rule, segment);
  }
  return segment;
}

}  // namespace

Trajectory make_trajectory(const RobotModel& robot, const std::vector<TrajectoryPoint>& points) {
  if (points.empty()) throw InputError("the trajectory has no points");
  for (std::size_t i = 0; i < points.size(); ++i) require(robot, points[i], i);
  Trajectory trajectory;
  if (points.size() == 1) trajectory.segments.push_back(segment_between(robot, points[0], points[0]));
  for (std::size_t i = 1; i < points.size(); ++i) {
    trajectory.segments.push_back(segment_between(robot, points[i - 1], points[i]));
  }
  return trajectory;
}

Trajectory make_trajectory(const RobotModel& robot, const JointPath& path) {
  std::vector<TrajectoryPoint> points;
  for (std::size_t i = 0; i < path.waypoints.size(); ++i) {
    points.push_back({path.times.empty() ? static_cast<double>(i) : path.times.at(i), path.waypoints[i], {}, {}});
  }
  Trajectory trajectory = make_trajectory(robot, points);
  trajectory.timed = !path.times.empty();
  return trajectory;
}

bool is_at_rest(const Trajectory& trajectory) {
  if (trajectory.segments.size() != 1 || trajectory.segments[0].duration() != 0.0) return false;
  const std::vector<Polynomial>& value = trajectory.segments[0].value;
  return std::all_of(value.begin(), value.end(), [](const Polynomial& p) { return p.degree == 0; });
}

Trajectory stretched(const Trajectory& trajectory, double factor) {
  if (!(factor > 0.0) || !std::isfinite(factor)) throw InputError("a trajectory can be stretched by a factor > 0 only");
  Trajectory result = trajectory;
  for (TrajectorySegment& segment : result.segments) {
    segment.t0 *= factor;
    segment.t1 *= factor;
  }
  return result;
}

int segment_at(const Trajectory& trajectory, double t) {
  const auto& all = trajectory.segments;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (t < all[i].t1) return static_cast<int>(i);
  }
  return static_cast<int>(all.size()) - 1;
}

JointVector configuration(const RobotModel& robot, const TrajectorySegment& segment, double u) {
  JointVector q(static_cast<Eigen::Index>(segment.value.size()));
  for (Eigen::Index i = 0; i < q.size(); ++i) q[i] = segment.value[i].value(u);
  for (const Joint& joint : robot.joints()) {
    if (joint.type != JointType::Floating || joint.is_mimic) continue;
    Eigen::Vector4d from, to;
    for (int k = 0; k < 4; ++k) {
      from[k] = segment.value[joint.q_index + 3 + k].value(0.0);
      to[k] = segment.value[joint.q_index + 3 + k].value(1.0);
    }
    const Eigen::Quaterniond r0 = detail::unit_quaternion(from, joint), r1 = detail::unit_quaternion(to, joint);
    q.segment<4>(joint.q_index + 3) = r0.slerp(u, r1).coeffs();
  }
  return q;
}

JointVector configuration(const RobotModel& robot, const Trajectory& trajectory, double t) {
  const int i = segment_at(trajectory, t);
  if (i < 0) throw InputError("the trajectory has no segments");
  const TrajectorySegment& segment = trajectory.segments[i];
  const double T = segment.duration();
  return configuration(robot, segment, T > 0.0 ? std::clamp((t - segment.t0) / T, 0.0, 1.0) : 0.0);
}

}  // namespace planner_ccd
