#include <algorithm>
#include <cmath>

#include "planner_ccd/io/detail/trajectory_readers.hpp"
#include "planner_ccd/io/detail/yaml.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// One reader for YAML, which ROS tools print, and JSON, which is YAML; its errors name the line.
class MessageReader {
 public:
  MessageReader(const std::string& text, const std::string& name, const RobotModel& model, const std::string& prefix)
      : file_(text, name), model_(model), prefix_(prefix) {}

  TrajectoryTable read() {
    const YamlNode root = file_.root();
    if (!root.is_defined() || root.is_null()) throw InputError(file_.name() + ":1: the file is empty; it needs points");
    find_message(root, 0);
    return std::move(table_);
  }

 private:
  void find_message(const YamlNode& node, int depth);
  void read_robot_trajectory(const YamlNode& joints, const YamlNode& multi_dof);
  void read_joint_points(const YamlNode& message);
  void read_multi_dof(const YamlNode& message);
  void append_multi_dof(const YamlNode& transforms, const std::vector<const Joint*>& joints, TrajectoryTable::Row& row);
  void read_start(const YamlNode& state);
  void read_start_frames(const YamlNode& state);
  std::array<double, 7> read_transform(const YamlNode& transform);
  void read_bezier(const YamlNode& node);
  void read_b_spline(const YamlNode& node);

  std::vector<int> read_names(const YamlNode& message);
  std::vector<double> numbers(const YamlNode& node, const char* what, std::size_t count, bool may_be_empty);
  double read_time(const YamlNode& point);
  Eigen::MatrixXd control_points(const YamlNode& node);
  bool has_points(const YamlNode& message) const {
    return message && message.is_map() && message["points"] && message["points"].is_sequence() &&
           message["points"].size() > 0;
  }
  int line_of(const YamlNode& node) const { return node.line() + 1; }

  YamlFile file_;
  const RobotModel& model_;
  const std::string& prefix_;
  TrajectoryTable table_;
};

void MessageReader::find_message(const YamlNode& node, int depth) {
  static const char* const kExpected =
      "no trajectory here: expected joint_names and points (JointTrajectory), joint_trajectory (RobotTrajectory), "
      "trajectory (DisplayTrajectory or a goal), bezier or b_spline";
  if (!node.is_map() || depth > 8) file_.fail(node, kExpected);
  for (const char* key : {"trajectory_start", "start_state"}) {
    if (const YamlNode start = node[key]) read_start(start);
  }
  if (node["points"]) return read_robot_trajectory(node, YamlNode());
  if (node["joint_trajectory"] || node["multi_dof_joint_trajectory"]) {
    return read_robot_trajectory(node["joint_trajectory"], node["multi_dof_joint_trajectory"]);
  }
  if (node["bezier"]) return read_bezier(node["bezier"]);
  if (node["b_spline"]) return read_b_spline(node["b_spline"]);
  for (const char* key : {"trajectory", "planned_trajectory", "solution", "goal", "request", "motion_plan_response"}) {
    const YamlNode inner = node[key];
    if (!inner) continue;
    if (!inner.is_sequence()) return find_message(inner, depth + 1);
    if (inner.size() != 1) {
      file_.fail(inner, "'" + std::string(key) + "' holds " + std::to_string(inner.size()) +
                            " trajectories; save each in a file of its own");
    }
    return find_message(inner[0], depth + 1);
  }
  file_.fail(node, kExpected);
}

void MessageReader::read_robot_trajectory(const YamlNode& joints, const YamlNode& multi_dof) {
  if (has_points(joints)) {
    read_joint_points(joints);
  } else if (!has_points(multi_dof)) {
    const YamlNode at = joints && !joints.is_null() ? joints : file_.root();
    file_.fail(at, "the trajectory has no points; was it planned and saved?");
  }
  if (has_points(multi_dof)) read_multi_dof(multi_dof);
  require_distinct(table_.coordinates, model_, file_.where(file_.root()));
}

