#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/query/path_checker.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

enum class FindingKind : std::uint8_t {
  Contact,            ///< Two bodies meet, to the tolerance.
  ContactAtStart,     ///< The same, from the start of the motion.
  ContactAtEnd,       ///< The same, up to the end of the motion.
  Margin,             ///< Two bodies come nearer than their margin and errors allow, but were not seen to meet.
  Undecided,          ///< A segment's budget was spent, or a bound was not finite.
  JointLimit,         ///< A coordinate leaves its limits.
  VelocityLimit,      ///< A coordinate exceeds its velocity limit.
  AccelerationLimit,  ///< A coordinate exceeds its acceleration limit.
  JerkLimit,          ///< A coordinate exceeds its jerk limit.
  StartJump,  ///< The motion begins elsewhere than where its source says that the robot stands (Trajectory::start).
  TimeNotIncreasing,  ///< A point is not later than the previous one: controllers reject such a trajectory.
  FullTurn,           ///< A joint without limits jumps by nearly 2 pi between two points: most likely unintended.
};
inline constexpr FindingKind kLastFindingKind = FindingKind::FullTurn;
/// "contact", "contact_at_start", "joint_limit", ...: the words of the JSON report.
const char* to_string(FindingKind kind);

enum class Severity : std::uint8_t { Error, Warning };

/// An event's time, known only to lie in an interval: it has certainly not happened before `from` and certainly has at
/// `to`.
struct TimeBracket {
  double from = 0.0;  ///< [s]
  double to = 0.0;    ///< [s]
};

/// How deep two bodies penetrate, at one of the sampled instants.
struct DepthSample {
  double time = 0.0;                                ///< [s]
  double depth = 0.0;                               ///< [m] They must move at least this far to separate.
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< Where it was measured, world frame.
};

/// One problem of a trajectory. Times are on its clock.
struct Finding {
  FindingKind kind = FindingKind::Undecided;
  Severity severity = Severity::Error;
  int segment = -1;   ///< The segment where it begins.
  TimeBracket begin;  ///< Proved absent before begin.from, back to the previous finding of its kind and pair or joint.
  TimeBracket end;    ///< Present at end.from; proved absent from end.to on, until the next finding.
  bool has_end = true;  ///< False: its end was not searched for.
  std::string message;  ///< One line for people.

  // Contacts
  std::optional<Contact> contact;    ///< The witness at begin.to; its own t is in the segment's [0, 1].
  std::optional<DepthSample> depth;  ///< If measurable (validation/depth.hpp), with all_contacts.

  // Limits, turns and jumps (`value` from the start state, `limit` the tolerance). For Margin, `value` is the least distance found and `limit` the margin [m], plus Contact::error if
  // the motion itself keeps the margin.
  int coordinate = -1;  ///< Of the robot.
  std::string joint;    ///< Its name.
  double value = 0.0;   ///< The worst value, certified to rounding; the time that did not increase, ...
  double limit = 0.0;   ///< The limit it violates.
  double at = 0.0;      ///< [s] Time of the worst value.
};

/// The least distance of one pair over the whole path, or over [from, to].
struct PairClearance {
  std::string a, b;
  /// [m] Certified: never nearer than this. upper - lower <= the requested accuracy, unless evaluations ran out.
  double lower = 0.0;
  double upper = 0.0;  ///< [m] Certified at `time`.
  /// False: evaluations ran out before any lower bound was proved. `lower` is then 0, and says nothing; of a motion that
  /// is free the bodies are apart.
  bool known = true;
  int segment = 0;                                    ///< Where `upper` is attained.
  double time = 0.0;                                  ///< [s]
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< Witness points, world frame.
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
};

/// A piece of the clearance profile: the least distance of all pairs during a part of the path. Pieces leave no gaps,
/// so no dip is missed.
struct ClearancePiece {
  double from = 0.0, to = 0.0;  ///< [s]
  PairClearance nearest;        ///< Over this piece; a and b are empty when no pair is checked.
};

}  // namespace planner_ccd
#pragma GCC visibility pop
