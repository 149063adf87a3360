#pragma once

#include <memory>
#include <optional>

#include "planner_ccd/adapters/ompl/state_map.hpp"
#include "planner_ccd/query/path_checker.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct OmplOptions {
  double tolerance = 1e-4;                   ///< As in EdgeOptions.
  std::int64_t max_evaluations = 1'000'000;  ///< As in EdgeOptions.
  OmplMapOptions map;
  MotionErrors errors;  ///< As in EdgeOptions: every motion and state is then proved with what may happen within them.
};

/// Asks a PathChecker about OMPL states, from any number of threads. Each query borrows a Workspace from a pool, which
/// grows to the largest number of simultaneous queries.
class OmplStateProver {
 public:
  OmplStateProver(std::shared_ptr<const PathChecker> checker, ::ompl::base::StateSpacePtr space,
                  const OmplOptions& options = {});
  ~OmplStateProver();
  OmplStateProver(const OmplStateProver&) = delete;
  OmplStateProver& operator=(const OmplStateProver&) = delete;

  /// The checker that new queries use.
  PathChecker checker() const;
  /// Replaces the checker by another one for the same robot; running queries finish with the old one. Call it when the
  /// world has changed: `prover->use(prover->checker().with_scene(scene))`. Throws InputError for another robot.
  void use(PathChecker checker);

  const OmplStateMap& map() const { return map_; }

  /// True only if proved for the whole motion that OMPL interpolates between the states.
  bool is_free(const ::ompl::base::State* from, const ::ompl::base::State* to) const;
  /// The motion is proved free on [0, t_free); the result is 1 only if its end is free too.
  double free_until(const ::ompl::base::State* from, const ::ompl::base::State* to) const;
  /// True only if proved clear.
  bool is_clear(const ::ompl::base::State* state) const;
  /// [m] Certified lower bound of the distance of all checked pairs. Margins are not subtracted.
  double clearance(const ::ompl::base::State* state) const;

 private:
  class Pool;
  class Loan;

  OmplStateMap map_;
  EdgeOptions edge_options_;
  std::unique_ptr<Pool> pool_;

  std::optional<bool> leg_is_free(const Loan& loan, const ::ompl::base::State* from,
                                  const ::ompl::base::State* to) const;
  std::optional<double> leg_free_until(const Loan& loan, const ::ompl::base::State* from,
                                       const ::ompl::base::State* to) const;
};

}  // namespace planner_ccd
#pragma GCC visibility pop
