#pragma once

#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/python/content.hpp"

namespace planner_ccd::python {

/// `planner_ccd.Trajectory`: a motion and the robot that it moves.
struct PyTrajectory {
  Robot robot;
  Trajectory trajectory;
  std::vector<InputWarning> warnings;
  std::vector<Assumption> assumptions;
  std::vector<InputFile> inputs = {};
};

/// Rejects a trajectory whose values belong to other joints. `more`: the robot may have moving frames after these.
void require_same_joints(const RobotModel& robot, const RobotModel& of, bool more = false);

/// The same, and one that says nothing of what moves by the clock: of the robot without it.
void require_motion_of(const RobotModel& robot, const RobotModel& of);

template <class A>
void describe(A& a, Of<A, Polynomial>& v) {
  a(v.degree);
  for (auto& coefficient : v.c) a(coefficient);
}
template <class A>
void describe(A& a, Of<A, TrajectorySegment>& v) {
  a(v.t0, v.t1, v.value, v.error);
}
template <class A>
void describe(A& a, Of<A, PyTrajectory>& v) {
  a(v.robot, v.trajectory.segments, v.trajectory.timed, v.trajectory.sampled, v.trajectory.start, v.warnings,
    v.assumptions, v.inputs);
}

}  // namespace planner_ccd::python
