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

/// The contents of a checker that was built in full. Immutable and never moved: searches keep pointers into it.
struct CheckerParts {
  std::shared_ptr<const PreparedParts> prepared;
  std::shared_ptr<const RobotModel> robot;
  Scene scene;  ///< As given.
  CheckerOptions options;
  CollisionWorld world;
  MovingPairs moving_pairs;
  BroadPhase broad_phase;
  FirstLook first_look;
  struct Row {
    double greatest_margin;  ///< [m] Required.
    bool meets_new;          ///< Checked against a new object that no rule names.
  };
  std::vector<Row> rows;  ///< One per row of SearchPairs.
  int first_object;       ///< Index of the scene's first object among the resting trees.

  /// `before`, if given: for the same robot and options. Its cells are reused for pairs that have not changed.
  CheckerParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& given, const CheckerOptions& asked,
               const CheckerParts* before = nullptr);

  /// Appends all candidates of the edge to `out`.
  void collect(EdgeState& edge, CandidateScratch& scratch, std::vector<Candidate>& out) const;
};

/// The full contents of a checker, for everything beyond queries of edges; after with_scene() they are built on first
/// use. Throws InputError for a moved-from checker.
[[gnu::visibility("default")]] const CheckerParts& parts_of(const PathChecker& checker);

}  // namespace planner_ccd
