#pragma once

#include <Eigen/Core>
#include <vector>

#include "planner_ccd/hierarchy/ssv_tree.hpp"
#include "planner_ccd/scene/volumes.hpp"

namespace planner_ccd {

/// All points within `radius` of a box, or of a cylinder about its third axis. A point p of the body's frame has the
/// coordinates l = axes^T (p - center) in the volume's frame; the axes as stored are orthonormal to single precision.
struct RoundVolume {
  Eigen::Matrix3f axes = Eigen::Matrix3f::Identity();  ///< By column.
  Eigen::Vector3f center = Eigen::Vector3f::Zero();
  Eigen::Vector3f half = Eigen::Vector3f::Zero();  ///< Cylinder: its radius twice, then half its length.
  float radius = 0.0f;
  bool cylinder = false;
  /// Everything deeper inside than this belongs to the body or is enclosed by it; < 0: unknown. The depth of a point in
  /// a box or cylinder is its least distance from the face planes and the mantle, plus `radius`.
  float rind = -1.0f;
};

/// A body at rest, approximated by a few volumes.
struct BodyVolumes {
  std::vector<RoundVolume> volumes;  ///< Together they cover the body's surface.
  bool filled = false;               ///< They also cover every enclosed point.
};

/// `most`: number of volumes for a body that is not a box, cylinder or similar shape.
BodyVolumes volumes_of(const SsvTree& tree, int most);

/// As the lanes read it.
look::Volume look_volume(const RoundVolume& v);

}  // namespace planner_ccd
