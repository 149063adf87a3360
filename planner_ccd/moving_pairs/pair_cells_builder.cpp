#include "planner_ccd/moving_pairs/pair_cells_builder.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// [rad or m] Cells are proved this much wider on every side than they are: far beyond the rounding of joint values and of
/// the times at which a motion crosses from cell to cell (values up to 1e3, 1e-13 each).
constexpr double kOverlap = 1e-9;

/// Node pairs evaluated in one cell before it is split; the rest is left to its halves.
constexpr int kEvaluationsPerCell = 48;

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

/// The moves between the links and the ranges of their values; false when there are too many or one is unbounded.
bool PairCellsBuilder::find_axes() {
  const RobotModel& robot = *problem_.moves.robot;
  if (chain_.steps.empty() || chain_.steps.size() > PairCells::kMaxJoints) return false;
  for (const PairChain::Step& step : chain_.steps) {
    const Joint& joint = robot.joints()[robot.bodies()[problem_.moves.body_of_move[step.move]].joint];
    if (joint.type == JointType::Planar || joint.type == JointType::Floating) return false;
    double lower = joint.offset, upper = joint.offset;
    if (joint.q_index >= 0) {
      const Coordinate& c = robot.coordinates()[joint.q_index];
      lower += joint.multiplier * (joint.multiplier < 0.0 ? c.upper : c.lower);
      upper += joint.multiplier * (joint.multiplier < 0.0 ? c.lower : c.upper);
    }
    const bool rotation = problem_.moves.moves[step.move].kind == MoveKind::Rotation;
    const bool periodic = rotation && !(upper - lower < 2.0 * std::numbers::pi);
    if (periodic) {
      lower = -std::numbers::pi;
      upper = std::numbers::pi;
    }
    if (!std::isfinite(lower) || !std::isfinite(upper)) return false;
    cells_.axes_.push_back({step.move, lower, upper, periodic});
  }
  return true;
}

void PairCellsBuilder::place(const Cell& cell) {
  for (std::size_t k = 0; k < cells_.axes_.size(); ++k) {
    Polynomial& p = values_[cells_.axes_[k].move];
    p.degree = 1;
    p.c[0] = cell.centre[k];
    p.c[1] = std::copysign(cell.half[k] + kOverlap, cell.centre[k]);  // the sign makes value_bound() hold on both sides
  }
  motion_.set_moves(values_);
  bounds_.set(chain_, motion_, problem_.chain_reach[pair_.chain]);
  pads_ = motion_.rounding_pads(problem_.extent);
  motion_.kinematics(0.0, kinematics_);
  state_.set(chain_, kinematics_);
  levers_.set(chain_, motion_, bounds_, kinematics_);
  const BodyState& b = kinematics_.bodies[chain_.body_b];
  frames_.clear();
  for (const PairCells::Axis& axis : cells_.axes_) {
    const MoveFrame& f = kinematics_.moves[axis.move];
    frames_.push_back({b.R_WB.transpose() * f.axis, b.R_WB.transpose() * (f.origin - b.p_WB)});
  }
}

bool PairCellsBuilder::certified(const PosedGap& posed, const Cell& cell) const {
  const auto& [gap, corners, count, spread] = posed;
  const double margin = pair_.margin + pads_.position + pads_.speed;
  if (!(gap.gap > margin)) return false;
  double along[4];
  double top = -std::numeric_limits<double>::infinity();
  for (int j = 0; j < count; ++j) top = std::max(top, along[j] = gap.normal.dot(corners[j]));
  for (int j = 0; j < count; ++j) {
    double travel = 0.5 * (levers_.acceleration_bound(corners[j], 1.0) + spread * levers_.weight_sum());
    for (std::size_t k = 0; k < frames_.size(); ++k) {
      const Eigen::Vector3d& a = frames_[k].axis;
      const bool rotation = problem_.moves.moves[cells_.axes_[k].move].kind == MoveKind::Rotation;
      // A cylinder's rims (`spread` from its axis) may move faster than the ends of its axis, see SpanRequest.
      const double rate = rotation ? std::abs(gap.normal.dot(a.cross(corners[j] - frames_[k].origin))) + spread
                                   : std::abs(gap.normal.dot(a));
      travel += (cell.half[k] + kOverlap) * rate;
    }
    if (!(gap.gap - margin + (top - along[j]) > travel * kRoundUp)) return false;
  }
  return true;
}

