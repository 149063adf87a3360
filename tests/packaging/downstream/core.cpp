#include <cstdio>
#include <planner_ccd/robot/robot_model.hpp>

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
  const planner_ccd::RobotModel model(spec);
  if (model.dof() != 1 || model.find_coordinate("pivot") != 0) return 1;
  std::puts("free to link");
}
