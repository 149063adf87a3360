#pragma once

#include <limits>
#include <string>
#include <vector>

#include "planner_ccd/validation/check_trajectory.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// How far one joint was from where it was planned to be.
struct JointDeviation {
  std::string joint;      ///< Name of the coordinate.
  double greatest = 0.0;  ///< [rad or m] Executed minus planned, where that is greatest in size; rounded outwards.
  double at = 0.0;        ///< [s] When, on the plan's clock.
  double allowed =
      std::numeric_limits<double>::infinity();  ///< [rad or m] The joint's error there; infinite: none given.
  /// [s] When it first was farther away than its error allows, on the plan's clock; infinite: never.
  double left = std::numeric_limits<double>::infinity();
};

/// An executed motion beside the planned one.
struct Deviation {
  double shift = 0.0;                  ///< [s] The plan's clock is ahead of the executed motion's by this.
  double begin = 0.0, end = 0.0;       ///< [s] On the plan's clock: what was compared. Equal: nothing.
  bool complete = false;               ///< That is all of the plan.
  std::vector<JointDeviation> joints;  ///< By coordinate.

  /// Every joint stayed within its error, all the time of the plan.
  bool within() const;
};

/// Compares two motions by the clock, to 1e-12, over the whole time that they share, curve against curve: nothing is
/// sampled. Where one of them moves in no time (rows of one time), each of its values there counts, against all that the other is at
/// that instant. The errors allowed are those of a check of the plan with `options`: edge.errors.tracking, segment_errors, and
/// what tracking_delay adds. Whole turns between the two are taken off joints without limits. Throws InputError for motions
/// without times, or with times that run backwards, and for robots with floating joints.
Deviation deviation(const RobotModel& robot, const Trajectory& planned, const Trajectory& executed, double shift,
                    const TrajectoryOptions& options = {});

/// The shift that makes the greatest deviation over the plan least, found by trying many on samples: a good guess.
/// If what ran lasts as long as the plan, only shifts with which it covers all of it are tried; otherwise it counts as at
/// rest before its beginning and after its end.
double best_shift(const RobotModel& robot, const Trajectory& planned, const Trajectory& executed);

}  // namespace planner_ccd
#pragma GCC visibility pop
