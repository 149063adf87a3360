#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "planner_ccd/geometry/ssv.hpp"
#include "planner_ccd/geometry/triangle_distance.hpp"

namespace planner_ccd {

/// Balls to be enclosed. `radii` is empty when all are points.
struct BallSet {
  std::span<const Eigen::Vector3d> centres;
  std::span<const double> radii;

  double radius(std::size_t i) const { return radii.empty() ? 0.0 : radii[i]; }
};

/// Fits swept-sphere volumes to balls; keeps its scratch memory between calls.
class SsvFitter {
 public:
  /// A fit and what it was chosen by: its volume grown by a little, so that flat ones compare as well.
  struct Result {
    Ssv volume;
    double size;
  };

  /// The best point, line or rectangle along the columns of `axes` (orthonormal, longest extent first, thinnest last),
  /// by volume. Its radius is nominal: containment up to rounding. Use covering_radius() for a proof.
  Result fit(const BallSet& balls, const Eigen::Matrix3d& axes);

 private:
  Ssv fit_point(const Eigen::Vector3d& mid) const;
  Ssv fit_line(const Eigen::Vector3d& mid);
  Ssv fit_rectangle(const Eigen::Vector3d& mid);
  void extend_corners(double (&box)[4]) const;

  struct Ball {
    double x, y, z, r;  ///< In the frame of the axes.
    double reach;       ///< How far from the generator, in its plane or along its line, the ball may lie.
  };
  std::vector<Ball> balls_;
  Eigen::Vector3d lo_, hi_;  ///< Bounds of the balls in the frame of the axes.
};

/// The rectangle about a triangle, along its legs where it is right, else along its longest edge, with radius 0 (nominal, like
/// those of SsvFitter).
Ssv fit_triangle(const Triangle& corners);

/// A radius with which the generator of `v` encloses all balls: proved, with the rounding of its own computation added.
double covering_radius(const Ssv& v, const BallSet& balls);

}  // namespace planner_ccd
