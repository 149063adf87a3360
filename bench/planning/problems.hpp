#pragma once

#include <Eigen/Core>
#include <functional>
#include <memory>
#include <string>

#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd::bench {

/// A robot, its scene, start and goal. Start and goal may be in contact: the planner must check them.
struct PlanningProblem {
  std::string scenario;
  RobotSpec spec;  ///< `robot` is built from it; the judge starts from it.
  std::shared_ptr<const RobotModel> robot;
  Scene scene;
  CollisionMatrix matrix;
  JointVector start, goal;
};

/// Scenarios of planning problems: our own, then those of the shared data (MotionBenchMaker).
std::vector<std::string> planning_scenarios();

/// `count` problems of a scenario. Ours: ends drawn from a fixed seed such that the straight line between them is
/// blocked; MotionBenchMaker: equally many of each of its seven classes, with cylinders as prisms of 32 sides. Empty,
/// with a note on stderr, if the data are missing.
std::vector<PlanningProblem> planning_problems(const std::string& scenario, int count);

}  // namespace planner_ccd::bench
