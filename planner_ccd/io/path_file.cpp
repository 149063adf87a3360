#include "planner_ccd/io/path_file.hpp"

#include <cmath>
#include <fstream>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

constexpr int kTimeColumn = -1;

class PathReader {
 public:
  PathReader(const std::string& name, const RobotModel& model) : name_(name), model_(model) {}

  void read_line(std::string_view text, std::size_t line) {
    line_ = line;
    text = trim(text);
    if (text.empty() || text.front() == '#') return;
    if (header_.empty()) {
      read_header(split_cells(text));
    } else {
      read_row(split_cells(text));
    }
  }

  Loaded<JointPath> finish() {
    if (header_.empty()) throw InputError(name_ + ": the file is empty; it needs a header of joint names");
    if (path_.waypoints.empty()) throw InputError(name_ + ": there is no waypoint after the header");
    Loaded<JointPath> loaded{std::move(path_), {}};
    if (beyond_limits_ > 0) {
      loaded.warnings.push_back(first_beyond_ + " (" + std::to_string(beyond_limits_) + " such values in all)");
    }
    return loaded;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(name_ + ":" + std::to_string(line_) + ": " + message);
  }

  void read_header(const std::vector<std::string_view>& cells) {
    if (cells.size() == 1 && cells[0].find(';') != std::string_view::npos) {
      fail("columns must be separated by commas, not semicolons (and numbers written with a decimal point)");
    }
    std::vector<bool> seen(static_cast<std::size_t>(model_.dof()), false);
    bool time_seen = false;
    for (const std::string_view cell : cells) {
      const int coordinate = model_.find_coordinate(std::string(cell));
      if (coordinate < 0 && cell != "time") fail(explain_unknown(std::string(cell)));
      const bool again = coordinate < 0 ? time_seen : seen[static_cast<std::size_t>(coordinate)];
      if (again) fail("the column " + in_quotes(cell) + " is there twice");
      if (coordinate < 0) {
        time_seen = true;
      } else {
        seen[static_cast<std::size_t>(coordinate)] = true;
      }
      header_.push_back(coordinate < 0 ? kTimeColumn : coordinate);
    }
    std::vector<std::string> missing;
    for (int i = 0; i < model_.dof(); ++i) {
      if (!seen[static_cast<std::size_t>(i)]) missing.push_back(model_.coordinates()[static_cast<std::size_t>(i)].name);
    }
    if (!missing.empty()) fail("columns are missing for: " + join_names(missing, missing.size()));
  }

  std::string explain_unknown(const std::string& cell) const {
    for (const Joint& joint : model_.joints()) {
      if (joint.name != cell) continue;
      if (joint.is_mimic) return "joint " + in_quotes(cell) + " mimics another; delete its column";
      if (joint.q_size == 0) return "joint " + in_quotes(cell) + " is fixed; delete its column";
      return "joint " + in_quotes(cell) + " has " + std::to_string(joint.q_size) + " values; name them " +
             model_.coordinates()[static_cast<std::size_t>(joint.q_index)].name + ", ...";
    }
    if (parse_number(cell)) return "a header of joint names must come before the numbers";
    std::vector<std::string> names;
    for (const Coordinate& c : model_.coordinates()) names.push_back(c.name);
    return in_quotes(cell) + " is not a joint of robot " + in_quotes(model_.name()) +
           "; its joints are: " + join_names(names, 40);
  }

  void read_row(const std::vector<std::string_view>& cells) {
    if (cells.size() != header_.size()) {
      fail("has " + std::to_string(cells.size()) + " values where the header has " + std::to_string(header_.size()) +
           " names");
    }
    Eigen::VectorXd q(model_.dof());
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const auto value = parse_number(cells[i]);
      if (!value) fail(in_quotes(cells[i]) + " in column " + std::to_string(i + 1) + " is not a finite number");
      if (header_[i] == kTimeColumn) {
        if (!path_.times.empty() && !(*value > path_.times.back())) fail("the time does not grow");
        path_.times.push_back(*value);
      } else {
        q[header_[i]] = *value;
      }
    }
    normalise_quaternions(q);
    note_limits(q);
    path_.waypoints.push_back(std::move(q));
  }

  void normalise_quaternions(Eigen::VectorXd& q) const {
    for (const Joint& joint : model_.joints()) {
      if (joint.type != JointType::Floating || joint.is_mimic) continue;
      auto quaternion = q.segment<4>(joint.q_index + 3);
      if (!(std::abs(quaternion.norm() - 1.0) < 1e-3)) {
        fail("the quaternion of joint " + in_quotes(joint.name) + " does not have length 1");
      }
      quaternion /= quaternion.norm();
    }
  }

  void note_limits(const Eigen::VectorXd& q) {
    for (int i = 0; i < model_.dof(); ++i) {
      const Coordinate& c = model_.coordinates()[static_cast<std::size_t>(i)];
      const double slack = 1e-9 * (1.0 + std::abs(q[i]));
      if (q[i] >= c.lower - slack && q[i] <= c.upper + slack) continue;
      if (++beyond_limits_ > 1) continue;
      first_beyond_ = name_ + ":" + std::to_string(line_) + ": " + c.name + " = " + format_number(q[i]) +
                      " is beyond its limits [" + format_number(c.lower) + ", " + format_number(c.upper) + "]";
    }
  }

  const std::string& name_;
  const RobotModel& model_;
  std::size_t line_ = 0;
  std::vector<int> header_;  // coordinate of each column, or kTimeColumn
  JointPath path_;
  std::size_t beyond_limits_ = 0;
  std::string first_beyond_;
};

}  // namespace

Loaded<JointPath> parse_path(const std::string& text, const std::string& name, const RobotModel& model) {
  if (text.find('\0') != std::string::npos) throw InputError(name + ": this is a binary file, not CSV text");
  std::string_view rest = text;
  if (rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);  // the mark some spreadsheets put first
  PathReader reader(name, model);
  for (std::size_t line = 1; !rest.empty(); ++line) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    reader.read_line(rest.substr(0, end), line);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return reader.finish();
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
    const Eigen::VectorXd& q = path.waypoints[i];
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
