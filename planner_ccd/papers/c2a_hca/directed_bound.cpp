#include "planner_ccd/papers/c2a_hca/directed_bound.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// Sums of at most a few hundred non-negative terms, each a product rounded a few times: this rounds them up.

/// [relative] An axis in A's frame, taken from poses that went through at most 128 roundings a move and 60 moves: 2^-40
/// of a coordinate. Four times that.
constexpr double kAxisError = 32768.0 * kUnitRoundoff;

}  // namespace

void validate(const DirectedBoundOptions& options) {
  constexpr int kMostCells = 4096, kMostPieces = 1 << 20;
  const TaylorChainOptions& models = options.models;
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw InputError(std::string("DirectedBoundOptions: ") + what);
  };
  require(options.theta_cells >= 1 && options.theta_cells <= kMostCells, "theta_cells must lie in 1..4096");
  require(options.phi_cells >= 1 && options.phi_cells <= kMostCells, "phi_cells must lie in 1..4096");
  require(models.order >= 1 && models.order <= TaylorModel::kMaxDegree, "models.order must lie in 1..8");
  require(models.radians_per_piece > 0.0, "models.radians_per_piece must be > 0");
  require(
      models.max_pieces >= 1 && models.max_pieces <= kMostPieces && (models.max_pieces & (models.max_pieces - 1)) == 0,
      "models.max_pieces must be a power of two, 2^20 at most");
}

DirectedBound::DirectedBound(const std::vector<PairChain>* chains, const MoveChain& moves,
                             const DirectedBoundOptions& options)
    : pair_chains_(chains), options_(options), grid_(options.theta_cells, options.phi_cells) {
  std::vector<int> body_of_axis;  // the B each axis is seen from
  for (const PairChain& pair : *chains) {
    Chain chain;
    int parent = -1;
    for (const PairChain::Step& step : pair.steps) {
      int index = -1;
      for (std::size_t i = 0; i < axes_.size() && index < 0; ++i) {
        if (body_of_axis[i] == pair.body_b && axes_[i].move == step.move) index = static_cast<int>(i);
      }
      if (index < 0) {
        index = static_cast<int>(axes_.size());
        axes_.emplace_back(&grid_);
        axes_.back().move = step.move;
        axes_.back().parent = parent;
        axes_.back().on_b_side = step.on_b_side;
        body_of_axis.push_back(pair.body_b);
      }
      chain.axes.push_back(index);
      parent = index;
    }
    chains_.push_back(std::move(chain));
  }
  start_.resize(moves);
}

void DirectedBound::start(EdgeMotion& motion) {
  motion_ = &motion;
  pieces_ = taylor_pieces(motion, options_.models);
  for (Axis& axis : axes_) axis.ready = false;
  for (Chain& chain : chains_) chain.ready = false;
  motion.kinematics(0.0, start_);
}

/// Orientation before and after the move, as B sees it. Seen from B's side, a body's frame comes after its joint's
/// moves turned back; from A's side, before them.
void DirectedBound::prepare_axis(int index) {
  Axis& axis = axes_[index];
  if (axis.ready) return;
  axis.ready = true;
  const MoveChain& chain = motion_->chain();
  axis.constant = true;
  if (axis.parent >= 0) {
    prepare_axis(axis.parent);
    const int before = axes_[axis.parent].move;
    const bool turns = chain.moves[before].kind == MoveKind::Rotation && motion_->rate_bound(before) > 0.0;
    axis.constant = axes_[axis.parent].constant && !turns;
  }
  const RobotModel& robot = *chain.robot;
  const int body = chain.body_of_move[axis.move];
  const BodyMoves& m = chain.bodies[body];
  const Move& move = chain.moves[axis.move];
  const Eigen::Matrix3d joint = robot.joints()[robot.bodies()[body].joint].X_ParentBodyJoint.linear();
  const bool outermost = axis.move == m.first + m.count - 1;
  const bool innermost = axis.move == m.first;
  axis.beyond.resize(pieces_.size());
  std::vector<TaylorVector> model(pieces_.size());
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    TaylorTransform X = TaylorTransform::identity();  // only its rotation is used
    if (axis.parent >= 0) X.R = axes_[axis.parent].beyond[i];
    const auto turn_by = [&](double sign) {
      if (move.kind != MoveKind::Rotation) return;
      X.turn(move.axis, sign * move_model(*motion_, axis.move, pieces_[i], options_.models.order));
    };
    if (axis.on_b_side) {
      if (outermost && m.has_offset) X.R = X.R * Eigen::Matrix3d(m.after.linear().transpose());
      model[i] = X.R * Eigen::Vector3d(-move.axis);
      turn_by(-1.0);
      if (innermost && m.has_offset) X.R = X.R * Eigen::Matrix3d(m.before.linear().transpose());
      if (innermost) X.R = X.R * Eigen::Matrix3d(joint.transpose());
    } else {
      if (innermost) X.R = X.R * joint;
      if (innermost && m.has_offset) X.R = X.R * Eigen::Matrix3d(m.before.linear());
      model[i] = X.R * move.axis;
      turn_by(1.0);
      if (outermost && m.has_offset) X.R = X.R * Eigen::Matrix3d(m.after.linear());
    }
    axis.beyond[i] = X.R;
  }
  axis.direction_error = 256.0 * kUnitRoundoff;  // of the bound below: a cross or dot product, and its norm
  for (int c = 0; c < 3; ++c) {
    axis.direction[c] = model[0][c].coefficient(0);
    axis.direction_error += model[0][c].remainder();
  }
  if (!axis.constant && move.kind == MoveKind::Rotation) axis.table.reset(std::move(model));
}

