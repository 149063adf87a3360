#pragma once

#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/io/trajectory_file.hpp"
#include "planner_ccd/validation/moving_frame.hpp"
#include "planner_ccd/validation/timeline.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// The contents of a timeline file: what moves besides the robot, what changes and when, and perhaps the robot's motion.
struct TimelineFile {
  /// A file of the robot's motion; one is played after the other.
  struct MotionFile {
    std::string path;   ///< Relative ones already start at the timeline's folder.
    double wait = 0.0;  ///< [s] >= 0. The robot stands still so long before it.
    std::string where;  ///< File and line, for messages.
  };
  using Part [[deprecated("is now MotionFile")]] = MotionFile;
  /// A robot that moves by itself, as its log or trajectory tells: one of those that `combine` joined.
  struct Robot {
    std::string prefix;    ///< Of its joints.
    std::string path;      ///< A log or a trajectory; relative ones already start at the timeline's folder.
    std::string topic;     ///< Of a log. Empty: the only one with a motion.
    double max_gap = 0.1;  ///< [s] > 0. Of a log: a longer time without a sample is an error.
    double starts = 0.0;   ///< [s] The motion's clock when the file's shows 0.
    std::string where;     ///< File and line, for messages.
  };
  std::vector<MotionFile> motion;  ///< Empty: the motion is given elsewhere.
  std::vector<Robot> robots;
  std::vector<MovingFrame> moving;
  std::vector<TimelineEvent> events;
};

/// A timeline from YAML or JSON; planner_ccd/io/README.md shows every key. Throws InputError naming file and line for
/// malformed YAML, unknown, duplicate or missing keys and numbers that are not finite. Names, times and waypoints are
/// checked by Timeline and with_moving_frames.
TimelineFile load_timeline(const std::string& path);
/// The same from text; messages call it `name`, relative files start at folder `base`.
TimelineFile parse_timeline(const std::string& text, const std::string& name, const std::string& base);

/// The robot with what moves by itself: a frame for each of TimelineFile::moving (with_moving_frames), and the joints of
/// TimelineFile::robots, which move by the clock too. A checker of it answers for motions with times alone. Throws InputError as
/// with_moving_frames does, and for a prefix that no joint has.
RobotSpec with_moving(RobotSpec robot, const TimelineFile& file);

/// The motion of TimelineFile::motion: its files one after the other, all with times or all without. Throws InputError
/// naming the file for what load_trajectory() rejects, and for a file that does not begin where the one before ends.
Loaded<Trajectory> load_motion_parts(const std::vector<TimelineFile::MotionFile>& parts, const RobotModel& robot,
                                     const TrajectoryFileOptions& options = {});

/// The own motion of one of TimelineFile::robots.
struct RobotMotion {
  std::string name;                     ///< For messages: file and line, prefix.
  double starts = 0.0;                  ///< [s] As TimelineFile::Robot::starts.
  std::vector<bool> moved = {};         ///< By coordinate.
  std::optional<LogMotion> log = {};    ///< Straight from sample to sample (JointState), or a planned trajectory;
  std::optional<Trajectory> file = {};  ///< or a trajectory from a file. On their own clock.
};

/// The motions of TimelineFile::robots. `robot`: all robots as one, without moving frames; it must outlive the result. Of
/// `options` `hold` and `angles` count. Throws InputError naming file and line for prefixes that no joint has, and for
/// what load_log and load_trajectory reject.
Loaded<std::vector<RobotMotion>> load_robot_motions(const std::vector<TimelineFile::Robot>& robots,
                                                    const RobotModel& robot, const TrajectoryFileOptions& options = {});

/// The coordinates they move: TrajectoryFileOptions::elsewhere of all other files.
std::vector<std::string> moved_coordinates(const RobotModel& robot, const std::vector<RobotMotion>& robots);

/// A motion of the rest joined by those of `robots`: from its start to its end, with the knots of all; what is proved of it is
/// proved for the lines and splines between their samples. In `motion` their coordinates stand still, anywhere. Throws
/// InputError for a motion without times, robots whose files do not cover it or have gaps in it, and coordinates that two
/// of them move.
Trajectory with_robot_motions(const RobotModel& robot, const Trajectory& motion,
                              const std::vector<RobotMotion>& robots);

}  // namespace planner_ccd
#pragma GCC visibility pop