std::vector<int> MessageReader::read_names(const YamlNode& message) {
  std::vector<int> coordinates;
  for (const YamlNode& name : file_.list(file_.required(message, "joint_names"), "'joint_names'")) {
    coordinates.push_back(find_coordinate(model_, prefix_, file_.text(name, "a joint name"), file_.where(name)));
  }
  return coordinates;
}

std::vector<double> MessageReader::numbers(const YamlNode& node, const char* what, std::size_t count,
                                           bool may_be_empty) {
  std::vector<double> values;
  if (!node || node.is_null()) {
    if (!may_be_empty) file_.fail(file_.root(), std::string("'") + what + "' is missing");
    return values;
  }
  for (const YamlNode& value : file_.list(node, what)) {
    if (value.is_scalar() && value.scalar() == "...") {
      file_.fail(value, std::string("'") + what + "' was cut short when it was printed; print it with --full-length");
    }
    values.push_back(file_.number(value, what));
  }
  if (values.empty() && may_be_empty) return values;
  if (values.size() != count) {
    file_.fail(node, std::string("'") + what + "' has " + std::to_string(values.size()) + " values for " +
                         std::to_string(count) + " joints");
  }
  return values;
}

double MessageReader::read_time(const YamlNode& point) {
  const YamlNode time = file_.required(point, "time_from_start");
  if (time.is_scalar()) return file_.number(time, "'time_from_start'");
  const bool long_words = time.is_map() && time["secs"];
  const char *seconds = long_words ? "secs" : "sec", *nanoseconds = long_words ? "nsecs" : "nanosec";
  file_.check_keys(time, "'time_from_start'", {seconds, nanoseconds});
  const auto whole = [&](const char* key) {
    const YamlNode node = file_.required(time, key);
    const auto value = node.is_scalar() ? parse_integer(node.scalar()) : std::nullopt;
    if (!value) file_.fail(node, std::string("'") + key + "' must be a whole number");
    return *value;
  };
  const long long s = whole(seconds), ns = whole(nanoseconds);
  if (ns < 0 || ns >= 1'000'000'000) {
    file_.fail(time[nanoseconds], std::string("'") + nanoseconds + "' must be from 0 to 999999999");
  }
  if (s < -1'000'000'000'000 || s > 1'000'000'000'000) file_.fail(time[seconds], "such a time cannot be meant");
  return static_cast<double>(s) + static_cast<double>(ns) * 1e-9;
}

void MessageReader::read_joint_points(const YamlNode& message) {
  file_.check_keys(message, "a joint trajectory", {"header", "joint_names", "points"});
  table_.coordinates = read_names(message);
  const std::size_t n = table_.coordinates.size();
  for (const YamlNode& point : file_.list(message["points"], "'points'")) {
    if (point.is_scalar() && point.scalar() == "...") {
      file_.fail(point, "the points were cut short when they were printed; print them with --full-length");
    }
    file_.check_keys(point, "a point",
                     {"positions", "velocities", "accelerations", "effort", "effort_values", "time_from_start"});
    TrajectoryTable::Row row;
    row.line = line_of(point);
    row.time = read_time(point);
    row.position = numbers(file_.required(point, "positions"), "positions", n, n == 0);
    row.velocity = numbers(point["velocities"], "velocities", n, true);
    row.acceleration = numbers(point["accelerations"], "accelerations", n, true);
    if (!row.acceleration.empty() && row.velocity.empty()) {
      file_.fail(point, "accelerations without velocities define no motion; give velocities too, or leave them out");
    }
    table_.rows.push_back(std::move(row));
  }
}

