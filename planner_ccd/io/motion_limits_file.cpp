#include "planner_ccd/io/motion_limits_file.hpp"

#include "planner_ccd/io/detail/yaml.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// The value of `key`, unless `has` disables it. MoveIt also writes the values of disabled limits.
std::optional<double> limit(const YamlFile& file, const YamlNode& joint, const char* has, const char* key) {
  if (const YamlNode flag = joint[has]) {
    const std::string word = to_lower(file.text(flag, has));
    if (word != "true" && word != "false") file.fail(flag, std::string("'") + has + "' must be true or false");
    if (word == "false") return std::nullopt;
  }
  if (!joint[key]) return std::nullopt;
  const double value = file.number(joint[key], key);
  if (!(value > 0.0)) file.fail(joint[key], std::string("'") + key + "' must be greater than 0");
  return value;
}

}  // namespace

MotionLimits parse_motion_limits(const std::string& text, const std::string& name, const RobotModel& robot,
                                 const std::string& prefix, const std::optional<MotionLimits>& before) {
  const YamlFile file(text, name);
  MotionLimits limits = before ? *before : motion_limits(robot);
  if (!file.root().is_map()) throw InputError(name + ":1: expected the key 'joint_limits'");
  file.check_keys(file.root(), "the limits",
                  {"joint_limits", "default_velocity_scaling_factor", "default_acceleration_scaling_factor"});
  const YamlNode joints = file.required(file.root(), "joint_limits");
  if (!joints.is_map()) file.fail(joints, "'joint_limits' must be a map of joints");
  for (const auto& [key, value] : joints.entries()) {
    const std::string joint = prefix + file.text(key, "a joint name");
    const int i = robot.find_coordinate(joint);
    if (i < 0) {
      std::vector<std::string> names;
      for (const Coordinate& c : robot.coordinates()) names.push_back(c.name);
      file.fail(key,
                in_quotes(joint) + " is not a joint of robot " + in_quotes(robot.name()) + did_you_mean(joint, names));
    }
    file.check_keys(value, "the limits of a joint",
                    {"has_velocity_limits", "max_velocity", "has_acceleration_limits", "max_acceleration",
                     "has_position_limits", "min_position", "max_position", "has_jerk_limits", "max_jerk",
                     "has_effort_limits", "max_effort", "angle_wraparound"});
    const auto k = static_cast<std::size_t>(i);
    if (const auto v = limit(file, value, "has_velocity_limits", "max_velocity")) limits.velocity[k] = *v;
    if (const auto a = limit(file, value, "has_acceleration_limits", "max_acceleration")) {
      limits.acceleration[k] = *a;
    }
  }
  return limits;
}

MotionLimits load_motion_limits(const std::string& path, const RobotModel& robot, const std::string& prefix,
                                const std::optional<MotionLimits>& before) {
  return parse_motion_limits(read_file(path, kMaxDescriptionBytes), path, robot, prefix, before);
}

}  // namespace planner_ccd
