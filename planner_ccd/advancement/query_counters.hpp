#pragma once

#include <cstdint>

namespace planner_ccd {

/// Cost of a query, for benchmarks. Deterministic.
struct QueryCounters {
  std::int64_t node_evaluations = 0;       ///< Pairs of SSV nodes.
  std::int64_t primitive_evaluations = 0;  ///< Pairs of triangles, cylinders, ...
  std::int64_t exact_leaves = 0;           ///< Calls of exact triangle CCD.
  std::int64_t self_evaluations = 0;       ///< Evaluations between two moving bodies.
  std::int64_t kinematics = 0;             ///< Distinct times at which poses were requested.

  std::int64_t evaluations() const { return node_evaluations + primitive_evaluations; }

  QueryCounters& operator+=(const QueryCounters& more) {
    node_evaluations += more.node_evaluations;
    primitive_evaluations += more.primitive_evaluations;
    exact_leaves += more.exact_leaves;
    self_evaluations += more.self_evaluations;
    kinematics += more.kinematics;
    return *this;
  }
};

}  // namespace planner_ccd
