#include "bench/scenarios/reference.hpp"

#include <algorithm>

#include "bench/peers/fcl_world.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"

namespace planner_ccd::bench {

Reference::Reference(const PathChecker& checker, const ScenarioOptions& options)
    : checker_(&checker),
      step_(options.reference_step),
      samples_(options.reference_samples),
      motion_(checker.robot()),
      world_(std::make_unique<FclWorld>(checker.robot(), parts_of(checker).world)),
      workspace_(checker) {}

Reference::~Reference() = default;

Truth Reference::about(const Edge& edge) {
  const EdgeOptions options;
  const EdgeResult reported = checker_->first_contact(edge.q0, edge.q1, workspace_, options);
  motion_.set_linear(edge.q0, edge.q1, AnglePolicy::Literal);
  if (reported.contact && world_->collides(motion_, reported.contact->t)) return Truth::Hit;
  const double length = (edge.q1 - edge.q0).norm();
  const double step = std::max(step_, length / samples_);
  if (discrete_bisection(*world_, motion_, length, step).hit) return Truth::Hit;
  if (reported.contact && world_->distance(motion_, reported.contact->t) <= options.tolerance) {
    return Truth::WithinTolerance;
  }
  return Truth::Free;
}

}  // namespace planner_ccd::bench
