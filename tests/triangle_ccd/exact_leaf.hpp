#pragma once

#include <optional>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::test {

/// The exact answer for linear motions over [0, 1], closed in time, faces and edges, whatever the degeneracy.
///
/// All in rational arithmetic. With q_k the corners of the set of differences b - a (3 for a vertex and a face, 4 in cyclic
/// order for two edges), polynomials in t:
///   - det(t) = (u x v) . q_0 is not 0: contacts are among its roots, isolated by Sturm sequences. At a root, signs of the
///     polynomials that place the origin in the plane decide; a sign at an algebraic number is found by a gcd (is it a
///     common root?) and else by bisection. Where the normal vanishes too, the origin must lie on a border.
///   - det is 0 for all t: the origin is inside at t = 0 or enters over a border: common roots of the three coordinates of
///     q_k x q_k+1 with q_k . q_k+1 <= 0. If that is 0 for all t too: at t = 0 or at a root of q_k . q_k+1.
struct ExactContact {
  double time;      ///< The earliest time, to 2^-60.
  bool degenerate;  ///< det vanished identically, or with the normal at the root.
};

std::optional<ExactContact> exact_contact(const VertexFaceMotion& motion);
std::optional<ExactContact> exact_contact(const EdgeEdgeMotion& motion);

}  // namespace planner_ccd::test
