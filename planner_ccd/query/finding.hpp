#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/query/path_checker.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

enum class FindingKind : std::uint8_t {
  Contact,            ///< Two bodies meet, to the tolerance.
  ContactAtStart,     ///< The same, from the first moment on.
  ContactAtEnd,       ///< The same, to the last moment.
  Margin,             ///< Two bodies come nearer than their margin, but were not seen to meet.
  Undecided,          ///< A segment's budget was spent, or a bound was not finite.
  JointLimit,         ///< A coordinate leaves its limits.
  VelocityLimit,      ///< A coordinate is faster than it may.
  AccelerationLimit,  ///< A coordinate accelerates more than it may.
  TimeNotIncreasing,  ///< A point is not later than the one before: controllers reject such a trajectory.
  FullTurn,           ///< A joint without limits jumps by nearly 2 pi between two points: most likely not meant.
};
/// "contact", "contact_at_start", "joint_limit", ...: the words of the JSON report.
const char* to_string(FindingKind kind);

enum class Severity : std::uint8_t { Error, Warning };

/// An instant known only to lie between two: before `from` it has certainly not come, at `to` it certainly has.
struct TimeBracket {
  double from = 0.0;  ///< [s]
  double to = 0.0;    ///< [s]
};

/// How deep two bodies were seen in one another, at one of the instants looked at.
struct DepthSample {
  double time = 0.0;                                ///< [s]
  double depth = 0.0;                               ///< [m] They must move at least so far to part.
  Eigen::Vector3d point = Eigen::Vector3d::Zero();  ///< Where it was seen, world frame.
};

/// One thing that is wrong with a trajectory. Times are on its clock.
struct Finding {
  FindingKind kind = FindingKind::Undecided;
  Severity severity = Severity::Error;
  int segment = -1;     ///< Where it begins.
  TimeBracket begin;    ///< Proved absent before begin.from (since the last finding of its kind and its pair or joint).
  TimeBracket end;      ///< Present at end.from; proved absent at end.to and on from there, to the next finding.
  bool has_end = true;  ///< False: its end was not looked for.
  std::string message;  ///< One line for people.

  // Contacts
  std::optional<Contact> contact;    ///< The witness at begin.to; its own t is in the segment's [0, 1].
  std::optional<DepthSample> depth;  ///< Where it can be known (query/depth.hpp), with all_contacts.

  // Limits and turns; of Margin `value` is the least distance that was met and `limit` the margin [m].
  int coordinate = -1;  ///< Of the robot.
  std::string joint;    ///< Its name.
  double value = 0.0;   ///< The worst value, certified to rounding; the time that did not grow, ...
  double limit = 0.0;   ///< What it had to keep to.
  double at = 0.0;      ///< [s] When the worst value is reached.
};

/// The least distance of one pair over the whole path, or over [from, to] of it.
struct PairClearance {
  std::string a, b;
  double lower = 0.0;  ///< [m] Certified: never nearer than this.
  double upper = 0.0;  ///< [m] Certified: this near at `time`. upper - lower <= the accuracy asked for.
  int segment = 0;     ///< Where `upper` is attained.
  double time = 0.0;   ///< [s]
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< Witness points, world frame.
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
};

/// A piece of the clearance profile: the least distance of all pairs during a part of the path. Nothing between the
/// pieces is left out, so no dip is missed.
struct ClearancePiece {
  double from = 0.0, to = 0.0;  ///< [s]
  PairClearance nearest;        ///< Over this piece; a and b are empty when no pair is checked.
};

}  // namespace planner_ccd
#pragma GCC visibility pop
