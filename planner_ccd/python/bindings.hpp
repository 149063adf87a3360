#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/motion/joint_path.hpp"
#include "planner_ccd/python/conversions.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"
#include "planner_ccd/validation/assumptions.hpp"
#include "planner_ccd/validation/input_file.hpp"

namespace planner_ccd::python {

/// A robot with its rules: `planner_ccd.Robot`.
struct Robot {
  std::shared_ptr<const RobotSpec> spec;  ///< The spec of the model.
  std::shared_ptr<const RobotModel> model;
  Srdf srdf;
  CollisionMatrix matrix;
  std::vector<InputWarning> warnings;
  std::vector<Assumption> assumptions;
  std::vector<InputFile> inputs;  ///< Files that were read for it.

  void use(RobotSpec made_of) {
    model = std::make_shared<const RobotModel>(made_of);
    spec = std::make_shared<const RobotSpec>(std::move(made_of));
  }
};

/// `planner_ccd.Scene`.
struct PyScene {
  Scene scene;
  std::vector<InputWarning> warnings;
  std::vector<Assumption> assumptions;
  std::vector<InputFile> inputs = {};

  /// What was assumed of an object that is no more, or is another now.
  void forget(const std::string& name) {
    std::erase_if(assumptions, [&](Assumption& a) { return std::erase(a.names, name) > 0 && a.names.empty(); });
  }
};

/// Resource options from the keyword arguments of loaders.
ResourceOptions resources_of(const std::map<std::string, py::object>& packages,
                             const std::vector<py::object>& package_paths, const std::string& dae_up_axis);
/// "ignore" or "honour".
DaeUpAxis dae_up_axis_of(const std::string& word);
/// "literal" or "wrap".
AnglePolicy angle_policy_of(const std::string& word);

void bind_robot(py::module_& module);
void bind_robot_loading(py::class_<Robot>& robot);
void bind_kinematics(py::class_<Robot>& robot);
void bind_scene(py::module_& module);
void bind_scene_shapes(py::class_<PyScene>& scene);
void bind_cloud_filters(py::module_& module, py::class_<PyScene>& scene);
void bind_draws(py::module_& module);
void bind_results(py::module_& module);
void bind_options(py::module_& module);
void bind_tracking_limit(py::module_& module);
void bind_edge_results(py::module_& module);
void bind_certificate(py::module_& module);
void bind_prepared(py::module_& module);
void bind_checker(py::module_& module);
void bind_trajectory(py::module_& module);
void bind_timeline(py::module_& module);
void bind_findings(py::module_& module);
void bind_roadmap(py::module_& module);
void bind_leaf_queries(py::module_& module);
void bind_logs(py::module_& module);

}  // namespace planner_ccd::python
