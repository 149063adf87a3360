// Robots of a timeline that move by themselves: their logs and trajectories on the clock of the motion.
#include <algorithm>
#include <sstream>

#include "planner_ccd/io/timeline_file.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/spelling.hpp"

namespace planner_ccd {
namespace {

std::string seconds(double t) {
  std::ostringstream out;
  out.precision(10);
  out << t << " s";
  return out.str();
}

const std::string& name_of(const RobotModel& robot, std::size_t i) { return robot.coordinates()[i].name; }

std::string name_of(const TimelineFile::Robot& robot) { return robot.where + ": robot " + in_quotes(robot.prefix); }

[[noreturn]] void fail_prefix(const std::string& name) {
  throw InputError(name + ": no joint's name begins so; give the prefix of a robot of the check (--robot PREFIX=FILE)");
}

void require_prefix(const TimelineFile::Robot& robot, const RobotModel& model, const std::string& name) {
  for (const Coordinate& c : model.coordinates()) {
    if (c.name.starts_with(robot.prefix)) return;
  }
  fail_prefix(name);
}

void shift(Trajectory& trajectory, double by) {
  for (TrajectorySegment& segment : trajectory.segments) segment.t0 += by, segment.t1 += by;
}

/// The parts of a robot's motion on [begin, end] of the motion's clock.
class Window {
 public:
  Window(const RobotMotion& robot, double begin, double end) : robot_(robot), begin_(begin), end_(end) {
    if (robot.log) {
      for (std::size_t i = 0; i < robot.log->parts(); ++i) add(robot.log->part(i));
      for (const Finding& gap : robot.log->gaps()) {
        if (gap.end.to + robot.starts <= begin || gap.begin.from + robot.starts >= end) continue;
        throw InputError(robot.name + ": from " + seconds(gap.begin.from + robot.starts) + " to " +
                         seconds(gap.end.to + robot.starts) + ": " + gap.message +
                         "; where it is meanwhile is not known (max_gap takes it to go straight)");
      }
    } else {
      add(*robot.file);
    }
    if (first_ <= begin && end <= last_) return;
    throw InputError(robot.name + ": its motion goes from " + seconds(first_) + " to " + seconds(last_) +
                     " of the clock, and the motion from " + seconds(begin) + " to " + seconds(end) +
                     "; where it is all that time must be known ('starts' says when its file begins)");
  }

  Trajectory motion() { return std::move(kept_); }

 private:
  const RobotMotion& robot_;
  double begin_, end_;
  double first_ = std::numeric_limits<double>::infinity(), last_ = -first_;
  Trajectory kept_;

