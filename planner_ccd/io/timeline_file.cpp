#include "planner_ccd/io/timeline_file.hpp"

#include <cmath>
#include <filesystem>
#include <numbers>

#include "planner_ccd/io/detail/yaml_pose.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

class TimelineReader {
 public:
  TimelineReader(const std::string& text, const std::string& name, const std::string& base)
      : file_(text, name), base_(base) {}

  TimelineFile read() {
    const YamlNode root = file_.root();
    if (!root.is_defined() || root.is_null()) {
      throw InputError(file_.name() + ": the timeline is empty; it needs 'events', 'moving' or 'motion'");
    }
    file_.check_keys(root, "a timeline", {"motion", "moving", "events"});
    TimelineFile out;
    for (const YamlNode& node : entries(root, "motion")) out.motion.push_back(read_part(node));
    for (const YamlNode& node : entries(root, "moving")) {
      if (node["robot"]) {
        out.robots.push_back(read_robot(node));
      } else {
        out.moving.push_back(read_frame(node));
      }
    }
    for (const YamlNode& node : entries(root, "events")) out.events.push_back(read_event(node));
    return out;
  }

 private:
  YamlFile file_;
  std::string base_;

  std::vector<YamlNode> entries(const YamlNode& root, const char* key) const {
    const YamlNode node = root[key];
    if (!node || node.is_null()) return {};
    return file_.list(node, key);
  }

  std::vector<std::string> names(const YamlNode& map, const char* key, const char* what) const {
    std::vector<std::string> out;
    for (const YamlNode& name : entries(map, key)) out.push_back(file_.text(name, what));
    return out;
  }

  TimelineFile::MotionFile read_part(const YamlNode& node) const;
  TimelineFile::Robot read_robot(const YamlNode& node) const;
  MovingFrame read_frame(const YamlNode& node) const;
  void read_poses(const YamlNode& node, MovingFrame& frame) const;
  void read_axis(const YamlNode& node, const char* value, MovingFrame& frame) const;
  TimelineEvent read_event(const YamlNode& node) const;
  void read_instant(const YamlNode& node, TimelineEvent& event) const;
  std::vector<AllowedPair> read_pairs(const YamlNode& node) const;
};

TimelineFile::MotionFile TimelineReader::read_part(const YamlNode& node) const {
  file_.check_keys(node, "a part of the motion", {"path", "wait"});
  TimelineFile::MotionFile part;
  part.where = file_.where(node);
  part.path = (std::filesystem::path(base_) / file_.text(file_.required(node, "path"), "'path'")).string();
  if (const YamlNode wait = node["wait"]) {
    part.wait = file_.number(wait, "'wait'");
    if (!(part.wait >= 0.0)) file_.fail(wait, "'wait' must be 0 or more seconds");
  }
  return part;
}

TimelineFile::Robot TimelineReader::read_robot(const YamlNode& node) const {
  file_.check_keys(node, "a moving robot", {"robot", "path", "topic", "max_gap", "starts"});
  TimelineFile::Robot robot;
  robot.where = file_.where(node);
  robot.prefix = file_.text(node["robot"], "'robot'");
  robot.path = (std::filesystem::path(base_) / file_.text(file_.required(node, "path"), "'path'")).string();
  if (const YamlNode topic = node["topic"]) robot.topic = file_.text(topic, "'topic'");
  if (const YamlNode gap = node["max_gap"]) robot.max_gap = file_.positive(gap, "'max_gap'");
  if (const YamlNode starts = node["starts"]) robot.starts = file_.number(starts, "'starts'");
  return robot;
}

/// Roll, pitch and yaw that differ by half a turn or more say which way to go; a pose, and so a quaternion, does not.
void TimelineReader::read_poses(const YamlNode& node, MovingFrame& frame) const {
  std::optional<Eigen::Vector3d> before;
  bool angles = false, quaternions = false;
  for (const YamlNode& key : file_.list(node, "'poses'")) {
    file_.check_keys(key, "a key frame", {"time", "pose"});
    frame.times.push_back(file_.number(file_.required(key, "time"), "'time'"));
    const YamlNode pose = file_.required(key, "pose");
    frame.poses.push_back(read_pose(file_, pose));
    const YamlNode rpy = pose["rpy"];
    angles = angles || rpy;
    quaternions = quaternions || pose["quaternion"];
    if (angles && quaternions) file_.fail(pose, "key frames have either 'rpy' or 'quaternion', all of them the same");
    const Eigen::Vector3d now = rpy ? file_.vector3(rpy, "'rpy'") : Eigen::Vector3d(Eigen::Vector3d::Zero());
    if (before && (now - *before).cwiseAbs().maxCoeff() >= std::numbers::pi) {
      file_.fail(pose,
                 "half a turn or more from one key frame to the next, of which the shorter way would be taken; "
                 "put key frames between, or use 'turns'");
    }
    before = now;
  }
}

