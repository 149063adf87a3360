#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/static_cases.hpp"
#include "bench/support/table.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd::bench {

/// One method's row of a case and query.
struct Measurement {
  std::string method;
  double median_ns;
  std::size_t bytes;
  int differs = 0;  ///< Poses where the verdict differs (collide) or the distance is outside our bounds.
  int wrong = 0;    ///< Those of them where exact arithmetic proves us wrong.
};

/// Ours first; adds the speed-up over the best of the others.
void add_rows(Table& table, const std::string& name, const char* query, const std::vector<Measurement>& all);

SsvTree tree_of(const MeshPtr& mesh);

/// Collide and distance of two meshes in all poses, beside FCL with all its volumes, or with only its usually best one.
void bench_pair(Table& table, const StaticCase& c, bool quick, bool few_peers = false);

/// Building, and both queries close to contact, for torus knots of 1k to 1M triangles.
void bench_growth(Table& table, const Arguments& arguments);

/// The distance of two swept-sphere volumes, for all pairs of types.
void bench_volumes(Table& table, const Arguments& arguments);

}  // namespace planner_ccd::bench
