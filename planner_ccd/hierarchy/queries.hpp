#pragma once

#include <Eigen/Geometry>
#include <cstdint>

#include "planner_ccd/hierarchy/traversal.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Queries of two bodies at rest, each with its pose. All take bodies A and B and poses X_WA, X_WB and account for
/// rounding: a bound errs on the safe side, and cases within rounding count as touching. All throw InputError, naming
/// the body, for a pose that is not finite, mirrors, or is not orthonormal to 1e-6.

/// A pair of primitives, by their numbers in the trees; {-1, -1} for none.
struct PrimitivePair {
  int a = -1, b = -1;
  bool valid() const { return a >= 0 && b >= 0; }
};

struct CollideOptions {
  double margin = 0.0;       ///< [m] >= 0. Nearer than this counts as collision.
  bool containment = true;   ///< A body inside a closed mesh collides with it.
  PrimitivePair start = {};  ///< Tried first: the witness of an earlier query.
};

struct CollideResult {
  bool collide;                  ///< False is proved: farther apart than `margin`.
  bool contained;                ///< One encloses (a part of) the other, with the surfaces apart.
  PrimitivePair witness;         ///< Primitives that touch; none when contained or apart.
  std::int64_t evaluations = 0;  ///< The cost: pairs of nodes and of primitives looked at.
};

CollideResult collide(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b, const Eigen::Isometry3d& X_WB,
                      const CollideOptions& options = {});

struct DistanceOptions {
  double absolute_error = 0.0;  ///< [m] >= 0. upper - lower allowed in the result, beyond rounding;
  double relative_error = 0.0;  ///< >= 0, < 1. the same as a share of upper. Either suffices.
  bool containment = true;      ///< The distance of a body inside a closed mesh is 0.
  PrimitivePair start = {};     ///< Tried first: the witness of an earlier query.
};

struct DistanceResult {
  double lower;             ///< [m] Certified: never above the true distance.
  double upper;             ///< [m] Certified: never below it.
  bool contained;           ///< One encloses (a part of) the other; lower = upper = 0.
  PrimitivePair witness;    ///< Primitives that attain `upper`; none when contained.
  Eigen::Vector3d point_a;  ///< Witness points in the world (to rounding).
  Eigen::Vector3d point_b;
  std::int64_t evaluations = 0;  ///< The cost: pairs of nodes and of primitives looked at.
};

DistanceResult distance(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b,
                        const Eigen::Isometry3d& X_WB, const DistanceOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
