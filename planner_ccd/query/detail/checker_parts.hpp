#pragma once

#include <memory>
#include <vector>

#include "planner_ccd/first_look/first_look.hpp"
#include "planner_ccd/moving_pairs/moving_pairs.hpp"
#include "planner_ccd/query/detail/prepared_parts.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/broad_phase.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// What a PathChecker is made of, for the code below the public face. Immutable and never moved: searches keep pointers into
/// it. A PathChecker and every Workspace made for it own it together, so that no two of these can ever be at one address
/// while anybody remembers the first.
struct CheckerParts {
  std::shared_ptr<const PreparedParts> prepared;
  std::shared_ptr<const RobotModel> robot;
  CollisionWorld world;
  MovingPairs moving_pairs;
  BroadPhase broad_phase;
  FirstLook first_look;

  CheckerParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& scene, const CheckerOptions& options);

  /// Appends all candidates of the edge to `out`.
  void collect(EdgeState& edge, CandidateScratch& scratch, std::vector<Candidate>& out) const;
};

/// Throws InputError for a checker that was moved from.
[[gnu::visibility("default")]] const CheckerParts& parts_of(const PathChecker& checker);

}  // namespace planner_ccd
