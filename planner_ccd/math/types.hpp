#pragma once

#include <Eigen/Geometry>

namespace planner_ccd {

/// Eigen types in the public interface.
///
/// Eigen aligns Isometry3d and allocates VectorXd as the compiler's options demand: a program compiled with
/// -march=native or the address sanitizer lays them out and frees them differently from a library compiled without. The
/// types below are the same under all options. They convert to and from Eigen's own by assignment.

/// One number per coordinate of a robot: a configuration, a velocity, ...
using JointVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::DontAlign>;
/// Parameter type: takes JointVector, Eigen::VectorXd and matrix columns without a copy.
using JointVectorRef = Eigen::Ref<const Eigen::VectorXd>;
using Pose = Eigen::Transform<double, 3, Eigen::Isometry, Eigen::DontAlign>;

static_assert(
    sizeof(JointVector) == sizeof(double*) + 8 && sizeof(Pose) == 128 && alignof(Pose) == alignof(double) &&
        sizeof(Eigen::Vector3d) == 24 && alignof(Eigen::Vector3d) == alignof(double) && sizeof(Eigen::Index) == 8,
    "planner_ccd: Eigen's types are not those the library was compiled with. Take EIGEN_DEFAULT_DENSE_INDEX_TYPE, "
    "EIGEN_MATRIX_PLUGIN and the like out of the options of files that include planner_ccd");

}  // namespace planner_ccd
