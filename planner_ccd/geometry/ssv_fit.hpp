#pragma once

#include <Eigen/Core>
#include <vector>

#include "planner_ccd/geometry/ssv.hpp"
#include "planner_ccd/geometry/triangle_distance.hpp"
#include "planner_ccd/math/lanes.hpp"

namespace planner_ccd {

/// Balls to be enclosed. Each coordinate has its own array, so that two balls fill a vector register; the last ball is
/// stored twice, so that pairs need no remainder.
class BallSet {
 public:
  /// Empty, with capacity for `most` balls.
  void clear(std::size_t most, bool has_radii) {
    count_ = 0;
    has_radii_ = has_radii;
    if (x_.size() > most) return;
    for (auto* array : {&x_, &y_, &z_, &radius_}) array->resize(most + 1);
  }
  void add(const Eigen::Vector3d& centre) {
    x_[count_] = centre[0];
    y_[count_] = centre[1];
    z_[count_] = centre[2];
    ++count_;
  }
  void add(const Eigen::Vector3d& centre, double radius) {
    radius_[count_] = radius;
    add(centre);
  }
  /// Call after the last add().
  void complete() {
    for (auto* array : {&x_, &y_, &z_, &radius_}) (*array)[count_] = (*array)[count_ - 1];
  }

  std::size_t count() const { return count_; }
  bool has_radii() const { return has_radii_; }  ///< False: all are points.
  /// Balls i and i + 1, one per lane.
  lanes::Vector3x2 centres(std::size_t i) const { return {two(x_, i), two(y_, i), two(z_, i)}; }
  lanes::Double2 radii(std::size_t i) const { return has_radii_ ? two(radius_, i) : lanes::Double2{}; }
  Eigen::Vector3d centre(std::size_t i) const { return {x_[i], y_[i], z_[i]}; }

 private:
  static lanes::Double2 two(const std::vector<double>& array, std::size_t i) {
    return lanes::Double2{array[i], array[i + 1]};
  }

  std::vector<double> x_, y_, z_, radius_;
  std::size_t count_ = 0;
  bool has_radii_ = false;
};

/// Fits swept-sphere volumes to balls; keeps its scratch memory between calls.
class SsvFitter {
 public:
  /// A fit and its cost: its volume grown by a little, so that flat ones can be compared too.
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

  /// Two balls in the frame of the axes.
  struct Balls {
    lanes::Double2 x, y, z, r;
    lanes::Double2 reach;  ///< How far from the generator, in its plane or along its line, a ball may lie.
  };
  std::vector<Balls> balls_;
  Eigen::Vector3d lo_, hi_;  ///< Bounds of the balls in the frame of the axes.
};

/// The rectangle about a triangle, along its legs where it is right, else along its longest edge, with radius 0 (nominal, like
/// those of SsvFitter).
Ssv fit_triangle(const Triangle& corners);

/// A radius with which the generator of `v` encloses all balls: proved, with the rounding of its own computation added.
double covering_radius(const Ssv& v, const BallSet& balls);

}  // namespace planner_ccd
