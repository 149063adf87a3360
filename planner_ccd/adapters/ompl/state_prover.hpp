#pragma once

#include <memory>
#include <optional>

#include "planner_ccd/adapters/ompl/state_map.hpp"
#include "planner_ccd/query/path_checker.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct OmplOptions {
  double tolerance = 1e-4;                   ///< As EdgeOptions.
  std::int64_t max_evaluations = 1'000'000;  ///< As EdgeOptions.
  OmplMapOptions map;
};

/// A PathChecker asked in OMPL's states, by any number of threads at once: each query borrows a Workspace from a pool
/// that grows to as many as there ever were queries at the same time.
class OmplStateProver {
 public:
  OmplStateProver(std::shared_ptr<const PathChecker> checker, ::ompl::base::StateSpacePtr space,
                  const OmplOptions& options = {});
  ~OmplStateProver();
  OmplStateProver(const OmplStateProver&) = delete;
  OmplStateProver& operator=(const OmplStateProver&) = delete;

  /// The one that is asked now.
  PathChecker checker() const;
  /// From now on this one is asked, of the same robot; queries that are under way finish with the one they began with. What a planner calls
  /// when the world has changed: `prover->use(prover->checker().with_scene(scene))`. Throws InputError for another robot.
  void use(PathChecker checker);

  const OmplStateMap& map() const { return map_; }

  /// True only when proved for the whole motion that OMPL interpolates between the states.
  bool is_free(const ::ompl::base::State* from, const ::ompl::base::State* to) const;
  /// The motion is proved free on [0, t_free); 1 only when it is free at its end as well.
  double free_until(const ::ompl::base::State* from, const ::ompl::base::State* to) const;
  /// True only when proved clear.
  bool is_clear(const ::ompl::base::State* state) const;
  /// [m] Certified: no pair that is checked is nearer. Margins do not enter.
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
