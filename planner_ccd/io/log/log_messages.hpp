#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner_ccd/io/detail/trajectory_readers.hpp"
#include "planner_ccd/io/log/log_file.hpp"

namespace planner_ccd {

// Messages are read by the layouts written here, not by the definitions that logs may contain: five layouts take less
// code than a reader of definitions, and databases of ROS 2 before Iron contain none. A log recorded with another
// definition is recognised by where its messages end.

/// What a channel's messages contain about a robot.
enum class LogContent : std::uint8_t { Nothing, Samples, Trajectories };
LogContent content_of(const LogChannel& channel);

/// A sensor_msgs/JointState. The names refer to the message's bytes.
struct JointSample {
  std::int64_t stamp = 0;  ///< [ns] 0: none.
  std::vector<std::string_view> names;
  std::vector<double> positions;
};
JointSample read_sample(const LogChannel& channel, std::string_view message, const std::string& where);

/// A trajectory as in a message, and its start time.
struct LoggedTrajectory {
  std::int64_t stamp = 0;  ///< [ns] 0: at once.
  TrajectoryTable table;
};

/// The trajectories in a message; empty if it holds no points, which ROS takes as an order to stop.
std::vector<LoggedTrajectory> read_trajectories(const LogChannel& channel, std::string_view message,
                                                const RobotModel& model, const std::string& prefix,
                                                const std::string& where);

}  // namespace planner_ccd
