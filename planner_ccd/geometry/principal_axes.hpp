#pragma once

#include <Eigen/Core>

namespace planner_ccd {

/// The eigenvectors of a symmetric matrix by decreasing eigenvalue, as columns: orthonormal to rounding and
/// right-handed for any matrix; the identity if all eigenvalues are equal or the matrix is not finite. Eigenvalues that
/// differ by less than 1e-7 of the largest may count as equal. Only the lower triangle is read.
Eigen::Matrix3d principal_axes(const Eigen::Matrix3d& symmetric);

}  // namespace planner_ccd
