#pragma once

#include <cstdint>
#include <vector>

#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// A node of a forest: of one of its trees, or (tree == kTop) of the small tree above them.
struct ForestNode {
  static constexpr std::int32_t kTop = -1;

  std::int32_t tree;
  std::int32_t node;

  bool operator==(const ForestNode&) const = default;
};

/// Several SSV trees that share one frame, under a tree of boxes over all of them: the static broad phase. The trees
/// stay the caller's and must outlive the forest.
class SsvForest {
 public:
  explicit SsvForest(std::vector<const SsvTree*> trees);

  bool empty() const { return trees_.empty(); }
  int tree_count() const { return static_cast<int>(trees_.size()); }
  const SsvTree& tree(int i) const { return *trees_[i]; }

  /// Must not be asked of an empty forest.
  ForestNode root() const { return top_.empty() ? ForestNode{0, 0} : ForestNode{ForestNode::kTop, 0}; }
  bool is_leaf(ForestNode n) const { return n.tree != ForestNode::kTop && trees_[n.tree]->is_leaf(n.node); }
  ForestNode left(ForestNode n) const {
    return n.tree == ForestNode::kTop ? top_[n.node].left : ForestNode{n.tree, trees_[n.tree]->left(n.node)};
  }
  ForestNode right(ForestNode n) const {
    return n.tree == ForestNode::kTop ? top_[n.node].right : ForestNode{n.tree, trees_[n.tree]->right(n.node)};
  }
  Ssv volume(ForestNode n) const {
    return n.tree == ForestNode::kTop ? top_[n.node].volume : trees_[n.tree]->volume(n.node);
  }
  double size(ForestNode n) const {
    return n.tree == ForestNode::kTop ? top_[n.node].size : trees_[n.tree]->size(n.node);
  }

 private:
  struct TopNode {
    ForestNode left, right;
    Ssv volume;
    double size;
  };
  std::vector<const SsvTree*> trees_;
  std::vector<TopNode> top_;

  ForestNode build(std::vector<int>& order, int begin, int end);
};

}  // namespace planner_ccd
