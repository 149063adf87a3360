#include "planner_ccd/io/detail/robot_in_cloud.hpp"

#include <algorithm>
#include <memory>

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/validation/cloud_filters.hpp"

namespace planner_ccd {
namespace {

/// Every coordinate by its name.
JointVector read_configuration(const YamlFile& file, const YamlNode& node, const RobotModel& robot) {
  std::vector<std::string> missing;
  for (const Coordinate& c : robot.coordinates()) missing.push_back(c.name);
  const std::vector<std::string> names = missing;
  if (!node.is_map()) file.fail(node, "'at' must give every joint its value, as in {" + names.front() + ": 0.5}");
  JointVector q = robot.neutral();
  for (const auto& [key, value] : node.entries()) {
    const std::string name = file.text(key, "a joint");
    const int coordinate = robot.find_coordinate(name);
    if (coordinate < 0) {
      file.fail(key,
                in_quotes(name) + " is not a joint of robot " + in_quotes(robot.name()) + did_you_mean(name, names));
    }
    q[coordinate] = file.number(value, name.c_str());
    std::erase(missing, name);
  }
  if (!missing.empty()) file.fail(node, "'at' must give every joint its value; missing: " + join_names(missing));
  return q;
}

}  // namespace

RobotInCloud read_robot_in_cloud(const YamlFile& file, const YamlNode& node, const RobotModel* robot,
                                 const std::string& object) {
  file.check_keys(node, "'drop_robot'", {"at", "within"});
  if (robot == nullptr) file.fail(node, "'drop_robot' needs the robot; load the scene with it");
  if (robot->dof() == 0) file.fail(node, "'drop_robot' is for a robot that can move");
  const YamlNode within = node["within"];
  const double distance = within ? file.number(within, "'within'") : 0.0;
  if (!(distance >= 0.0)) file.fail(within, "'within' must not be negative");
  return {object, node.line(), read_configuration(file, file.required(node, "at"), *robot), distance};
}

std::vector<Assumption> drop_robot(const YamlFile& file, const std::vector<RobotInCloud>& seen, const RobotModel& robot,
                                   Scene& scene) {
  const RobotFilter filter(std::shared_ptr<const RobotModel>(std::shared_ptr<void>(), &robot), scene.attached);
  std::vector<Assumption> dropped_notes;
  for (const RobotInCloud& s : seen) {
    SceneObject object = *scene.objects.find(s.object);
    auto& cloud = std::get<CloudPtr>(object.geometry.front().shape);
    const FilteredCloud kept = filter.drop_robot(cloud, object.pose, s.q, s.within);
    if (kept.cloud == nullptr) {
      throw InputError(file.where(s.line) + ": all points of the cloud belong to the robot; leave the object out");
    }
    if (kept.dropped == 0) continue;
    dropped_notes.push_back(points_dropped(kept.dropped, s.within, s.object));
    cloud = kept.cloud;
    scene.objects.replace(std::move(object));
  }
  return dropped_notes;
}

}  // namespace planner_ccd
