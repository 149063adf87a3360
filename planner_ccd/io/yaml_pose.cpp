#include <cmath>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/io/detail/xml.hpp"
#include "planner_ccd/io/detail/yaml_pose.hpp"

namespace planner_ccd {

Eigen::Isometry3d read_pose(const YamlFile& file, const YamlNode& node) {
  file.check_keys(node, "a pose", {"xyz", "rpy", "quaternion"});
  const YamlNode xyz = node["xyz"], rpy = node["rpy"], quaternion = node["quaternion"];
  if (rpy && quaternion) file.fail(node, "give either 'rpy' or 'quaternion' (x, y, z, w)");
  Eigen::Isometry3d pose = pose_from_rpy(xyz ? file.vector3(xyz, "'xyz'") : Eigen::Vector3d(Eigen::Vector3d::Zero()),
                                         rpy ? file.vector3(rpy, "'rpy'") : Eigen::Vector3d(Eigen::Vector3d::Zero()));
  if (pose.translation().cwiseAbs().maxCoeff() > kMaxCoordinate) file.fail(node, "the pose lies beyond 1e7 m");
  if (quaternion) {
    if (!quaternion.is_sequence() || quaternion.size() != 4) file.fail(quaternion, "'quaternion' must be [x, y, z, w]");
    Eigen::Quaterniond rotation;
    for (int k = 0; k < 4; ++k) rotation.coeffs()[k] = file.number(quaternion[k], "'quaternion'");
    if (!(std::abs(rotation.norm() - 1.0) < 1e-3)) file.fail(quaternion, "the quaternion must have length 1");
    pose.linear() = rotation.normalized().toRotationMatrix();
  }
  return pose;
}

}  // namespace planner_ccd
