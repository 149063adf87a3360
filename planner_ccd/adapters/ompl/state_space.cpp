#include "planner_ccd/adapters/ompl/state_space.hpp"

#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SE2StateSpace.h>
#include <ompl/base/spaces/SE3StateSpace.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

namespace ob = ::ompl::base;

/// The first two values of a state.
class LeadingValues : public ob::ProjectionEvaluator {
 public:
  explicit LeadingValues(const ob::StateSpace* space) : ProjectionEvaluator(space) {}
  unsigned int getDimension() const override { return std::min(2u, space_->getDimension()); }
  void project(const ob::State* state, Eigen::Ref<Eigen::VectorXd> projection) const override {
    for (unsigned i = 0; i < getDimension(); ++i) {
      projection[i] = *space_->getValueAddressAtIndex(state, i);
    }
  }
};

void set_translation_bounds(const RobotModel& robot, int first, double bound, ob::RealVectorStateSpace& space) {
  ob::RealVectorBounds bounds(space.getDimension());
  for (unsigned i = 0; i < space.getDimension(); ++i) {
    const Coordinate& c = robot.coordinates()[first + static_cast<int>(i)];
    bounds.setLow(i, std::max(c.lower, -bound));
    bounds.setHigh(i, std::min(c.upper, bound));
  }
  space.setBounds(bounds);
}

class SpaceBuilder {
 public:
  SpaceBuilder(const RobotModel& robot, double bound) : robot_(robot), bound_(bound) {}

  void add(const Joint& joint) {
    switch (joint.type) {
      case JointType::Fixed: break;
      case JointType::Continuous: add_named(std::make_shared<ob::SO2StateSpace>(), joint.name); break;
      case JointType::Planar: {
        const auto space = std::make_shared<ob::SE2StateSpace>();
        set_translation_bounds(robot_, joint.q_index, bound_, *space->as<ob::RealVectorStateSpace>(0));
        add_named(space, joint.name);
        break;
      }
      case JointType::Floating: {
        const auto space = std::make_shared<ob::SE3StateSpace>();
        set_translation_bounds(robot_, joint.q_index, bound_, *space->as<ob::RealVectorStateSpace>(0));
        add_named(space, joint.name);
        break;
      }
      case JointType::Revolute:
      case JointType::Prismatic: add_dimension(joint); break;
    }
  }

  ob::StateSpacePtr finish() {
    if (parts_.empty()) throw InputError("robot '" + robot_.name() + "' has no joint to plan for");
    if (parts_.size() == 1) return parts_[0];
    const auto space = std::make_shared<ob::CompoundStateSpace>();
    for (const ob::StateSpacePtr& part : parts_) space->addSubspace(part, 1.0);
    space->lock();
    space->registerDefaultProjection(std::make_shared<LeadingValues>(space.get()));
    return space;
  }

 private:
  const RobotModel& robot_;
  double bound_;
  std::vector<ob::StateSpacePtr> parts_;
  std::shared_ptr<ob::RealVectorStateSpace> reals_;  ///< The last part, when it can take more dimensions.

  void add_named(const ob::StateSpacePtr& space, const std::string& name) {
    space->setName(name);
    parts_.push_back(space);
    reals_ = nullptr;
  }

  void add_dimension(const Joint& joint) {
    if (reals_ == nullptr) {
      reals_ = std::make_shared<ob::RealVectorStateSpace>();
      parts_.push_back(reals_);
    }
    const double bound = joint.type == JointType::Prismatic ? bound_ : std::numbers::pi;
    reals_->addDimension(joint.name, std::isfinite(joint.lower) ? joint.lower : -bound,
                         std::isfinite(joint.upper) ? joint.upper : bound);
  }
};

}  // namespace

ob::StateSpacePtr ompl_state_space(const RobotModel& robot, const OmplSpaceOptions& options) {
  if (!(options.translation_bound > 0.0) || !std::isfinite(options.translation_bound)) {
    throw InputError("OmplSpaceOptions::translation_bound must be > 0 metres");
  }
  SpaceBuilder builder(robot, options.translation_bound);
  for (const Joint& joint : robot.joints()) {
    const std::vector<std::string>& asked = options.joints;
    const bool wanted = asked.empty() || std::find(asked.begin(), asked.end(), joint.name) != asked.end();
    if (joint.q_size > 0 && wanted) builder.add(joint);
  }
  return builder.finish();
}

}  // namespace planner_ccd
