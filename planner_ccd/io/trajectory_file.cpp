#include "planner_ccd/io/trajectory_file.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planner_ccd/io/detail/trajectory_readers.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// True if the first non-empty line contains a comma and no braces.
bool looks_like_csv(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trim(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#') continue;
    if (line.front() == '{' || line.front() == '[' || line.starts_with("---") || line.starts_with("%")) return false;
    const std::size_t colon = line.find(':');
    const bool key = colon != std::string_view::npos && (colon + 1 == line.size() || line[colon + 1] == ' ');
    return !key && !line.starts_with("- ");
  }
  return true;
}

void take_shorter_way(const RobotModel& model, const JointVectorRef& from, JointVector& to) {
  for (int i = 0; i < model.dof(); ++i) {
    if (!model.coordinates()[static_cast<std::size_t>(i)].continuous) continue;
    to[i] = from[i] + std::remainder(to[i] - from[i], 2.0 * std::numbers::pi);
  }
}

/// Values for coordinates without a column.
JointVector base_values(const RobotModel& model, const TrajectoryTable& table, const TrajectoryFileOptions& options,
                        const std::string& name, std::vector<bool>& known) {
  JointVector q = model.neutral();
  for (const std::string& coordinate : options.elsewhere) {
    const int i = model.find_coordinate(coordinate);
    if (i < 0) continue;
    if (known[static_cast<std::size_t>(i)]) {
      throw InputError(name + ": " + in_quotes(coordinate) +
                       " is moved by a robot of the timeline; leave it out here, or that robot there");
    }
    known[static_cast<std::size_t>(i)] = true;
  }
  for (const auto* values : {&options.hold, &table.start}) {
    for (const auto& [coordinate, value] : *values) {
      const int i = model.find_coordinate(coordinate);
      if (i < 0) {
        std::vector<std::string> names;
        for (const Coordinate& c : model.coordinates()) names.push_back(c.name);
        throw InputError(name + ": held joint " + in_quotes(coordinate) + " is not a joint of the robot" +
                         did_you_mean(coordinate, names));
      }
      q[i] = value;
      known[static_cast<std::size_t>(i)] = true;
    }
  }
  std::vector<std::string> missing;
  for (int i = 0; i < model.dof(); ++i) {
    if (!known[static_cast<std::size_t>(i)]) missing.push_back(model.coordinates()[static_cast<std::size_t>(i)].name);
  }
  if (!missing.empty() && !options.partial) {
    throw InputError(name + ": joints of the robot are missing: " + join_names(missing, missing.size()) +
                     "; add them to the file, or hold them at a value (--hold NAME=VALUE)");
  }
  return q;
}

/// Where the table says that the robot stands before its motion; empty if it says nothing of coordinates that move.
JointVector start_of(const TrajectoryTable& table, const RobotModel& model, const std::vector<bool>& moved,
                     const Trajectory& trajectory, const std::string& name) {
  JointVector start = configuration(model, trajectory.segments.front(), 0.0);
  bool is_said = false;
  for (const auto& [coordinate, value] : table.start) {
    const int i = model.find_coordinate(coordinate);
    if (i < 0 || !moved[static_cast<std::size_t>(i)]) continue;
    start[i] = value;
    is_said = true;
  }
  if (!is_said) return {};
  unit_quaternions(model, name + ": the start state", start);
  return start;
}

/// By segment: an error that goes straight from point to point is at most the greater of both.
std::vector<JointVector> errors_of(const TrajectoryTable& table, const RobotModel& model) {
  std::vector<JointVector> points;
  for (const TrajectoryTable::Row& row : table.rows) {
    points.push_back(JointVector::Zero(model.dof()));
    for (std::size_t k = 0; k < table.with_error.size(); ++k) points.back()[table.with_error[k]] = row.error[k];
  }
  for (std::size_t i = 0; i + 1 < points.size(); ++i) points[i] = points[i].cwiseMax(points[i + 1]);
  if (points.size() > 1) points.pop_back();
  return points;
}

void delay(Trajectory& trajectory, const TrajectorySource& source) {
  if (source.delay == 0.0) return;
  if (!trajectory.timed)
    throw InputError(source.path + ": has no times, so it cannot begin later; add a column of times");
  for (TrajectorySegment& segment : trajectory.segments) {
    segment.t0 += source.delay;
    segment.t1 += source.delay;
  }
}

}  // namespace

