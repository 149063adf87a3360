#pragma once

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::leaf {

/// The fifteen tests of two triangles: six of a vertex and a face at once, then nine of two edges, up to the earliest contact
/// of the six. An overlap at t = 0 is not among them.
LeafResult feature_tests(const LeafKernel& kernel, const TriangleMotion& a, const TriangleMotion& b,
                         const LeafOptions& options);

}  // namespace planner_ccd::leaf
