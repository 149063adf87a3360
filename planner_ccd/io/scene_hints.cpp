#include <cmath>
#include <numbers>

#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/io/detail/scene_hints.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

double extent(const Eigen::AlignedBox3d& box) { return box.isEmpty() ? 0.0 : box.sizes().maxCoeff(); }

double extent(const Shape& shape) {
  if (const auto* box = std::get_if<Box>(&shape)) return box->size.maxCoeff();
  if (const auto* sphere = std::get_if<Sphere>(&shape)) return 2.0 * sphere->radius;
  if (const auto* cylinder = std::get_if<Cylinder>(&shape)) return std::max(2.0 * cylinder->radius, cylinder->length);
  if (const auto* capsule = std::get_if<Capsule>(&shape)) return 2.0 * capsule->radius + capsule->length;
  Eigen::AlignedBox3d around;
  if (const auto* hull = std::get_if<ConvexHull>(&shape)) {
    for (const Eigen::Vector3d& point : hull->points) around.extend(point);
  }
  if (const auto* cloud = std::get_if<CloudPtr>(&shape)) {
    for (int i = 0; i < (*cloud)->size(); ++i) around.extend((*cloud)->point(i));
  }
  return extent(around);
}

}  // namespace

std::string doubtful_size(const Shape& shape, double largest) {
  const double size = extent(shape);
  if (!(size > largest)) return {};
  return "spans " + format_number(std::round(size)) + " m; sizes are in metres";
}

std::string doubtful_angles(const YamlFile& file, const YamlNode& pose) {
  const YamlNode rpy = pose["rpy"];
  if (!rpy) return {};
  const Eigen::Vector3d angles = file.vector3(rpy, "'rpy'");
  Eigen::Index most = 0;
  if (!(angles.cwiseAbs().maxCoeff(&most) > 2.0 * std::numbers::pi)) return {};
  return "'rpy' has " + format_number(angles[most]) + "; angles are in radians, and 90 degrees are 1.5708";
}

void refuse_xml_scene(const std::string& text, const std::string& name) {
  const std::size_t first = text.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first == std::string::npos || text[first] != '<') return;
  throw InputError(
      name +
      ": this is XML, and a scene is YAML; list its meshes and shapes as objects of a scene, or give a URDF "
      "as a robot of its own (--robot PREFIX=FILE)");
}

void refuse_parts_of_moveit_scene(const YamlFile& file, const YamlNode& root) {
  if (!root.is_map()) return;
  for (const char* key :
       {"collision_objects", "attached_collision_objects", "allowed_collision_matrix", "primitives", "primitive_poses",
        "scene", "planning_scene_world", "link_padding", "fixed_frame_transforms"}) {
    if (!root[key]) continue;
    file.fail(root[key],
              in_quotes(key) +
                  " is a part of MoveIt's messages; of these a whole PlanningScene is read, with its 'world' "
                  "(world: {collision_objects: [...]}), as the service get_planning_scene gives it");
  }
}

}  // namespace planner_ccd
