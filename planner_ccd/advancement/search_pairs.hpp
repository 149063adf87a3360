#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "planner_ccd/hierarchy/deferred_tree.hpp"

namespace planner_ccd {

/// Two trees that must keep clear of each other: one carried by body A, one fixed in the frame of body B (body 0, the
/// world, for obstacles).
struct SearchPair {
  const SsvTree* tree_a;
  TreeRef tree_b;
  int chain;      ///< Index of the body pair in SearchProblem::chains.
  double margin;  ///< [m] >= 0
};

/// Pairs beyond those of a problem, which a search is asked about as well.
class MorePairs {
 public:
  /// By how many numbers it is beyond the problem's last.
  virtual SearchPair beyond(int pair) const = 0;

 protected:
  ~MorePairs() = default;
};

/// A moving tree and what it must keep clear of among all that rests: everything but a few.
struct RestingRow {
  const SsvTree* tree;
  int chain;
  double margin;                                ///< [m] Of all but
  std::vector<std::pair<int, double>> margins;  ///< these; ascending.
  std::vector<int> excluded;                    ///< What rests and is not checked; ascending.
};

/// The pairs of a problem by their numbers. Those with what rests come first, moving tree by moving tree, and are not listed:
/// their memory is that of what moves, what rests, and the exceptions.
class SearchPairs {
 public:
  /// What rests; before the first row.
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
  /// Row, and which of what rests, of a pair below resting_pairs().
  std::pair<int, int> place(std::size_t pair) const;
  /// The pair of both; -1 for one that is not checked.
  int find(int row, int resting) const;

 private:
  std::vector<TreeRef> resting_;
  std::vector<RestingRow> rows_;
  std::vector<std::size_t> begin_{0};  ///< By row: its first pair; and where the last one ends.
  std::vector<SearchPair> moving_;

  [[gnu::visibility("default")]] SearchPair resting(std::size_t pair) const;  // the papers call it, through operator[]
};

}  // namespace planner_ccd
