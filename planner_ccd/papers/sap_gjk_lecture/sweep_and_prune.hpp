#pragma once

#include "planner_ccd/papers/broad_phase/box_index.hpp"

namespace planner_ccd {

/// Incremental sweep and prune: the ends of all boxes are kept sorted along each axis. A moving box goes from its old
/// position to the new one, end by end; every end of a resting box that it passes turns one of six conditions on or
/// off:
///
///   lower_k(resting) <= upper_k(moving)  and  lower_k(moving) <= upper_k(resting)      for each axis k,
///
/// and it meets the boxes for which all six hold. The cost grows with the number of ends passed, so it suits queries
/// that follow each other closely; bench/results.md shows when that beats a tree.
class SweepAndPrune final : public BoxIndex {
 public:
  explicit SweepAndPrune(std::vector<Eigen::AlignedBox3d> boxes);

  void meet(const Eigen::AlignedBox3d& query, std::unique_ptr<Trace>& trace, std::vector<int>& out) const override;

 private:
  struct End {
    double at;
    int box;
  };
  std::uint64_t id_;  ///< Unique in this process: a trace of another index is not gone on from.
  std::array<std::vector<End>, 3> lowers_, uppers_;  ///< By axis, ascending.
};

class SweepAndPruneFactory final : public BoxIndexFactory {
 public:
  std::string_view name() const override { return "sweep_and_prune"; }
  std::unique_ptr<BoxIndex> make(std::vector<Eigen::AlignedBox3d> boxes) const override {
    return std::make_unique<SweepAndPrune>(std::move(boxes));
  }
};

}  // namespace planner_ccd
