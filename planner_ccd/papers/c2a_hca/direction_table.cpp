#include "planner_ccd/papers/c2a_hca/direction_table.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// [rad] Covers the rounding of atan2, acos, of the cell's index and of its centre: a few ulp of angles below 4.
constexpr double kAngleSlack = 256.0 * kUnitRoundoff;

}  // namespace

DirectionGrid::DirectionGrid(int theta_cells, int phi_cells)
    : theta_cells_(theta_cells),
      phi_cells_(phi_cells),
      theta_step_(2.0 * std::numbers::pi / theta_cells),
      phi_step_(0.5 * std::numbers::pi / phi_cells) {
  for (int i = 0; i < phi_cells; ++i) {
    const double widest = std::sin(std::min(0.5 * std::numbers::pi, (i + 1) * phi_step_));
    radius_.push_back(inflate(0.5 * phi_step_ + 0.5 * theta_step_ * widest + kAngleSlack));
  }
}

int DirectionGrid::cell(const Eigen::Vector3d& n) const {
  const Eigen::Vector3d up = n.z() < 0.0 ? Eigen::Vector3d(-n) : n;
  const double phi = std::acos(std::min(1.0, up.z()));
  const double theta = std::atan2(up.y(), up.x()) + std::numbers::pi;
  const int i = std::clamp(static_cast<int>(phi / phi_step_), 0, phi_cells_ - 1);
  const int j = std::clamp(static_cast<int>(theta / theta_step_), 0, theta_cells_ - 1);
  return i * theta_cells_ + j;
}

Eigen::Vector3d DirectionGrid::center(int cell) const {
  const double phi = (cell / theta_cells_ + 0.5) * phi_step_;
  const double theta = (cell % theta_cells_ + 0.5) * theta_step_ - std::numbers::pi;
  return {std::sin(phi) * std::cos(theta), std::sin(phi) * std::sin(theta), std::cos(phi)};
}

void DirectionTable::reset(std::vector<TaylorVector> axis) {
  axis_ = std::move(axis);
  value_.assign(grid_->size(), -1.0);
}

double DirectionTable::compute(int cell) const {
  const Eigen::Vector3d center = grid_->center(cell);
  double least = 1.0;  // m of (2)
  for (const TaylorVector& axis : axis_) {
    const Interval along = dot(center, axis).range();
    least = std::min(least, along.is_finite() ? along.mig() : 0.0);
  }
  // The centre and the axis are unit vectors up to a few u; the slack of the radius covers what that does to m.
  const double rho = grid_->radius(cell);
  if (!(least > std::sin(rho) * (1.0 + 256.0 * kUnitRoundoff))) return 1.0;
  const double across = std::sqrt(std::max(0.0, 1.0 - least * least));
  return std::min(1.0, inflate(across * std::cos(rho) + least * std::sin(rho)) + 256.0 * kUnitRoundoff);
}

}  // namespace planner_ccd
