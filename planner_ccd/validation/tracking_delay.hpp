#pragma once

#include "planner_ccd/validation/check_trajectory.hpp"

namespace planner_ccd {

/// The errors of a segment: those of options.edge, its own, and of a robot that is up to options.tracking_delay behind on its own path, which
/// is at t somewhere on the motion from t - delay to t: (43) of MATHS.md T21. Before its start and after its end the motion rests. Throws
/// InputError for errors that do not fit the motion, for a delay that is negative or not finite, for a trajectory without times and a robot
/// with a floating joint.
MotionErrors errors_of(const RobotModel& robot, const Trajectory& trajectory, int segment,
                       const TrajectoryOptions& options);

}  // namespace planner_ccd
