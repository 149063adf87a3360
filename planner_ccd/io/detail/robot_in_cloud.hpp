#pragma once

#include <string>
#include <vector>

#include "planner_ccd/io/detail/yaml.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"
#include "planner_ccd/validation/assumptions.hpp"

namespace planner_ccd {

/// The key 'drop_robot' of a cloud: where the robot stood when the camera looked, and how far from it points are dropped.
struct RobotInCloud {
  std::string object;
  int line;
  JointVector q;
  double within;  ///< [m]
};

/// `robot` may be null, which is an error.
RobotInCloud read_robot_in_cloud(const YamlFile& file, const YamlNode& node, const RobotModel* robot,
                                 const std::string& object);

/// Takes these points out of the scene's clouds; says how many.
std::vector<Assumption> drop_robot(const YamlFile& file, const std::vector<RobotInCloud>& seen, const RobotModel& robot,
                                   Scene& scene);

}  // namespace planner_ccd
