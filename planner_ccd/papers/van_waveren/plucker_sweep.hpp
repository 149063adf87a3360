#pragma once

#include <Eigen/Core>
#include <vector>

#include "planner_ccd/papers/van_waveren/plucker_polyhedron.hpp"
#include "planner_ccd/triangle_ccd/plucker_axis.hpp"
#include "planner_ccd/triangle_ccd/plucker_piece.hpp"

namespace planner_ccd::plucker {

/// Continuous collision of whole polyhedra after van Waveren (2005): one moves, by a translation or a rotation about an
/// axis, the other is fixed; vertices against polygons, polygons against vertices, edges against edges.
///
/// A vertex that reaches a polygon's plane hits it when its direction of motion passes all edges on the inner side; edges
/// hit when each passes the other's ends on different sides. During a translation that is one sign per vertex and edge,
/// shared by all polygons at the edge and all edges at the vertex: they are computed once and kept as bits, and a vertex
/// that goes exactly through an edge hits exactly one of its two polygons. During a rotation the features are compared where
/// they enter the zone and where they would touch.
///
/// As in the paper this rests on the expel zone (plucker_expel.hpp): it is made for bodies that start outside each other,
/// and stops them before they touch; the paths it lets through are free as long as rounding stays below `expel`. It gives
/// no proof, takes no separation and knows only the outside of a surface. `axis_triangle_ccd` is the guaranteed one.
struct SweepOptions {
  double expel = 1e-6;          ///< [m] > 0. Thickness of the zone; choose >= 1e-12 of the size of the scene.
  bool cull_back_faces = true;  ///< Skip polygons that the motion cannot approach from outside.
  bool cull_internal = true;    ///< Skip internal edges and vertices, which need closed surfaces.
};

struct SweepContact {
  PairType type = PairType::VertexFace;
  int a = -1;                                        ///< Vertex, face or edge of the moving polyhedron.
  int b = -1;                                        ///< Face, vertex or edge of the fixed one.
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< [m]
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< Unit, from the moving to the fixed polyhedron.
};

struct SweepResult {
  bool hit = false;
  double t = 1.0;        ///< The part of the motion that can be made, in [0, 1].
  SweepContact contact;  ///< Meaningful for a hit.
  long long pairs = 0;   ///< Pairs of features whose plane or line equations were evaluated.
  long long sides_computed = 0;
  long long sides_recalled = 0;  ///< Answered by the stored bits.
};

SweepResult sweep(const Polyhedron& moving, const Polyhedron& fixed, const AxisMotion& motion,
                  const SweepOptions& options);

/// One entry of a contact list.
struct ListedContact {
  SweepContact contact;
  double separation = 0.0;  ///< [m] Along the normal; negative when they overlap.
};

/// All vertex-face and edge-edge contacts within `distance`: features of one polyhedron that reach the other when moved
/// along its polygon normals, or its edges' outward normals, by at most that. Vertices near vertices or edges are
/// contacts of a face that lies straight behind them, if there is one.
std::vector<ListedContact> contacts_within(const Polyhedron& a, const Polyhedron& b, double distance);

}  // namespace planner_ccd::plucker
