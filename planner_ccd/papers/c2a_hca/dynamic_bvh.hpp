#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/papers/c2a_hca/taylor_chain.hpp"

namespace planner_ccd {

/// Dynamic bounding volumes: which pairs can come near each other at all during an edge.        (CATCH; [c2a_hca] 5.3.1)
///
/// Taylor models of the links' poses give, for each moving tree, a box in the world that holds it all along the edge: with X(t) p =
/// R(t) p + o(t), a tree within c +- h (a box in its body's frame) stays within
///
///   range of (R c + o)_i  +-  sum_j h_j max_t |R_ij(t)|   in coordinate i, over all pieces of the edge,        (1)
///
/// enlarged by the greatest margin of its pairs and the rounding pad. A binary tree over these boxes is built for every edge; walked
/// against itself and against a tree over the boxes of what never moves, it lists the pairs whose boxes meet.
class DynamicBvh {
 public:
  explicit DynamicBvh(const SearchProblem& problem);

  /// Indices of the pairs that may come within their margin, ascending. `pieces`: from taylor_pieces().
  const std::vector<int>& candidates(const EdgeMotion& motion, const std::vector<TimeDomain>& pieces, int order,
                                     double position_pad);

 private:
  struct Item {
    const SsvTree* tree;
    int body;
    double margin = 0.0;  ///< [m] Greatest of its pairs.
  };
  struct Node {
    Eigen::AlignedBox3d box;
    int left, right;  ///< right < 0: a leaf, left its item.
  };
  using Tree = std::vector<Node>;  ///< Node 0 is the root; empty without items.

  std::vector<Item> items_;
  std::vector<int> moving_, fixed_;         ///< Items.
  std::vector<Eigen::AlignedBox3d> boxes_;  ///< By item.
  std::unordered_map<const SsvTree*, int> item_of_;
  std::unordered_map<std::uint64_t, int> pair_of_;  ///< By (item of A, item of B).
  Tree fixed_tree_, moving_tree_;
  std::vector<int> found_;
  std::vector<TaylorTransform> poses_;

  int add_item(const SsvTree* tree, int body, double margin);
  void sweep(const EdgeMotion& motion, const std::vector<TimeDomain>& pieces, int order, double pad);
  int build(Tree& tree, std::vector<int>& items, int begin, int end) const;
  void meet(const Tree& a, int i, const Tree& b, int j);
  void hit(int a, int b);
};

}  // namespace planner_ccd
