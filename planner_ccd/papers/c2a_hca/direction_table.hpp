#pragma once

#include <Eigen/Core>
#include <vector>

#include "planner_ccd/papers/c2a_hca/taylor_transform.hpp"

namespace planner_ccd {

/// Directions up to sign, in cells of equal steps of the angles of Eq. 13 of [c2a_hca],
///
///   n = (sin phi cos theta, sin phi sin theta, cos phi),   0 <= phi <= pi / 2.                        (1)
///
/// A direction of a cell is within `radius` of the cell's centre: half a step along the meridian, then half a step
/// along a circle of latitude, whose length is at most half a step times the greatest sin phi of the cell.
class DirectionGrid {
 public:
  /// `theta_cells` around, `phi_cells` from the pole to the equator; both > 0.
  DirectionGrid(int theta_cells, int phi_cells);

  int size() const { return theta_cells_ * phi_cells_; }
  /// The cell of n or -n, whichever is in the upper half.
  int cell(const Eigen::Vector3d& n) const;
  Eigen::Vector3d center(int cell) const;
  double radius(int cell) const { return radius_[cell / theta_cells_]; }  ///< [rad] Rounded up.

 private:
  int theta_cells_, phi_cells_;
  double theta_step_, phi_step_;
  std::vector<double> radius_;  // by phi
};

/// Upper bounds of |n x a(t)| over a time range, looked up by the direction n; a(t) is a unit vector known as Taylor
/// models, one per piece of the range. Computing the bound for one n from the models costs a range per piece; the table
/// does that once a cell, when the cell is first asked for. ([c2a_hca] 5.2)
///
/// With |c . a(t)| >= m for the cell's centre c, the angle between c and a or -a is at most acos m, that of a direction
/// in the cell at most acos m + rho, rho its radius, so
///
///   |n x a(t)| <= sin(acos m + rho) = sqrt(1 - m^2) cos rho + m sin rho,   or 1 if m <= sin rho.             (2)
///
/// The bounds hold for the time range of the models given to reset(), and for no other.
class DirectionTable {
 public:
  explicit DirectionTable(const DirectionGrid* grid) : grid_(grid) {}

  /// Forgets all values. `axis`: one model per piece.
  void reset(std::vector<TaylorVector> axis);
  double sine(int cell) {
    double& value = value_[cell];
    if (value < 0.0) value = compute(cell);
    return value;
  }

 private:
  const DirectionGrid* grid_;
  std::vector<TaylorVector> axis_;
  std::vector<double> value_;  // negative: not computed yet

  double compute(int cell) const;
};

}  // namespace planner_ccd
