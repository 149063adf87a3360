#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "planner_ccd/geometry/triangle_mesh.hpp"
#include "planner_ccd/math/types.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

// Shapes as URDF and scene files name them, centred at their own origin. They are kept exact: nothing is tessellated on
// loading. Cylinders and capsules lie along their z axis.

struct Sphere {
  double radius;  ///< [m] > 0
};
struct Box {
  Eigen::Vector3d size;  ///< [m] full edge lengths, > 0
};
struct Cylinder {
  double radius;  ///< [m] > 0
  double length;  ///< [m] > 0, between the flat ends
};
struct Capsule {
  double radius;  ///< [m] > 0
  double length;  ///< [m] >= 0, of the axis segment, without the round ends
};
struct ConvexHull {
  std::vector<Eigen::Vector3d> points;  ///< [m] The shape is their hull, taken as solid.
};

/// Meshes are shared, because the same file often serves several links or obstacles; so is what cameras saw.
using MeshPtr = std::shared_ptr<const TriangleMesh>;
class PointCloud;  // geometry/point_cloud.hpp
class CellMap;     // geometry/cell_map.hpp
using CloudPtr = std::shared_ptr<const PointCloud>;
using CellsPtr = std::shared_ptr<const CellMap>;
/// A cloud or a map of cells is the only shape of its object.
using Shape = std::variant<Sphere, Box, Cylinder, Capsule, ConvexHull, MeshPtr, CloudPtr, CellsPtr>;

/// One <collision> or <visual> element: a shape placed in its owner's frame.
struct Geometry {
  Shape shape;
  Pose pose = Pose::Identity();  ///< X_OwnerShape
  std::string source;            ///< What a message should call it: mesh file or "box", ...
  /// Red, green, blue, opacity of a visual, each of [0, 1], red to blue as sRGB; empty: none is known.
  std::optional<std::array<double, 4>> colour = std::nullopt;
};

/// Throws InputError, naming `name`, for a dimension that is not finite and positive, a mesh that validate() rejects,
/// or a pose that is not a finite rigid transform.
void validate(const Geometry& geometry, const std::string& name);

/// Throws InputError, naming `name`, unless `pose` is finite and its rotation is orthonormal and right-handed to 1e-6.
void validate(const Pose& pose, const std::string& name);

/// The rigid motion that `pose` stands for: its translation, and the rotation nearest to its linear part, to within 16 u an entry.
/// Every pose that a robot or a scene is made of comes in through here, because the kinematics and the bounds of motion take
/// rotations for rotations: one that is off by 1e-6 would stretch a lever of 1 m by 0.5 um without anybody paying for it.
/// Throws InputError as validate() does.
Pose rigid(const Pose& pose, const std::string& name);
/// validate() of each, then every pose made rigid.
void make_rigid(std::vector<Geometry>& geometry, const std::string& name);

}  // namespace planner_ccd
#pragma GCC visibility pop
