#include "planner_ccd/motion/motion_errors.hpp"

namespace planner_ccd {

JointVector same_tracking(const RobotModel& robot, double radians, double metres) {
  JointVector out(robot.dof());
  for (const Joint& joint : robot.joints()) {
    if (joint.q_index < 0 || joint.is_mimic) continue;
    const bool slides =
        joint.type == JointType::Prismatic || joint.type == JointType::Planar || joint.type == JointType::Floating;
    const int lengths = !slides ? 0 : joint.type == JointType::Floating ? 3 : joint.type == JointType::Planar ? 2 : 1;
    for (int k = 0; k < joint.q_size; ++k) out[joint.q_index + k] = k < lengths ? metres : radians;
  }
  return out;
}

/// The world that `combine` puts under several robots is a link alone, without geometry, and no robot.
std::vector<std::string> base_links(const RobotModel& robot) {
  std::vector<int> links_of(robot.links().size(), 0);
  for (const Link& link : robot.links()) ++links_of[link.robot];
  std::vector<std::string> out;
  for (const Link& link : robot.links()) {
    const int parent = link.parent_joint < 0 ? -1 : robot.joints()[link.parent_joint].parent_link;
    const bool world = parent < 0 && links_of[link.robot] == 1 && link.collision.empty();
    if (world && robot.links().size() > 1) continue;
    if (parent < 0 || robot.links()[parent].robot != link.robot) out.push_back(link.name);
  }
  return out;
}

}  // namespace planner_ccd
