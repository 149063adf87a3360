#include "planner_ccd/io/motion_limits_file.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/io/detail/yaml.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// One file: what its joints' maps say, and what of it is no part of a check.
class LimitsReader {
 public:
  LimitsReader(const std::string& text, const std::string& name, const RobotModel& robot, const std::string& prefix)
      : file_(text, name), robot_(robot), prefix_(prefix) {}

  Loaded<MotionLimits> read(MotionLimits before) {
    limits_ = std::move(before);
    const YamlNode root = file_.root();
    if (!root.is_map()) throw InputError(file_.name() + ":1: expected the key 'joint_limits'");
    file_.check_keys(root, "the limits",
                     {"joint_limits", "default_velocity_scaling_factor", "default_acceleration_scaling_factor"});
    const YamlNode joints = file_.required(root, "joint_limits");
    if (!joints.is_map()) file_.fail(joints, "'joint_limits' must be a map of joints");
    for (const auto& [key, value] : joints.entries()) read_joint(key, value);
    for (const char* key : {"default_velocity_scaling_factor", "default_acceleration_scaling_factor"}) {
      if (root[key] && file_.number(root[key], key) != 1.0) unused_.emplace_back(key);
    }
    if (!unused_.empty()) {
      warnings_.push_back({WarningKind::NotRead, file_.name() + ": not part of a check, and left out: " +
                                                     join_names(unused_, unused_.size())});
    }
    return {std::move(limits_), std::move(warnings_)};
  }

 private:
  YamlFile file_;
  const RobotModel& robot_;
  const std::string& prefix_;
  MotionLimits limits_;
  std::vector<std::string> unused_;
  std::vector<InputWarning> warnings_;

  int coordinate(const YamlNode& key, const std::string& joint) const {
    const int i = robot_.find_coordinate(joint);
    if (i >= 0) return i;
    std::vector<std::string> names;
    for (const Coordinate& c : robot_.coordinates()) names.push_back(c.name);
    file_.fail(key,
               in_quotes(joint) + " is not a joint of robot " + in_quotes(robot_.name()) + did_you_mean(joint, names));
  }

  void read_joint(const YamlNode& key, const YamlNode& value) {
    const std::string joint = prefix_ + file_.text(key, "a joint name");
    const int i = coordinate(key, joint);
    const auto k = static_cast<std::size_t>(i);
    file_.check_keys(value, "the limits of a joint",
                     {"has_velocity_limits", "max_velocity", "has_acceleration_limits", "max_acceleration",
                      "has_position_limits", "min_position", "max_position", "has_jerk_limits", "max_jerk",
                      "has_effort_limits", "max_effort", "angle_wraparound"});
    if (const auto v = greatest(value, "has_velocity_limits", "max_velocity")) limits_.velocity[k] = *v;
    if (const auto a = greatest(value, "has_acceleration_limits", "max_acceleration")) limits_.acceleration[k] = *a;
    if (const auto j = greatest(value, "has_jerk_limits", "max_jerk")) limits_.jerk[k] = *j;
    read_positions(value, joint, k);
    if (flag(value, "has_effort_limits").value_or(value["max_effort"].is_defined()))
      unused_.push_back("max_effort of " + joint);
    if (flag(value, "angle_wraparound").value_or(false)) unused_.push_back("angle_wraparound of " + joint);
    const Coordinate& c = robot_.coordinates()[k];
    if (robot_.joints()[static_cast<std::size_t>(c.joint)].type == JointType::Floating) {
      unused_.push_back("the limits of " + joint + ", part of a floating joint");
    }
  }

  std::optional<bool> flag(const YamlNode& joint, const char* key) const {
    const YamlNode node = joint[key];
    if (!node) return std::nullopt;
    const std::string word = to_lower(file_.text(node, key));
    if (word != "true" && word != "false") file_.fail(node, std::string("'") + key + "' must be true or false");
    return word == "true";
  }

  /// The value of `key`, unless `has` disables it: MoveIt writes the values of disabled limits, too.
  std::optional<double> greatest(const YamlNode& joint, const char* has, const char* key) const {
    const std::optional<bool> given = flag(joint, has);
    if (!joint[key]) {
      if (given.value_or(false))
        file_.fail(joint[has], std::string("'") + has + "' is true, and '" + key + "' is missing");
      return std::nullopt;
    }
    const double value = file_.number(joint[key], key);
    if (!given.value_or(true)) return std::nullopt;
    if (!(value > 0.0)) file_.fail(joint[key], std::string("'") + key + "' must be greater than 0");
    return value;
  }

  /// Positions narrow the limits that there are.
  void read_positions(const YamlNode& value, const std::string& joint, std::size_t k) {
    const YamlNode min = value["min_position"], max = value["max_position"];
    if (!min && !max) return (void)flag(value, "has_position_limits");
    if (!flag(value, "has_position_limits").value_or(true)) {
      return unused_.push_back("positions of " + joint + ", as has_position_limits is false");
    }
    const Coordinate& c = robot_.coordinates()[k];
    if (c.continuous) {
      file_.fail(min ? min : max, "joint " + in_quotes(joint) +
                                      " turns without limits, as MoveIt has it too; make it revolute in the URDF, or "
                                      "leave its positions out");
    }
    double lower = limits_.lower[k], upper = limits_.upper[k];
    const double low = min ? file_.number(min, "min_position") : lower;
    const double high = max ? file_.number(max, "max_position") : upper;
    if (low > high) file_.fail(min ? min : max, "'min_position' is greater than 'max_position'");
    const auto is_outside = [](double inner, double outer) { return outer - inner > 1e-9 * (1.0 + std::abs(inner)); };
    if (is_outside(low, lower) || is_outside(upper, high)) {
      warnings_.push_back({WarningKind::Structure, file_.where(min ? min : max) + ": positions of " + in_quotes(joint) +
                                                       " are wider than its own limits, [" + format_number(lower) +
                                                       ", " + format_number(upper) + "], which hold"});
    }
    lower = std::max(lower, low);
    upper = std::min(upper, high);
    if (lower > upper)
      file_.fail(min ? min : max, "no position of " + in_quotes(joint) + " keeps these limits and its own");
    limits_.lower[k] = lower;
    limits_.upper[k] = upper;
  }
};

}  // namespace

Loaded<MotionLimits> parse_motion_limits(const std::string& text, const std::string& name, const RobotModel& robot,
                                         const std::string& prefix, const std::optional<MotionLimits>& before) {
  return LimitsReader(text, name, robot, prefix).read(before ? *before : motion_limits(robot));
}

Loaded<MotionLimits> load_motion_limits(const std::string& path, const RobotModel& robot, const std::string& prefix,
                                        const std::optional<MotionLimits>& before) {
  return parse_motion_limits(read_file(path, kMaxDescriptionBytes), path, robot, prefix, before);
}

}  // namespace planner_ccd
