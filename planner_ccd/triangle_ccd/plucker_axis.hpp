#pragma once

#include <Eigen/Core>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"
#include "planner_ccd/triangle_ccd/plucker.hpp"

namespace planner_ccd {

/// The motion of a body relative to another when a single joint moves between them: about or along a fixed axis.
struct AxisMotion {
  using Kind = plucker::Kind;

  Kind kind = Kind::Rotation;
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< [m] A point of the axis; a translation ignores it.
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< Any length but 0: the motion is about axis / |axis|.
  double from = 0.0;                                 ///< [rad] or [m] At t = 0, relative to where A is given.
  double to = 0.0;                                   ///< The same at t = 1; any sign, any number of turns.
};

/// First contact of triangle A, which moves by `motion`, with triangle B, which is fixed. t runs linearly from
/// `motion.from` to `motion.to`; everything else is as in leaf_ccd.hpp. No chord, no linearisation.
///
/// How (van Waveren, with a proof):
///  - At the start the triangles are more than m = min_separation apart, by triangle_distance. The distance is continuous,
///    so if it ever falls to m, then at the first such time a vertex and a face, or two edges, are m apart; the vertex is
///    within m of the plane of the face, or the edges' lines are within m of each other:
///        |n . (x - p)| <= m |n|    or    |side(p, q)| <= m |d_p x d_q| <= m |d_p| |d_q|.                     (1)
///    Both left sides are (2) or (3) of plucker.hpp; the spans of r = tan(s/2) in which (1) can hold are found from
///    quadratics, with every rounding error in the level. Outside them there is nothing to prove.
///  - Inside, a plane of normal n separates the two features wherever h - n . x_i(r) > m |n| for every moving corner: again
///    roots of (2) or (3). n comes from the closest points at one r of the span and proves the part of the span around it.
///    For m = 0 the span of a transversal crossing is some 1e-14 wide, and one n proves it or it is a contact.
///  - More than a turn is one turn; a turn is cut into pieces of less than pi.
/// Coplanar rotation, an axis through a corner or along an edge, zero-length edges and zero angles make (1) hold on a
/// whole piece, and are decided by the second step alone.
///
/// Contact is reported where the second step comes to a halt: where the distance is m to some 1e-13 of the size of the
/// scene, and never above m + tolerance.
LeafResult axis_triangle_ccd(const Triangle& a, const Triangle& b, const AxisMotion& motion,
                             const LeafOptions& options);

}  // namespace planner_ccd
