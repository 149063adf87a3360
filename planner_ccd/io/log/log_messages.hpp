#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner_ccd/io/detail/trajectory_readers.hpp"
#include "planner_ccd/io/log/log_file.hpp"

namespace planner_ccd {

// Messages are read by their layouts, written down here, and not by the definitions that logs may hold: five layouts take less code than
// a reader of definitions, and databases of ROS 2 before Iron hold none. A log that was recorded with another definition is told
// by where its messages end.

/// What the messages of a channel say of a robot.
enum class LogContent : std::uint8_t { Nothing, Samples, Trajectories };
LogContent content_of(const LogChannel& channel);

/// A sensor_msgs/JointState. The names are those of the message's bytes.
struct JointSample {
  std::int64_t stamp = 0;  ///< [ns] 0: none.
  std::vector<std::string_view> names;
  std::vector<double> positions;
};
JointSample read_sample(const LogChannel& channel, std::string_view message, const std::string& where);

/// A trajectory as a message has it, and when it was to begin.
struct LoggedTrajectory {
  std::int64_t stamp = 0;  ///< [ns] 0: at once.
  TrajectoryTable table;
};

/// Those of a message; none where it holds no points, which ROS takes as an order to stop.
std::vector<LoggedTrajectory> read_trajectories(const LogChannel& channel, std::string_view message,
                                                const RobotModel& model, const std::string& prefix,
                                                const std::string& where);

}  // namespace planner_ccd
