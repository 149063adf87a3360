#include "planner_ccd/cli/motion_errors.hpp"

#include <algorithm>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {
namespace {

double read_error(const std::string& option, std::string_view text, const char* unit) {
  const auto number = parse_number(text);
  if (!number || !(*number >= 0.0) || !(*number <= kMostError)) {
    throw InputError(option + ": " + in_quotes(std::string(text)) + " must be a number from 0 to 1000, in " + unit);
  }
  return *number;
}

/// --tracking-error [JOINT=]E; a later entry counts more than one before.
void read_tracking(const Arguments& arguments, const RobotModel& robot, MotionErrors& out) {
  for (const std::string& entry : arguments.all("tracking-error")) {
    const std::string option = "--tracking-error " + entry;
    const std::size_t equals = entry.rfind('=');
    const double error = read_error(
        option, std::string_view(entry).substr(equals == std::string::npos ? 0 : equals + 1), "radians or metres");
    if (out.tracking.size() == 0) out.tracking = JointVector::Zero(robot.dof());
    if (equals == std::string::npos) {
      out.tracking.setConstant(error);
      continue;
    }
    const std::string name = entry.substr(0, equals);
    std::vector<std::string> names;
    bool found = false;
    for (int i = 0; i < robot.dof(); ++i) {
      const Coordinate& c = robot.coordinates()[static_cast<std::size_t>(i)];
      const std::string& joint = robot.joints()[static_cast<std::size_t>(c.joint)].name;
      names.push_back(joint);
      if (name != c.name && name != joint) continue;
      out.tracking[i] = error;
      found = true;
    }
    if (!found)
      throw InputError(option + ": the robot has no joint " + in_quotes(name) + " of its own" +
                       did_you_mean(name, names));
  }
}

/// The base of the part with this prefix: of those whose names begin with it, that which no longer prefix fits.
std::vector<std::string> bases_of(const std::string& option, const std::string& prefix, const LoadedRobot& robot) {
  const std::vector<std::string> bases = base_links(*robot.model);
  std::vector<std::string> known;
  for (const RobotPart& part : robot.parts) {
    if (!part.prefix.empty() && part.link.empty()) known.push_back(part.prefix);
  }
  if (prefix.empty()) return bases;
  if (std::find(known.begin(), known.end(), prefix) == known.end()) {
    throw InputError(option + ": " + in_quotes(prefix) + " is no robot's prefix" +
                     (known.empty() ? "; the only robot has none" : "; the prefixes are: " + join_names(known, 40)));
  }
  std::vector<std::string> out;
  for (const std::string& base : bases) {
    const bool longer = std::any_of(known.begin(), known.end(), [&](const std::string& other) {
      return other.size() > prefix.size() && base.starts_with(other);
    });
    if (base.starts_with(prefix) && !longer) out.push_back(base);
  }
  return out;
}

/// --base-error [PREFIX=]XYZ[,ANGLE]
void read_bases(const Arguments& arguments, const LoadedRobot& robot, MotionErrors& out) {
  for (const std::string& entry : arguments.all("base-error")) {
    const std::string option = "--base-error " + entry;
    const std::size_t equals = entry.rfind('='), begin = equals == std::string::npos ? 0 : equals + 1;
    const std::size_t comma = entry.find(',', begin);
    PoseError error;
    error.position = read_error(
        option, std::string_view(entry).substr(begin, comma == std::string::npos ? comma : comma - begin), "metres");
    if (comma != std::string::npos)
      error.angle = read_error(option, std::string_view(entry).substr(comma + 1), "radians");
    if (equals == 0) throw InputError(option + ": must read [PREFIX=]XYZ[,ANGLE]");
    for (const std::string& base :
         bases_of(option, equals == std::string::npos ? "" : entry.substr(0, equals), robot)) {
      const auto same =
          std::find_if(out.links.begin(), out.links.end(), [&](const LinkError& e) { return e.link == base; });
      if (same != out.links.end()) throw InputError(option + ": the base " + in_quotes(base) + " has an error already");
      out.links.push_back({base, error});
    }
  }
}

}  // namespace

MotionErrors motion_errors(const Arguments& arguments, const LoadedRobot& robot) {
  MotionErrors out;
  read_tracking(arguments, *robot.model, out);
  read_bases(arguments, robot, out);
  return out;
}

}  // namespace planner_ccd::cli