void TimelineReader::read_axis(const YamlNode& node, const char* value, MovingFrame& frame) const {
  file_.check_keys(node, frame.type == JointType::Revolute ? "'turns'" : "'slides'", {"axis", "pose", "keys"});
  if (const YamlNode axis = node["axis"]) frame.axis = file_.vector3(axis, "'axis'");
  if (const YamlNode pose = node["pose"]) frame.origin = read_pose(file_, pose);
  for (const YamlNode& key : file_.list(file_.required(node, "keys"), "'keys'")) {
    file_.check_keys(key, "a key frame", {"time", value});
    frame.times.push_back(file_.number(file_.required(key, "time"), "'time'"));
    frame.values.push_back(file_.number(file_.required(key, value), value));
  }
}

MovingFrame TimelineReader::read_frame(const YamlNode& node) const {
  file_.check_keys(node, "a moving frame", {"name", "carries", "poses", "turns", "slides"});
  MovingFrame frame;
  frame.where = file_.where(node);
  frame.name = file_.text(file_.required(node, "name"), "'name'");
  frame.carries = names(node, "carries", "an object");
  const YamlNode poses = node["poses"], turns = node["turns"], slides = node["slides"];
  if ((poses ? 1 : 0) + (turns ? 1 : 0) + (slides ? 1 : 0) != 1) {
    file_.fail(node, "a moving frame needs one of 'poses', 'turns' and 'slides'");
  }
  if (poses) {
    read_poses(poses, frame);
  } else {
    frame.type = turns ? JointType::Revolute : JointType::Prismatic;
    read_axis(turns ? turns : slides, turns ? "angle" : "distance", frame);
  }
  return frame;
}

void TimelineReader::read_instant(const YamlNode& node, TimelineEvent& event) const {
  const YamlNode time = node["time"], waypoint = node["waypoint"];
  if (time.is_defined() == waypoint.is_defined()) file_.fail(node, "an event needs either 'time' or 'waypoint'");
  if (time) {
    event.time = file_.number(time, "'time'");
    return;
  }
  const double number = file_.number(waypoint, "'waypoint'");
  if (!(number >= 0.0 && number <= 1e9 && number == std::floor(number))) {
    file_.fail(waypoint, "'waypoint' is a number counted from 0");
  }
  event.waypoint = static_cast<int>(number);
}

std::vector<AllowedPair> TimelineReader::read_pairs(const YamlNode& node) const {
  std::vector<AllowedPair> pairs;
  for (const YamlNode& pair : file_.list(node, "the pairs")) {
    if (!pair.is_sequence() || pair.size() != 2) file_.fail(pair, "pairs are written as [[a, b], [c, d]]");
    pairs.push_back({file_.text(pair[0], "a name"), file_.text(pair[1], "a name")});
  }
  if (pairs.empty()) file_.fail(node, "pairs are written as [[a, b], [c, d]]");
  return pairs;
}

TimelineEvent TimelineReader::read_event(const YamlNode& node) const {
  TimelineEvent event;
  event.where = file_.where(node);
  const YamlNode attach = node["attach"], detach = node["detach"], allow = node["allow"], forbid = node["forbid"];
  if ((attach ? 1 : 0) + (detach ? 1 : 0) + (allow ? 1 : 0) + (forbid ? 1 : 0) != 1) {
    file_.fail(node, "an event is one of 'attach', 'detach', 'allow' and 'forbid'");
  }
  if (attach) {
    file_.check_keys(node, "'attach'", {"time", "waypoint", "attach", "to", "from", "touch_links", "pose"});
    event.object = file_.text(attach, "'attach'");
    event.link = file_.text(file_.required(node, "to"), "'to'");
    event.touch_links = names(node, "touch_links", "a touch link");
  } else if (detach) {
    file_.check_keys(node, "'detach'", {"time", "waypoint", "detach", "from", "pose"});
    event.kind = EventKind::Detach;
    event.object = file_.text(detach, "'detach'");
  } else {
    file_.check_keys(node, allow ? "'allow'" : "'forbid'", {"time", "waypoint", "allow", "forbid"});
    event.kind = allow ? EventKind::Allow : EventKind::Forbid;
    event.pairs = read_pairs(allow ? allow : forbid);
  }
  if (const YamlNode from = node["from"]) event.from = file_.text(from, "'from'");
  if (const YamlNode pose = node["pose"]) event.pose = read_pose(file_, pose);
  read_instant(node, event);
  return event;
}

}  // namespace

TimelineFile parse_timeline(const std::string& text, const std::string& name, const std::string& base) {
  return TimelineReader(text, name, base).read();
}

TimelineFile load_timeline(const std::string& path) {
  const std::string text = read_file(path, kMaxDescriptionBytes);
  TimelineFile file = parse_timeline(text, path, std::filesystem::path(path).parent_path().string());
  std::error_code error;
  if (!std::filesystem::is_symlink(path, error)) return file;
  // A link counts as lying beside its target too.
  const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
  const TimelineFile there = parse_timeline(text, path, target.parent_path().string());
  const auto choose = [&](std::string& here, const std::string& other) {
    if (!std::filesystem::exists(here, error) && std::filesystem::exists(other, error)) here = other;
  };
  for (std::size_t i = 0; i < file.motion.size(); ++i) choose(file.motion[i].path, there.motion[i].path);
  for (std::size_t i = 0; i < file.robots.size(); ++i) choose(file.robots[i].path, there.robots[i].path);
  return file;
}

}  // namespace planner_ccd
