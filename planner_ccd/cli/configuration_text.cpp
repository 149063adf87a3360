#include "planner_ccd/cli/configuration_text.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "planner_ccd/io/path_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {
namespace {

constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();

/// Values, named or in order.
JointVector parse_list(const std::string& where, std::string_view text, const RobotModel& robot,
                       const JointVectorRef& base) {
  const std::vector<std::string_view> parts = split_cells(text);
  JointVector q = JointVector::Constant(robot.dof(), kUnset);
  if (text.find('=') == std::string_view::npos && static_cast<int>(parts.size()) != robot.dof()) {
    throw InputError(where + ": has " + std::to_string(parts.size()) + " values, but the robot has " +
                     std::to_string(robot.dof()) + " coordinates");
  }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    int coordinate = static_cast<int>(i);
    std::string_view number = parts[i];
    if (text.find('=') != std::string_view::npos) {
      const std::size_t equals = number.find('=');
      if (equals == std::string_view::npos) throw InputError(where + ": " + in_quotes(parts[i]) + " lacks its name");
      const std::string name(trim(number.substr(0, equals)));
      coordinate = robot.find_coordinate(name);
      if (coordinate < 0) {
        std::vector<std::string> names;
        for (const Coordinate& c : robot.coordinates()) names.push_back(c.name);
        throw InputError(where + ": the robot has no coordinate " + in_quotes(name) + did_you_mean(name, names) +
                         "; it has: " + join_names(names, 40));
      }
      if (!std::isnan(q[coordinate])) throw InputError(where + ": " + in_quotes(name) + " is given twice");
      number = number.substr(equals + 1);
    }
    const auto value = parse_number(number);
    if (!value) throw InputError(where + ": " + in_quotes(number) + " is not a finite number");
    q[coordinate] = *value;
  }
  for (int i = 0; i < robot.dof(); ++i) {
    if (std::isnan(q[i])) q[i] = base[i];
  }
  return q;
}

void require_all(const std::string& where, const JointVectorRef& q, const RobotModel& robot) {
  std::vector<std::string> missing;
  for (int i = 0; i < robot.dof(); ++i) {
    if (std::isnan(q[i])) missing.push_back(robot.coordinates()[i].name);
  }
  if (!missing.empty()) {
    throw InputError(where + ": values are missing for: " + join_names(missing, 40) +
                     " (--hold NAME=VALUE for what stays)");
  }
}

}  // namespace

JointVector unknown_configuration(const RobotModel& robot) { return JointVector::Constant(robot.dof(), kUnset); }

JointVector parse_configuration(const std::string& option, const std::string& text, const RobotModel& robot,
                                const Srdf& srdf, const std::string& group, const JointVectorRef& base, bool last_row) {
  const std::string where = "--" + option;
  std::error_code error;
  if (std::filesystem::is_regular_file(text, error)) {
    const JointPath path = load_path(text, robot).value;
    return last_row ? path.waypoints.back() : path.waypoints.front();
  }
  std::vector<std::string> groups, states;
  for (const SrdfGroupState& state : srdf.states) {
    if (!group.empty() && state.group != group) continue;
    states.push_back(state.name);
    if (state.name == text) groups.push_back(state.group);
  }
  if (groups.size() > 1) {
    throw InputError(where + " " + in_quotes(text) + ": is a state of several groups (" + join_names(groups) +
                     "); say which with --group");
  }
  if (!groups.empty()) {
    const JointVector q = apply_group_state(srdf, groups[0], text, robot, base);
    require_all(where + " " + text, q, robot);
    return q;
  }
  const bool list = text.find_first_of("=,") != std::string::npos || parse_number(text);
  if (!list) {
    throw InputError(where + " " + in_quotes(text) +
                     ": is neither name=value,..., nor values in joint order, nor a file, nor a state of the SRDF" +
                     did_you_mean(text, states));
  }
  const JointVector q = parse_list(where, text, robot, base);
  require_all(where, q, robot);
  return q;
}

}  // namespace planner_ccd::cli
