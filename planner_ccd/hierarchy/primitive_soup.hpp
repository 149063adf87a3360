#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/hierarchy/primitive.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// One primitive as stored: three corner indices (repeated for points, segments and axes), and its number counted
/// through all geometries of the body.
struct PrimitiveRecord {
  static constexpr std::int32_t kEncloses = 1 << 30, kTurned = 1 << 29;

  std::int32_t vertex[3];
  std::int32_t tag;  ///< The number, bit 30 if it is part of a shell, and bit 29 if its normal points to the inside.

  std::int32_t number() const { return tag & ~(kEncloses | kTurned); }
  bool encloses() const { return (tag & kEncloses) != 0; }
  bool turned() const { return (tag & kTurned) != 0; }
};

/// Data common to the primitives of one geometry.
struct PrimitiveSource {
  std::int32_t begin;  ///< Number of its first primitive.
  PrimitiveKind kind;
  bool has_triangles;  ///< Its primitives are numbered triangles of a surface.
  int open_parts;      ///< Parts of the surface that have no inside (geometry/mesh_shells.hpp).
  double radius;       ///< [m]
};

/// A surface that encloses something: a solid, or a hollow in one.
struct SoupShell {
  std::int32_t source;
  bool cavity;
};

/// A connected piece of surface, or a shape: among disjoint surfaces, one of its points tells where all of it is.
struct SurfaceComponent {
  std::int32_t vertex;
  std::int32_t source;
};

/// The points of a cloud or the cells of a map as primitives, made on demand from the shape's few bytes each.
class Grains {
 public:
  Grains() = default;
  /// Both placed by X, a rotation and a shift.
  Grains(CloudPtr cloud, const Pose& X) : cloud_(std::move(cloud)), X_(X) {}
  Grains(CellsPtr cells, const Pose& X) : cells_(std::move(cells)), X_(X) {}

  explicit operator bool() const { return cloud_ != nullptr || cells_ != nullptr; }
  const CloudPtr& cloud() const { return cloud_; }  ///< Null for cells.
  const CellsPtr& cells() const { return cells_; }  ///< Null for clouds.
  const Pose& pose() const { return X_; }
  int count() const;
  Primitive operator[](int i) const;
  /// [m] No point of the primitive is farther from its corners[0].
  double reach(int i) const;
  /// [m] The same for a cloud, whose grains have one radius; 0 for cells, which differ in size.
  double common_radius() const;
  /// Grows with i; see geometry/space_curve.hpp.
  std::uint64_t place_on_curve(int i) const;

 private:
  CloudPtr cloud_;
  CellsPtr cells_;
  Pose X_ = Pose::Identity();
};

/// All geometries of a body in one frame, as indexed primitives; or its grains, if there are too many for that.
struct PrimitiveSoup {
  Grains grains;  ///< If not empty, vertices and primitives are empty, and there is one source.
  std::vector<Eigen::Vector3d> vertices;
  std::vector<PrimitiveRecord> primitives;
  std::vector<PrimitiveSource> sources;
  std::vector<SurfaceComponent> components;
  std::vector<SoupShell> shells;       ///< Those of a source are neighbours.
  std::vector<std::int32_t> shell_of;  ///< By the number of a primitive that encloses; empty where there is one shell.

  int count() const { return grains ? grains.count() : static_cast<int>(primitives.size()); }
  std::int32_t shell(const PrimitiveRecord& r) const { return shell_of.empty() ? 0 : shell_of[r.number()]; }
  const PrimitiveSource& source(const PrimitiveRecord& r) const { return sources[source_index(r)]; }
  int source_index(const PrimitiveRecord& r) const;
};

/// Places every geometry; the rounded coordinates are the model. Throws InputError naming `name`.
PrimitiveSoup make_soup(const std::vector<Geometry>& geometry, const std::string& name);

}  // namespace planner_ccd
#pragma GCC visibility pop
