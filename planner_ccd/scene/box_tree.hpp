#pragma once

#include <Eigen/Geometry>
#include <vector>

namespace planner_ccd {

/// A static binary tree over boxes, for "which of these boxes does that box meet?". Immutable.
class BoxTree {
 public:
  explicit BoxTree(std::vector<Eigen::AlignedBox3d> boxes);

  int count() const { return static_cast<int>(boxes_.size()); }
  const Eigen::AlignedBox3d& box(int i) const { return boxes_[i]; }

  /// Appends the indices of all boxes that share a point with `query`.
  void meet(const Eigen::AlignedBox3d& query, std::vector<int>& out) const;

 private:
  struct Node {
    Eigen::AlignedBox3d box;
    int skip;   ///< Where to go on when the query misses this node: nodes are in depth-first order.
    int index;  ///< Of the box at a leaf, -1 inside.
  };
  std::vector<Eigen::AlignedBox3d> boxes_;
  std::vector<Node> nodes_;

  void build(std::vector<int>& order, int begin, int end);
};

}  // namespace planner_ccd
