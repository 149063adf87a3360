#include "planner_ccd/io/path_file.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "planner_ccd/io/detail/trajectory_readers.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

std::string at(const std::string& name, const TrajectoryTable::Row& row) {
  return name + ":" + std::to_string(row.line) + ": ";
}

/// Warns about waypoints beyond the joint limits: the first one, and their number.
void warn_of_limits(Loaded<JointPath>& path, const TrajectoryTable& table, const std::string& name,
                    const RobotModel& model) {
  std::string first;
  std::size_t count = 0;
  for (std::size_t w = 0; w < table.rows.size(); ++w) {
    for (int i = 0; i < model.dof(); ++i) {
      const Coordinate& c = model.coordinates()[static_cast<std::size_t>(i)];
      const double q = path.value.waypoints[w][i], slack = 1e-9 * (1.0 + std::abs(q));
      if (q >= c.lower - slack && q <= c.upper + slack) continue;
      if (++count > 1) continue;
      first = at(name, table.rows[w]) + c.name + " = " + format_number(q) + " is beyond its limits [" +
              format_number(c.lower) + ", " + format_number(c.upper) + "]";
    }
  }
  if (count > 0) {
    path.warnings.push_back({WarningKind::BeyondLimits, first + " (" + std::to_string(count) + " such values in all)"});
  }
}

}  // namespace

Loaded<JointPath> parse_path(const std::string& text, const std::string& name, const RobotModel& model) {
  const TrajectoryTable table = read_trajectory_csv(text, name, model, "");
  refuse_errors(table, name);
  const std::string header = name + ":" + std::to_string(table.header_line) + ": ";
  if (!table.rows[0].velocity.empty()) throw InputError(header + "a path has no velocities; delete their columns");
  std::vector<std::string> missing;
  for (int i = 0; i < model.dof(); ++i) {
    if (std::find(table.coordinates.begin(), table.coordinates.end(), i) != table.coordinates.end()) continue;
    missing.push_back(model.coordinates()[static_cast<std::size_t>(i)].name);
  }
  if (!missing.empty()) {
    throw InputError(header + "columns are missing for: " + join_names(missing, missing.size()));
  }
  Loaded<JointPath> path;
  for (const TrajectoryTable::Row& row : table.rows) {
    JointVector q(model.dof());
    for (std::size_t k = 0; k < table.coordinates.size(); ++k) q[table.coordinates[k]] = row.position[k];
    unit_quaternions(model, name + ":" + std::to_string(row.line), q);
    if (table.timed) {
      std::vector<double>& times = path.value.times;
      if (!times.empty() && !(row.time > times.back())) throw InputError(at(name, row) + "the time does not grow");
      times.push_back(row.time);
    }
    path.value.waypoints.push_back(std::move(q));
  }
  warn_of_limits(path, table, name, model);
  return path;
}

Loaded<JointPath> load_path(const std::string& path, const RobotModel& model) {
  return parse_path(read_file(path, kMaxDataFileBytes), path, model);
}

std::string format_path(const JointPath& path, const RobotModel& model) {
  const bool timed = !path.times.empty();
  if (timed && path.times.size() != path.waypoints.size())
    throw InputError("the path has a time for some waypoints only");
  std::string text = timed ? "time" : "";
  for (const Coordinate& c : model.coordinates()) text += (text.empty() ? "" : ",") + c.name;
  text += "\n";
  for (std::size_t i = 0; i < path.waypoints.size(); ++i) {
    const JointVectorRef& q = path.waypoints[i];
    if (q.size() != model.dof()) throw InputError("waypoint " + std::to_string(i) + " has the wrong number of values");
    std::string row = timed ? format_number(path.times[i]) : "";
    for (Eigen::Index k = 0; k < q.size(); ++k) row += (row.empty() ? "" : ",") + format_number(q[k]);
    text += row + "\n";
  }
  return text;
}

void save_path(const std::string& file, const JointPath& path, const RobotModel& model) {
  std::ofstream out(file, std::ios::binary);
  out << format_path(path, model);
  out.close();
  if (!out) throw InputError(file + ": cannot be written; check the folder and its permissions");
}

}  // namespace planner_ccd
