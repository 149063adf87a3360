#include "planner_ccd/moving_pairs/pair_cells_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// [rad or m] Cells are proved this much wider on every side than they are: far beyond the rounding of joint values and of
/// the times at which a motion crosses from cell to cell (values up to 1e3, 1e-13 each).
constexpr double kOverlap = 1e-9;

/// Values beyond this get no cells.
constexpr double kFarthest = 1e3;

/// Node pairs evaluated in one cell before it is split; the rest is left to its halves. The larger the budget, the
/// finer the cells, and the larger the front that proves one. Measured, see bench/journal.md.
std::int64_t evaluations_per_cell(std::int64_t max_evaluations) {
  return std::clamp<std::int64_t>(std::llround(0.24 * std::sqrt(static_cast<double>(max_evaluations))), 24, 512);
}

}  // namespace

PairCells PairCells::build(const SearchProblem& problem, int pair, std::int64_t max_evaluations) {
  return PairCellsBuilder(problem, pair).build(max_evaluations);
}

PairCellsBuilder::PairCellsBuilder(const SearchProblem& problem, int pair)
    : problem_(problem),
      pair_(problem.pairs[pair]),
      chain_(problem.chains[pair_.chain]),
      motion_(*problem.moves.robot),
      values_(problem.moves.moves.size()) {
  kinematics_.resize(problem.moves);
}

std::vector<PairCells::Axis> PairCells::find_axes(const SearchProblem& problem, const PairChain& chain) {
  const RobotModel& robot = *problem.moves.robot;
  if (chain.steps.empty() || chain.steps.size() > kMaxJoints) return {};
  std::vector<Axis> axes;
  for (const PairChain::Step& step : chain.steps) {
    const Joint& joint = robot.joints()[robot.bodies()[problem.moves.body_of_move[step.move]].joint];
    if (joint.type == JointType::Planar || joint.type == JointType::Floating) return {};
    double lower = joint.offset, upper = joint.offset;
    if (joint.q_index >= 0) {
      const Coordinate& c = robot.coordinates()[joint.q_index];
      lower += joint.multiplier * (joint.multiplier < 0.0 ? c.upper : c.lower);
      upper += joint.multiplier * (joint.multiplier < 0.0 ? c.lower : c.upper);
    }
    const bool rotation = problem.moves.moves[step.move].kind == MoveKind::Rotation;
    const bool periodic = rotation && !(upper - lower < 2.0 * std::numbers::pi);
    if (periodic) {
      lower = -std::numbers::pi;
      upper = std::numbers::pi;
    }
    // For larger values the overlap of the cells would not cover rounding.
    if (!(std::abs(lower) <= kFarthest && std::abs(upper) <= kFarthest)) return {};
    axes.push_back({step.move, lower, upper, periodic});
  }
  return axes;
}

void PairCellsBuilder::place(const Cell& cell) {
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const double range = axes_[k].upper - axes_[k].lower;
    half_[k] = 0.5 * cell.width[k] * range;
    Polynomial& p = values_[axes_[k].move];
    p.degree = 1;
    p.c[0] = axes_[k].lower + (cell.low[k] + 0.5 * cell.width[k]) * range;
    p.c[1] = std::copysign(half_[k] + kOverlap, p.c[0]);  // the sign makes value_bound() hold on both sides
  }
  motion_.set_moves(values_);
  bounds_.set(chain_, motion_, problem_.chain_reach[pair_.chain]);
  pads_ = motion_.rounding_pads(problem_.extent);
  motion_.kinematics(0.0, kinematics_);
  state_.set(chain_, kinematics_);
  levers_.set(chain_, motion_, bounds_, kinematics_);
  const BodyState& b = kinematics_.bodies[chain_.body_b];
  frames_.clear();
  for (const PairCells::Axis& axis : axes_) {
    const MoveFrame& f = kinematics_.moves[axis.move];
    frames_.push_back({b.R_WB.transpose() * f.axis, b.R_WB.transpose() * (f.origin - b.p_WB)});
  }
}