TrajectoryFile assemble_trajectory(const TrajectoryTable& table, const RobotModel& model,
                                   const TrajectoryFileOptions& options, const std::string& name) {
  TrajectoryFile file;
  file.moved.assign(model.coordinates().size(), false);
  for (const int i : table.coordinates) file.moved[static_cast<std::size_t>(i)] = true;
  std::vector<bool> known = file.moved;
  const JointVector base = base_values(model, table, options, name, known);
  if (!table.curve.segments.empty()) {
    file.trajectory = table.curve;
    for (TrajectorySegment& segment : file.trajectory.segments) {
      for (std::size_t i = 0; i < known.size(); ++i) {
        if (!file.moved[i]) segment.value[i].c[0] = base[static_cast<Eigen::Index>(i)];
      }
    }
    JointVector start = base;  // floating joints stand still
    for (Eigen::Index i = 0; i < start.size(); ++i) {
      start[i] = file.trajectory.segments.front().value[static_cast<std::size_t>(i)].c[0];
    }
    unit_quaternions(model, name, start);
    file.trajectory.start = start_of(table, model, file.moved, file.trajectory, name);
    return file;
  }
  for (const TrajectoryTable::Row& row : table.rows) {
    TrajectoryPoint point;
    point.time = row.time;
    point.position = base;
    if (!row.velocity.empty()) point.velocity = JointVector::Zero(model.dof());
    if (!row.acceleration.empty()) point.acceleration = JointVector::Zero(model.dof());
    for (std::size_t k = 0; k < table.coordinates.size(); ++k) {
      const int i = table.coordinates[k];
      point.position[i] = row.position[k];
      if (!row.velocity.empty()) point.velocity[i] = row.velocity[k];
      if (!row.acceleration.empty()) point.acceleration[i] = row.acceleration[k];
    }
    unit_quaternions(model, name + ":" + std::to_string(row.line), point.position);
    if (options.angles == AnglePolicy::Wrap && !file.points.empty()) {
      take_shorter_way(model, file.points.back().position, point.position);
    }
    file.points.push_back(std::move(point));
    file.lines.push_back(row.line);
  }
  try {
    if (table.timed) {
      file.trajectory = make_trajectory(model, file.points);
    } else {
      JointPath path;
      for (const TrajectoryPoint& p : file.points) path.waypoints.push_back(p.position);
      file.trajectory = make_trajectory(model, path);
    }
  } catch (const InputError& error) {
    throw InputError(name + ": " + error.what());
  }
  file.trajectory.start = start_of(table, model, file.moved, file.trajectory, name);
  return file;
}

void refuse_errors(const TrajectoryTable& table, const std::string& name) {
  if (table.with_error.empty()) return;
  throw InputError(name + ":" + std::to_string(table.header_line) +
                   ": columns of errors count only where planner_ccd check reads this file alone; leave them out here");
}

std::vector<Assumption> start_assumptions(const TrajectoryTable& table) {
  std::vector<Assumption> out;
  if (!table.held_objects.empty()) {
    out.push_back(
        {.kind = AssumptionKind::UnknownStart,
         .text = "objects that the trajectory says are held are none of the check's; attach them in the scene",
         .names = table.held_objects});
  }
  if (!table.start_frames.empty()) {
    out.push_back({.kind = AssumptionKind::UnknownStart,
                   .text = "the trajectory's start state moves joints that the robot does not have; the robot stands "
                           "where its URDF says",
                   .names = table.start_frames});
  }
  return out;
}

void place_multi_dof(const RobotModel& model, const std::string& full_name, const std::array<double, 7>& transform,
                     TrajectoryTable& table, const std::string& where) {
  const auto found = std::find_if(model.joints().begin(), model.joints().end(), [&](const Joint& joint) {
    return joint.name == full_name && !joint.is_mimic &&
           (joint.type == JointType::Floating || joint.type == JointType::Planar);
  });
  if (found == model.joints().end()) {
    const auto is_zero = [](double x) { return std::abs(x) <= 1e-9; };
    const bool at_origin =
        std::all_of(transform.begin(), transform.begin() + 6, is_zero);  // the turn's w is 1, or not set
    if (!at_origin) table.start_frames.push_back(full_name);
    return;
  }
  TrajectoryTable::Row row;
  append_multi_dof_values(*found, transform, row, where);
  for (std::size_t k = 0; k < row.position.size(); ++k) {
    table.start[model.coordinates()[static_cast<std::size_t>(found->q_index) + k].name] = row.position[k];
  }
}

