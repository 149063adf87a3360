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
  int chain;      ///< Index of the body pair in SearchProblem::chains.
  double margin;  ///< [m] >= 0
};

/// Pairs in addition to those of a problem, for a search to include.
class MorePairs {
 public:
  /// `pair`: its number minus the count of the problem's pairs.
  virtual SearchPair beyond(int pair) const = 0;

 protected:
  ~MorePairs() = default;
};

/// A moving tree and the resting trees it must keep clear of: all but a few.
struct RestingRow {
  const SsvTree* tree;
  int chain;
  double margin;                                ///< [m] For all but `margins`.
  std::vector<std::pair<int, double>> margins;  ///< Exceptions, ascending.
  std::vector<int> excluded;                    ///< Resting trees that are not checked; ascending.
};

/// The pairs of a problem by number. Pairs with resting trees come first, moving tree by moving tree, and are not
/// stored one by one: memory grows with the number of moving trees, resting trees and exceptions.
class SearchPairs {
 public:
  /// The resting trees; call before adding the first row.
  void rest(std::vector<TreeRef> trees) { resting_ = std::move(trees); }
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
  std::vector<RestingRow> rows_;
  std::vector<std::size_t> begin_{0};  ///< By row: its first pair; at the end, the end of the last row.
  std::vector<SearchPair> moving_;

  [[gnu::visibility("default")]] SearchPair resting(std::size_t pair) const;  // the papers call it, through operator[]
};

}  // namespace planner_ccd