void DirectedBound::prepare(int index) {
  Chain& chain = chains_[index];
  if (chain.ready) return;
  chain.ready = true;
  chain.rotations.clear();
  chain.directed_slides.clear();
  chain.slide_speed = chain.all_slide_speed = 0.0;
  const PairChain& pair = (*pair_chains_)[index];
  levers_.set(pair, *motion_, 0.0);  // levers of the chain alone
  std::size_t next = 0;
  for (const int axis : chain.axes) {
    const int k = axes_[axis].move;
    const double rate = motion_->rate_bound(k);
    if (rate == 0.0) continue;
    if (motion_->chain().moves[k].kind == MoveKind::Rotation) {
      while (levers_.rotations()[next].move != k) ++next;
      chain.rotations.push_back({axis, rate, levers_.rotations()[next].lever, false});
      continue;
    }
    chain.all_slide_speed += rate;
    prepare_axis(axis);
    if (axes_[axis].constant) {
      chain.directed_slides.push_back(axis);
    } else {
      chain.slide_speed += rate;
    }
  }
  if (chain.rotations.empty() || chain.rotations.back().lever != 0.0) return;
  chain.rotations.back().last = true;
  const int k = axes_[chain.rotations.back().axis].move;
  chain.axis_a = start_.bodies[pair.body_a].R_WB.transpose() * start_.moves[k].axis;
}

double DirectedBound::rotation_speed(BoundKind kind, const Chain& chain, const Term& term, const Eigen::Vector3d& n,
                                     int cell, const BodyPoints& points, double reach) {
  double lever = term.lever + reach;
  if (term.last && kind == BoundKind::Directed) {
    double across = 0.0;
    for (int j = 0; j < points.count; ++j) across = std::max(across, points.corners[j].cross(chain.axis_a).norm());
    lever = std::min(lever, across + points.radius + kAxisError * reach);
  }
  if (kind == BoundKind::Undirected) return term.rate * lever;
  Axis& axis = axes_[term.axis];
  prepare_axis(term.axis);
  if (axis.constant) return term.rate * lever * (n.cross(axis.direction).norm() + axis.direction_error);
  if (kind == BoundKind::RootDirected) return term.rate * lever;
  return term.rate * lever * axis.table.sine(cell);
}

double DirectedBound::speed(BoundKind kind, int index, const Eigen::Vector3d& n, const BodyPoints& points) {
  prepare(index);
  const Chain& chain = chains_[index];
  double reach = 0.0;
  for (int j = 0; j < points.count; ++j) reach = std::max(reach, points.corners[j].norm());
  reach += points.radius;
  const int cell = kind == BoundKind::Directed ? grid_.cell(n) : 0;
  double sum = 0.0;
  for (const Term& term : chain.rotations) sum += rotation_speed(kind, chain, term, n, cell, points, reach);
  if (kind == BoundKind::Undirected) return (sum + chain.all_slide_speed) * kRoundUp;
  sum = (sum + chain.slide_speed) * kRoundUp;
  for (const int i : chain.directed_slides) {
    // s_k n.a_k for the rate that makes it greatest.
    const double along = n.dot(axes_[i].direction);
    const Polynomial rate = motion_->move(axes_[i].move).derived();
    const double greatest = rate.degree == 0 ? along * rate.c[0] : std::abs(along) * motion_->rate_bound(axes_[i].move);
    sum += greatest + axes_[i].direction_error * motion_->rate_bound(axes_[i].move);
  }
  return sum + 8.0 * kUnitRoundoff * std::abs(sum);
}

}  // namespace planner_ccd
