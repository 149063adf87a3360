#pragma once

#include <Eigen/Core>

namespace planner_ccd {

/// The eigenvectors of a symmetric matrix by falling eigenvalue, as columns: orthonormal to rounding and right-handed
/// whatever the matrix; the identity where all directions are alike or nothing is finite. Only the lower triangle is read.
Eigen::Matrix3d principal_axes(const Eigen::Matrix3d& symmetric);

}  // namespace planner_ccd
