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

// Shapes as in URDF and scene files, centred at their own origin. They are kept exact: nothing is tessellated on
// loading. The axis of cylinders and capsules is z.

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

/// Meshes, clouds and maps are shared, because the same file often serves several links or obstacles.
using MeshPtr = std::shared_ptr<const TriangleMesh>;
class PointCloud;  // geometry/point_cloud.hpp
class CellMap;     // geometry/cell_map.hpp
using CloudPtr = std::shared_ptr<const PointCloud>;
using CellsPtr = std::shared_ptr<const CellMap>;
/// A cloud or cell map must be the only shape of its object.
using Shape = std::variant<Sphere, Box, Cylinder, Capsule, ConvexHull, MeshPtr, CloudPtr, CellsPtr>;

/// One <collision> or <visual> element: a shape placed in its owner's frame.
struct Geometry {
  Shape shape;
  Pose pose = Pose::Identity();  ///< X_OwnerShape
  std::string source;            ///< Its name in messages: mesh file, "box", ...
  /// Visuals only: red, green, blue (sRGB) and opacity, each in [0, 1]; empty: unknown.
  std::optional<std::array<double, 4>> colour = std::nullopt;
};

/// Throws InputError, naming `name`, for a dimension that is not finite and positive, a mesh that validate() rejects,
/// or a pose that is not a finite rigid transform.
void validate(const Geometry& geometry, const std::string& name);

/// Throws InputError, naming `name`, unless `pose` is finite and its rotation is orthonormal and right-handed to 1e-6.
void validate(const Pose& pose, const std::string& name);

/// The rigid motion that `pose` stands for: its translation, and the rotation nearest to its linear part, each entry
/// within 16 u. Every pose of a robot or a scene passes through here, because the kinematics and the motion bounds
/// assume exact rotations: an error of 1e-6 would stretch a lever of 1 m by 0.5 um, which no pad covers. Throws
/// InputError as validate() does.
Pose rigid(const Pose& pose, const std::string& name);
/// Validates each element, then makes every pose rigid.
void make_rigid(std::vector<Geometry>& geometry, const std::string& name);

}  // namespace planner_ccd
#pragma GCC visibility pop
