#pragma once

#include <array>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {

/// Cubic kernel: fastCCD (Huh, Lee, Gornowicz, Henderson 2014), padded for rounding and extended by a minimum separation.
///
/// Corners that touch are coplanar, so contact times are roots of a cubic (their (5); detail/coplanarity.hpp): its local
/// extrema cut [0, 1] into monotone pieces, a change of sign starts Householder's iteration, and the root is enclosed in an
/// interval of half width E. Touching corners also satisfy the area condition: with q_k the corners of the patch b - a and
/// the origin inside it, the areas of the triangles (0, q_k, q_k+1) sum to that of the patch (F-P 2^). At a time within E
/// of the exact root each area is off by at most
///
///   E(x,y,z) = E C1 C2 + E^2 C2^2 / 2                                              Lemma 4.1, their (6)            (6)
///
/// and a root whose areas differ by more than the sum of these is no contact.
///
/// Differences from the paper.
///  - Rounding, which it leaves out: the cubic's band (detail/coplanarity.hpp), and 64 u C1^2 per area.
///  - Minimum separation d: the band grows by d max|N|, and an origin that moves by d changes twice the area over a side e
///    by at most d |e|.
///  - The edge-edge condition as printed (two areas equal two areas) also holds for the sides of a rectangle. The sum of all
///    four against |u x v| is sufficient as well as necessary.
///  - The area condition accepts anything when the patch is smaller than E C2. So what it accepts is confirmed by
///    detail/advance.hpp, which either shows a witness within the tolerance or proves the interval apart.
///
/// Dimensional reduction (their 4.2). When all four coefficients are within the band, corners are coplanar for all t, and
/// the origin can only enter the patch over a border (9), (10): a quadratic q_k x q_k+1 = 0 per border and the length
/// condition |q_k| + |q_k+1| = |e|. When that vanishes too, over a corner: linear. Plus contact at t = 0. "Vanish" is up to
/// rounding, so the plane is only known within h, the border within h':
///   h  = 2 band / min|N|, or max|N| / min L for a patch that is always as thin as that (L its longest side)         (7)
///   h' = 2 band' / min|e|, or max|e| for a border that is always as short as that                                   (8)
/// Before the origin is inside, some border was within h of it, or the patch was at t = 0; before it is on a border up to
/// h, some corner was within h + h', or the border was at t = 0. So the reduced questions are asked with separations h and
/// h + h', when the start is proved farther than half the tolerance away. Should that not be so, or h or h' exceed a quarter
/// of the tolerance, the interval is not reduced but advanced through.
class CubicKernel final : public LeafKernel {
 public:
  std::string_view name() const override { return "cubic"; }
  LeafResult decide(const VertexFaceMotion& motion, const LeafOptions& options) const override;
  LeafResult decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const override;
  std::vector<LeafHit> decide_all(std::span<const VertexFaceMotion> motions, const LeafOptions& options) const override;
  std::vector<LeafHit> decide_all(std::span<const EdgeEdgeMotion> motions, const LeafOptions& options) const override;
  bool takes_parts() const override { return true; }
};

/// The roots of the cubic that pass the area test, as the paper counts them (its Table 1: odd and even counts). Not a
/// verdict: nothing is confirmed, and permanently coplanar corners have no count.
struct CubicContacts {
  int count = 0;
  std::array<double, 3> time{};  ///< Ascending.
};

/// `time_tolerance` is the paper's E_tol.
CubicContacts cubic_vertex_face_contacts(const VertexFaceMotion& motion, double time_tolerance);

}  // namespace planner_ccd
