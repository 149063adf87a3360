// Planning with proofs against planning with samples: the same problems, planner, seeds and simplification; only the
// validators differ. Every path found is then judged by the other side.
#include <ompl/base/ScopedState.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/util/Console.h>
#include <ompl/util/RandomNumbers.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "bench/planning/fcl_validity.hpp"
#include "bench/planning/planner_edges.hpp"
#include "bench/planning/problems.hpp"
#include "bench/support/arguments.hpp"
#include "bench/support/statistics.hpp"
#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/adapters/ompl.hpp"
#include "planner_ccd/adapters/ompl/meter.hpp"
#include "planner_ccd/query/prepared_robot.hpp"
#include "support/oracle.hpp"

namespace {

using namespace planner_ccd;
using namespace planner_ccd::bench;
namespace ob = ompl::base;
namespace og = ompl::geometric;

/// [m] Tolerance of the judgement: reported contacts are nearer than this.
constexpr double kJudgeTolerance = 1e-6;

/// Evaluations per pair of links of a prepared robot.
constexpr std::int64_t kPrepareEvaluations = 1'000'000;

struct Validation {
  const char* name;
  bool prepared;
  double step;  ///< 0: proofs.
};
constexpr Validation kValidations[] = {{"planner_ccd", false, 0.0},
                                       {"planner_ccd_prepared", true, 0.0},
                                       {"fcl_discrete_0.05", false, 0.05},
                                       {"fcl_discrete_0.01", false, 0.01}};

/// One planner run, without and with simplification; only without when its motions are recorded.
struct Run {
  bool solved = false;
  double plan_seconds = 0.0, simplify_seconds = 0.0;
  OmplMeter plan_meter, all_meter;
  std::vector<JointVector> found, simplified;
};

struct Totals {
  std::vector<double> milliseconds;
  double seconds = 0.0, checking = 0.0, edges = 0.0;
  int solved = 0, refuted = 0, confirmed = 0, undecided = 0;
};

std::vector<JointVector> waypoints(const og::PathGeometric& path, const OmplStateMap& map) {
  std::vector<JointVector> rows(path.getStateCount());
  for (std::size_t i = 0; i < rows.size(); ++i) map.read(path.getState(i), rows[i]);
  return rows;
}

Run run(const PlanningProblem& problem, const std::shared_ptr<const PathChecker>& checker, const Validation& method,
        unsigned seed, double limit, std::vector<PlannerEdge>* asked = nullptr) {
  Run result;
  const ob::StateSpacePtr space = ompl_state_space(*problem.robot);
  const auto inner = std::make_shared<ob::SpaceInformation>(space);
  const auto si = std::make_shared<ob::SpaceInformation>(space);
  if (method.step > 0.0) {
    sample_motions(inner, *checker, method.step);
  } else {
    prove_motions(inner, checker);
  }
  if (asked != nullptr) record_motions(inner, *problem.robot, *asked);
  OmplMeter meter;
  meter_validators(si, inner, meter);
  inner->setup();
  si->setup();
  ompl::RNG::setSeed(seed);
  const OmplStateMap map(*problem.robot, space);
  ob::ScopedState<> start(space), goal(space);
  map.write(problem.start, start.get());
  map.write(problem.goal, goal.get());
  const auto definition = std::make_shared<ob::ProblemDefinition>(si);
  definition->setStartAndGoalStates(start, goal);
  og::RRTConnect planner(si);
  planner.setProblemDefinition(definition);
  planner.setup();
  meter = {};
  const double t0 = thread_cpu_seconds();
  planner.solve(ob::PlannerTerminationCondition([&] { return thread_cpu_seconds() - t0 > limit; }));
  result.plan_seconds = thread_cpu_seconds() - t0;
  result.plan_meter = result.all_meter = meter;
  result.solved = definition->hasExactSolution();
  if (!result.solved || asked != nullptr) return result;
  og::PathGeometric path = *definition->getSolutionPath()->as<og::PathGeometric>();
  result.found = waypoints(path, map);
  const double t1 = thread_cpu_seconds();
  og::PathSimplifier simplifier(si);
  simplifier.reduceVertices(path);
  simplifier.shortcutPath(path);
  simplifier.reduceVertices(path);
  result.simplify_seconds = thread_cpu_seconds() - t1;
  result.all_meter = meter;
  result.simplified = waypoints(path, map);
  return result;
}

/// The median of three runs, which differ in time alone. One run often takes less than a millisecond, half of which
/// would be first use of memory; a long one is not repeated.
Run median_run(const PlanningProblem& problem, const std::shared_ptr<const PathChecker>& checker,
               const Validation& method, unsigned seed, double limit) {
  constexpr double kLong = 0.1;
  std::array<Run, 3> runs;
  const auto seconds = [](const Run& r) { return r.plan_seconds + r.simplify_seconds; };
  for (Run& r : runs) {
    r = run(problem, checker, method, seed, limit);
    if (seconds(r) > kLong) return r;
  }
  std::sort(runs.begin(), runs.end(), [&](const Run& x, const Run& y) { return seconds(x) < seconds(y); });
  return runs[1];
}

/// Checks a path with our checker; a contact is confirmed when the oracle of the tests, which shares no code with the
/// checker, finds the two bodies touching at the reported time.
void judge(const std::vector<JointVector>& path, const PathChecker& checker, const truth::Oracle& oracle,
           Totals& totals) {
  Workspace workspace(checker);
  EdgeOptions options;
  options.tolerance = kJudgeTolerance;
  options.angles = AnglePolicy::Wrap;
  for (std::size_t i = 1; i < path.size(); ++i) {
    const EdgeResult edge = checker.first_contact(path[i - 1], path[i], workspace, options);
    if (edge.verdict == Verdict::Free) continue;
    if (edge.verdict == Verdict::Undecided) {
      ++totals.undecided;
      return;
    }
    ++totals.refuted;
    const truth::Edge motion{path[i - 1], path[i], AnglePolicy::Wrap};
    const int pair = oracle.find_pair(edge.contact->a, edge.contact->b);
    const bool touching = pair >= 0 && (oracle.distance(motion, pair, edge.contact->t) <= 2.0 * kJudgeTolerance ||
                                        oracle.nested_at(motion, pair, edge.contact->t));
    totals.confirmed += touching;
    return;
  }
}

void add_rows(Table& table, const std::string& scenario, const Validation& method, const Totals (&totals)[2],
              int runs) {
  for (int simplified = 0; simplified < 2; ++simplified) {
    const Totals& t = totals[simplified];
    const Summary s = summarise(t.milliseconds);
    table.add({{"scenario", scenario},
               {"planner", simplified ? "RRTConnect+simplify" : "RRTConnect"},
               {"method", method.name},
               {"solved", t.solved},
               {"runs", runs},
               {"median_ms", s.median},
               {"mean_ms", s.mean},
               {"p95_ms", s.p95},
               {"checking_share", t.checking / t.seconds},
               {"edges", t.edges / runs},
               {"refuted", t.refuted},
               {"confirmed", t.confirmed},
               {"undecided", t.undecided}});
  }
}

void add_run(const Run& r, const PathChecker& judge_checker, const truth::Oracle& oracle, Totals (&totals)[2]) {
  for (int simplified = 0; simplified < 2; ++simplified) {
    Totals& t = totals[simplified];
    const OmplMeter& meter = simplified ? r.all_meter : r.plan_meter;
    const double seconds = r.plan_seconds + (simplified ? r.simplify_seconds : 0.0);
    t.milliseconds.push_back(1e3 * seconds);
    t.seconds += seconds;
    t.checking += meter.seconds;
    t.edges += static_cast<double>(meter.motions);
    t.solved += r.solved;
    judge(simplified ? r.simplified : r.found, judge_checker, oracle, t);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  ompl::msg::setLogLevel(ompl::msg::LOG_NONE);
  Table table("planning", arguments);
  const int seeds = arguments.count(3, 1);
  const double limit = arguments.count(20, 5);
  for (const std::string& scenario : planning_scenarios()) {
    if (!arguments.selects(scenario)) continue;
    const std::vector<PlanningProblem> problems = planning_problems(scenario, arguments.count(14, 7));
    if (problems.empty()) continue;
    const double begin = thread_cpu_seconds();
    const PreparedRobot robot(problems[0].robot, problems[0].matrix, {.cell_evaluations = kPrepareEvaluations});
    const double prepare_seconds = thread_cpu_seconds() - begin;
    Totals totals[std::size(kValidations)][2];
    PlannerEdgeTimes times;
    int runs = 0;
    for (const PlanningProblem& problem : problems) {
      const auto unprepared = std::make_shared<const PathChecker>(problem.robot, problem.scene, problem.matrix);
      const auto prepared = std::make_shared<const PathChecker>(robot, problem.scene);
      Workspace workspace(*unprepared);
      if (unprepared->in_contact(problem.start, workspace) || unprepared->in_contact(problem.goal, workspace)) continue;
      std::vector<PlannerEdge> asked;
      (void)run(problem, unprepared, kValidations[0], 1, limit, &asked);
      times.measure(*unprepared, *prepared, asked);
      const truth::Oracle oracle(problem.spec, problem.scene, problem.matrix, 0.0);
      for (int seed = 1; seed <= seeds; ++seed) {
        ++runs;
        for (std::size_t m = 0; m < std::size(kValidations); ++m) {
          const auto& checker = kValidations[m].prepared ? prepared : unprepared;
          add_run(median_run(problem, checker, kValidations[m], static_cast<unsigned>(seed), limit), *unprepared,
                  oracle, totals[m]);
        }
      }
    }
    table.add({{"scenario", scenario},
               {"set", "prepare"},
               {"evaluations", kPrepareEvaluations},
               {"prepare_s", prepare_seconds},
               {"kib", robot.cell_memory() / 1024}});
    times.add_rows(scenario, table);
    if (runs == 0) continue;
    for (std::size_t m = 0; m < std::size(kValidations); ++m)
      add_rows(table, scenario, kValidations[m], totals[m], runs);
  }
  return table.finish();
}
