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

/// A robot in a scene, pair by pair. Immutable and never moved: searches keep pointers into it.
struct WorldParts {
  std::shared_ptr<const PreparedParts> prepared;
  std::shared_ptr<const RobotModel> robot;
  Scene scene;  ///< As given.
  CheckerOptions options;
  CollisionWorld world;
  MovingPairs moving_pairs;

  /// `before`, if given: for the same robot and options. Its cells are reused for pairs that have not changed.
  WorldParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& given, const CheckerOptions& asked,
             const WorldParts* before);
};

/// The robot and what it holds, without objects around it: those are the snapshot's.
struct RobotParts : WorldParts {
  FirstLook first_look;

  RobotParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& given, const CheckerOptions& asked,
             const RobotParts* before = nullptr)
      : WorldParts(std::move(of_robot), given, asked, before), first_look(world, prepared->covers, &moving_pairs) {}
};

/// All of a scene, for whatever goes through all of its pairs.
struct CheckerParts : WorldParts {
  BroadPhase broad_phase;

  CheckerParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& given, const CheckerOptions& asked,
               const WorldParts* before = nullptr)
      : WorldParts(std::move(of_robot), given, asked, before),
        broad_phase(world, moving_pairs.resting(), options.broad_phase.get()) {}

  /// Appends all candidates of the edge to `out`.
  void collect(EdgeState& edge, CandidateScratch& scratch, std::vector<Candidate>& out) const;
};

/// The full contents of a checker, for everything beyond queries of edges: built on first use. Throws InputError for a moved-from checker.
[[gnu::visibility("default")]] const CheckerParts& parts_of(const PathChecker& checker);

}  // namespace planner_ccd
