#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "planner_ccd/advancement/posed_nodes.hpp"
#include "planner_ccd/motion/lever_form.hpp"
#include "planner_ccd/motion/pair_motion.hpp"
#include "planner_ccd/moving_pairs/pair_cells.hpp"

namespace planner_ccd {

/// Builds PairCells. Cells wait in a heap, the largest first; where the links meet at the centres of a cell and of its
/// ancestors, little will be proved, so the cell waits longer. Each carries the node pairs that its ancestors could not
/// prove, so that nothing is proved twice, and is halved along the axis that hindered the proof.
class PairCellsBuilder {
 public:
  PairCellsBuilder(const SearchProblem& problem, int pair);

  PairCells build(std::int64_t max_evaluations);

 private:
  struct OpenPair {
    int a, b;
    bool primitives;
    float gap;  ///< [m] The gap that was too small.
  };
  struct Cell {
    std::uint32_t node;
    int depth;
    int touching;  ///< How many successive ancestors have links that meet at the centre.
    std::array<double, PairCells::kMaxJoints> low, width;  ///< In units of the box's widths: halves of halves, exact.
    std::vector<OpenPair> pending;

    int rank() const { return -depth - 2 * touching; }  ///< log_2 of the volume, reduced for touching cells.
    bool operator<(const Cell& other) const {
      return rank() != other.rank() ? rank() < other.rank() : node > other.node;
    }
  };
  const SearchProblem& problem_;
  const SearchPair pair_;
  const PairChain& chain_;
  EdgeMotion motion_;
  PairMotion bounds_;
  PairState state_;
  LeverForm levers_;
  Kinematics kinematics_;
  std::vector<Polynomial> values_;
  std::vector<MoveFrame> frames_;  ///< Of the chain's moves at the cell's centre, in B's frame.
  std::vector<PairCells::Axis> axes_;
  std::vector<std::uint32_t> nodes_;
  std::array<double, PairCells::kMaxJoints> half_{};   ///< [rad] or [m] Of the last cell placed.
  std::array<double, PairCells::kMaxJoints> blame_{};  ///< [m] Each axis's share in the gap that was too small.
  float gap_ = 0.0f;                                   ///< [m] Of the last node pair evaluated.
  bool touching_ = false;                              ///< The links meet at the centre of the cell.
  std::int64_t evaluations_ = 0;
  std::int64_t per_cell_ = 0;  ///< Most evaluations in one cell.
  RoundingPads pads_{};

  void place(const Cell& cell);
  bool proved(const OpenPair& nodes);
  bool certified(const PosedGap& posed);
  bool prove(Cell& cell);
  bool nested() const;
  double lever(int axis) const;
  int axis_to_halve() const;
  void halve(Cell cell, std::vector<Cell>& waiting);
  std::vector<std::uint32_t> packed();
};

}  // namespace planner_ccd
