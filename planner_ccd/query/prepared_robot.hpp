#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct PreparedParts;

struct PrepareOptions {
  double margin = 0.0;  ///< [m] >= 0. The greatest that pairs of links of two robots will be asked for.
  /// Spent on each pair of links, on proofs for whole ranges of joint values (certified cells): some 0.7 us each. 0 for none.
  std::int64_t cell_evaluations = 10'000;
  double self_margin = 0.0;  ///< [m] >= 0. As `margin`, of links of one robot.
};

/// A pair of links that was prepared.
struct PreparedPair {
  std::string a, b;
  int joints;          ///< Between them, as far as their values were divided into cells; 0: too many.
  double free_share;   ///< Of all joint values within the limits: the share proved free.
  std::size_t memory;  ///< [bytes]
};

/// A robot with all that is known of it before any scene: trees of its links, and proofs that pairs of them keep apart. Made once
/// and shared by the checkers of any number of scenes: each of these then costs what its scene costs. The proofs can be kept as
/// bytes (io/prepared_file.hpp keeps them in files).
///
/// Verdicts do not depend on what was prepared. A checker that asks for a greater margin, or of pairs that are not prepared
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

  /// The same robot with proofs that were kept: what proofs() gave, of a PreparedRobot with the same key. Throws InputError that
  /// names `name` for all other bytes. The proofs themselves are not gone through again: who can write these bytes is believed.
  PreparedRobot with_proofs(std::string_view bytes, const std::string& name) const;
  /// The same robot with proofs for so many evaluations a pair.
  PreparedRobot proved(std::int64_t cell_evaluations) const;

  const RobotModel& robot() const;
  const CollisionMatrix& matrix() const;
  double margin() const;                  ///< [m] Of PrepareOptions, and
  double self_margin() const;             ///< [m]
  std::int64_t cell_evaluations() const;  ///< That could be spent on each pair.
  std::vector<PreparedPair> pairs() const;
  std::size_t cell_memory() const;  ///< [bytes] Of the proofs.

  /// 64 hexadecimal digits: a hash of all that the proofs are about, and of the version of their format.
  std::string key() const;
  std::string proofs() const;  ///< As bytes.

 private:
  friend class PathChecker;

  std::shared_ptr<const PreparedParts> parts_;

  explicit PreparedRobot(std::shared_ptr<const PreparedParts> parts) : parts_(std::move(parts)) {}
  const std::shared_ptr<const PreparedParts>& parts() const;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
