#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/io/loaded.hpp"
#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct SrdfPair {
  std::string a, b;    ///< Link names.
  std::string reason;  ///< As the file gives it; may be empty.
};

struct SrdfGroup {
  std::string name;
  std::vector<std::string> links, joints, subgroups;
  std::vector<std::pair<std::string, std::string>> chains;  ///< base link, tip link
};

struct SrdfGroupState {
  std::string name, group;
  std::map<std::string, std::vector<double>> joints;  ///< Joint name -> its value or values.
};

/// The parts of an SRDF that matter to collision checking and planning.
struct Srdf {
  std::string robot;
  std::vector<SrdfPair> disabled;             ///< <disable_collisions>
  std::vector<std::string> disabled_default;  ///< <disable_default_collisions>: links excluded from everything ...
  std::vector<SrdfPair> enabled;              ///< <enable_collisions>: ... but these pairs.
  std::vector<SrdfGroup> groups;
  std::vector<SrdfGroupState> states;
};

/// Reads an SRDF for `model`. Links and joints that the model lacks are dropped and listed in a warning, because one
/// SRDF often serves several variants of a robot. Virtual joints, end effectors and passive joints are ignored. Throws
/// InputError naming file and line for invalid XML, missing attributes and malformed numbers.
Loaded<Srdf> load_srdf(const std::string& path, const RobotModel& model);
Loaded<Srdf> parse_srdf(const std::string& text, const std::string& name, const RobotModel& model);

/// The rules of a robot that has become part of a combined one (`combine` of robots): `prefix` is prepended to the
/// names of links, joints, groups and states. `robot` is the model the rules were read for:
/// <disable_default_collisions> concerns its own links only, so it becomes explicit pairs of these.
Srdf with_prefix(const Srdf& srdf, const std::string& prefix, const RobotModel& robot);

/// The rules of several robots together.
Srdf combine(const std::vector<Srdf>& robots);

/// The configuration of a group state: `base` with the state's joints set. Mimic joints in the state are ignored.
/// Throws InputError for an unknown state and for a joint with the wrong number of values.
JointVector apply_group_state(const Srdf& srdf, const std::string& group, const std::string& state,
                              const RobotModel& model, JointVector base);

/// The joints of a group that have values of their own, in the order of the model: those it names, the parent joints of
/// its links, those of its chains and of its subgroups. Throws InputError for an unknown group, and for a chain whose
/// base is not above its tip.
std::vector<std::string> group_joints(const Srdf& srdf, const std::string& group, const RobotModel& model);

}  // namespace planner_ccd
#pragma GCC visibility pop
