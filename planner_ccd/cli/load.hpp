#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"

namespace planner_ccd::cli {

/// What every subcommand starts from.
struct LoadedRobot {
  std::string file;
  std::shared_ptr<const RobotModel> model;
  Srdf srdf;
  CollisionMatrix matrix;
  std::vector<std::string> warnings;
};

/// Where packages are, from --package and --package-path. Throws InputError for an entry that is not NAME=DIR or a
/// folder that does not exist.
ResourceOptions resource_options(const Arguments& arguments);

/// What --cell-evaluations asks for.
std::int64_t cell_evaluations(const Arguments& arguments);

/// What --margin and --cell-evaluations ask for.
CheckerOptions checker_options(const Arguments& arguments);

/// The robot of the URDF `file` with the rules of --srdf.
LoadedRobot load_robot(const std::string& file, const Arguments& arguments);

/// The scene of --scene, an empty one without it. Its warnings join those of the robot.
Scene load_scene_option(const Arguments& arguments, LoadedRobot& robot);

}  // namespace planner_ccd::cli
