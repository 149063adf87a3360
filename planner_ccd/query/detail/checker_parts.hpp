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

/// What a checker is made of that was built in full. Immutable and never moved: searches keep pointers into it.
struct CheckerParts {
  std::shared_ptr<const PreparedParts> prepared;
  std::shared_ptr<const RobotModel> robot;
  Scene scene;  ///< As it was given.
  CheckerOptions options;
  CollisionWorld world;
  MovingPairs moving_pairs;
  BroadPhase broad_phase;
  FirstLook first_look;
  struct Row {
    double greatest_margin;  ///< [m]
    bool meets_new;          ///< Is checked against an object whose name no rule speaks of.
  };
  std::vector<Row> rows;  ///< As many as SearchPairs::rows().
  int first_object;       ///< Of the scene, among what rests.

  /// `before`, if given: of the same robot and options. Its cells serve again for pairs that are as they were there.
  CheckerParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& given, const CheckerOptions& asked,
               const CheckerParts* before = nullptr);

  /// Appends all candidates of the edge to `out`.
  void collect(EdgeState& edge, CandidateScratch& scratch, std::vector<Candidate>& out) const;
};

/// All of a checker, for whoever needs more than queries of edges: of one that was made by with_scene() it is built in full when it is
/// first asked for. Throws InputError for a checker that was moved from.
[[gnu::visibility("default")]] const CheckerParts& parts_of(const PathChecker& checker);

}  // namespace planner_ccd
