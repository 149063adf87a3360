#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/motion/edge_motion.hpp"

namespace planner_ccd {

/// Certified cells of a pair of robot links.                                                     (MATHS.md 6)
///
/// How two links of one robot stand to each other depends on the few joints between them. This is a binary subdivision of
/// the box of those joints' values into cells that are proved free and cells about which nothing is known. It is made once
/// per robot; an edge then asks only about the times at which it is in unknown cells.
///
/// A cell with centre q and half widths d_k is free when every node pair of some front of the two trees is: with n, gap and
/// corners c_j of the node pair at q and J_k = dp/dq_k,
///
///   gap_j - sum_k d_k |n.J_k(c_j)| - 1/2 B_2(c_j)  >  margin,                                       (1)
///
/// and the links are not inside one another at q. B_2 is taken for rates d_k. Why it is safe: any q' of the cell is reached from q in unit time along a straight line with
/// rates at most d_k; (1) is eq. (2) of the Taylor step at s = 1 with the sign of every rate taken at its worst.
/// Links whose surfaces keep apart stay inside or outside one another.
class PairCells {
 public:
  static constexpr int kMaxJoints = 3;

  /// Values of one of the moves between the two links.
  struct Axis {
    int move;
    double lower, upper;  ///< [rad] or [m]
    bool periodic;        ///< A full turn: values outside are shifted inside.
  };

  /// No cells at all: everything is unknown.
  PairCells() = default;

  /// Subdivides until everything is proved or `max_evaluations` node pairs have been evaluated. Pairs with more than
  /// kMaxJoints moves between them, or with a move without bounds, get no cells.
  static PairCells build(const SearchProblem& problem, int pair, std::int64_t max_evaluations);

  bool empty() const { return nodes_.empty(); }
  /// Proved apart for all joint values within the limits.
  bool always_free() const { return nodes_.size() == 1 && nodes_[0].free; }
  /// Share of the box of joint values that is proved free.
  double free_share() const;
  std::size_t memory() const { return nodes_.capacity() * sizeof(Node); }
  const std::vector<Axis>& axes() const { return axes_; }

  /// The parts of [0, 1] on which the motion is in unknown cells or outside the box, in order of time. A straight line is
  /// cut exactly where it crosses from cell to cell; of a curve, parts are tried, each in a box of joint values. `out` must be empty.
  void unknown(const EdgeMotion& motion, std::vector<std::pair<double, double>>& out) const;

 private:
  friend class PairCellsBuilder;

  struct Node {
    std::int32_t child = -1;  ///< Of two; -1: a leaf.
    std::int16_t axis = 0;
    bool free = false;
    double split = 0.0;
  };
  using Line = std::array<std::pair<double, double>, kMaxJoints>;  ///< value = first + second t, by axis

  std::vector<Axis> axes_;
  std::vector<Node> nodes_;

  void follow(const Line& line, int node, double t0, double t1, std::vector<std::pair<double, double>>& out) const;
  /// What the cells say of a box of joint values.
  enum class Cover : std::uint8_t { Free, Unknown, Mixed };
  using Box = std::array<std::pair<double, double>, kMaxJoints>;

  Cover cover(const Box& box, int node) const;
  Cover cover_turned(Box box) const;
  void unknown_curve(const EdgeMotion& motion, double t0, double t1, std::vector<std::pair<double, double>>& out) const;
  void enter(Line line, int axis, double t0, double t1, std::vector<std::pair<double, double>>& out) const;
};

}  // namespace planner_ccd
