#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::bench {

/// An edge and its truth, from bench/scenarios/reference.hpp.
struct Edge {
  Eigen::VectorXd q0, q1;
  bool hit = false;
};

struct EdgeSet {
  std::string name;  ///< short (0.1), medium (1.0), long (from one configuration to another), paper
  std::vector<Edge> edges;
  int left_out = 0;  ///< Edges that come within the tolerance without touching: either verdict is right.
};

/// A robot, its scene and its motions.
struct World {
  std::shared_ptr<const RobotModel> robot;  ///< nullptr: the data are missing.
  Scene scene;
  CollisionMatrix matrix;
  std::vector<Edge> motion;        ///< From the paper, or recorded; may be empty.
  std::vector<JointVector> poses;  ///< Start poses of drawn edges; empty: anywhere within the limits.
};

struct Scenario {
  std::string name;
  std::unique_ptr<PathChecker> checker;   ///< nullptr: the data are missing.
  std::unique_ptr<PathChecker> prepared;  ///< With ScenarioOptions::prepared_evaluations; nullptr: not requested.
  std::vector<EdgeSet> sets;
};

struct ScenarioOptions {
  int count = 100;                ///< Drawn free edges of each length, and as many hits.
  int motion_count = 300;         ///< Most edges of the paper's motion, evenly spaced.
  double reference_step = 0.001;  ///< Joint step of the samples that determine the truth; 0 for the greatest number.
  int reference_samples = 2000;   ///< Most samples of an edge.
  CheckerOptions checker;
  std::int64_t prepared_evaluations = 0;  ///< For each pair of links, once per robot.
};

/// Names of the articulated scenarios, in the order of the tables: our own, then those of the shared data.
std::vector<std::string> own_scenarios();
std::vector<std::string> data_scenarios();

/// Robot, scene and motions by the name of the scenario.
World load_world(const std::string& name);

/// Edges start at configurations free of contact; drawn from a fixed seed.
Scenario load_scenario(const std::string& name, const ScenarioOptions& options);
/// The same in a given world, with drawn edges of one length only (a row of kSets in edge_sets.cpp).
EdgeSet draw_edges(const PathChecker& checker, const World& world, const std::string& set,
                   const ScenarioOptions& options);

}  // namespace planner_ccd::bench
