#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/motion/joint_path.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::cli {

/// A value of start or goal that was a little beyond its limit: rounded where it was written down.
struct ClampedValue {
  std::string option, coordinate;
  double given, used;
};

struct PlanRequest {
  std::shared_ptr<const PathChecker> checker;
  JointVector start, goal;
  std::vector<std::string> joints;  ///< Joints that may move; the others stay as at the start. Empty: all.
  std::vector<ClampedValue> clamped;
  std::string planner;
  std::optional<double> range;  ///< > 0. Longest step of the planner, in the metric of its space; none: OMPL's own.
  double seconds;               ///< Wall time for planning.
  std::uint32_t seed;
  EdgeOptions edge;
};

struct PlanOutcome {
  bool solved = false;
  JointPath path;                           ///< Joint values; continuous joints are not wrapped.
  int found_waypoints;                      ///< Before simplification.
  double found_length = 0.0, length = 0.0;  ///< In the metric of OMPL's space, before and after simplification.
  std::optional<double> range;              ///< That was used; none: the planner has none.
  double planning_seconds = 0.0;            ///< Processor time.
  double simplifying_seconds = 0.0;
  double checking_seconds = 0.0;  ///< Part of the two.
  std::int64_t motions = 0, free_motions = 0, states = 0;
};

/// Plans a path and simplifies it; both with proofs. Throws InputError when the command was built without OMPL.
PlanOutcome search_plan(const PlanRequest& request);

}  // namespace planner_ccd::cli
