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

/// [m] How far a distance computed in a PairFrame may be from the true one, from rounding and from poses that are rigid only to rounding:
/// (39) of MATHS.md 10e. Throws InputError, naming the body, for a pose that is not finite, mirrors, or is not orthonormal to 1e-6.
double pose_pad(const PosedPair& p);

/// True only if the roots' volumes are proved more than `margin` apart, along the line through their middles or one
/// between near points, and the poses are rigid to rounding. A first test for bodies that may be far apart, cheaper
/// than a PairFrame and a batch of nodes.
bool roots_apart(const PosedPair& p, double margin);

/// The frame of a query: B at rest, A moved by X_BA.
struct PairFrame {
  Eigen::Matrix3d R_BA;
  Eigen::Vector3d p_BA;
  double pad;  ///< [m] pose_pad()

  [[gnu::visibility("default")]] explicit PairFrame(const PosedPair& p);
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
