#include "bench/planning/planner_edges.hpp"

#include <ompl/base/MotionValidator.h>

#include <chrono>

#include "bench/peers/fcl_world.hpp"
#include "bench/support/statistics.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/adapters/ompl/state_map.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"

namespace planner_ccd::bench {
namespace {

namespace ob = ::ompl::base;

/// "method" of the rows; the step is FCL's.
struct Method {
  const char* name;
  bool prepared;
  double step;
  int repetitions;
};
constexpr Method kMethods[] = {{"planner_ccd", false, 0.0, 7},
                               {"planner_ccd_prepared", true, 0.0, 7},
                               {"fcl_discrete_0.05", false, 0.05, 3},
                               {"fcl_discrete_0.01", false, 0.01, 1}};
constexpr int kYardstick = 2;  ///< Denominator of the ratios.

class RecordingMotions : public ob::MotionValidator {
 public:
  RecordingMotions(const ob::SpaceInformationPtr& si, ob::MotionValidatorPtr inner, const RobotModel& robot,
                   std::vector<PlannerEdge>& edges)
      : MotionValidator(si), inner_(std::move(inner)), map_(robot, si->getStateSpace()), edges_(edges) {}

  bool checkMotion(const ob::State* s1, const ob::State* s2) const override {
    record(s1, s2);
    return inner_->checkMotion(s1, s2);
  }
  bool checkMotion(const ob::State* s1, const ob::State* s2, std::pair<ob::State*, double>& last) const override {
    record(s1, s2);
    return inner_->checkMotion(s1, s2, last);
  }

 private:
  ob::MotionValidatorPtr inner_;
  OmplStateMap map_;
  std::vector<PlannerEdge>& edges_;

  void record(const ob::State* s1, const ob::State* s2) const {
    PlannerEdge edge;
    if (map_.read_motion(s1, s2, edge.q0, edge.q1)) edges_.push_back(std::move(edge));
  }
};

/// [us] Median wall time of some calls. Reading the processor-time clock takes longer than checking many an edge, and
/// the median excludes interruptions.
template <typename Work>
double microseconds(int repetitions, Work&& work) {
  std::vector<double> times;
  for (int i = 0; i < repetitions; ++i) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  return median(std::move(times));
}

}  // namespace

void record_motions(const ob::SpaceInformationPtr& si, const RobotModel& robot, std::vector<PlannerEdge>& edges) {
  si->setMotionValidator(std::make_shared<RecordingMotions>(si, si->getMotionValidator(), robot, edges));
}

void PlannerEdgeTimes::measure(const PathChecker& checker, const PathChecker& prepared,
                               const std::vector<PlannerEdge>& edges) {
  Workspace workspace(checker), prepared_workspace(prepared);
  EdgeMotion motion(checker.robot());
  FclWorld fcl(checker.robot(), parts_of(checker).world);
  for (const PlannerEdge& edge : edges) {
    const bool free = checker.is_free(edge.q0, edge.q1, workspace);
    motion.set_linear(edge.q0, edge.q1, AnglePolicy::Literal);
    const double length = (edge.q1 - edge.q0).norm();
    for (int m = 0; m < kMethods; ++m) {
      const Method& method = bench::kMethods[m];
      microseconds_[m][free ? 0 : 1].push_back(microseconds(method.repetitions, [&] {
        if (method.prepared) {
          keep(prepared.is_free(edge.q0, edge.q1, prepared_workspace));
        } else if (method.step == 0.0) {
          keep(checker.is_free(edge.q0, edge.q1, workspace));
        } else {
          keep(discrete_bisection(fcl, motion, length, method.step).hit);
        }
      }));
    }
  }
}

void PlannerEdgeTimes::add_rows(const std::string& scenario, Table& table) const {
  for (int m = 0; m < kMethods; ++m) {
    for (const int verdict : {0, 1}) {
      const Summary s = summarise(microseconds_[m][verdict]);
      const Summary fcl = summarise(microseconds_[kYardstick][verdict]);
      table.add({{"scenario", scenario},
                 {"set", "planner"},
                 {"method", bench::kMethods[m].name},
                 {"verdict", verdict == 0 ? "free" : "hit"},
                 {"count", s.count},
                 {"median_us", s.median},
                 {"mean_us", s.mean},
                 {"p95_us", s.p95},
                 {"median_over_fcl", s.median / fcl.median},
                 {"mean_over_fcl", s.mean / fcl.mean}});
    }
  }
}

}  // namespace planner_ccd::bench
