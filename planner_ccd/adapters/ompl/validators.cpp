#include "planner_ccd/adapters/ompl/validators.hpp"

#include <ompl/base/ScopedState.h>

#include <atomic>

namespace planner_ccd {
namespace {

namespace ob = ::ompl::base;

/// Steps back from the end of the proved part, as a share of the motion: the first one, and their ratio.
constexpr double kFirstStep = 1.0 / 16384;
constexpr double kStepGrowth = 8.0;

/// The last time, to 2^-20, at which a motion that starts within bounds and ends outside is within.
double within_bounds_until(const ob::StateSpace& space, const ob::State* s1, const ob::State* s2, ob::State* scratch) {
  double inside = 0.0, outside = 1.0;
  for (int i = 0; i < 20; ++i) {
    const double t = 0.5 * (inside + outside);
    space.interpolate(s1, s2, t, scratch);
    (space.satisfiesBounds(scratch) ? inside : outside) = t;
  }
  return inside;
}

}  // namespace

OmplMotionValidator::OmplMotionValidator(const ob::SpaceInformationPtr& si, std::shared_ptr<const PathChecker> checker,
                                         const OmplOptions& options)
    : OmplMotionValidator(si,
                          std::make_shared<const OmplStateProver>(std::move(checker), si->getStateSpace(), options)) {}

OmplMotionValidator::OmplMotionValidator(const ob::SpaceInformationPtr& si,
                                         std::shared_ptr<const OmplStateProver> prover)
    : MotionValidator(si), prover_(std::move(prover)) {}

bool OmplMotionValidator::count(bool valid) const {
  // OMPL's counters are plain numbers, and its own validators race for them.
  std::atomic_ref<unsigned int>(valid ? valid_ : invalid_).fetch_add(1, std::memory_order_relaxed);
  return valid;
}

bool OmplMotionValidator::checkMotion(const ob::State* s1, const ob::State* s2) const {
  return count(prover_->map().space()->satisfiesBounds(s2) && prover_->is_free(s1, s2));
}

/// 1 when valid; otherwise a time before which the motion is free and within bounds.
double OmplMotionValidator::free_until(const ob::State* s1, const ob::State* s2) const {
  const ob::StateSpacePtr& space = prover_->map().space();
  if (space->satisfiesBounds(s2)) return prover_->free_until(s1, s2);
  ob::ScopedState<> inside(space);
  const double t = within_bounds_until(*space, s1, s2, inside.get());
  space->interpolate(s1, s2, t, inside.get());
  return t * prover_->free_until(s1, inside.get());
}

bool OmplMotionValidator::checkMotion(const ob::State* s1, const ob::State* s2,
                                      std::pair<ob::State*, double>& lastValid) const {
  const double t_free = free_until(s1, s2);
  if (t_free == 1.0) return count(true);
  const ob::StateSpacePtr& space = prover_->map().space();
  ob::ScopedState<> last(space);
  double t = 0.0;
  for (double step = kFirstStep; step < t_free; step *= kStepGrowth) {
    space->interpolate(s1, s2, t_free - step, last.get());
    if (!space->satisfiesBounds(last.get()) || !prover_->is_clear(last.get())) continue;
    if (!prover_->is_free(s1, last.get())) continue;
    t = t_free - step;
    break;
  }
  lastValid.second = t;
  if (lastValid.first != nullptr) space->copyState(lastValid.first, t > 0.0 ? last.get() : s1);
  return count(false);
}

OmplStateValidityChecker::OmplStateValidityChecker(const ob::SpaceInformationPtr& si,
                                                   std::shared_ptr<const PathChecker> checker,
                                                   const OmplOptions& options)
    : OmplStateValidityChecker(
          si, std::make_shared<const OmplStateProver>(std::move(checker), si->getStateSpace(), options)) {}

OmplStateValidityChecker::OmplStateValidityChecker(const ob::SpaceInformationPtr& si,
                                                   std::shared_ptr<const OmplStateProver> prover)
    : StateValidityChecker(si), prover_(std::move(prover)) {
  specs_.clearanceComputationType = ob::StateValidityCheckerSpecs::BOUNDED_APPROXIMATE;
}

bool OmplStateValidityChecker::isValid(const ob::State* state) const {
  return prover_->map().space()->satisfiesBounds(state) && prover_->is_clear(state);
}

double OmplStateValidityChecker::clearance(const ob::State* state) const { return prover_->clearance(state); }

std::shared_ptr<OmplStateProver> prove_motions(const ob::SpaceInformationPtr& si,
                                               std::shared_ptr<const PathChecker> checker, const OmplOptions& options) {
  auto prover = std::make_shared<OmplStateProver>(std::move(checker), si->getStateSpace(), options);
  si->setStateValidityChecker(std::make_shared<OmplStateValidityChecker>(si, prover));
  si->setMotionValidator(std::make_shared<OmplMotionValidator>(si, prover));
  return prover;
}

}  // namespace planner_ccd
