// OMPL planners with our validators: the oracle, which shares no code with them, samples every resulting path.
#include <gtest/gtest.h>
#include <ompl/base/goals/GoalState.h>
#include <ompl/base/spaces/SE3StateSpace.h>
#include <ompl/geometric/PathSimplifier.h>
#include <ompl/geometric/planners/cforest/CForest.h>
#include <ompl/geometric/planners/est/EST.h>
#include <ompl/geometric/planners/informedtrees/BITstar.h>
#include <ompl/geometric/planners/kpiece/KPIECE1.h>
#include <ompl/geometric/planners/kpiece/LBKPIECE1.h>
#include <ompl/geometric/planners/prm/LazyPRM.h>
#include <ompl/geometric/planners/prm/PRM.h>
#include <ompl/geometric/planners/rrt/RRTConnect.h>
#include <ompl/geometric/planners/rrt/RRTstar.h>
#include <ompl/geometric/planners/rrt/pRRT.h>
#include <ompl/geometric/planners/sbl/pSBL.h>

#include <cstdio>
#include <ctime>
#include <functional>
#include <thread>

#include "adapters/ompl/ompl_support.hpp"
#include "planner_ccd/io/collision_rules.hpp"

// LazyPRM::solve of OMPL 1.5 leaks states that it cloned. Only slow stack unwinding shows its frame.
extern "C" {
const char* __asan_default_options();
const char* __asan_default_options() { return "fast_unwind_on_malloc=0"; }
const char* __lsan_default_suppressions();
const char* __lsan_default_suppressions() { return "leak:ompl::geometric::LazyPRM::solve\n"; }
}

namespace planner_ccd::testing {
namespace {

namespace og = ::ompl::geometric;

using Make = std::function<ob::PlannerPtr(const ob::SpaceInformationPtr&)>;

template <class Planner>
std::pair<std::string, Make> planner() {
  const Make make = [](const ob::SpaceInformationPtr& si) { return std::make_shared<Planner>(si); };
  return {std::string(typeid(Planner).name()), make};
}

std::vector<std::pair<std::string, Make>> planners() {
  return {planner<og::RRTConnect>(), planner<og::RRTstar>(), planner<og::PRM>(),
          planner<og::LazyPRM>(),    planner<og::KPIECE1>(), planner<og::LBKPIECE1>(),
          planner<og::EST>(),        planner<og::pRRT>(),    planner<og::pSBL>()};
}

Geometry box(double x, double y, double z, const Eigen::Vector3d& at) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.translation() = at;
  return {Box{{x, y, z}}, X, "box"};
}

/// An arm in the plane whose first joint turns without limits, between thin posts.
Scenario arm_between_posts() {
  RobotSpec spec;
  spec.name = "arm";
  spec.links = {{"base", {}, {}}};
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    spec.links.push_back({"link" + n, {box(0.3, 0.04, 0.04, {0.17, 0.0, 0.0})}, {}});
    JointSpec joint;
    joint.name = "joint" + n;
    joint.type = i == 0 ? JointType::Continuous : JointType::Revolute;
    joint.parent = spec.links[i].name;
    joint.child = spec.links[i + 1].name;
    joint.origin.translation().x() = i == 0 ? 0.0 : 0.34;
    joint.axis = Eigen::Vector3d::UnitZ();
    if (i > 0) joint.lower = -2.8, joint.upper = 2.8;
    spec.joints.push_back(joint);
  }
  Scenario s;
  s.name = "arm";
  s.set_robot(std::move(spec));
  s.matrix = build_collision_matrix(*s.robot);
  for (int i = 0; i < 5; ++i) {
    const double angle = 0.6 + 1.2 * i;
    s.scene.objects.push_back({"post" + std::to_string(i),
                               {box(0.005, 0.005, 0.4, {0.75 * std::cos(angle), 0.75 * std::sin(angle), 0.0})},
                               Eigen::Isometry3d::Identity()});
  }
  return s;
}

/// A rod that must turn to pass through a slot in a thin wall.
Scenario rod_and_slot() {
  RobotSpec spec;
  spec.name = "rod";
  spec.links = {{"world", {}, {}}, {"rod", {box(0.5, 0.05, 0.05, {0, 0, 0})}, {}}};
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::Floating;
  joint.parent = "world";
  joint.child = "rod";
  spec.joints = {joint};
  Scenario s;
  s.name = "rod";
  s.set_robot(std::move(spec));
  s.matrix = build_collision_matrix(*s.robot);
  s.scene.objects.push_back({"wall",
                             {box(0.01, 2.0, 0.8, {0, 0, 0.6}), box(0.01, 2.0, 0.8, {0, 0, -0.6}),
                              box(0.01, 0.7, 0.4, {0, 0.65, 0}), box(0.01, 0.7, 0.4, {0, -0.65, 0})},
                             Eigen::Isometry3d::Identity()});
  return s;
}

struct Problem {
  OmplCase c;
  JointVector start, goal;

  ob::ProblemDefinitionPtr definition() const {
    ob::ScopedState<> a(c.space), b(c.space);
    c.map.write(start, a.get());
    c.map.write(goal, b.get());
    auto result = std::make_shared<ob::ProblemDefinition>(c.si);
    result->setStartAndGoalStates(a, b, 1e-3);
    return result;
  }
};

std::unique_ptr<Problem> arm_problem() {
  const Eigen::Vector3d start(2.4, 0.2, -0.3), goal(-2.2, 0.5, 0.2);
  return std::unique_ptr<Problem>(new Problem{OmplCase(arm_between_posts()), start, goal});
}

