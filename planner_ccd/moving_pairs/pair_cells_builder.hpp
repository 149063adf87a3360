#pragma once

#include <deque>
#include <vector>

#include "planner_ccd/advancement/posed_nodes.hpp"
#include "planner_ccd/motion/lever_form.hpp"
#include "planner_ccd/motion/pair_motion.hpp"
#include "planner_ccd/moving_pairs/pair_cells.hpp"

namespace planner_ccd {

/// Makes PairCells: cells wait in a queue, the largest first come first; each carries the node pairs that its ancestors
/// could not prove, so that nothing is proved twice.
class PairCellsBuilder {
 public:
  PairCellsBuilder(const SearchProblem& problem, int pair);

  PairCells build(std::int64_t max_evaluations);

 private:
  struct OpenPair {
    int a, b;
    bool primitives;
  };
  struct Cell {
    int node;
    std::array<double, PairCells::kMaxJoints> centre, half;
    std::vector<OpenPair> pending;
  };
  const SearchProblem& problem_;
  const SearchPair& pair_;
  const PairChain& chain_;
  EdgeMotion motion_;
  PairMotion bounds_;
  PairState state_;
  LeverForm levers_;
  Kinematics kinematics_;
  std::vector<Polynomial> values_;
  std::vector<MoveFrame> frames_;  ///< Of the chain's moves at the cell's centre, in B's frame.
  PairCells cells_;
  std::int64_t evaluations_ = 0;
  RoundingPads pads_{};

  bool find_axes();
  void place(const Cell& cell);
  bool proved(const OpenPair& nodes, const Cell& cell);
  bool certified(const PosedGap& posed, const Cell& cell) const;
  bool prove(Cell& cell);
  bool nested() const;
  int widest_axis(const Cell& cell) const;
};

}  // namespace planner_ccd
