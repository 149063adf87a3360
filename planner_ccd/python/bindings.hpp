#pragma once

#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/io/resource.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/python/conversions.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd::python {

/// A robot with its rules, as `planner_ccd.Robot` shows it.
struct Robot {
  std::shared_ptr<const RobotModel> model;
  Srdf srdf;
  CollisionMatrix matrix;
  std::vector<std::string> warnings;
  std::vector<Assumption> assumptions;
};

/// `planner_ccd.Scene`.
struct PyScene {
  Scene scene;
  std::vector<std::string> warnings;
  std::vector<Assumption> assumptions;
};

/// "ignore" or "honour".
DaeUpAxis dae_up_axis_of(const std::string& word);

void bind_robot(py::module_& module);
void bind_scene(py::module_& module);
void bind_results(py::module_& module);
void bind_certificate(py::module_& module);
void bind_checker(py::module_& module);

}  // namespace planner_ccd::python
