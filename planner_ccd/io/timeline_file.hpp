#pragma once

#include <string>
#include <vector>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/motion/moving_frame.hpp"
#include "planner_ccd/query/timeline.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The contents of a timeline file: what moves besides the robot, what changes and when, and perhaps the robot's motion.
struct TimelineFile {
  /// A file of the robot's motion; one is played after the other.
  struct Part {
    std::string path;   ///< Relative ones already start at the timeline's folder.
    double wait = 0.0;  ///< [s] >= 0. The robot stands still so long before it.
    std::string where;  ///< File and line, for messages.
  };
  std::vector<Part> motion;  ///< Empty: the motion is given elsewhere.
  std::vector<MovingFrame> moving;
  std::vector<TimelineEvent> events;
};

/// A timeline from YAML or JSON; planner_ccd/io/README.md shows every key. Throws InputError naming file and line for
/// malformed YAML, unknown, duplicate or missing keys and numbers that are not finite. Names, times and waypoints are
/// checked by Timeline and with_moving_frames.
TimelineFile load_timeline(const std::string& path);
/// The same from text; messages call it `name`, relative files start at folder `base`.
TimelineFile parse_timeline(const std::string& text, const std::string& name, const std::string& base);

/// The motion of TimelineFile::motion: its files one after the other, all with times or all without. Throws InputError
/// naming the file for what load_trajectory() rejects, and for a file that does not begin where the one before ends.
Loaded<Trajectory> load_motion_parts(const std::vector<TimelineFile::Part>& parts, const RobotModel& robot,
                                     const TrajectoryFileOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
