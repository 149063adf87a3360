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
  double margin = 0.0;  ///< [m] >= 0. The largest margin needed between links of two robots.
  /// Evaluations per pair of links, spent on proofs for whole ranges of joint values (certified cells); some 0.7 us
  /// each. 0: none.
  std::int64_t cell_evaluations = 10'000;
  double self_margin = 0.0;  ///< [m] >= 0. As `margin`, between links of one robot.
};

/// A pair of links that was prepared.
struct PreparedPair {
  std::string a, b;
  int joints;          ///< Between the links, if their values were divided into cells; 0: too many.
  double free_share;   ///< Share of all joint values within the limits that is proved free.
  std::size_t memory;  ///< [bytes]
};

/// A robot with all that is known of it before any scene: trees of its links, and proofs that pairs of them keep apart.
/// Make it once and share it among the checkers of any number of scenes; each then costs only its scene. The proofs can
/// be saved as bytes (io/prepared_file.hpp stores them in files).
///
/// Verdicts do not depend on what was prepared. A checker with a larger margin, or with pairs that are not prepared
/// (attached objects), proves its own cells (CheckerOptions::cell_evaluations). For several robots, prepare the result
/// of combine().
///
/// Immutable; any number of threads may use it, copy it and destroy their copies. Once moved from, it may only be
/// assigned to and destroyed; any other use throws InputError.
class PreparedRobot {
 public:
  /// Throws InputError for geometry, names or a margin that cannot be used.
  PreparedRobot(std::shared_ptr<const RobotModel> robot, const CollisionMatrix& matrix,
                const PrepareOptions& options = {});

  /// The same robot with saved proofs: the result of proofs() of a PreparedRobot with the same key. Throws InputError
  /// naming `name` for all other bytes. The proofs are not verified again: whoever can write these bytes is trusted.
  PreparedRobot with_proofs(std::string_view bytes, const std::string& name) const;
  /// The same robot with proofs of this many evaluations per pair.
  PreparedRobot proved(std::int64_t cell_evaluations) const;

  const RobotModel& robot() const;
  const CollisionMatrix& matrix() const;
  double margin() const;                  ///< [m] As in PrepareOptions.
  double self_margin() const;             ///< [m] As in PrepareOptions.
  std::int64_t cell_evaluations() const;  ///< Allowed per pair.
  std::vector<PreparedPair> pairs() const;
  std::size_t cell_memory() const;  ///< [bytes] Size of the proofs.

  /// 64 hexadecimal digits: a hash of all that the proofs are about and of their format's version.
  std::string key() const;
  std::string proofs() const;  ///< Serialised.

 private:
  friend class PathChecker;

  std::shared_ptr<const PreparedParts> parts_;

  explicit PreparedRobot(std::shared_ptr<const PreparedParts> parts) : parts_(std::move(parts)) {}
  const std::shared_ptr<const PreparedParts>& parts() const;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
