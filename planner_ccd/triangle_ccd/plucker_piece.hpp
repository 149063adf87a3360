#pragma once

#include <Eigen/Core>
#include <array>

#include "planner_ccd/triangle_ccd/closest_features.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"
#include "planner_ccd/triangle_ccd/plucker.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd::plucker {

/// The separation to prove, and the error bound of positions.
struct PieceLimits {
  double separation = 0.0;  ///< m
  double tolerance = 0.0;
  double size = 0.0;  ///< L: bounds |x| of every corner, in coordinates with the origin on the axis, and the travel.
  double rounding = 0.0;  ///< Bounds the error of a computed position, fixed or moving.
};

enum class PairType { VertexFace, FaceVertex, EdgeEdge };

/// One of the 6 + 9 pairs of features: corner `a` of A, or its edge from corner a to a + 1; the same for B.
struct FeaturePair {
  PairType type;
  int a;
  int b;
};

struct PieceContact {
  double r = 0.0;
  ClosestFeatures closest;  ///< Weights of all three corners on either side.
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  double distance = 0.0;  ///< Rounded up.
};

struct PieceAdvance {
  Verdict verdict = Verdict::Free;
  double proved = 0.0;  ///< Free on the span below this r.
  PieceContact contact;
};

/// One piece of the motion, |r| <= 1.
class Piece {
 public:
  /// Corners relative to a point of the axis; A as it is at r = 0.
  Piece(Kind kind, const Eigen::Vector3d& k, double travel, const Triangle& a, const Triangle& b,
        const PieceLimits& limits, const Span& domain);

  const Span& domain() const { return domain_; }
  Triangle moved(double r) const;

  /// Superset of the r at which the pair's plane or lines are within the separation, by (15).
  Spans suspects(const FeaturePair& pair) const;

  /// Walks the span from the left until it is proved free, or a contact is met. `budget` counts evaluations down.
  PieceAdvance advance(const FeaturePair& pair, const Span& span, int& budget) const;

  /// The open span around r in which the plane of normal n (A to B) keeps the whole triangles apart; infinite ends
  /// stand for those of the domain. Empty (lo == hi) when it does not separate them even at r.
  Span free_around(const Eigen::Vector3d& n, double r) const;

 private:
  /// Corner indices; unused ones repeat the first.
  struct Corners {
    std::array<int, 3> a;
    std::array<int, 3> b;
  };
  static Corners corners_of(const FeaturePair& pair);

  Span free_around(const Corners& corners, const Eigen::Vector3d& n, double r) const;
  ClosestFeatures closest(const FeaturePair& pair, double r) const;
  /// Normal of the face, or common normal of the edges; of any length and sign.
  Eigen::Vector3d normal_at(const FeaturePair& pair, double r) const;
  PieceContact contact_at(const FeaturePair& pair, double r, const ClosestFeatures& closest, double distance) const;

  Kind kind_;
  Eigen::Vector3d k_;
  double travel_;
  Triangle a_;
  Triangle b_;
  std::array<MovingVertex, 3> moving_;
  std::array<Line, 3> edges_a_;
  std::array<Line, 3> edges_b_;
  Eigen::Vector3d normal_a_;
  Eigen::Vector3d normal_b_;
  PieceLimits limits_;
  Span domain_;
};

}  // namespace planner_ccd::plucker
#pragma GCC visibility pop
