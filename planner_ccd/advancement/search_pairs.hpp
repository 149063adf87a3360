#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "planner_ccd/hierarchy/deferred_tree.hpp"

namespace planner_ccd {

/// Two trees to keep apart: one carried by body A, one fixed in the frame of body B (body 0, the world, for obstacles).
struct SearchPair {
  const SsvTree* tree_a;
  TreeRef tree_b;
  int chain;  ///< Index of the body pair in SearchProblem::chains.
  double
      margin;  ///< [m] >= 0. To be kept: what is required, plus what errors of the poses of objects may take from it.
  double required = 0.0;         ///< [m] >= 0
  int link_a = -1, link_b = -1;  ///< The links that carry the trees; -1: none.
};

/// Pairs in addition to those of a problem, for a search to include.
class MorePairs {
 public:
  /// `pair`: its number minus the count of the problem's pairs.
  virtual SearchPair beyond(int pair) const = 0;

 protected:
  ~MorePairs() = default;
};

/// [m] The margin to be kept, rounded up: what is required, and the displacements of both bodies.
[[gnu::visibility("default")]] double kept_margin(double required, double displaced_a, double displaced_b);

/// A moving tree and the resting trees it must keep clear of: all but a few.
struct [[gnu::visibility("default")]] RestingRow {
  const SsvTree* tree;
  int chain;
  double margin;                                ///< [m] Required for all but `margins`.
  std::vector<std::pair<int, double>> margins;  ///< Exceptions, ascending.
  std::vector<int> excluded;                    ///< Resting trees that are not checked; ascending.
  int link = -1;                                ///< That carries the tree.
  double displaced = 0.0;  ///< [m] By which points of the tree may be off their places in the link.

  /// [m] The greatest margin required.
  double greatest_margin() const;
};

/// A resting tree: the link that carries it, -1 for an obstacle, and by how much its points may be off their places.
struct Resting {
  int link = -1;
  double displaced = 0.0;  ///< [m]
};

/// The pairs of a problem by number. Pairs with resting trees come first, moving tree by moving tree, and are not
/// stored one by one: memory grows with the number of moving trees, resting trees and exceptions.
class [[gnu::visibility("default")]] SearchPairs {  // papers and validation call it
 public:
  /// The resting trees; call before adding the first row.
  void rest(std::vector<TreeRef> trees, std::vector<Resting> of_trees = {}) {
    resting_ = std::move(trees);
    of_resting_ = std::move(of_trees);
    of_resting_.resize(resting_.size());
  }
  const std::vector<Resting>& of_resting() const { return of_resting_; }
  const std::vector<TreeRef>& resting_trees() const { return resting_; }
  /// Throws InputError when there are more pairs than numbers.
  void add(RestingRow row);
  void add(const SearchPair& pair) { moving_.push_back(pair); }

  std::size_t size() const { return resting_pairs() + moving_.size(); }
  bool empty() const { return size() == 0; }
  SearchPair operator[](std::size_t pair) const {
    return pair < resting_pairs() ? resting(pair) : moving_[pair - resting_pairs()];
  }

  std::size_t resting_pairs() const { return begin_.back(); }
  const std::vector<RestingRow>& rows() const { return rows_; }
  /// Row, and index of the resting tree, of a pair below resting_pairs().
  std::pair<int, int> place(std::size_t pair) const;
  /// The number of their pair; -1 if it is not checked.
  int find(int row, int resting) const;

 private:
  std::vector<TreeRef> resting_;
  std::vector<Resting> of_resting_;
  std::vector<RestingRow> rows_;
  std::vector<std::size_t> begin_{0};  ///< By row: its first pair; at the end, the end of the last row.
  std::vector<SearchPair> moving_;

  SearchPair resting(std::size_t pair) const;
};

}  // namespace planner_ccd
