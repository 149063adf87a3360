#pragma once

#include <cstdint>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::cli {

/// Where packages are, from --package and --package-path. Throws InputError for an entry that is not NAME=DIR or a
/// folder that does not exist.
ResourceOptions resource_options(const Arguments& arguments);

/// What --cell-evaluations asks for.
std::int64_t cell_evaluations(const Arguments& arguments);

/// What --margin and --cell-evaluations ask for.
CheckerOptions checker_options(const Arguments& arguments);

/// The scene of --scene, an empty one without it. Its warnings join those of the robot.
Scene load_scene_option(const Arguments& arguments, LoadedRobot& robot);

}  // namespace planner_ccd::cli
