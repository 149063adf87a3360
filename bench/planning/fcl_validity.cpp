#include "bench/planning/fcl_validity.hpp"

#include <ompl/base/DiscreteMotionValidator.h>

#include "bench/peers/fcl_world.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"

namespace planner_ccd::bench {
namespace {

namespace ob = ::ompl::base;

/// Single-threaded, like the planners of this benchmark.
class FclValidity : public ob::StateValidityChecker {
 public:
  FclValidity(const ob::SpaceInformationPtr& si, const PathChecker& checker)
      : StateValidityChecker(si), shared_(std::make_unique<Shared>(checker, si->getStateSpace())) {}

  bool isValid(const ob::State* state) const override {
    if (!si_->satisfiesBounds(state)) return false;
    Shared& s = *shared_;
    s.map.read(state, s.q);
    s.motion.set_linear(s.q, s.q, AnglePolicy::Literal);
    return !s.world.collides(s.motion, 0.0);
  }

 private:
  struct Shared {
    Shared(const PathChecker& checker, const ob::StateSpacePtr& space)
        : map(checker.robot(), space), motion(checker.robot()), world(checker.robot(), parts_of(checker).world) {}
    OmplStateMap map;
    EdgeMotion motion;
    FclWorld world;
    JointVector q;
  };
  std::unique_ptr<Shared> shared_;
};

}  // namespace

void sample_motions(const ob::SpaceInformationPtr& si, const PathChecker& checker, double step) {
  si->setStateValidityChecker(std::make_shared<FclValidity>(si, checker));
  si->setMotionValidator(std::make_shared<ob::DiscreteMotionValidator>(si));
  si->setStateValidityCheckingResolution(step / si->getStateSpace()->getMaximumExtent());
}

}  // namespace planner_ccd::bench
