#include "planner_ccd/cli/robots_report.hpp"

#include <nlohmann/json.hpp>

namespace planner_ccd::cli {

nlohmann::ordered_json robots_json(const std::vector<RobotPart>& robots) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const RobotPart& robot : robots) {
    const Eigen::Vector3d xyz = robot.base.translation();
    const Eigen::Quaterniond q(robot.base.linear());
    all.push_back(
        {{"prefix", robot.prefix},
         {"file", robot.file},
         {"name", robot.name},
         {"base", {{"xyz", {xyz.x(), xyz.y(), xyz.z()}}, {"quaternion", {q.x(), q.y(), q.z(), q.w()}}}},
         {"link", robot.link.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(robot.link)}});
  }
  return all;
}

}  // namespace planner_ccd::cli
