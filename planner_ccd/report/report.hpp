#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/validation/assumptions.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "planner_ccd/validation/deviation.hpp"
#include "planner_ccd/validation/input_file.hpp"
#include "planner_ccd/validation/input_warning.hpp"
#include "planner_ccd/validation/timeline.hpp"
#include "planner_ccd/validation/tracking_limit.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// One of the given robots, or a tool mounted on one.
struct RobotPart {
  std::string prefix;  ///< Prepended to the names of its links, joints and named states; empty for a single robot.
  std::string file;
  std::string name;                                        ///< From its file.
  Eigen::Isometry3d base = Eigen::Isometry3d::Identity();  ///< X_WorldRoot, from --base; for a tool X_LinkRoot.
  std::string link = {};                                   ///< For a tool: where --mount fixes it; else empty.
};

/// Where a motion came from, if that is a log.
struct LogOrigin {
  std::string topic, type;
  std::int64_t messages = 0;  ///< Used.
  std::int64_t begin_ns = 0;  ///< Zero of the clock, since 1970.
  std::size_t parts = 0;
};

/// How far things may be from where motion and scene say, as the check was asked to allow for.
struct StatedErrors {
  std::vector<std::pair<std::string, double>> tracking;  ///< [rad or m] By coordinate.
  std::vector<std::pair<std::string, double>> columns;   ///< [rad or m] The greatest of the motion's own columns.
  double delay = 0.0;                                    ///< [s]
  std::vector<std::pair<std::string, PoseError>> bases;
  std::vector<std::pair<std::string, PoseError>> objects;
};

/// What was asked.
struct Question {
  std::string robot;  ///< Its name; of several one name for all.
  std::vector<RobotPart> robots;
  std::vector<std::string> coordinates;    ///< Names of joint values, in the order of configurations.
  int links = 0, links_with_geometry = 0;  ///< Of all robots.
  int objects = 0, held = 0;               ///< Obstacles, and objects that links hold, at the start.
  std::size_t pairs = 0;  ///< Of bodies that are checked against each other; of a timeline, in the stage with most.
  double margin = 0.0, self_margin = 0.0;  ///< [m]
  std::vector<Padding> padding;
  StatedErrors errors;
  double tolerance = 0.0;  ///< [m]
  std::string method, leaf, broad_phase;
  std::int64_t max_evaluations = 0;
  AnglePolicy angles = AnglePolicy::Literal;
  bool limits_checked = true;
  bool acceleration_limits = false;  ///< Some were given.
  bool all_contacts = false;
  double clearance_accuracy = 0.0;  ///< [m] 0: not asked for.
  bool timed = true;
  double begin = 0.0, end = 0.0;  ///< [s] Without times: segments count as seconds.
  std::optional<LogOrigin> log;
  std::optional<std::vector<TimelineEvent>> events;  ///< If the world changes during the motion.
  std::vector<std::string> fail_on;  ///< Kinds of warnings and assumptions that were not to be accepted.
};

/// What became of a request for a certificate.
struct WrittenCertificate {
  std::string file;
  CertificateResult result;
};

/// What really ran, beside the motion that was planned.
struct Executed {
  std::string file;
  std::string clocks;   ///< Where the shift comes from: "given", "stamps" of two logs, or "found" by best_shift().
  bool judged = false;  ///< Errors of joints were given, or a delay: the comparison is with them.
  Deviation deviation;
  TrajectoryResult result;  ///< The check of what ran, by itself.
  bool timed = true;
  std::vector<TimeBracket> segments;  ///< Begin and end of each of its segments.
};

/// What a part of a body in a contact is: of meshes triangles, of clouds points, of maps cells or columns.
struct ContactParts {
  std::string a, b;  ///< "triangle", "point", "cell", "unknown cell", ...; empty: of no such shape.
};

/// Everything that there is to tell about the check of one motion. Text, JSON, JUnit, pages and Python's results are views of it and
/// gather nothing themselves. A plain value.
struct Report {
  std::string version;            ///< Of planner_ccd.
  std::string command;            ///< The command line; empty for a call from a program.
  std::vector<InputFile> inputs;  ///< Every file that was read, in that order.
  Question question;
  std::vector<InputWarning> warnings;
  std::vector<Assumption> assumptions;

  TrajectoryResult result;
  std::vector<TimeBracket> segments;  ///< Begin and end of each segment on the clock, up to where the check went.
  ContactParts contact_parts;
  std::vector<LinkPair> proved_apart;  ///< Skipped because proved apart within the joint limits.
  double time_us = 0.0;                ///< [us] The check alone, without loading.
  double clearance_us = 0.0;           ///< [us] Clearance and profile.
  std::optional<WrittenCertificate> certificate;
  std::optional<TrackingLimit> tracking_limit;
  std::optional<Executed> executed;
  std::vector<std::string>
      not_looked_at;               ///< Lines: parts of the question that the check did not get to, or was not asked.
  std::vector<std::string> hints;  ///< Lines: what to do about it.
  std::vector<std::string> refused_by;  ///< Of Question::fail_on, those that occurred.
};

/// What a report is made of.
struct Checked {
  const PathChecker& checker;  ///< Of a timeline: at its start.
  const Trajectory& trajectory;
  const TrajectoryOptions& options;
  const Timeline* timeline = nullptr;
};
/// All that follows from the check itself; what only the caller knows (command, inputs, warnings, times, ...) is left to be filled in.
/// `loaded`: what the loaders assumed.
Report make_report(const Checked& checked, TrajectoryResult result, const std::vector<Assumption>& loaded = {});

/// Fills in `refused_by` from the report's warnings, findings that are warnings, and assumptions; and `not_looked_at`.
void conclude(Report& report);

/// Names that `--fail-on` and Question::fail_on take: kinds of warnings, of assumptions and of findings; "warnings" stands for every
/// warning, as --strict. Throws InputError for others.
std::vector<std::string> parse_fail_on(const std::string& names);

/// 0 free; 1 a contact, or another finding that is an error, also of what ran; 2 something in `refused_by`; 3 undecided, or a
/// requested certificate that is missing. The first of 1, 2, 3 that applies.
int exit_code(const Report& report);

/// The answer in one line: "free: proved everywhere on all 5 segments".
std::string headline(const Report& report);
/// What was asked, in plain words: a label and a sentence each.
std::vector<std::pair<std::string, std::string>> in_words(const Question& question);

/// Opposite corners of a box that holds every coordinate during the motion; floating joints are left out.
std::vector<JointVector> extremes(const RobotModel& robot, const Trajectory& trajectory);

/// A moment of the motion: t in the segment's own [0, 1], the only meaning that t has in a report.
struct Moment {
  int segment;
  double t;
};
/// Of a time on the clock; where segments meet, in the earlier one.
Moment moment_of(const std::vector<TimeBracket>& segments, double clock);
/// "segment 3, t = 0.573", and the time on the clock if there is one.
std::string to_text(const Moment& moment, const std::vector<TimeBracket>& segments, bool timed);
/// When a finding begins and ends.
std::string when_text(const Finding& finding, const std::vector<TimeBracket>& segments, bool timed);

}  // namespace planner_ccd
#pragma GCC visibility pop
