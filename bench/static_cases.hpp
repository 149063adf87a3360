#pragma once

#include <Eigen/Geometry>
#include <functional>
#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"

namespace planner_ccd::bench {

/// Two meshes in a number of relative poses of one kind.
struct StaticCase {
  std::string name;  ///< "knot_4k/near"
  MeshPtr a, b;
  std::vector<Eigen::Isometry3d> poses;  ///< X_BA
};

/// Pairs of meshes, each with random orientations at four distances, as shares of A's size: far (1/2), near (1/100),
/// close (1e-4) and touching (pushed in by 1/1000 from first contact). Only pairs whose name is wanted.
std::vector<StaticCase> static_cases(int poses, const std::function<bool(const std::string&)>& wanted);

/// The four cases of one pair.
std::vector<StaticCase> posed_cases(const std::string& name, const MeshPtr& a, const MeshPtr& b, int poses);

/// A torus knot of about this many triangles.
MeshPtr knot_of(int triangles);

}  // namespace planner_ccd::bench
