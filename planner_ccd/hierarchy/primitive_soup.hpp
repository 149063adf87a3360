#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/hierarchy/primitive.hpp"

namespace planner_ccd {

/// One primitive as stored: three corner indices (repeated for points, segments and axes), and its number counted
/// through all geometries of the body.
struct PrimitiveRecord {
  std::int32_t vertex[3];
  std::int32_t source;
};

/// What the primitives of one geometry have in common.
struct PrimitiveSource {
  std::int32_t begin;  ///< Source number of its first primitive.
  PrimitiveKind kind;
  bool has_triangles;  ///< Its primitives are numbered triangles of a surface.
  double radius;       ///< [m]
};

/// All geometries of a body in one frame, as indexed primitives.
struct PrimitiveSoup {
  std::vector<Eigen::Vector3d> vertices;
  std::vector<PrimitiveRecord> primitives;
  std::vector<PrimitiveSource> sources;

  const PrimitiveSource& source(const PrimitiveRecord& r) const { return sources[source_index(r)]; }
  int source_index(const PrimitiveRecord& r) const;
};

/// Places every geometry; the rounded coordinates are the model. Throws InputError naming `name`.
PrimitiveSoup make_soup(const std::vector<Geometry>& geometry, const std::string& name);

}  // namespace planner_ccd