bool PairCellsBuilder::certified(const PosedGap& posed) {
  const auto& [gap, corners, count, spread] = posed;
  const double margin = pair_.margin + pads_.position + pads_.speed;
  if (!(gap.gap > margin)) return false;
  double along[4];
  double top = -std::numeric_limits<double>::infinity();
  for (int j = 0; j < count; ++j) top = std::max(top, along[j] = gap.normal.dot(corners[j]));
  for (int j = 0; j < count; ++j) {
    double travel = 0.5 * levers_.second_order(corners[j]);
    std::array<double, PairCells::kMaxJoints> first{};
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      const Eigen::Vector3d& a = frames_[k].axis;
      const bool rotation = problem_.moves.moves[axes_[k].move].kind == MoveKind::Rotation;
      // A point of a cylinder's rim is `spread` from an end of its axis: the joints turn the vector between them by at
      // most sum d_k, which moves the point by at most that times `spread` more than the end.
      const double rate = rotation ? std::abs(gap.normal.dot(a.cross(corners[j] - frames_[k].origin))) + spread
                                   : std::abs(gap.normal.dot(a));
      travel += first[k] = (half_[k] + kOverlap) * rate;
    }
    if (!(gap.gap - margin + (top - along[j]) > travel * kRoundUp)) {
      blame_ = first;
      return false;
    }
  }
  return true;
}

bool PairCellsBuilder::proved(const OpenPair& nodes) {
  ++evaluations_;
  if (nodes.primitives) {
    const Primitive a = placed(state_, pair_.tree_a->primitive(nodes.a));
    const PrimitiveDistance d = primitive_distance(a, pair_.tree_b->primitive(nodes.b));
    touching_ = touching_ || d.upper <= pair_.margin + pads_.position;
    gap_ = static_cast<float>(d.lower);
    return certified(posed_primitive(a, {d.lower, d.normal}));
  }
  const PosedGap posed = posed_nodes(pair_, nodes.a, nodes.b, state_);
  gap_ = static_cast<float>(posed.gap.gap);
  return certified(posed);
}

/// Evaluates node pairs, the deepest overlap first, until all are proved, or primitives fail, or the limit per cell is
/// reached; unproved pairs stay in cell.pending. Where primitives fail, no smaller part of the trees would help: only a
/// smaller cell.
bool PairCellsBuilder::prove(Cell& cell) {
  place(cell);
  blame_ = {};
  touching_ = false;
  std::vector<OpenPair> failed;  // failed in this cell, to be opened: the deepest overlap last
  const std::int64_t limit = evaluations_ + per_cell_;
  bool hopeless = false;
  while (!hopeless && evaluations_ < limit) {
    if (failed.empty()) {
      if (cell.pending.empty()) return true;
      const OpenPair nodes = cell.pending.back();
      cell.pending.pop_back();
      if (proved(nodes)) continue;
      failed.push_back(nodes);
      failed.back().gap = gap_;
      hopeless = nodes.primitives;
      continue;
    }
    const OpenPair nodes = failed.back();
    failed.pop_back();
    const auto before = static_cast<std::ptrdiff_t>(failed.size());
    open_nodes(pair_, nodes.a, nodes.b, [&](int a, int b, bool primitives) {
      if (proved({a, b, primitives, 0.0f})) return;
      failed.push_back({a, b, primitives, gap_});
      hopeless = hopeless || primitives;
    });
    std::sort(failed.begin() + before, failed.end(),
              [](const OpenPair& x, const OpenPair& y) { return x.gap > y.gap; });
  }
  // What failed goes on top: it decides quickest whether a half can be proved.
  cell.pending.insert(cell.pending.end(), failed.begin(), failed.end());
  return cell.pending.empty();
}

/// Whether one link is inside the other at the centre of the last placed cell. If surfaces stay apart throughout the
/// cell, this holds for all of it; such a cell is not free, and the search finds the containment.
bool PairCellsBuilder::nested() const {
  const PairFrame frame(*pair_.tree_a, kinematics_.bodies[chain_.body_a].pose(), *pair_.tree_b,
                        kinematics_.bodies[chain_.body_b].pose());
  return one_contains_other(*pair_.tree_a, *pair_.tree_b, frame);
}

