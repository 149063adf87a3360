#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"

namespace planner_ccd {

struct PreparedParts;

struct PrepareOptions {
  double margin = 0.0;  ///< [m] >= 0. The greatest that pairs of links will be asked for.
  /// Spent on each pair of links, on proofs for whole ranges of joint values (certified cells): some 0.7 us each. 0 for none.
  std::int64_t cell_evaluations = 10'000;
};

/// A robot with all that is known of it before any scene: trees of its links, and proofs that pairs of them keep apart. Made once
/// and shared by the checkers of any number of scenes: each of these then costs what its scene costs.
///
/// Answers do not depend on what was prepared. A checker that asks for a greater margin, or of pairs that are not prepared
/// (attached objects), proves cells of its own (CheckerOptions::cell_evaluations). Several robots: prepare what combine() makes of
/// them.
///
/// Immutable; any number of threads may use it, copy it and drop their copies. Once moved from, it may only be assigned to and
/// destroyed; a use of it throws InputError.
class PreparedRobot {
 public:
  /// Throws InputError for geometry, names or a margin that cannot be used.
  PreparedRobot(std::shared_ptr<const RobotModel> robot, const CollisionMatrix& matrix,
                const PrepareOptions& options = {});

  const RobotModel& robot() const;
  const CollisionMatrix& matrix() const;
  double margin() const;            ///< [m]
  std::size_t cell_memory() const;  ///< [bytes] Of the proofs.

 private:
  friend class PathChecker;

  std::shared_ptr<const PreparedParts> parts_;

  const std::shared_ptr<const PreparedParts>& parts() const;
};

}  // namespace planner_ccd
