#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/validation/finding.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// A topic of a log and its contents.
struct LogTopic {
  std::string name;
  std::string type;  ///< "trajectory_msgs/JointTrajectory", of ROS 1 and ROS 2 alike.
  std::int64_t messages = 0;
  bool can_be_checked = false;  ///< Its messages are motions: load_log accepts them.
};

struct LogSummary {
  std::string format;                     ///< "MCAP", "rosbag2 (sqlite3)", "ROS 1 bag"
  std::int64_t begin_ns = 0, end_ns = 0;  ///< [ns] Over all messages, in log time since 1970.
  std::vector<LogTopic> topics;           ///< By name.
};

/// True for a log: a file, judged by its first bytes, or a folder recorded by ROS 2.
bool is_log(const std::string& path);

/// Summarises a log; reads all of it. Throws InputError for a damaged log and for anything else.
Loaded<LogSummary> inspect_log(const std::string& path);

struct LogOptions {
  /// The topic to check. Empty: the only one that can be checked.
  std::string topic;
  /// [s] > 0. Longer gaps without a sample of a joint are findings.
  double max_gap = 0.1;
  /// [s] On the log's clock: only samples in this range, and messages that begin in it.
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  std::string prefix;                  ///< Prepended to every joint name of the log (see `combine`).
  std::map<std::string, double> hold;  ///< Values of coordinates that the topic does not move, by full name.
  AnglePolicy angles = AnglePolicy::Literal;
  /// As in TrajectoryFileOptions. True: LogMotion::moved tells which coordinates the topic moves; then it must be of samples,
  /// or of one message.
  bool partial = false;
  std::vector<std::string> elsewhere;  ///< As in TrajectoryFileOptions.
};

/// The motion of a robot according to a topic of a log, in parts that are checked one by one, so that a long log never
/// becomes one long Trajectory in memory:
///
///   - sensor_msgs/JointState, the executed motion: straight lines between samples. Samples are sorted by stamp; joints
///     may come in any order and be spread over several messages. Each part begins where the previous one ends. Samples of one
///     stamp all count, joined in the order of the log by segments of duration 0.
///   - trajectory_msgs/JointTrajectory, goals of control_msgs/FollowJointTrajectory, moveit_msgs/RobotTrajectory and
///     DisplayTrajectory, the planned or commanded motion: one part per trajectory. The motion between parts is
///     unknown.
///
/// The clock begins at the first sample or trajectory of the topic. A stamp of 0 means the log's own time, which
/// counts for all samples if stamps run back by more than 1 s, or stay the same for longer than max_gap while joints move.
class LogMotion {
 public:
  class Source;  ///< io/log/
  explicit LogMotion(std::shared_ptr<const Source> source) : source_(std::move(source)) {}

  std::size_t parts() const;
  std::size_t segments() const;              ///< Over all parts.
  Trajectory part(std::size_t i) const;      ///< On the clock of the log.
  const std::vector<Finding>& gaps() const;  ///< Of kind Undecided; segments are counted over all parts.
  const std::string& topic() const;
  const std::string& type() const;
  std::int64_t messages() const;           ///< Messages used.
  std::int64_t begin_ns() const;           ///< [ns] Zero of the clock, since 1970.
  bool sampled() const;                    ///< True for JointState samples.
  const std::vector<bool>& moved() const;  ///< By coordinate: whether the topic has values for it.

 private:
  std::shared_ptr<const Source> source_;
};

/// `model` must outlive the motion. Throws InputError with file, topic, message and remedy for unusable input.
Loaded<LogMotion> load_log(const std::string& path, const RobotModel& model, const LogOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
