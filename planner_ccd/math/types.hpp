#pragma once

#include <Eigen/Geometry>

namespace planner_ccd {

/// Eigen's types at the border of the library.
///
/// Eigen aligns Isometry3d, and allocates VectorXd, as the compiler's options allow: a program compiled with -march=native or
/// with the address sanitizer lays them out and frees them in another way than a library compiled without. These types are the
/// same under all options, so programs may be compiled as they like. They convert to and from Eigen's own by assignment.

/// One number per coordinate of a robot: a configuration, a velocity, ...
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::DontAlign>;
/// For parameters: takes JointVector, Eigen::VectorXd and columns of matrices as they are, without a copy.
using JointVectorRef = Eigen::Ref<const Eigen::VectorXd>;
using Pose = Eigen::Transform<double, 3, Eigen::Isometry, Eigen::DontAlign>;

static_assert(
    sizeof(JointVector) == sizeof(double*) + 8 && sizeof(Pose) == 128 && alignof(Pose) == alignof(double) &&
        sizeof(Eigen::Vector3d) == 24 && alignof(Eigen::Vector3d) == alignof(double) && sizeof(Eigen::Index) == 8,
    "planner_ccd: Eigen's types are not those the library was compiled with. Take EIGEN_DEFAULT_DENSE_INDEX_TYPE, "
    "EIGEN_MATRIX_PLUGIN and the like out of the options of files that include planner_ccd");

}  // namespace planner_ccd
