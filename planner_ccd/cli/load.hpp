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

/// What --margin, --self-margin and --cell-evaluations ask for.
CheckerOptions checker_options(const Arguments& arguments);

/// The folder of --cache, or the default one; empty where there is none.
std::string proof_folder(const Arguments& arguments);

/// With the proofs that `prepare` keeps for the robot, if these took at least as many evaluations as are asked for. Files that
/// cannot be used are warned of on stderr.
PathChecker make_checker(const Arguments& arguments, const LoadedRobot& robot, const Scene& scene,
                         const CheckerOptions& options);

/// The scene of --scene, an empty one without it. Its warnings join those of the robot.
/// On stderr; with --verbose what stands behind them too.
void print_warnings(const Arguments& arguments, const LoadedRobot& loaded);

Scene load_scene_option(const Arguments& arguments, LoadedRobot& robot);

}  // namespace planner_ccd::cli