std::unique_ptr<Problem> rod_problem() {
  JointVector start(7), goal(7);
  start << -0.5, 0.1, 0.0, 0.0, std::sqrt(0.5), 0.0, std::sqrt(0.5);  // upright, and longer than the slot is high
  goal << 0.5, -0.1, 0.1, 0.0, std::sqrt(0.5), 0.0, std::sqrt(0.5);
  auto problem = std::unique_ptr<Problem>(new Problem{OmplCase(rod_and_slot()), start, goal});
  ob::RealVectorBounds bounds(3);
  bounds.setLow(-0.8);
  bounds.setHigh(0.8);
  problem->c.space->as<ob::SE3StateSpace>()->setBounds(bounds);
  problem->c.si->setup();
  return problem;
}

/// A simplifier keeps parts of motions that were proved free as a whole. Checked alone, such a part may be in contact
/// only where the oracle finds it within the tolerance, without touching.
void expect_near(const OmplCase& c, const ob::State* from, const ob::State* to, const std::string& label) {
  truth::Edge edge;
  edge.angles = AnglePolicy::Wrap;
  edge.q0 = c.read(from);
  edge.q1 = c.read(to);
  Workspace workspace(*c.checker);
  EdgeOptions options;
  options.angles = edge.angles;
  const EdgeResult result = c.checker->any_contact(edge.q0, edge.q1, workspace, options);
  ASSERT_EQ(result.verdict, Verdict::Contact) << label;
  const truth::Real nearest = c.oracle.clearance(edge, result.contact->t);
  EXPECT_GT(nearest, 0) << label;
  EXPECT_LE(nearest, options.tolerance + 1e-9) << label;
}

/// Checks the path with our checker and with the oracle's samples.
void expect_free(const OmplCase& c, og::PathGeometric path, const std::string& label) {
  for (std::size_t i = 0; i + 1 < path.getStateCount(); ++i) {
    const ob::State *from = path.getState(i), *to = path.getState(i + 1);
    const std::string where = label + ", segment " + std::to_string(i);
    if (!c.si->checkMotion(from, to)) expect_near(c, from, to, where);
    EXPECT_FALSE(c.oracle_sees_contact(from, to)) << where;
  }
}

/// Ends after that much processor time of all threads: planners find as much on a busy machine.
ob::PlannerTerminationCondition after(double seconds) {
  const std::clock_t end = std::clock() + static_cast<std::clock_t>(seconds * CLOCKS_PER_SEC);
  return ob::PlannerTerminationCondition([end] { return std::clock() >= end; });
}

/// True if it was solved exactly.
bool solve(const Problem& problem, const std::pair<std::string, Make>& planner, double seconds) {
  const ob::PlannerPtr p = planner.second(problem.c.si);
  const ob::ProblemDefinitionPtr definition = problem.definition();
  p->setProblemDefinition(definition);
  p->setup();
  if (p->solve(after(seconds)) != ob::PlannerStatus::EXACT_SOLUTION) return false;
  og::PathGeometric path = *definition->getSolutionPath()->as<og::PathGeometric>();
  expect_free(problem.c, path, planner.first);
  og::PathSimplifier simplifier(problem.c.si);
  simplifier.shortcutPath(path);
  expect_free(problem.c, path, planner.first + " simplified");
  return true;
}

/// Anytime planners use all their time; the others stop at the first path.
void solve_with_all(const Problem& problem, std::vector<std::pair<std::string, Make>> list, double seconds) {
  const ob::ProblemDefinitionPtr definition = problem.definition();
  const ob::State* goal = definition->getGoal()->as<ob::GoalState>()->getState();
  EXPECT_FALSE(problem.c.si->checkMotion(definition->getStartState(0), goal)) << "needs no planner";
  int solved = 0, tried = 0;
  for (const auto& p : list) {
    const bool done = solve(problem, p, seconds);
    std::printf("%-40s %s\n", p.first.c_str(), done ? "solved" : "no path in time");
    solved += done;
    ++tried;
  }
  EXPECT_GE(solved, tried / 2);
}

TEST(OmplPlanners, PathsOfAnArmWithAnEndlessJointAreFree) { solve_with_all(*arm_problem(), planners(), 0.4); }

TEST(OmplPlanners, PathsOfAFreeBodyAreFree) {
  auto list = planners();
  // Their samplers are for real vectors, SE(2) and SE(3) only.
  list.push_back(planner<og::BITstar>());
  list.push_back(planner<og::CForest>());
  solve_with_all(*rod_problem(), list, 0.4);
}

TEST(OmplPlanners, TwoPlannersShareOneSpaceInformation) {
  const auto problem = arm_problem();
  std::vector<std::thread> threads;
  std::vector<ob::ProblemDefinitionPtr> definitions;
  for (int i = 0; i < 2; ++i) definitions.push_back(problem->definition());
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&, i] {
      og::RRTConnect p(problem->c.si);
      p.setProblemDefinition(definitions[i]);
      p.setup();
      p.solve(ob::timedPlannerTerminationCondition(5.0));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ob::ProblemDefinitionPtr& definition : definitions) {
    ASSERT_TRUE(definition->hasExactSolution());
    expect_free(problem->c, *definition->getSolutionPath()->as<og::PathGeometric>(), "RRTConnect in a thread");
  }
}

}  // namespace
}  // namespace planner_ccd::testing
