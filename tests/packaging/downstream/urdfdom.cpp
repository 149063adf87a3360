#include <cstdio>
#include <planner_ccd/adapters/urdfdom.hpp>
#include <planner_ccd/robot/robot_model.hpp>

int main() {
  urdf::ModelInterface model;
  model.name_ = "pendulum";
  for (const char* name : {"base", "bob"}) {
    auto link = std::make_shared<urdf::Link>();
    link->name = name;
    model.links_[name] = link;
  }
  auto joint = std::make_shared<urdf::Joint>();
  joint->name = "pivot";
  joint->type = urdf::Joint::CONTINUOUS;
  joint->parent_link_name = "base";
  joint->child_link_name = "bob";
  joint->axis = urdf::Vector3(0.0, 1.0, 0.0);
  model.joints_["pivot"] = joint;
  const planner_ccd::RobotModel robot(planner_ccd::robot_from_urdf_model(model).value);
  if (robot.dof() != 1) return 1;
  std::puts("free to link");
}
