#pragma once

#include "planner_ccd/papers/broad_phase/box_index.hpp"

namespace planner_ccd {

/// A static binary tree over boxes, for "which of these boxes does that box meet?". Immutable.
class BoxTree final : public BoxIndex {
 public:
  explicit BoxTree(std::vector<Eigen::AlignedBox3d> boxes);

  void meet(const Eigen::AlignedBox3d& query, std::unique_ptr<Trace>& trace, std::vector<int>& out) const override;

 private:
  struct Node {
    Eigen::AlignedBox3d box;
    int skip;   ///< The next node when the query misses this one: nodes are in depth-first order.
    int index;  ///< Of the box at a leaf, -1 at an inner node.
  };
  std::vector<Node> nodes_;

  void build(std::vector<int>& order, int begin, int end);
};

}  // namespace planner_ccd
