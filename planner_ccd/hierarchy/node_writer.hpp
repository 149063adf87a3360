#pragma once

#include "planner_ccd/geometry/ssv_fit.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Stores volumes in the nodes of a tree that is being built.
class NodeWriter {
 public:
  /// The generator is rounded to single precision first, and the radius computed for the stored generator, so that the
  /// node encloses all balls, each grown by `more` [m].
  static void write(SsvTree& tree, int node, const Ssv& volume, const BallSet& balls, double more);
};

}  // namespace planner_ccd
