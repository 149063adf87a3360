#pragma once

#include <cstdint>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::cli {

/// Package locations from --package and --package-path. Throws InputError for an entry that is not NAME=DIR or a folder
/// that does not exist.
ResourceOptions resource_options(const Arguments& arguments);

/// The value of --cell-evaluations.
std::int64_t cell_evaluations(const Arguments& arguments);

/// From --margin, --self-margin and --cell-evaluations.
CheckerOptions checker_options(const Arguments& arguments);

/// The folder of --cache, or the default one; empty if there is none.
std::string proof_folder(const Arguments& arguments);

/// Uses the proofs that `prepare` stored for the robot, if these took at least the requested evaluations; notes files that cannot be
/// used.
PathChecker make_checker(const Arguments& arguments, const LoadedRobot& robot, const Scene& scene,
                         const CheckerOptions& options, Notes& notes);

/// On stderr, for commands whose output has no place for warnings; with --verbose, details too.
void print_warnings(const Arguments& arguments, const Notes& notes);
/// The details alone.
void print_details(const Arguments& arguments, const Notes& notes);

/// The scene of --scene, or an empty one. What loading it brought up is added to the robot's notes.
Scene load_scene_option(const Arguments& arguments, LoadedRobot& robot);

}  // namespace planner_ccd::cli
