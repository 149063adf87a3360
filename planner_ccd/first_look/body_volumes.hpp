#pragma once

#include <Eigen/Core>
#include <vector>

#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// All points within `radius` of a box, or of a cylinder about its third axis. A point p of the body's frame has the place
/// l = axes^T (p - center) in the volume's; the axes are orthonormal to single precision, their numbers as they stand.
struct RoundVolume {
  Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();  ///< By column.
  Eigen::Vector3f center = Eigen::Vector3f::Zero();
  Eigen::Vector3f half = Eigen::Vector3f::Zero();  ///< Cylinder: its radius twice, and half of its length.
  float radius = 0.0f;
  bool cylinder = false;
  /// What lies deeper inside than this belongs to the body, or is enclosed by it; < 0: nothing is known to. For boxes and
  /// cylinders a point's depth is the least distance from the planes of the faces and the mantle, and `radius` more.
  float rind = -1.0f;
};

/// A body at rest in a few volumes.
struct BodyVolumes {
  std::vector<RoundVolume> volumes;  ///< Every point of the body's surface is in one of them.
  bool filled = false;               ///< And every point that it encloses.
};

/// `most`: volumes for a body that is neither box nor cylinder nor the like.
BodyVolumes volumes_of(const SsvTree& tree, int most);

}  // namespace planner_ccd
