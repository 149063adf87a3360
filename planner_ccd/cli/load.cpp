#include "planner_ccd/cli/load.hpp"

#include <filesystem>
#include <iostream>

#include "planner_ccd/io/files_read.hpp"
#include "planner_ccd/io/prepared_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/report/parts.hpp"

namespace planner_ccd::cli {
namespace {

void require_folder(const std::string& option, const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw InputError(option + " " + folder + ": there is no such folder");
}

}  // namespace

ResourceOptions resource_options(const Arguments& arguments) {
  ResourceOptions resources;
  for (const std::string& entry : arguments.all("package")) {
    const std::size_t equals = entry.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == entry.size()) {
      throw InputError("--package " + entry + ": must read NAME=DIR");
    }
    const std::string name = entry.substr(0, equals), folder = entry.substr(equals + 1);
    require_folder("--package " + name + "=", folder);
    if (!resources.packages.emplace(name, folder).second) throw InputError("--package " + name + " is given twice");
  }
  resources.package_paths = arguments.all("package-path");
  for (const std::string& folder : resources.package_paths) require_folder("--package-path", folder);
  if (arguments.text("dae-up-axis").value_or("ignore") == "honour") resources.dae_up_axis = DaeUpAxis::Honour;
  return resources;
}

std::int64_t cell_evaluations(const Arguments& arguments) {
  return arguments.integer("cell-evaluations", 0, 1'000'000'000).value_or(CheckerOptions{}.cell_evaluations);
}

CheckerOptions checker_options(const Arguments& arguments) {
  CheckerOptions options;
  const auto margin = [&](const char* name) {
    const double metres = arguments.number(name).value_or(0.0);
    if (!(metres >= 0.0)) throw InputError("--" + std::string(name) + " must not be negative (metres)");
    return metres;
  };
  options.margin = margin("margin");
  options.self_margin = margin("self-margin");
  options.cell_evaluations = cell_evaluations(arguments);
  if (const auto name = arguments.text("broad-phase")) options.broad_phase = box_index_named(*name);
  return options;
}

std::string proof_folder(const Arguments& arguments) {
  return arguments.text("cache").value_or(default_proof_folder());
}

PathChecker make_checker(const Arguments& arguments, const LoadedRobot& robot, const Scene& scene,
                         const CheckerOptions& options, Notes& notes) {
  const auto found =
      find_prepared(robot.model, robot.matrix, {options.margin, 0, options.self_margin}, proof_folder(arguments));
  notes.warnings.insert(notes.warnings.end(), found.warnings.begin(), found.warnings.end());
  const bool enough = found.value && found.value->cell_evaluations() >= options.cell_evaluations;
  return enough ? PathChecker(*found.value, scene, options) : PathChecker(robot.model, scene, robot.matrix, options);
}

void print_warnings(const Arguments& arguments, const Notes& notes) {
  std::cerr << warnings_text(notes.warnings);
  print_details(arguments, notes);
}

void print_details(const Arguments& arguments, const Notes& notes) {
  if (notes.details.empty()) return;
  if (!arguments.has("verbose")) std::cerr << "(-v tells more of the warnings)\n";
  if (arguments.has("verbose")) {
    for (const std::string& detail : notes.details) std::cerr << "detail: " << detail << "\n";
  }
}

Scene load_scene_option(const Arguments& arguments, LoadedRobot& robot) {
  const auto file = arguments.text("scene");
  if (!file) return {};
  SceneFileOptions options;
  options.resources = resource_options(arguments);
  options.robot = robot.model.get();
  const FilesRead noted(robot.inputs, "scene");
  Loaded<Scene> scene = load_scene(*file, options);
  robot.note(scene);
  return std::move(scene.value);
}

}  // namespace planner_ccd::cli