void MessageReader::read_multi_dof(const YamlNode& message) {
  file_.check_keys(message, "a multi-DOF joint trajectory", {"header", "joint_names", "points"});
  std::vector<const Joint*> joints;
  for (const YamlNode& name : file_.list(file_.required(message, "joint_names"), "'joint_names'")) {
    joints.push_back(&find_multi_dof_joint(model_, prefix_, file_.text(name, "a joint name"), file_.where(name)));
    for (int k = 0; k < joints.back()->q_size; ++k) table_.coordinates.push_back(joints.back()->q_index + k);
  }
  const bool alone = table_.rows.empty();
  const std::vector<YamlNode> points = file_.list(message["points"], "'points'");
  if (!alone && points.size() != table_.rows.size()) {
    file_.fail(message, "has " + std::to_string(points.size()) + " points where the joint trajectory has " +
                            std::to_string(table_.rows.size()));
  }
  if (alone) table_.rows.resize(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const YamlNode& point = points[i];
    file_.check_keys(point, "a point", {"transforms", "velocities", "accelerations", "time_from_start"});
    const double time = read_time(point);
    TrajectoryTable::Row& row = table_.rows[i];
    if (!alone && time != row.time) file_.fail(point, "its time is not that of the same point of the joint trajectory");
    if (alone) row.line = line_of(point);
    row.time = time;
    for (const char* key : {"velocities", "accelerations"}) {
      if (point[key] && point[key].is_sequence() && point[key].size() > 0) {
        file_.fail(point[key],
                   "planar and floating joints go straight from frame to frame; leave out their " + std::string(key));
      }
    }
    append_multi_dof(file_.required(point, "transforms"), joints, row);
  }
}

std::array<double, 7> MessageReader::read_transform(const YamlNode& transform) {
  file_.check_keys(transform, "a transform", {"translation", "rotation"});
  const auto read = [&](const char* part, const char* key) {
    return file_.number(file_.required(file_.required(transform, part), key), key);
  };
  return {read("translation", "x"), read("translation", "y"), read("translation", "z"), read("rotation", "x"),
          read("rotation", "y"),    read("rotation", "z"),    read("rotation", "w")};
}

void MessageReader::append_multi_dof(const YamlNode& transforms, const std::vector<const Joint*>& joints,
                                     TrajectoryTable::Row& row) {
  const std::vector<YamlNode> list = file_.list(transforms, "'transforms'");
  if (list.size() != joints.size()) {
    file_.fail(transforms,
               std::to_string(list.size()) + " transforms for " + std::to_string(joints.size()) + " joints");
  }
  for (std::size_t j = 0; j < list.size(); ++j) {
    append_multi_dof_values(*joints[j], read_transform(list[j]), row, file_.where(list[j]));
  }
}

/// The robot's joints before the motion. Joints without a coordinate (fixed, mimic) are ignored.
void MessageReader::read_start(const YamlNode& state) {
  if (state.is_map() && state["attached_collision_objects"] && state["attached_collision_objects"].is_sequence()) {
    for (const YamlNode& held : state["attached_collision_objects"].items()) {
      const YamlNode object = held.is_map() && held["object"] ? held["object"] : held;
      const bool named = object.is_map() && object["id"] && object["id"].is_scalar();
      table_.held_objects.push_back(named ? object["id"].scalar() : "without a name");
    }
  }
  if (!state.is_map()) return;
  if (const YamlNode frames = state["multi_dof_joint_state"]; frames && frames.is_map()) read_start_frames(frames);
  if (!state["joint_state"] || !state["joint_state"].is_map()) return;
  const YamlNode joints = state["joint_state"];
  if (!joints["name"] || joints["name"].is_null()) return;
  const std::vector<YamlNode> names = file_.list(joints["name"], "'name'");
  const std::vector<double> values = numbers(joints["position"], "position", names.size(), true);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string name = prefix_ + file_.text(names[i], "a joint name");
    if (model_.find_coordinate(name) >= 0) table_.start[name] = values[i];
  }
}

