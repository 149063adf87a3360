#pragma once

#include <Eigen/Core>
#include <memory>
#include <vector>

#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// A ball in a body's frame. Its numbers are exact as stored.
struct CoverBall {
  Eigen::Vector3f center = Eigen::Vector3f::Zero();
  float radius = 0.0f;
};

/// Balls and points that approximate a moving body. (MATHS.md 7a)
struct BodyCover {
  /// Together they cover the body's surface and, for shapes that are not meshes, every point of the shape.
  std::vector<CoverBall> balls;
  CoverBall around;  ///< One ball that contains the body.
  /// The balls also cover everything that the body encloses: the surface is in their union, so what is enclosed and not in it
  /// lies in a hole of it.
  bool filled = false;
  std::vector<CoverBall> cores;         ///< Balls wholly enclosed by the body.
  std::vector<Eigen::Vector3f> points;  ///< Points of the body, rounded: vertices far from one another.
};

inline constexpr int kCoverBalls = 4;
inline constexpr int kCoverCores = 8;
inline constexpr int kCoverPoints = 16;

BodyCover cover_body(const SsvTree& tree);

/// True if the complement of the union of up to four balls has no bounded part: always of three, of four unless every
/// three of them meet without a point common to all (MATHS.md T15). False for more.
bool leaves_no_hole(const std::vector<CoverBall>& balls);

/// Covers of a robot's links, by link like their trees. Built once per robot.
using LinkCovers = std::vector<std::shared_ptr<const BodyCover>>;
LinkCovers link_covers(const std::vector<std::shared_ptr<const SsvTree>>& trees);

}  // namespace planner_ccd
