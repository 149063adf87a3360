#pragma once

#include <ompl/base/MotionValidator.h>
#include <ompl/base/SpaceInformation.h>
#include <ompl/base/StateValidityChecker.h>

#include <memory>
#include <utility>

#include "planner_ccd/adapters/ompl/state_prover.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Proves OMPL motions instead of sampling them: a motion is valid when it is proved free of contact everywhere and its
/// end is within the space's bounds. Safe to use from several threads, as OMPL demands.
///
/// The space's StateValidityChecker is not called; requirements other than contact belong in a validator that calls
/// this one.
class OmplMotionValidator : public ::ompl::base::MotionValidator {
 public:
  OmplMotionValidator(const ::ompl::base::SpaceInformationPtr& si, std::shared_ptr<const PathChecker> checker,
                      const OmplOptions& options = {});
  OmplMotionValidator(const ::ompl::base::SpaceInformationPtr& si, std::shared_ptr<const OmplStateProver> prover);

  bool checkMotion(const ::ompl::base::State* s1, const ::ompl::base::State* s2) const override;

  /// On false, `lastValid.second` is a time strictly before the first contact such that the motion from s1 to the state
  /// there, as OMPL rounds it, is itself proved and that state is valid; `lastValid.first`, if not null, receives the
  /// state, which may be s1 or s2. On true, `lastValid` is unchanged.
  bool checkMotion(const ::ompl::base::State* s1, const ::ompl::base::State* s2,
                   std::pair<::ompl::base::State*, double>& lastValid) const override;

 private:
  std::shared_ptr<const OmplStateProver> prover_;

  bool count(bool valid) const;
  double free_until(const ::ompl::base::State* s1, const ::ompl::base::State* s2) const;
};

/// A state is valid when it is within the space's bounds and proved clear. The clearance is a certified lower bound of
/// the nearest pair's distance [m], declared as BOUNDED_APPROXIMATE: margins are not subtracted, and it is infinite
/// when no pair is checked.
class OmplStateValidityChecker : public ::ompl::base::StateValidityChecker {
 public:
  OmplStateValidityChecker(const ::ompl::base::SpaceInformationPtr& si, std::shared_ptr<const PathChecker> checker,
                           const OmplOptions& options = {});
  OmplStateValidityChecker(const ::ompl::base::SpaceInformationPtr& si, std::shared_ptr<const OmplStateProver> prover);

  using StateValidityChecker::clearance;
  using StateValidityChecker::isValid;
  bool isValid(const ::ompl::base::State* state) const override;
  double clearance(const ::ompl::base::State* state) const override;

 private:
  std::shared_ptr<const OmplStateProver> prover_;
};

/// Installs both validators in `si`, so that its planners and simplifiers prove what they accept. Throws InputError
/// when the space cannot be mapped to the checker's robot (see OmplStateMap). Returns the prover both validators use:
/// call OmplStateProver::use between two calls of a planner to change the world.
std::shared_ptr<OmplStateProver> prove_motions(const ::ompl::base::SpaceInformationPtr& si,
                                               std::shared_ptr<const PathChecker> checker,
                                               const OmplOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