void unit_quaternions(const RobotModel& model, const std::string& where, JointVector& q) {
  for (const Joint& joint : model.joints()) {
    if (joint.type != JointType::Floating || joint.is_mimic) continue;
    auto quaternion = q.segment<4>(joint.q_index + 3);
    if (!(std::abs(quaternion.norm() - 1.0) < 1e-3)) {
      throw InputError(where + ": the quaternion of joint " + in_quotes(joint.name) + " does not have length 1");
    }
    quaternion /= quaternion.norm();
  }
}

int find_coordinate(const RobotModel& model, const std::string& prefix, const std::string& name,
                    const std::string& where) {
  const std::string full = prefix + name;
  const int found = model.find_coordinate(full);
  if (found >= 0) return found;
  for (const Joint& joint : model.joints()) {
    if (joint.name != full) continue;
    if (joint.is_mimic) throw InputError(where + ": joint " + in_quotes(full) + " mimics another; leave it out");
    if (joint.q_size == 0) throw InputError(where + ": joint " + in_quotes(full) + " is fixed; leave it out");
    throw InputError(where + ": joint " + in_quotes(full) + " has " + std::to_string(joint.q_size) +
                     " values; name them " + model.coordinates()[static_cast<std::size_t>(joint.q_index)].name +
                     ", ... or use a multi_dof_joint_trajectory");
  }
  std::vector<std::string> names;
  for (const Coordinate& c : model.coordinates()) names.push_back(c.name);
  throw InputError(where + ": " + in_quotes(full) + " is not a joint of robot " + in_quotes(model.name()) +
                   did_you_mean(full, names) + (did_you_mean(full, names).empty() ? ";" : "") +
                   " its joints are: " + join_names(names, 40));
}

const Joint& find_multi_dof_joint(const RobotModel& model, const std::string& prefix, const std::string& name,
                                  const std::string& where) {
  const std::string full = prefix + name;
  for (const Joint& joint : model.joints()) {
    if (joint.name != full || joint.is_mimic) continue;
    if (joint.type == JointType::Floating || joint.type == JointType::Planar) return joint;
  }
  throw InputError(where + ": " + in_quotes(full) + " is not a planar or floating joint of robot " +
                   in_quotes(model.name()) + "; give its URDF that joint, or leave it out here");
}

void append_multi_dof_values(const Joint& joint, const std::array<double, 7>& transform, TrajectoryTable::Row& row,
                             const std::string& where) {
  if (joint.type == JointType::Planar) {
    const auto& [x, y, z, qx, qy, qz, qw] = transform;
    if (joint.axis != Eigen::Vector3d::UnitZ() || z != 0.0 || std::abs(qx) + std::abs(qy) > 1e-9) {
      throw InputError(where + ": the planar joint " + in_quotes(joint.name) +
                       " moves in x and y and turns about z; this transform does more");
    }
    row.position.insert(row.position.end(), {x, y, 2.0 * std::atan2(qz, qw)});
  } else {
    row.position.insert(row.position.end(), transform.begin(), transform.end());
  }
  if (!row.velocity.empty()) row.velocity.resize(row.position.size(), 0.0);
  if (!row.acceleration.empty()) row.acceleration.resize(row.position.size(), 0.0);
}

void require_distinct(const std::vector<int>& coordinates, const RobotModel& model, const std::string& where) {
  std::vector<int> sorted = coordinates;
  std::sort(sorted.begin(), sorted.end());
  const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return;
  throw InputError(where + ": " + in_quotes(model.coordinates()[static_cast<std::size_t>(*twice)].name) +
                   " is there twice; leave one out");
}

