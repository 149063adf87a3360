#include <ompl/base/ScopedState.h>
#include <ompl/base/goals/GoalState.h>
#include <ompl/geometric/PathGeometric.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/planners/est/EST.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/kpiece/LBKPIECE1.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/rrt/RRT.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/rrt/RRTstar.h>
#include <ompl/util/Console.h>
#include <ompl/util/Exception.h>
#include <ompl/util/RandomNumbers.h>
#include <ompl/util/String.h>

#include <functional>
#include <map>

#include "planner_ccd/adapters/ompl.hpp"
#include "planner_ccd/adapters/ompl/meter.hpp"
#include "planner_ccd/cli/plan_search.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {
namespace {

namespace ob = ::ompl::base;
namespace og = ::ompl::geometric;

template <class Planner>
ob::PlannerPtr make(const ob::SpaceInformationPtr& si) {
  return std::make_shared<Planner>(si);
}

ob::PlannerPtr make_planner(const std::string& name, const ob::SpaceInformationPtr& si) {
  static const std::map<std::string, std::function<ob::PlannerPtr(const ob::SpaceInformationPtr&)>> makers = {
      {"RRTConnect", make<og::RRTConnect>}, {"RRT", make<og::RRT>}, {"RRTstar", make<og::RRTstar>},
      {"BITstar", make<og::BITstar>},       {"PRM", make<og::PRM>}, {"KPIECE", make<og::KPIECE1>},
      {"LBKPIECE", make<og::LBKPIECE1>},    {"EST", make<og::EST>}};
  return makers.at(name)(si);
}

/// The path in joint values: an angle that OMPL wraps at pi continues beyond pi, from its value at the start.
JointPath joint_path(const og::PathGeometric& path, const OmplStateMap& map, const RobotModel& robot,
                     const JointVectorRef& start) {
  JointPath joints;
  JointVector q0, q1;
  for (std::size_t i = 0; i < path.getStateCount(); ++i) {
    map.read(path.getState(i), q1);
    JointVector q = q1;
    if (i > 0) map.read_motion(path.getState(i - 1), path.getState(i), q0, q1);
    for (int k = 0; k < robot.dof(); ++k) {
      if (!robot.coordinates()[k].continuous) continue;
      q[k] = i == 0 ? start[k] : joints.waypoints.back()[k] + (q1[k] - q0[k]);
    }
    joints.waypoints.push_back(std::move(q));
  }
  return joints;
}

/// Sets the planner's longest step, or leaves it to OMPL. Throws InputError for a planner that has none.
void set_range(ob::Planner& planner, const PlanRequest& request) {
  if (!request.range) return;
  if (!planner.params().hasParam("range")) {
    throw InputError("--range: " + request.planner + " has no longest step; leave it out, or choose another --planner");
  }
  if (!planner.params().setParam("range", ompl::toString(*request.range))) {
    throw InputError("--range: " + request.planner + " of OMPL does not take it");
  }
}

std::optional<double> range_of(const ob::Planner& planner) {
  if (!planner.params().hasParam("range")) return std::nullopt;
  return ompl::stod(planner.params().getParam("range")->getValue());
}

void simplify(const ob::SpaceInformationPtr& si, og::PathGeometric& path) {
  og::PathSimplifier simplifier(si);
  simplifier.reduceVertices(path);
  simplifier.shortcutPath(path);
  simplifier.reduceVertices(path);
}

}  // namespace

PlanOutcome search_plan(const PlanRequest& request) {
  ompl::msg::setLogLevel(ompl::msg::LOG_ERROR);
  ompl::RNG::setSeed(request.seed);
  const RobotModel& robot = request.checker->robot();
  OmplOptions options;
  options.tolerance = request.edge.tolerance;
  options.max_evaluations = request.edge.max_evaluations;
  options.errors = request.edge.errors;
  OmplSpaceOptions moving;
  moving.joints = request.joints;
  if (!request.joints.empty()) options.map.elsewhere = request.start;
  const ob::StateSpacePtr space = ompl_state_space(robot, moving);
  const auto inner = std::make_shared<ob::SpaceInformation>(space);
  const auto si = std::make_shared<ob::SpaceInformation>(space);
  OmplMeter meter;
  prove_motions(inner, request.checker, options);
  meter_validators(si, inner, meter);
  const OmplStateMap map(robot, space, options.map);

  PlanOutcome outcome;
  try {
    inner->setup();
    si->setup();
    ob::ScopedState<> start(space), goal(space);
    map.write(request.start, start.get());
    map.write(request.goal, goal.get());
    const auto problem = std::make_shared<ob::ProblemDefinition>(si);
    problem->setStartAndGoalStates(start, goal);
    const ob::PlannerPtr planner = make_planner(request.planner, si);
    planner->setProblemDefinition(problem);
    set_range(*planner, request);
    planner->setup();
    outcome.range = range_of(*planner);
    const double t0 = thread_seconds();
    planner->solve(request.seconds);
    const double t1 = thread_seconds();
    outcome.planning_seconds = t1 - t0;
    outcome.solved = problem->hasExactSolution();
    if (outcome.solved) {
      og::PathGeometric path = *problem->getSolutionPath()->as<og::PathGeometric>();
      outcome.found_waypoints = static_cast<int>(path.getStateCount());
      outcome.found_length = path.length();
      simplify(si, path);
      outcome.simplifying_seconds = thread_seconds() - t1;
      outcome.length = path.length();
      outcome.path = joint_path(path, map, robot, request.start);
    }
  } catch (const ompl::Exception& error) {
    throw InputError("planner " + request.planner + " of OMPL refuses this robot: " + error.what());
  }
  outcome.checking_seconds = meter.seconds;
  outcome.motions = meter.motions;
  outcome.free_motions = meter.valid_motions;
  outcome.states = meter.states;
  return outcome;
}

}  // namespace planner_ccd::cli
