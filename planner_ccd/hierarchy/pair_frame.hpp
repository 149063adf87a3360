#pragma once

#include <Eigen/Geometry>

#include "planner_ccd/hierarchy/rigidity.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Two bodies with their poses, and how far these are from rigid motions.
struct PosedPair {
  const SsvTree& a;
  const Eigen::Isometry3d& X_WA;
  const SsvTree& b;
  const Eigen::Isometry3d& X_WB;
  detail::Rotations rotations{X_WA, X_WB};
  lanes::Double2 squared_defects = rotations.squared_defects();
  bool proper = rotations.are_proper();
};

/// Error bound of a query of A and B from rounding and from the poses themselves.
///
/// For points p of A and q of B the true separation is W = R_A p + t_A - R_B q - t_B. Computed is, in the frame of B,
/// fl(R p + t) - q with R = fl(R_B^T R_A), t = fl(R_B^T (t_A - t_B)). Let S = |t_A - t_B| + reach_A + reach_B, where
/// reach bounds |p| (|q|) over a body. Then, with u = 2^-53,
///   entries of R err by 3u sum|..| <= 3u * 1.01, rows of R p by 3u |p| sqrt(3) and 3u more for the product, the sums
///   by 2u S, t by (1 + 3 sqrt(3)) u |t_A - t_B|: each coordinate by less than 20u S, the vector by less than 35u S;
///   R_B^T W differs in length from W, and the identity from R_B^T R_B, by defect_B S; a ball of A grows by defect_A S,
/// defect being ||R^T R - I|| (Frobenius) of the poses as given. So every distance computed in the frame of B is within
///
///   pad = (128u + 2 defect_A + 2 defect_B) S                                                                  (1)
///
/// of the true one. (128u: corners of a volume may lie twice as far out as its contents, and S and the
/// defects are rounded themselves.)
///
/// Throws InputError, naming the body, for a pose that is not finite, mirrors, or is not orthonormal to 1e-6.
double pose_pad(const PosedPair& p);

/// True only if the roots' volumes are proved more than `margin` apart, along the line through their middles or one
/// between near points, and the poses are rigid to rounding. A first test for bodies that may be far apart, cheaper
/// than a PairFrame and a batch of nodes.
bool roots_apart(const PosedPair& p, double margin);

/// The frame of a query: B at rest, A moved by X_BA.
struct PairFrame {
  Eigen::Matrix3d R_BA;
  Eigen::Vector3d p_BA;
  double pad;  ///< [m] (1)

  explicit PairFrame(const PosedPair& p);
  PairFrame(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b, const Eigen::Isometry3d& X_WB)
      : PairFrame(PosedPair{a, X_WA, b, X_WB}) {}

  Eigen::Vector3d place(const Eigen::Vector3d& p) const { return R_BA * p + p_BA; }
  Triangle place(const Triangle& c) const { return {place(c[0]), place(c[1]), place(c[2])}; }
  /// A volume of A in the frame of B. The pad covers its rounding; the radius is unchanged.
  Ssv place(const Ssv& v) const {
    Ssv r;
    r.origin = place(v.origin);
    r.edge0 = R_BA * v.edge0;
    r.edge1 = R_BA * v.edge1;
    r.radius = v.radius;
    r.type = v.type;
    return r;
  }
};

}  // namespace planner_ccd
