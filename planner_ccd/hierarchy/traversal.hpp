#pragma once

#include <utility>

#include "planner_ccd/hierarchy/pair_frame.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Two nodes and what is proved of them: gap.gap holds for the true poses, gap.normal is in the frame of B.
struct NodePair {
  int a, b;
  SeparatingGap gap;
};

/// The pairs of nodes of two trees, nearer ones first. Every static query is this loop with its own two callables.
///
///   skip(pair) -> bool   asked once for each pair before it is opened; true leaves it and everything below.
///   leaf(pair) -> bool   handles two leaves that were not skipped; false ends the traversal.
///
/// A pair is opened at its larger node. The nearer child pair is visited first, the other waits on the stack: at most
/// one waits for each step down, so the stack is bounded by the depth of both trees.
class PairTraversal {
 public:
  PairTraversal(const SsvTree& a, const SsvTree& b, const PairFrame& frame) : a_(a), b_(b), frame_(frame) {}

  template <typename Skip, typename Leaf>
  void run(Skip&& skip, Leaf&& leaf) {
    push(0, 0, frame_.place(a_.volume(0)), b_.volume(0));
    while (top_ > 0) {
      const NodePair pair = stack_[--top_];
      if (skip(pair)) continue;
      const bool a_ends = a_.is_leaf(pair.a), b_ends = b_.is_leaf(pair.b);
      if (a_ends && b_ends) {
        if (!leaf(pair)) return;
        continue;
      }
      if (b_ends || (!a_ends && a_.size(pair.a) >= b_.size(pair.b))) {
        const Ssv vb = b_.volume(pair.b);
        push(a_.left(pair.a), pair.b, frame_.place(a_.volume(a_.left(pair.a))), vb);
        push(a_.right(pair.a), pair.b, frame_.place(a_.volume(a_.right(pair.a))), vb);
      } else {
        const Ssv va = frame_.place(a_.volume(pair.a));
        push(pair.a, b_.left(pair.b), va, b_.volume(b_.left(pair.b)));
        push(pair.a, b_.right(pair.b), va, b_.volume(b_.right(pair.b)));
      }
      if (stack_[top_ - 1].gap.gap > stack_[top_ - 2].gap.gap) std::swap(stack_[top_ - 1], stack_[top_ - 2]);
    }
  }

 private:
  void push(int node_a, int node_b, const Ssv& va, const Ssv& vb) {
    NodePair& pair = stack_[top_++];
    pair = {node_a, node_b, ssv_gap(va, vb)};
    pair.gap.gap -= frame_.pad;
  }

  const SsvTree &a_, &b_;
  const PairFrame& frame_;
  int top_ = 0;
  NodePair stack_[2 * SsvTree::kMaxDepth + 2];
};

}  // namespace planner_ccd