/// [m] Bounds how far A's points move over the whole half width of an axis.
double PairCellsBuilder::lever(int axis) const {
  for (const PairMotion::Rotation& r : bounds_.rotations()) {
    if (r.move == axes_[axis].move) return r.lever * half_[axis];
  }
  return half_[axis];
}

/// The axis with the largest share in the gap that was too small: in first order its motion along the normal, in second
/// order about its motion times the sum of all angles. Where volumes overlapped at the centre, the axis that moves A
/// furthest.
int PairCellsBuilder::axis_to_halve() const {
  double angles = 0.0;
  for (const double h : half_) angles += h;
  const bool blamed = std::any_of(blame_.begin(), blame_.end(), [](double b) { return b > 0.0; });
  int best = 0;
  double most = -1.0;
  for (int k = 0; k < static_cast<int>(axes_.size()); ++k) {
    const double taken = blamed ? blame_[k] + 0.5 * lever(k) * angles : lever(k);
    if (taken > most) {
      most = taken;
      best = k;
    }
  }
  return best;
}

void PairCellsBuilder::halve(Cell cell, std::vector<Cell>& waiting) {
  const int axis = axis_to_halve();
  const auto child = static_cast<std::uint32_t>(nodes_.size());
  cell.touching = touching_ ? cell.touching + 1 : 0;
  ++cell.depth;
  // Nothing is known of the halves, which may remain so; but a probe there is likely to find a contact.
  nodes_.resize(nodes_.size() + 2, cell.touching >= 2 ? PairCells::kTouching : PairCells::kUnknown);
  nodes_[cell.node] = child * PairCells::kFirstInner + static_cast<std::uint32_t>(axis);
  cell.width[axis] *= 0.5;
  for (std::uint32_t side = 0; side < 2; ++side) {
    Cell half = cell;
    half.node = child + side;
    if (side == 1) half.low[axis] += half.width[axis];
    waiting.push_back(std::move(half));
    std::push_heap(waiting.begin(), waiting.end());
  }
}

/// Without halves that turned out equal, in the order of a walk.
std::vector<std::uint32_t> PairCellsBuilder::packed() {
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    if (nodes_[i] < PairCells::kFirstInner) continue;
    const std::uint32_t first = nodes_[nodes_[i] >> 2], second = nodes_[(nodes_[i] >> 2) + 1];
    if (first == second && first < PairCells::kFirstInner) nodes_[i] = first;
  }
  std::vector<std::uint32_t> out{nodes_[0]};
  const auto pack = [&](const auto& self, std::size_t at) -> void {
    if (out[at] < PairCells::kFirstInner) return;
    const std::uint32_t old = out[at] >> 2;
    const std::size_t child = out.size();
    out[at] = static_cast<std::uint32_t>(child) * PairCells::kFirstInner + (out[at] & 3u);
    out.push_back(nodes_[old]);
    out.push_back(nodes_[old + 1]);
    self(self, child);
    self(self, child + 1);
  };
  pack(pack, 0);
  out.shrink_to_fit();
  return out;
}

PairCells PairCellsBuilder::build(std::int64_t max_evaluations) {
  if (max_evaluations > 0) axes_ = PairCells::find_axes(problem_, chain_);
  if (axes_.empty()) return {};
  per_cell_ = evaluations_per_cell(max_evaluations);
  nodes_.push_back(PairCells::kUnknown);
  std::vector<Cell> waiting{{0, 0, 0, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}, {{0, 0, false, 0.0f}}}};
  while (!waiting.empty() && evaluations_ < max_evaluations && nodes_.size() + 2 <= PairCells::kMaxNodes) {
    std::pop_heap(waiting.begin(), waiting.end());
    Cell cell = std::move(waiting.back());
    waiting.pop_back();
    if (prove(cell)) {
      nodes_[cell.node] = nested() ? PairCells::kUnknown : PairCells::kFree;
    } else if (cell.depth < PairCells::kMaxDepth) {
      halve(std::move(cell), waiting);
    }
  }
  return {std::move(axes_), packed()};
}

}  // namespace planner_ccd