  void add(Trajectory part) {
    if (!part.timed) throw InputError(robot_.name + ": its file has no times; add a column of times");
    shift(part, robot_.starts);
    first_ = std::min(first_, part.segments.front().t0);
    last_ = std::max(last_, part.segments.back().t1);
    for (TrajectorySegment& s : part.segments) {
      if (s.t0 == s.t1 && begin_ <= s.t0 && s.t0 <= end_) {
        throw InputError(
            robot_.name + ": at " + seconds(s.t0) +
            " it has several samples of one time and other values, and where it is at that instant is not known");
      }
      if (s.t1 > begin_ && s.t0 < end_) kept_.segments.push_back(std::move(s));
    }
  }
};

/// What a robot of the timeline moves, nothing else may.
void take_over(const RobotModel& model, const Trajectory& motion, const RobotMotion& robot, int number,
               std::vector<int>& owner) {
  for (std::size_t i = 0; i < owner.size(); ++i) {
    if (!robot.moved.at(i)) continue;
    bool moves = owner[i] != 0;
    for (const TrajectorySegment& s : motion.segments) {
      const auto& c = s.value.at(i).c;
      moves = moves || c[0] != motion.segments.front().value[i].c[0] ||
              std::any_of(c.begin() + 1, c.begin() + 1 + s.value[i].degree, [](double x) { return x != 0.0; });
    }
    if (moves) {
      throw InputError(robot.name + ": " + in_quotes(name_of(model, i)) +
                       " is moved by something else too; leave it out there or here");
    }
    owner[i] = number;
  }
}

}  // namespace

RobotSpec with_moving(RobotSpec robot, const TimelineFile& file) {
  for (const TimelineFile::Robot& one : file.robots) {
    bool moves = false;
    for (JointSpec& joint : robot.joints) {
      if (joint.type == JointType::Fixed || !joint.name.starts_with(one.prefix)) continue;
      joint.by_clock = moves = true;
    }
    if (!moves) fail_prefix(name_of(one));
  }
  return with_moving_frames(std::move(robot), file.moving);
}

Loaded<std::vector<RobotMotion>> load_robot_motions(const std::vector<TimelineFile::Robot>& robots,
                                                    const RobotModel& robot, const TrajectoryFileOptions& options) {
  Loaded<std::vector<RobotMotion>> all;
  for (const TimelineFile::Robot& one : robots) {
    RobotMotion motion{.name = name_of(one), .starts = one.starts};
    require_prefix(one, robot, motion.name);
    const auto note = [&](const auto& loaded) {
      all.warnings.insert(all.warnings.end(), loaded.warnings.begin(), loaded.warnings.end());
      merge(all.assumptions, loaded.assumptions);
    };
    if (is_log(one.path)) {
      LogOptions log;
      log.topic = one.topic;
      log.max_gap = one.max_gap;
      log.prefix = one.prefix;
      log.hold = options.hold;
      log.angles = options.angles;
      log.partial = true;
      Loaded<LogMotion> loaded = load_log(one.path, robot, log);
      note(loaded);
      motion.moved = loaded.value.moved();
      motion.log = std::move(loaded.value);
    } else {
      if (!one.topic.empty()) throw InputError(motion.name + ": 'topic' is for logs, and " + one.path + " is none");
      TrajectoryFileOptions file = options;
      file.prefix = one.prefix;
      file.partial = true;
      file.elsewhere.clear();
      Loaded<TrajectoryFile> loaded = load_trajectory(one.path, robot, file);
      note(loaded);
      motion.moved = loaded.value.moved;
      motion.file = std::move(loaded.value.trajectory);
    }
    all.value.push_back(std::move(motion));
  }
  return all;
}

std::vector<std::string> moved_coordinates(const RobotModel& robot, const std::vector<RobotMotion>& robots) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < robot.coordinates().size(); ++i) {
    const auto moves = [&](const RobotMotion& motion) { return motion.moved.at(i); };
    if (std::any_of(robots.begin(), robots.end(), moves)) names.push_back(name_of(robot, i));
  }
  return names;
}

Trajectory with_robot_motions(const RobotModel& robot, const Trajectory& motion,
                              const std::vector<RobotMotion>& robots) {
  if (robots.empty()) return motion;
  if (motion.segments.empty()) throw InputError("the trajectory has no segments");
  if (!motion.timed) {
    throw InputError(robots[0].name +
                     ": the motion has no times, and so nothing else can move with it; add a column of times");
  }
  const double begin = motion.segments.front().t0, end = motion.segments.back().t1;
  if (!(begin < end)) {
    throw InputError(robots[0].name + ": the motion takes no time; let its last waypoint be there again later");
  }
  std::vector<Trajectory> parts = {motion};
  std::vector<int> owner(robot.coordinates().size(), 0);
  for (const RobotMotion& one : robots) {
    take_over(robot, motion, one, static_cast<int>(parts.size()), owner);
    parts.push_back(Window(one, begin, end).motion());
  }
  Trajectory all = merge(robot, parts, owner);
  std::erase_if(all.segments, [&](const TrajectorySegment& s) { return s.t1 <= begin || s.t0 >= end; });
  return all;
}

}  // namespace planner_ccd
