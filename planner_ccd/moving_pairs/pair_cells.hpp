#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/motion/edge_motion.hpp"

namespace planner_ccd {

/// Certified cells of a pair of robot links. (MATHS.md T12)
///
/// The relative pose of two links of one robot depends on the few joints between them. This is a binary subdivision of
/// the box of those joints' values into cells that are proved free and cells that are unknown. It is made once per
/// robot; on an edge only the times in unknown cells are then searched.
///
/// A cell is free when at its centre every node pair of some front of the two trees has a gap that no values of the cell can close, (19), and
/// the links are not inside one another there: links whose surfaces stay apart stay inside or outside one another.
class PairCells {
 public:
  static constexpr int kMaxJoints = 3;
  /// Most halvings of a cell: each of three axes down to 2^-16 of the box.
  static constexpr int kMaxDepth = 48;
  static constexpr std::size_t kMaxNodes = std::size_t{1} << 24;

  /// The range of one of the moves between the two links.
  struct Axis {
    int move;
    double lower, upper;  ///< [rad] or [m]
    bool periodic;        ///< A full turn: values outside are shifted into it.
  };
  using Intervals = std::vector<std::pair<double, double>>;  ///< Parts of [0, 1], in order.

  /// No cells: everything is unknown.
  PairCells() = default;
  /// Restores cells from axes() and nodes() of the same pair. `axes` must be those of the current robot. Throws
  /// InputError for nodes that do not form a tree.
  PairCells(std::vector<Axis> axes, std::vector<std::uint32_t> nodes);

  /// The moves between the two bodies of a chain and the ranges of their values; empty if there are more than
  /// kMaxJoints or one is unbounded.
  static std::vector<Axis> find_axes(const SearchProblem& problem, const PairChain& chain);
  /// Subdivides until everything is proved or `max_evaluations` node pairs have been evaluated. Pairs with more than
  /// kMaxJoints moves between them, or with a move without bounds, get no cells.
  static PairCells build(const SearchProblem& problem, int pair, std::int64_t max_evaluations);

  bool empty() const { return nodes_.empty(); }
  /// Proved apart for all joint values within the limits.
  bool always_free() const { return nodes_.size() == 1 && nodes_[0] == kFree; }
  /// Share of the box of joint values that is proved free.
  double free_share() const;
  std::size_t memory() const { return nodes_.capacity() * sizeof(nodes_[0]); }
  const std::vector<Axis>& axes() const { return axes_; }
  /// As stored: a leaf is kUnknown, kFree or kTouching; any other node is 4 times the index of its first child (the
  /// second follows) plus the axis. Each node halves its parent's box; children follow their parents.
  const std::vector<std::uint32_t>& nodes() const { return nodes_; }

  /// The parts of [0, 1] in which the motion, or something in its tube, is in unknown cells or outside the box, in order of time.
  /// A straight line and its tube are cut exactly where they cross from cell to cell; parts of a curve are tested by boxes of
  /// their joint values.
  /// `out` must be empty. `touching`, if given, receives those of the parts in whose cells' centres the links meet:
  /// good places for a probe, not a proof. For curves it stays empty.
  void unknown(const EdgeMotion& motion, Intervals& out, Intervals* touching = nullptr) const;

 private:
  friend class PairCellsBuilder;

  static constexpr std::uint32_t kUnknown = 0, kFree = 1, kTouching = 2;
  static constexpr std::uint32_t kFirstInner = 4;

  /// Values within `error` of from + rate t, by axis; in units of the box's widths after enter().
  struct Course {
    double from, rate, error;
  };
  using Line = std::array<Course, kMaxJoints>;
  using Box = std::array<std::pair<double, double>, kMaxJoints>;
  struct Parts;

  std::vector<Axis> axes_;
  std::vector<std::uint32_t> nodes_;

  double scale(int axis) const;
  void follow(Line line, double t0, double t1, Parts& out) const;
  void enter(Line line, int axis, double t0, double t1, Parts& out) const;

  /// The state of a box of joint values according to the cells.
  enum class Cover : std::uint8_t { Free, Unknown, Mixed };
  Cover cover(const Box& box, std::uint32_t node, Box cell) const;
  Cover cover_turned(Box box) const;
  void unknown_curve(const EdgeMotion& motion, double t0, double t1, Intervals& out) const;
};

}  // namespace planner_ccd
