#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// A ball in a body's frame. Its numbers are meant exactly as they stand.
struct CoverBall {
  Eigen::Vector3f center = Eigen::Vector3f::Zero();
  float radius = 0.0f;
};

/// A moving body in a few numbers (MATHS.md 7a).
struct BodyCover {
  /// Every point of the body's surface is in one of them, and of shapes that are not meshes every point.
  std::vector<CoverBall> balls;
  CoverBall around;  ///< One ball that holds the body.
  /// What the body encloses is in the balls, too. The surface is in their union U, so what is enclosed and not in U lies in
  /// bounded parts of the complement of U. Three balls leave none. Four leave one only if all of them meet by threes without
  /// a point common to all (Alexander duality, nerve theorem).
  bool filled = false;
  std::vector<CoverBall> cores;         ///< Within what the body encloses, each all of it.
  std::vector<Eigen::Vector3f> points;  ///< Of the body, rounded: vertices far from one another.
};

inline constexpr int kCoverBalls = 4;
inline constexpr int kCoverCores = 8;
inline constexpr int kCoverPoints = 16;

BodyCover cover_body(const SsvTree& tree);

/// Of a robot's links, by link as their trees are. Built once per robot.
using LinkCovers = std::vector<std::shared_ptr<const BodyCover>>;
LinkCovers link_covers(const std::vector<std::shared_ptr<const SsvTree>>& trees);

}  // namespace planner_ccd
