#include "planner_ccd/cli/load.hpp"

#include <filesystem>

#include "planner_ccd/geometry/mesh_topology.hpp"
#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::cli {
namespace {

void require_folder(const std::string& option, const std::string& folder) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    throw InputError(option + " " + folder + ": there is no such folder");
}

std::shared_ptr<const RobotModel> build_model(const std::string& file, RobotSpec spec) {
  try {
    return std::make_shared<const RobotModel>(std::move(spec));
  } catch (const InputError& error) {
    throw InputError(file + ": " + error.what());
  }
}

// Open meshes have no inside: an object within one is not in contact with it.
void warn_of_open_meshes(const LoadedRobot& robot, std::vector<std::string>& warnings) {
  std::vector<std::string> open, turned;
  for (const Link& link : robot.model->links()) {
    for (const Geometry& geometry : link.collision) {
      const auto* mesh = std::get_if<MeshPtr>(&geometry.shape);
      if (!mesh) continue;
      const MeshTopology edges = topology(**mesh);
      const std::string name = link.name + " (" + geometry.source + ")";
      if (!edges.is_closed()) {
        open.push_back(name);
      } else if (!edges.is_oriented()) {
        turned.push_back(name);
      }
    }
  }
  if (!open.empty()) {
    warnings.push_back(robot.file +
                       ": open meshes, what lies wholly inside of them is not seen: " + join_names(open, open.size()));
  }
  if (!turned.empty()) {
    warnings.push_back(robot.file + ": closed meshes whose triangles do not agree which side is outside: " +
                       join_names(turned, turned.size()));
  }
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
  return resources;
}

std::int64_t cell_evaluations(const Arguments& arguments) {
  return arguments.integer("cell-evaluations", 0, 1'000'000'000).value_or(CheckerOptions{}.cell_evaluations);
}

CheckerOptions checker_options(const Arguments& arguments) {
  CheckerOptions options;
  options.margin = arguments.number("margin").value_or(0.0);
  if (!(options.margin >= 0.0)) throw InputError("--margin must not be negative (metres)");
  options.cell_evaluations = cell_evaluations(arguments);
  return options;
}

LoadedRobot load_robot(const std::string& file, const Arguments& arguments) {
  UrdfOptions options;
  options.resources = resource_options(arguments);
  options.use_visual = arguments.has("use-visual");
  options.load_visuals = arguments.has("html");
  Loaded<RobotSpec> spec = load_urdf(file, options);
  LoadedRobot robot{file, build_model(file, std::move(spec.value)), {}, {}, std::move(spec.warnings)};
  if (const auto srdf_file = arguments.text("srdf")) {
    Loaded<Srdf> srdf = load_srdf(*srdf_file, *robot.model);
    robot.srdf = std::move(srdf.value);
    robot.warnings.insert(robot.warnings.end(), srdf.warnings.begin(), srdf.warnings.end());
  }
  robot.matrix = build_collision_matrix(*robot.model, robot.srdf);
  warn_of_open_meshes(robot, robot.warnings);
  return robot;
}

Scene load_scene_option(const Arguments& arguments, LoadedRobot& robot) {
  const auto file = arguments.text("scene");
  if (!file) return {};
  SceneFileOptions options;
  options.resources = resource_options(arguments);
  options.robot = robot.model.get();
  Loaded<Scene> scene = load_scene(*file, options);
  robot.warnings.insert(robot.warnings.end(), scene.warnings.begin(), scene.warnings.end());
  return std::move(scene.value);
}

}  // namespace planner_ccd::cli
