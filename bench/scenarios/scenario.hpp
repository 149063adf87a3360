#pragma once

#include <Eigen/Core>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::bench {

/// An edge and the truth about it. `hit` is our own verdict, confirmed by tests against an independent oracle.
struct Edge {
  Eigen::VectorXd q0, q1;
  bool hit;
};

struct EdgeSet {
  std::string name;  ///< short (0.1), medium (1.0), long (random to random), paper
  std::vector<Edge> edges;
};

struct Scenario {
  std::string name;
  std::unique_ptr<PathChecker> checker;  ///< nullptr: its data are not there.
  std::vector<EdgeSet> sets;
};

/// Names of the articulated scenarios, in the order of the tables.
std::vector<std::string> edge_scenarios();

/// Edges start at configurations free of contact; `count` free ones and as many hits of each length, from a fixed seed.
Scenario load_scenario(const std::string& name, int count);

}  // namespace planner_ccd::bench
