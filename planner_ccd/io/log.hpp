#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/query/finding.hpp"
#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// A topic of a log and what it holds.
struct LogTopic {
  std::string name;
  std::string type;  ///< "trajectory_msgs/JointTrajectory", of ROS 1 and ROS 2 alike.
  std::int64_t messages = 0;
  bool can_be_checked = false;  ///< Its messages are motions: load_log takes them.
};

struct LogSummary {
  std::string format;                     ///< "MCAP", "rosbag2 (sqlite3)", "ROS 1 bag"
  std::int64_t begin_ns = 0, end_ns = 0;  ///< Of all messages, by the log's own times since 1970.
  std::vector<LogTopic> topics;           ///< By name.
};

/// Whether a file is a log, told by its first bytes; or a folder, as ROS 2 records into.
bool is_log(const std::string& path);

/// What is in a log. Throws InputError for what is none, or is damaged. Reads all of it.
Loaded<LogSummary> inspect_log(const std::string& path);

struct LogOptions {
  /// What is checked. Empty: the only topic that can be.
  std::string topic;
  /// [s] > 0. Longer times without a sample of a joint are findings.
  double max_gap = 0.1;
  /// [s] On the log's clock: only samples from here to there, and messages that begin there.
  double from = -std::numeric_limits<double>::infinity();
  double to = std::numeric_limits<double>::infinity();
  std::string prefix;                  ///< Put before every joint name of the log (see `combine`).
  std::map<std::string, double> hold;  ///< Values of coordinates that the topic does not move, by full name.
  AnglePolicy angles = AnglePolicy::Literal;
};

/// What a topic of a log says of a robot's motion, in parts that are checked one by one, so that a long log never becomes one
/// long Trajectory in memory:
///
/// - sensor_msgs/JointState, what ran: straight lines between samples. Samples are ordered by their stamps; joints may come in any
///   order and in several kinds of messages. A part is a stretch of them, and begins where the one before ends.
/// - trajectory_msgs/JointTrajectory, goals of control_msgs/FollowJointTrajectory, moveit_msgs/RobotTrajectory and
///   DisplayTrajectory, what was planned or commanded: a part a trajectory. What leads from one to the next is not known.
///
/// The clock begins at the first sample or trajectory of the topic. A stamp of 0 means the log's own time.
class LogMotion {
 public:
  class Source;  ///< io/log/
  explicit LogMotion(std::shared_ptr<const Source> source) : source_(std::move(source)) {}

  std::size_t parts() const;
  std::size_t segments() const;              ///< Of all parts.
  Trajectory part(std::size_t i) const;      ///< On the clock of the log.
  const std::vector<Finding>& gaps() const;  ///< Of kind Undecided, their segments counted through all parts.
  const std::string& topic() const;
  const std::string& type() const;
  std::int64_t messages() const;  ///< That were used.
  std::int64_t begin_ns() const;  ///< 0 of the clock, since 1970.
  bool sampled() const;           ///< Of JointStates.

 private:
  std::shared_ptr<const Source> source_;
};

/// `model` must outlive the motion. Throws InputError with file, topic, message and remedy for what cannot be used.
Loaded<LogMotion> load_log(const std::string& path, const RobotModel& model, const LogOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
