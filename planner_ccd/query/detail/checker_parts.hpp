#pragma once

#include <memory>
#include <vector>

#include "planner_ccd/first_look/first_look.hpp"
#include "planner_ccd/moving_pairs/moving_pairs.hpp"
#include "planner_ccd/query/detail/prepared_parts.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

class CheckerSnapshot;

/// The robot and what it holds, without objects around it: those are the snapshot's. Immutable and never moved: searches keep pointers into
/// it.
struct RobotParts {
  std::shared_ptr<const PreparedParts> prepared;
  std::shared_ptr<const RobotModel> robot;
  Scene scene;  ///< As given, without objects.
  CheckerOptions options;
  CollisionWorld world;
  MovingPairs moving_pairs;
  FirstLook first_look;

  /// `before`, if given: for the same robot and options. Its cells are reused for pairs that have not changed.
  RobotParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& given, const CheckerOptions& asked,
             const RobotParts* before = nullptr);
};

/// All pairs of a scene one by one, for whatever goes through them: methods of the papers, certificates, clearances.
struct [[gnu::visibility("default")]] CheckerParts {
  std::shared_ptr<const RobotModel> robot;
  Scene scene;  ///< As given.
  const CheckerOptions& options;
  CollisionWorld world;

  /// `of` owns this.
  CheckerParts(const CheckerSnapshot& of, Scene given);

  /// Appends the pairs of a row of SearchPairs with what rests and has a box that meets `box`.
  void near(int row, const Eigen::AlignedBox3d& box, std::vector<int>& out) const;
  /// Appends candidates for all pairs that swept boxes, certified cells and spheres do not exclude. `edge`: of this world.
  void collect(EdgeState & edge, MovingPairsScratch & scratch, std::vector<Candidate> & out) const;

 private:
  const CheckerSnapshot& snapshot_;
  int resting_links_;

  int pair_of(int number) const;
  int resting_of(int of_base) const;
};

/// All pairs of a checker: built on first use. Throws InputError for a moved-from checker.
[[gnu::visibility("default")]] const CheckerParts& parts_of(const PathChecker& checker);

}  // namespace planner_ccd
