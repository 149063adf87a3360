#include <cmath>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/io/detail/xml.hpp"
#include "planner_ccd/io/detail/yaml_pose.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {

Eigen::Isometry3d read_pose(const YamlFile& file, const YamlNode& node) {
  file.check_keys(node, "a pose", {"xyz", "rpy", "quaternion", "rotation"});
  const YamlNode xyz = node["xyz"], rpy = node["rpy"], quaternion = node["quaternion"], rotation = node["rotation"];
  if (rpy.is_defined() + quaternion.is_defined() + rotation.is_defined() > 1) {
    file.fail(node, "give one of 'rpy', 'quaternion' (x, y, z, w) and 'rotation' (the rows of its matrix)");
  }
  Eigen::Isometry3d pose = pose_from_rpy(xyz ? file.vector3(xyz, "'xyz'") : Eigen::Vector3d(Eigen::Vector3d::Zero()),
                                         rpy ? file.vector3(rpy, "'rpy'") : Eigen::Vector3d(Eigen::Vector3d::Zero()));
  if (pose.translation().cwiseAbs().maxCoeff() > kMaxCoordinate) file.fail(node, "the pose lies beyond 1e7 m");
  if (quaternion) {
    if (!quaternion.is_sequence() || quaternion.size() != 4) file.fail(quaternion, "'quaternion' must be [x, y, z, w]");
    Eigen::Quaterniond turn;
    for (int k = 0; k < 4; ++k) turn.coeffs()[k] = file.number(quaternion[k], "'quaternion'");
    if (!(std::abs(turn.norm() - 1.0) < 1e-3)) file.fail(quaternion, "the quaternion must have length 1");
    pose.linear() = turn.normalized().toRotationMatrix();
  }
  if (rotation) {
    if (!rotation.is_sequence() || rotation.size() != 3)
      file.fail(rotation, "'rotation' must be three rows of three numbers");
    for (int k = 0; k < 3; ++k)
      pose.linear().row(k) = file.vector3(rotation[static_cast<std::size_t>(k)], "a row of 'rotation'");
    try {
      validate(pose, "'rotation'");
    } catch (const InputError& error) {
      file.fail(rotation, error.what());
    }
  }
  return pose;
}

PoseError read_pose_error(const YamlFile& file, const YamlNode& node) {
  file.check_keys(node, "an error of a pose", {"xyz", "angle"});
  const YamlNode xyz = node["xyz"], angle = node["angle"];
  if (!xyz && !angle) file.fail(node, "'pose_error' needs 'xyz' (metres), 'angle' (radians), or both");
  PoseError error;
  if (xyz) error.position = file.number(xyz, "'xyz' of an error");
  if (angle) error.angle = file.number(angle, "'angle' of an error");
  try {
    validate(error, "'pose_error'");
  } catch (const InputError& wrong) {
    file.fail(node, wrong.what());
  }
  return error;
}

}  // namespace planner_ccd
