#include <ompl/base/ScopedState.h>

#include <cstdio>
#include <planner_ccd/adapters/ompl.hpp>

int main() {
  planner_ccd::RobotSpec spec;
  spec.name = "pendulum";
  spec.links = {{"base", {}, {}}, {"bob", {}, {}}};
  planner_ccd::JointSpec joint;
  joint.name = "pivot";
  joint.type = planner_ccd::JointType::Continuous;
  joint.parent = "base";
  joint.child = "bob";
  spec.joints = {joint};
  const auto robot = std::make_shared<const planner_ccd::RobotModel>(spec);
  const auto checker =
      std::make_shared<const planner_ccd::PathChecker>(robot, planner_ccd::Scene{}, planner_ccd::CollisionMatrix{});
  const auto si = std::make_shared<ompl::base::SpaceInformation>(planner_ccd::ompl_state_space(*robot));
  planner_ccd::prove_motions(si, checker);
  si->setup();
  const ompl::base::ScopedState<> a(si), b(si);
  if (!si->checkMotion(a.get(), b.get())) return 1;
  std::puts("free to link");
}