Loaded<TrajectoryFile> parse_trajectory(const std::string& text, const std::string& name, const RobotModel& model,
                                        const TrajectoryFileOptions& options) {
  if (text.find('\0') != std::string::npos) {
    throw InputError(name + ":1: this is a binary file; it must be CSV, YAML or JSON text");
  }
  const std::string_view rest = without_mark(text);
  const TrajectoryTable table = looks_like_csv(rest)
                                    ? read_trajectory_csv(rest, name, model, options.prefix)
                                    : read_trajectory_yaml(std::string(rest), name, model, options.prefix);
  if (!options.errors) refuse_errors(table, name);
  Loaded<TrajectoryFile> loaded{assemble_trajectory(table, model, options, name), {}};
  if (!table.with_error.empty()) loaded.value.errors = errors_of(table, model);
  for (const Assumption& a : start_assumptions(table)) {
    loaded.warnings.push_back({WarningKind::UnknownStart, name + ": " + to_line(a, a.names.size())});
    loaded.assumptions.push_back(a);
  }
  if (table.timed && !table.rows.empty() && table.rows.front().time > 0.0) {
    loaded.warnings.push_back({WarningKind::UnknownStart,
                               name + ":" + std::to_string(table.rows.front().line) + ": the first point is at " +
                                   format_number(table.rows.front().time) +
                                   " s; the way there from wherever the robot is before is not known and not checked"});
    loaded.assumptions.push_back({.kind = AssumptionKind::UnknownStart,
                                  .text = "the way to a first point later than 0 s is not known",
                                  .names = {name}});
  }
  return loaded;
}

Loaded<TrajectoryFile> load_trajectory(const std::string& path, const RobotModel& model,
                                       const TrajectoryFileOptions& options) {
  return parse_trajectory(read_file(path, kMaxDataFileBytes), path, model, options);
}

Loaded<Trajectory> load_trajectories(const std::vector<TrajectorySource>& sources, const RobotModel& model,
                                     const TrajectoryFileOptions& given, std::vector<JointVector>* errors) {
  if (sources.empty()) throw InputError("there is no trajectory file");
  Loaded<Trajectory> loaded;
  std::vector<Trajectory> parts;
  std::vector<int> owner(model.coordinates().size(), -1);
  for (std::size_t s = 0; s < sources.size(); ++s) {
    TrajectoryFileOptions options = given;
    options.prefix = sources[s].prefix;
    options.partial = sources.size() > 1;
    options.errors = errors != nullptr && sources.size() == 1;
    Loaded<TrajectoryFile> file = load_trajectory(sources[s].path, model, options);
    loaded.warnings.insert(loaded.warnings.end(), file.warnings.begin(), file.warnings.end());
    merge(loaded.assumptions, file.assumptions);
    for (std::size_t i = 0; i < owner.size(); ++i) {
      if (!file.value.moved[i]) continue;
      if (owner[i] >= 0) {
        throw InputError(sources[s].path + ": " + in_quotes(model.coordinates()[i].name) + " is moved by " +
                         sources[static_cast<std::size_t>(owner[i])].path + " already");
      }
      owner[i] = static_cast<int>(s);
    }
    if (options.errors) *errors = std::move(file.value.errors);
    parts.push_back(std::move(file.value.trajectory));
    delay(parts.back(), sources[s]);
  }
  const auto is_elsewhere = [&](const std::string& name) {
    return std::find(given.elsewhere.begin(), given.elsewhere.end(), name) != given.elsewhere.end();
  };
  std::vector<std::string> held;
  for (std::size_t i = 0; i < owner.size(); ++i) {
    const std::string& name = model.coordinates()[i].name;
    if (owner[i] < 0 && !is_elsewhere(name)) held.push_back(name);
  }
  if (!held.empty()) {
    loaded.assumptions.push_back({.kind = AssumptionKind::Held, .text = "held, as no file moves it", .names = held});
  }
  if (parts.size() == 1) {
    loaded.value = std::move(parts[0]);
    return loaded;
  }
  for (std::size_t i = 0; i < owner.size(); ++i) {
    if (owner[i] >= 0) continue;
    const std::string& name = model.coordinates()[i].name;
    if (given.hold.count(name) == 0 && !is_elsewhere(name)) {
      throw InputError("no trajectory file moves " + in_quotes(name) + "; hold it at a value (--hold NAME=VALUE)");
    }
    owner[i] = 0;  // every part has the held value
  }
  loaded.value = merge(model, parts, owner);
  return loaded;
}

}  // namespace planner_ccd
