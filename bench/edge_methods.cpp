#include "bench/edge_methods.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "bench/peers/fcl_bisection.hpp"
#include "bench/peers/fcl_world.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"

namespace planner_ccd::bench {
namespace {

constexpr const char* kPrepared = "taylor_prepared";
constexpr const char* kTube = "taylor_tube_0.01";

}  // namespace

EdgeMethods::EdgeMethods(const PathChecker& checker, const PathChecker* prepared)
    : checker_(&checker),
      prepared_(prepared),
      workspace_(checker),
      motion_(checker.robot()),
      fcl_(std::make_unique<FclWorld>(checker.robot(), parts_of(checker).world)),
      bisection_(std::make_unique<FclBisection>(parts_of(checker).world)) {}

EdgeMethods::~EdgeMethods() = default;

EdgeMethod EdgeMethods::ours(const std::string& name, bool first) {
  const bool with_proofs = name == kPrepared;
  const PathChecker* checker = with_proofs ? prepared_ : checker_;
  const std::string method = with_proofs || name == kTube ? "taylor" : name;
  EdgeOptions options;
  if (name == kTube) options.errors.tracking = same_tracking(checker->robot(), 0.01, 0.01);
  options.method = search_method_named(method);
  return {name, first ? "first_contact" : "is_free", options.method != nullptr,
          [this, checker, options, first](const Edge& e, QueryCounters& counters) {
            Workspace& workspace = checker == checker_ ? workspace_ : prepared_workspace_;
            const EdgeResult r = first ? checker->first_contact(e.q0, e.q1, workspace, options)
                                       : checker->any_contact(e.q0, e.q1, workspace, options);
            counters = r.counters;
            return r.verdict != Verdict::Free;
          }};
}

EdgeMethod EdgeMethods::discrete(const char* name, double step, bool in_order) {
  return {name, in_order ? "first_contact" : "is_free", false,
          [this, step, in_order](const Edge& e, QueryCounters& counters) {
            motion_.set_linear(e.q0, e.q1, AnglePolicy::Literal);
            const std::int64_t before = fcl_->checks;
            const double length = (e.q1 - e.q0).norm();
            const bool hit = (in_order ? discrete_in_order : discrete_bisection)(*fcl_, motion_, length,
                                                                                 step > 0.0 ? step : length / 1000.0)
                                 .hit;
            counters.node_evaluations = counters.kinematics = fcl_->checks - before;
            return hit;
          }};
}

EdgeMethod EdgeMethods::distance_bisection(bool first) {
  return {"fcl_distance_bisection", first ? "first_contact" : "is_free", true,
          [this, first](const Edge& e, QueryCounters& counters) {
            motion_.set_linear(e.q0, e.q1, AnglePolicy::Literal);
            const double tolerance = EdgeOptions{}.tolerance;
            const FclBisection::Result r =
                first ? bisection_->first_contact(motion_, tolerance) : bisection_->any_contact(motion_, tolerance);
            counters.node_evaluations = r.distances;
            return r.hit;
          }};
}

std::vector<EdgeMethod> EdgeMethods::of_articulated() {
  std::vector<EdgeMethod> methods;
  for (const bool first : {false, true}) {
    for (const std::string& method : search_method_names()) methods.push_back(ours(method, first));
    methods.push_back(ours(kTube, first));
    methods.push_back(discrete("fcl_discrete_0.05", 0.05, first));
    methods.push_back(discrete("fcl_discrete_0.01", 0.01, first));
    methods.push_back(distance_bisection(first));
  }
  return methods;
}

std::vector<EdgeMethod> EdgeMethods::of_prepared() {
  std::vector<EdgeMethod> methods;
  for (const bool first : {false, true}) {
    methods.push_back(ours("taylor", first));
    methods.push_back(ours(kPrepared, first));
    methods.push_back(discrete("fcl_discrete_0.05", 0.05, first));
    methods.push_back(discrete("fcl_discrete_0.01", 0.01, first));
  }
  return methods;
}

std::vector<EdgeMethod> EdgeMethods::of_rigid() {
  std::vector<EdgeMethod> methods;
  for (const bool first : {false, true}) {
    for (const char* method : {"taylor", "c2a", "hca"}) methods.push_back(ours(method, first));
    methods.push_back(distance_bisection(first));
    methods.push_back(discrete("fcl_sampled_1000", 0.0, first));
  }
  return methods;
}

}  // namespace planner_ccd::bench
