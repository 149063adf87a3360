#include "planner_ccd/adapters/ompl/meter.hpp"

#include <ctime>
#include <memory>

namespace planner_ccd {
namespace {

namespace ob = ::ompl::base;

/// Adds the processor time of its lifetime.
class Stopwatch {
 public:
  explicit Stopwatch(double& seconds) : seconds_(seconds), start_(thread_seconds()) {}
  ~Stopwatch() { seconds_ += thread_seconds() - start_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& seconds_;
  double start_;
};

class MeteredMotions : public ob::MotionValidator {
 public:
  MeteredMotions(const ob::SpaceInformationPtr& si, ob::SpaceInformationPtr inner, OmplMeter& meter)
      : MotionValidator(si), inner_(std::move(inner)), meter_(meter) {}

  bool checkMotion(const ob::State* s1, const ob::State* s2) const override {
    const Stopwatch stopwatch(meter_.seconds);
    return count(inner_->getMotionValidator()->checkMotion(s1, s2));
  }
  bool checkMotion(const ob::State* s1, const ob::State* s2, std::pair<ob::State*, double>& last) const override {
    const Stopwatch stopwatch(meter_.seconds);
    return count(inner_->getMotionValidator()->checkMotion(s1, s2, last));
  }

 private:
  ob::SpaceInformationPtr inner_;
  OmplMeter& meter_;

  bool count(bool valid) const {
    ++meter_.motions;
    meter_.valid_motions += valid;
    ++(valid ? valid_ : invalid_);
    return valid;
  }
};

class MeteredStates : public ob::StateValidityChecker {
 public:
  MeteredStates(const ob::SpaceInformationPtr& si, ob::SpaceInformationPtr inner, OmplMeter& meter)
      : StateValidityChecker(si), inner_(std::move(inner)), meter_(meter) {
    specs_ = inner_->getStateValidityChecker()->getSpecs();
  }

  using StateValidityChecker::clearance;
  using StateValidityChecker::isValid;
  bool isValid(const ob::State* state) const override {
    const Stopwatch stopwatch(meter_.seconds);
    ++meter_.states;
    return inner_->isValid(state);
  }
  double clearance(const ob::State* state) const override {
    const Stopwatch stopwatch(meter_.seconds);
    return inner_->getStateValidityChecker()->clearance(state);
  }

 private:
  ob::SpaceInformationPtr inner_;
  OmplMeter& meter_;
};

}  // namespace

void meter_validators(const ob::SpaceInformationPtr& si, const ob::SpaceInformationPtr& inner, OmplMeter& meter) {
  si->setMotionValidator(std::make_shared<MeteredMotions>(si, inner, meter));
  si->setStateValidityChecker(std::make_shared<MeteredStates>(si, inner, meter));
}

double thread_seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace planner_ccd
