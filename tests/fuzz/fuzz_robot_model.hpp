#pragma once

#include <string>

#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/robot/robot_model.hpp"

// Joints of every kind: a, b (continuous), p (planar), f (floating), m (mimics a).
inline planner_ccd::RobotModel make_model() {
  std::string urdf = "<robot name='r'><link name='w'/>";
  const char* const joints[][2] = {
      {"a", "revolute"}, {"b", "continuous"}, {"p", "planar"}, {"f", "floating"}, {"m", "prismatic"}};
  for (const auto& [name, type] : joints) {
    urdf += std::string("<link name='l") + name + "'/><joint name='" + name + "' type='" + type +
            "'><parent link='w'/><child link='l" + name + "'/><axis xyz='0 0 1'/><limit lower='-1' upper='1'/>" +
            (name[0] == 'm' ? "<mimic joint='a'/>" : "") + "</joint>";
  }
  return planner_ccd::RobotModel(planner_ccd::parse_urdf(urdf + "</robot>", "fuzz.urdf", "").value);
}
