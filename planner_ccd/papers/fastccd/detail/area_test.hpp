#pragma once

#include "planner_ccd/triangle_ccd/detail/patch.hpp"

namespace planner_ccd::leaf {

/// fastCCD's inclusion tests of the origin in the patch and in a border; cubic.hpp has the equations. False is a proof:
/// no time within `half_width` of t has a point of the patch (of the border) within `separation` of the origin.
bool area_test(const MovingPatch& patch, double t, double half_width, double separation);

/// Border k runs from corner k to corner k + 1; |q_k| + |q_k+1| = |e| when the origin is on it.
bool length_test(const MovingPatch& patch, int k, double t, double half_width, double separation);

}  // namespace planner_ccd::leaf
