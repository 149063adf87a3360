#pragma once

#include <vector>

#include "planner_ccd/first_look/cover_pieces.hpp"

namespace planner_ccd {

/// A ball that a cover should have: a wish, which proves nothing.
struct WantedBall {
  Eigen::Vector3d center;
  double radius;
};

/// Chooses few balls that cover a body and stand out of it as little as possible. Balls within the body, each touching its
/// surface in several places, and points of the surface are candidates. With `excess` added to all of their radii some suffice to cover
/// everything: the least excess is sought with which `count` do.
class CoverCenters {
 public:
  CoverCenters(const SsvTree& tree, const std::vector<CoverPiece>& pieces);

  std::vector<WantedBall> choose(int count) const;
  /// The largest of the balls within the body, none with its centre in another.
  std::vector<WantedBall> inner(int count) const;
  /// About all pieces.
  WantedBall around() const;

 private:
  std::vector<const CoverPiece*> sample_;
  std::vector<WantedBall> candidates_;
  std::size_t inner_ = 0;     ///< So many of them, the first, are within the body.
  std::vector<float> reach_;  ///< By piece of the sample and candidate: what its radius lacks.

  void add_inner_balls(const SsvTree& tree, const std::vector<CoverPiece>& pieces);
  std::vector<WantedBall> settle(std::vector<WantedBall> balls) const;
  /// Empty if more than `count` are needed.
  std::vector<int> cover_with(float excess, int count) const;
};

}  // namespace planner_ccd
