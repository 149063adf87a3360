#pragma once

#include <Eigen/Core>
#include <string>
#include <vector>

#include "planner_ccd/geometry/triangle_mesh.hpp"

namespace planner_ccd {

/// Triangles connected through shared edges.
struct MeshComponent {
  int triangles = 0;
  int vertex = 0;        ///< One of its vertices: with disjoint surfaces, it stands for the whole component.
  bool closed = true;    ///< Every edge belongs to an even number of triangles: the component encloses a volume.
  bool oriented = true;  ///< Every edge is used as often in one direction as in the other.
};

/// What was found in a mesh, for the person who has to repair it.
struct MeshReport {
  int vertices = 0;           ///< As given.
  int distinct_vertices = 0;  ///< After exact duplicates were welded.
  int unused_vertices = 0;    ///< Distinct ones that no triangle refers to.
  int triangles = 0;
  int zero_area = 0;  ///< Triangles that are segments or points to rounding. They are kept as such.
  int components = 0;
  int closed_components = 0;
  int open_edges = 0;   ///< Edges with an odd number of triangles.
  double area = 0.0;    ///< [m^2]
  double volume = 0.0;  ///< [m^3] Enclosed by the closed components; negative when they are turned inside out.

  bool closed() const { return closed_components == components; }
  std::string text() const;  ///< One line.
};

/// A mesh whose exact duplicate vertices are one vertex, with its connected components.
struct PreparedMesh {
  TriangleMesh mesh;           ///< Triangles in the order given.
  std::vector<int> component;  ///< Of every triangle.
  std::vector<MeshComponent> components;
};

/// Throws InputError, naming `name`, for a mesh that validate() rejects.
PreparedMesh prepare(const TriangleMesh& mesh, const std::string& name);

MeshReport report(const TriangleMesh& given, const PreparedMesh& prepared);

}  // namespace planner_ccd
