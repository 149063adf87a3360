#pragma once

#include "planner_ccd/python/content.hpp"

namespace planner_ccd::python {

/// What check_edges returns: arrays for the whole batch, and the results one by one.
struct Batch {
  std::vector<EdgeResult> edges;
  int dof = 0;
};

template <class A>
void describe(A& a, Of<A, Batch>& v) {
  a(v.edges, v.dof);
}

}  // namespace planner_ccd::python