bool PairCellsBuilder::proved(const OpenPair& nodes, const Cell& cell) {
  ++evaluations_;
  if (nodes.primitives) {
    const Primitive a = placed(state_, pair_.tree_a->primitive(nodes.a));
    const PrimitiveDistance d = primitive_distance(a, pair_.tree_b->primitive(nodes.b));
    return certified(posed_primitive(a, {d.lower, d.normal}), cell);
  }
  return certified(posed_nodes(pair_, nodes.a, nodes.b, state_), cell);
}

/// Evaluates pending node pairs, depth first, up to the limit per cell; what is not proved stays in cell.pending.
bool PairCellsBuilder::prove(Cell& cell) {
  place(cell);
  std::vector<OpenPair> open;
  std::vector<OpenPair> failed;
  open.swap(cell.pending);
  for (int n = 0; !open.empty() && n < kEvaluationsPerCell; ++n) {
    const OpenPair nodes = open.back();
    open.pop_back();
    if (proved(nodes, cell)) continue;
    if (nodes.primitives) {
      failed.push_back(nodes);
      break;  // this cell will not be proved: the rest is better asked of its halves
    }
    const std::size_t before = open.size();
    open_nodes(pair_, nodes.a, nodes.b, [&](int a, int b, bool primitives) { open.push_back({a, b, primitives}); });
    if (!open.back().primitives) std::reverse(open.begin() + static_cast<std::ptrdiff_t>(before), open.end());
  }
  // The pair that failed goes on top: it decides quickest whether a half can be proved.
  open.insert(open.end(), failed.begin(), failed.end());
  cell.pending.swap(open);
  return cell.pending.empty();
}

/// Whether one link is inside the other at the centre of the cell placed last. Where surfaces keep apart throughout a cell,
/// this holds for all of it; such a cell is no free one, and the search finds the containment.
bool PairCellsBuilder::nested() const {
  const PairFrame frame(*pair_.tree_a, kinematics_.bodies[chain_.body_a].pose(), *pair_.tree_b,
                        kinematics_.bodies[chain_.body_b].pose());
  return one_contains_other(*pair_.tree_a, *pair_.tree_b, frame);
}

/// The axis whose half width moves A furthest.
int PairCellsBuilder::widest_axis(const Cell& cell) const {
  int widest = 0;
  double furthest = -1.0;
  for (std::size_t k = 0; k < cells_.axes_.size(); ++k) {
    double lever = 1.0;
    for (const PairMotion::Rotation& r : bounds_.rotations()) {
      if (r.move == cells_.axes_[k].move) lever = r.lever;
    }
    if (lever * cell.half[k] > furthest) {
      furthest = lever * cell.half[k];
      widest = static_cast<int>(k);
    }
  }
  return widest;
}

PairCells PairCellsBuilder::build(std::int64_t max_evaluations) {
  if (max_evaluations <= 0 || !find_axes()) return {};
  Cell root{0, {}, {}, {{0, 0, false}}};
  for (std::size_t k = 0; k < cells_.axes_.size(); ++k) {
    root.centre[k] = 0.5 * (cells_.axes_[k].lower + cells_.axes_[k].upper);
    root.half[k] = 0.5 * (cells_.axes_[k].upper - cells_.axes_[k].lower);
  }
  cells_.nodes_.emplace_back();
  std::deque<Cell> queue{std::move(root)};
  while (!queue.empty() && evaluations_ < max_evaluations) {
    Cell cell = std::move(queue.front());
    queue.pop_front();
    if (prove(cell)) {
      cells_.nodes_[cell.node].free = !nested();
      continue;
    }
    const int axis = widest_axis(cell);
    const auto child = static_cast<std::int32_t>(cells_.nodes_.size());
    cells_.nodes_.resize(cells_.nodes_.size() + 2);
    PairCells::Node& node = cells_.nodes_[cell.node];
    node.child = child;
    node.axis = static_cast<std::int16_t>(axis);
    node.split = cell.centre[axis];
    cell.half[axis] *= 0.5;
    const double centre = cell.centre[axis];
    for (int side = 0; side < 2; ++side) {
      Cell half = cell;
      half.node = child + side;
      half.centre[axis] = centre + (side == 0 ? -cell.half[axis] : cell.half[axis]);
      queue.push_back(std::move(half));
    }
  }
  // Two halves that came out free make a free whole.
  for (std::size_t i = cells_.nodes_.size(); i-- > 0;) {
    PairCells::Node& node = cells_.nodes_[i];
    if (node.child >= 0 && cells_.nodes_[node.child].free && cells_.nodes_[node.child + 1].free) {
      node.child = -1;
      node.free = true;
    }
  }
  if (cells_.nodes_[0].free) cells_.nodes_.resize(1);
  return std::move(cells_);
}

}  // namespace planner_ccd
