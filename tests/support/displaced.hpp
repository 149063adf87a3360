#pragma once

#include <cmath>

#include "planner_ccd/motion/motion_errors.hpp"
#include "planner_ccd/scene/scene.hpp"
#include "support/oracle.hpp"
#include "support/scenarios.hpp"

/// What may happen within the errors of a motion, from their definition alone: displaced robots, scenes and
/// configurations for the oracle.
namespace planner_ccd::testing {

/// A pose within an error of the identity; at its border when `full`.
inline Eigen::Isometry3d within(Draw& draw, const PoseError& error, bool full) {
  Eigen::Isometry3d P = Eigen::Isometry3d::Identity();
  const Eigen::Vector3d axis = draw.direction(), way = draw.direction();
  P.linear() = Eigen::AngleAxisd((full ? 1.0 : draw.uniform(0.0, 1.0)) * error.angle, axis).toRotationMatrix();
  P.translation() = (full ? 1.0 : draw.uniform(0.0, 1.0)) * error.position * way;
  return P;
}

/// The robot with link's pose P off, in its own frame: a fixed joint goes in before it.
inline void displace(RobotSpec& spec, const std::string& link, const Eigen::Isometry3d& P) {
  const std::string before = link + " before " + std::to_string(spec.links.size());
  int robot = 0;
  for (const LinkSpec& l : spec.links) {
    if (l.name == link) robot = l.robot;
  }
  for (JointSpec& j : spec.joints) {
    if (j.child == link) j.child = before;
  }
  JointSpec fixed;
  fixed.name = "to " + before;
  fixed.parent = before;
  fixed.child = link;
  fixed.origin = P;
  spec.links.push_back({before, {}, {}, robot});
  spec.joints.push_back(fixed);
}

struct Displaced {
  RobotSpec spec;
  Scene scene;
};

/// One robot and scene within the errors of links and objects.
inline Displaced displaced(Draw& draw, const Scenario& s, const MotionErrors& errors, bool full) {
  Displaced out{s.spec, s.scene};
  for (const LinkError& e : errors.links) displace(out.spec, e.link, within(draw, e.error, full));
  std::vector<SceneObject> moved;
  for (const SceneObject& o : s.scene.objects) {
    if (o.pose_error.any()) moved.push_back(o);
  }
  for (SceneObject& o : moved) {
    const Eigen::Isometry3d P = within(draw, o.pose_error, full);
    out.scene.objects.move(o.name, Eigen::Isometry3d(o.pose) * P);
  }
  for (AttachedObject& a : out.scene.attached) {
    a.object.pose = Eigen::Isometry3d(a.object.pose) * within(draw, a.object.pose_error, full);
  }
  return out;
}

/// The nominal configuration at t, from the definition of the motion.
inline JointVector nominal(const RobotModel& robot, const truth::Edge& edge, double t) {
  JointVector q = edge.q0 + t * (edge.q1 - edge.q0);
  for (const Joint& joint : robot.joints()) {
    if (joint.type == JointType::Floating && joint.q_index >= 0) {
      const Eigen::Quaterniond a(edge.q0.segment<4>(joint.q_index + 3)), b(edge.q1.segment<4>(joint.q_index + 3));
      q.segment<4>(joint.q_index + 3) = a.normalized().slerp(t, b.normalized()).coeffs();
    }
  }
  for (int i = 0; i < robot.dof(); ++i) {
    if (edge.angles != AnglePolicy::Wrap || !robot.coordinates()[i].continuous) continue;
    q[i] = edge.q0[i] + t * std::remainder(edge.q1[i] - edge.q0[i], 2.0 * std::acos(-1.0));
  }
  return q;
}

/// q with every joint within its tracking error; at the border, by `sign` (one number for each coordinate), where it is not 0.
inline JointVector tracked(Draw& draw, const RobotModel& robot, JointVector q, const MotionErrors& errors,
                           const Eigen::VectorXd& sign) {
  if (errors.tracking.size() == 0) return q;
  const JointVector was = q;
  for (int i = 0; i < robot.dof(); ++i) {
    q[i] += errors.tracking[i] * (sign[i] != 0.0 ? sign[i] : draw.uniform(-1.0, 1.0));
  }
  for (const Joint& joint : robot.joints()) {
    if (joint.type != JointType::Floating || joint.q_index < 0) continue;
    const double angle = errors.tracking[joint.q_index + 3];
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(angle * draw.uniform(-1.0, 1.0), draw.direction()));
    const Eigen::Quaterniond r(Eigen::Vector4d(was.segment<4>(joint.q_index + 3)));
    q.segment<4>(joint.q_index + 3) = (turn * r.normalized()).coeffs();
  }
  return q;
}

/// Errors of all kinds, about `size` [m, rad]; some joints and poses are exact. Those of objects go into the scene.
inline MotionErrors random_errors(Draw& draw, Scenario& s, double size) {
  MotionErrors errors;
  if (draw.integer(0, 4) > 0) {
    errors.tracking = JointVector::Zero(s.robot->dof());
    for (int i = 0; i < s.robot->dof(); ++i) {
      if (draw.integer(0, 3) > 0) errors.tracking[i] = draw.uniform(0.0, size);
    }
    for (const Joint& joint : s.robot->joints()) {
      if (joint.type != JointType::Floating || joint.q_index < 0) continue;
      errors.tracking.segment<4>(joint.q_index + 3).setConstant(errors.tracking[joint.q_index + 3]);
    }
  }
  const auto pose = [&]() -> PoseError {
    return {.position = draw.integer(0, 3) ? draw.uniform(0.0, size) : 0.0,
            .angle = draw.integer(0, 3) ? draw.uniform(0.0, size) : 0.0};
  };
  if (draw.integer(0, 2) == 0) errors.links.push_back({s.spec.links[0].name, pose()});
  if (draw.integer(0, 3) == 0) {
    errors.links.push_back({s.spec.links[draw.integer(0, static_cast<int>(s.spec.links.size()) - 1)].name, pose()});
  }
  std::vector<SceneObject> loose;
  for (const SceneObject& o : s.scene.objects) {
    if (draw.integer(0, 2) == 0) loose.push_back(o);
  }
  for (SceneObject& o : loose) {
    o.pose_error = pose();
    s.scene.objects.replace(o);
  }
  for (AttachedObject& a : s.scene.attached) {
    if (draw.integer(0, 1) == 0) a.object.pose_error = pose();
  }
  return errors;
}

}  // namespace planner_ccd::testing
