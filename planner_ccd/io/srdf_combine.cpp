#include <set>

#include "planner_ccd/io/srdf.hpp"

namespace planner_ccd {
namespace {

using Pairs = std::vector<SrdfPair>;

template <class T>
void append(std::vector<T>& to, const std::vector<T>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// The pairs excluded by <disable_default_collisions>, without those enabled or disabled explicitly.
Pairs default_pairs(const Srdf& srdf, const RobotModel& robot) {
  std::set<std::pair<std::string, std::string>> listed;
  for (const Pairs* pairs : {&srdf.enabled, &srdf.disabled}) {
    for (const SrdfPair& pair : *pairs) listed.insert(std::minmax(pair.a, pair.b));
  }
  Pairs pairs;
  for (const std::string& link : srdf.disabled_default) {
    for (const Link& other : robot.links()) {
      if (other.name == link || !listed.insert(std::minmax(link, other.name)).second) continue;
      pairs.push_back({link, other.name, "default of " + link});
    }
  }
  return pairs;
}

}  // namespace

Srdf with_prefix(const Srdf& srdf, const std::string& prefix, const RobotModel& robot) {
  Srdf out = srdf;
  append(out.disabled, default_pairs(srdf, robot));
  out.disabled_default.clear();
  const auto rename = [&](std::string& name) { name.insert(0, prefix); };
  const auto rename_all = [&](std::vector<std::string>& names) {
    for (std::string& name : names) rename(name);
  };
  rename(out.robot);
  for (Pairs* pairs : {&out.disabled, &out.enabled}) {
    for (SrdfPair& pair : *pairs) {
      rename(pair.a);
      rename(pair.b);
    }
  }
  for (SrdfGroup& group : out.groups) {
    rename(group.name);
    rename_all(group.links);
    rename_all(group.joints);
    rename_all(group.subgroups);
    for (auto& [base, tip] : group.chains) {
      rename(base);
      rename(tip);
    }
  }
  for (SrdfGroupState& state : out.states) {
    rename(state.name);
    rename(state.group);
    std::map<std::string, std::vector<double>> joints;
    for (auto& [name, values] : state.joints) joints[prefix + name] = std::move(values);
    state.joints = std::move(joints);
  }
  return out;
}

Srdf combine(const std::vector<Srdf>& robots) {
  Srdf all;
  for (const Srdf& robot : robots) {
    all.robot += (all.robot.empty() ? "" : "+") + robot.robot;
    append(all.disabled, robot.disabled);
    append(all.disabled_default, robot.disabled_default);
    append(all.enabled, robot.enabled);
    append(all.groups, robot.groups);
    append(all.states, robot.states);
  }
  return all;
}

}  // namespace planner_ccd
