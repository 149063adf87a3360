#pragma once

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "planner_ccd/hierarchy/node_batch.hpp"
#include "planner_ccd/hierarchy/pair_frame.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// Two nodes and a certified lower bound of their distance [m].
struct NodePair {
  int a, b;
  float gap;
};

/// Traverses the pairs of nodes of two trees, nearer ones first. Every static query is this loop with its own
/// callables.
///
///   level() -> double     pairs at least this far apart are of no interest (a hint to the search for gaps);
///   skip(pair) -> bool    asked when a pair is met and again before it is opened; true leaves it and all below it;
///   leaf(pair) -> bool    handles two leaves that were not skipped; false ends the traversal.
///
/// Begin::BelowRoots opens the roots without measuring them, for callers that have done so.
///
/// run() finishes one branch before the next. run_nearest_first() continues, after each leaf, at the nearest pair met
/// so far: few opened pairs are then farther than the least distance turns out to be. Its `skip` must reject all pairs
/// that are farther than one it rejects. Pairs wait in a heap of limited size, else on the stack.
///
/// A pair is opened into four: the children of both, or two levels of the much larger one. At most three wait on the stack
/// for each step down, and a step goes down at least one level in one tree.
class PairTraversal {
 public:
  enum class Begin { AtRoots, BelowRoots };
  static constexpr std::size_t kMostWaiting = 1 << 16;

  PairTraversal(const SsvTree& a, const SsvTree& b, const PairFrame& frame) : a_(a), b_(b), batch_(a, b, frame) {}
  /// As NodeBatch: A placed by p -> R_BA p + p_BA in the frame of B, true positions within `pad` [m] of that.
  PairTraversal(const SsvTree& a, const SsvTree& b, const Eigen::Matrix3d& R_BA, const Eigen::Vector3d& p_BA,
                double pad)
      : a_(a), b_(b), batch_(a, b, R_BA, p_BA, pad) {}

  template <typename Level, typename Skip, typename Leaf>
  void run(Level&& level, Skip&& skip, Leaf&& leaf, Begin begin = Begin::AtRoots) {
    if (begin == Begin::BelowRoots && !(a_.is_leaf(0) && b_.is_leaf(0))) {
      open({0, 0, -std::numeric_limits<float>::infinity()});
    } else {
      add(0, 0);
    }
    push(level, skip);
    while (top_ > 0) {
      const NodePair pair = stack_[--top_];
      if (skip(pair)) continue;
      if (a_.is_leaf(pair.a) && b_.is_leaf(pair.b)) {
        if (!leaf(pair)) return;
        continue;
      }
      open(pair);
      push(level, skip);
    }
  }

  template <typename Level, typename Skip, typename Leaf>
  void run_nearest_first(Level&& level, Skip&& skip, Leaf&& leaf, std::size_t most_waiting = kMostWaiting) {
    std::vector<NodePair> waiting;  // A heap, the nearest in front.
    waiting.reserve(std::min<std::size_t>(most_waiting, 256));
    add(0, 0);
    push(level, skip);
    while (top_ > 0 || !waiting.empty()) {
      if (top_ == 0) {
        std::pop_heap(waiting.begin(), waiting.end(), farther);
        stack_[top_++] = waiting.back();
        waiting.pop_back();
        if (skip(stack_[0])) return;
      }
      const NodePair pair = stack_[--top_];
      if (skip(pair)) continue;
      if (a_.is_leaf(pair.a) && b_.is_leaf(pair.b)) {
        if (!leaf(pair)) return;
        continue;
      }
      const int bottom = top_;
      open(pair);
      push(level, skip);
      while (top_ > bottom + 1 && waiting.size() < most_waiting) {
        waiting.push_back(stack_[top_ - 2]);
        std::push_heap(waiting.begin(), waiting.end(), farther);
        stack_[top_ - 2] = stack_[top_ - 1];
        --top_;
      }
    }
  }

 private:
  static constexpr int kLanes = NodeBatch::kLanes;
  static constexpr double kMuchLarger = 2.0;

  /// The order of the heap; total, so that it is the same with any standard library.
  static bool farther(const NodePair& x, const NodePair& y) {
    if (x.gap != y.gap) return x.gap > y.gap;
    return x.a != y.a ? x.a > y.a : x.b > y.b;
  }

  void add(int node_a, int node_b) {
    lane_a_[lanes_] = node_a;
    lane_b_[lanes_] = node_b;
    ++lanes_;
  }

  void open(const NodePair& pair) {
    lanes_ = 0;
    const bool a_ends = a_.is_leaf(pair.a), b_ends = b_.is_leaf(pair.b);
    const double size_a = a_.size(pair.a), size_b = b_.size(pair.b);
    if (b_ends || (!a_ends && size_a > kMuchLarger * size_b)) {
      open_two_levels(a_, pair.a, [&](int node) { add(node, pair.b); });
    } else if (a_ends || size_b > kMuchLarger * size_a) {
      open_two_levels(b_, pair.b, [&](int node) { add(pair.a, node); });
    } else {
      for (const int a : {a_.left(pair.a), a_.right(pair.a)}) {
        for (const int b : {b_.left(pair.b), b_.right(pair.b)}) add(a, b);
      }
    }
  }

  template <typename Take>
  static void open_two_levels(const SsvTree& tree, int node, Take&& take) {
    for (const int child : {tree.left(node), tree.right(node)}) {
      if (tree.is_leaf(child)) {
        take(child);
      } else {
        take(tree.left(child));
        take(tree.right(child));
      }
    }
  }

  /// Evaluates the lanes and pushes those not skipped, the nearest on top.
  template <typename Level, typename Skip>
  void push(Level&& level, Skip&& skip) {
    for (int i = lanes_; i < kLanes; ++i) {
      lane_a_[i] = lane_a_[0];
      lane_b_[i] = lane_b_[0];
    }
    const NodeBatch::Gaps gaps = batch_.gaps(lane_a_, lane_b_, static_cast<float>(level()));
    const int bottom = top_;
    for (int i = 0; i < lanes_; ++i) {
      const NodePair pair{lane_a_[i], lane_b_[i], gaps.gap[i]};
      if (skip(pair)) continue;
      int at = top_++;
      for (; at > bottom && stack_[at - 1].gap < pair.gap; --at) stack_[at] = stack_[at - 1];
      stack_[at] = pair;
    }
  }

  const SsvTree &a_, &b_;
  const NodeBatch batch_;
  int lanes_ = 0;
  int lane_a_[kLanes], lane_b_[kLanes];
  int top_ = 0;
  NodePair stack_[3 * 2 * SsvTree::kMaxDepth + kLanes];
};

}  // namespace planner_ccd
