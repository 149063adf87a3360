#pragma once

#include <memory>
#include <string>
#include <vector>

#include "triangle_ccd/leaf_draws.hpp"
#include "triangle_ccd/leaf_truth.hpp"

namespace planner_ccd::test {

/// Counts over many queries of one family.
struct Tally {
  long queries = 0, hits = 0, by_rationals = 0;
  long contacts = 0, missed = 0, false_alarms = 0, beyond = 0, late = 0, undecided = 0;
  double worst_iterations = 0;
};

/// All kernels.
std::vector<std::shared_ptr<const LeafKernel>> kernels();

/// Adds one query of known truth to the tally. Prints the four points when the kernel is wrong.
void tally_query(const LeafKernel& kernel, const FourPoints& p, bool edges, const Truth& truth,
                 const LeafOptions& options, Tally& tally);

}  // namespace planner_ccd::test