void MessageReader::read_start_frames(const YamlNode& state) {
  if (!state["joint_names"] || state["joint_names"].is_null()) return;
  const std::vector<YamlNode> names = file_.list(state["joint_names"], "'joint_names'");
  if (names.empty()) return;
  const std::vector<YamlNode> transforms = file_.list(file_.required(state, "transforms"), "'transforms'");
  if (transforms.size() != names.size()) {
    file_.fail(state,
               std::to_string(transforms.size()) + " transforms for " + std::to_string(names.size()) + " joints");
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    place_multi_dof(model_, prefix_ + file_.text(names[i], "a joint name"), read_transform(transforms[i]), table_,
                    file_.where(transforms[i]));
  }
}

Eigen::MatrixXd MessageReader::control_points(const YamlNode& node) {
  const std::vector<YamlNode> points = file_.list(node, "'control_points'");
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(model_.dof(), static_cast<Eigen::Index>(points.size()));
  for (std::size_t j = 0; j < points.size(); ++j) {
    const std::vector<double> q = numbers(points[j], "control_points", table_.coordinates.size(), false);
    for (std::size_t k = 0; k < q.size(); ++k) matrix(table_.coordinates[k], static_cast<Eigen::Index>(j)) = q[k];
  }
  return matrix;
}

void MessageReader::read_bezier(const YamlNode& node) {
  file_.check_keys(node, "'bezier'", {"joint_names", "pieces"});
  table_.coordinates = read_names(node);
  require_distinct(table_.coordinates, model_, file_.where(node));
  JointVector last;
  for (const YamlNode& piece : file_.list(file_.required(node, "pieces"), "'pieces'")) {
    file_.check_keys(piece, "a piece", {"from", "to", "control_points"});
    const Eigen::MatrixXd points = control_points(file_.required(piece, "control_points"));
    if (points.cols() == 0) file_.fail(piece, "a piece without control points; give 2 to 6");
    const double from = file_.number(file_.required(piece, "from"), "'from'");
    if (last.size() > 0 && (from != table_.curve.segments.back().t1 || (points.col(0) - last).norm() > 0.0)) {
      file_.fail(piece, "the piece does not begin where and when the one before ends");
    }
    last = points.col(points.cols() - 1);
    try {
      const Trajectory curve =
          bezier_trajectory(model_, points, from, file_.number(file_.required(piece, "to"), "'to'"));
      table_.curve.segments.push_back(curve.segments[0]);
    } catch (const InputError& error) {
      file_.fail(piece, error.what());
    }
  }
  if (table_.curve.segments.empty()) file_.fail(node, "there are no pieces");
}

void MessageReader::read_b_spline(const YamlNode& node) {
  file_.check_keys(node, "'b_spline'", {"joint_names", "degree", "knots", "control_points"});
  table_.coordinates = read_names(node);
  require_distinct(table_.coordinates, model_, file_.where(node));
  const YamlNode degree_node = file_.required(node, "degree");
  const double degree = file_.number(degree_node, "'degree'");
  if (!(degree >= 1.0 && degree <= Polynomial::kMaxDegree && degree == std::floor(degree))) {
    file_.fail(degree_node, "'degree' must be a whole number from 1 to " + std::to_string(Polynomial::kMaxDegree));
  }
  std::vector<double> knots;
  for (const YamlNode& knot : file_.list(file_.required(node, "knots"), "'knots'")) {
    knots.push_back(file_.number(knot, "a knot"));
  }
  const Eigen::MatrixXd points = control_points(file_.required(node, "control_points"));
  try {
    table_.curve = b_spline_trajectory(model_, points, knots, static_cast<int>(degree));
  } catch (const InputError& error) {
    file_.fail(node, error.what());
  }
}

}  // namespace

TrajectoryTable read_trajectory_yaml(const std::string& text, const std::string& name, const RobotModel& model,
                                     const std::string& prefix) {
  return MessageReader(text, name, model, prefix).read();
}

}  // namespace planner_ccd
