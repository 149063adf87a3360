#include "planner_ccd/motion/pair_motion.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// Bodies from `body` up to (excluding) `ancestor`.
std::vector<int> ascent(const RobotModel& robot, int body, int ancestor) {
  std::vector<int> bodies;
  for (; body != ancestor; body = robot.bodies()[body].parent) bodies.push_back(body);
  return bodies;
}

int common_ancestor(const RobotModel& robot, int a, int b) {
  while (a != b) {  // parents have smaller numbers
    if (a > b) {
      a = robot.bodies()[a].parent;
    } else {
      b = robot.bodies()[b].parent;
    }
  }
  return a;
}

}  // namespace

PairChain pair_chain(const MoveChain& chain, int body_a, int body_b) {
  const RobotModel& robot = *chain.robot;
  const int ancestor = common_ancestor(robot, body_a, body_b);
  const std::vector<int> up_b = ascent(robot, body_b, ancestor);
  std::vector<int> down_a = ascent(robot, body_a, ancestor);
  std::reverse(down_a.begin(), down_a.end());

  PairChain pair{body_a, body_b, {}};
  const auto joint_offset = [&](int body) {
    return robot.joints()[robot.bodies()[body].joint].X_ParentBodyJoint.translation().norm();
  };
  // An offset lies between two moves: it is added to the one nearer B, which has been appended already unless both
  // frames are on B's side.
  const auto add_offset = [&](double offset) {
    if (!pair.steps.empty()) pair.steps.back().offset_to_a += offset;
  };
  for (const int body : up_b) {
    const BodyMoves& m = chain.bodies[body];
    for (int i = m.count; i-- > 0;) pair.steps.push_back({m.first + i, true, 0.0});
    add_offset(joint_offset(body));
  }
  for (const int body : down_a) {
    const BodyMoves& m = chain.bodies[body];
    add_offset(joint_offset(body));
    for (int i = 0; i < m.count; ++i) pair.steps.push_back({m.first + i, false, 0.0});
  }
  return pair;
}

void PairMotion::set(const PairChain& chain, const EdgeMotion& motion, double reach, int part) {
  const MoveBounds& bounds = motion.bounds(part);
  rotations_.clear();
  tube_steps_.clear();
  const MotionTube& tube = motion.tube();
  const MoveChain& moves = motion.chain();

  // A floating joint's own offset `before` lies between its first move and the parent.
  const auto floating_offset = [&](std::size_t i, bool on_b_side) {
    if (i >= chain.steps.size() || chain.steps[i].on_b_side != on_b_side) return 0.0;
    const BodyMoves& body = moves.bodies[moves.body_of_move[chain.steps[i].move]];
    return body.has_offset && chain.steps[i].move == body.first ? body.before.translation().norm() : 0.0;
  };

  double lever = reach;
  double F1 = 0.0, F2 = 0.0, F3 = 0.0;
  for (std::size_t i = chain.steps.size(); i-- > 0;) {
    const int k = chain.steps[i].move;
    lever += chain.steps[i].offset_to_a + floating_offset(i, true) + floating_offset(i + 1, false);
    const double w = bounds.rate[k];
    const double a = bounds.acceleration[k];
    const double j = bounds.jerk[k];
    const double beyond[2] = {F1, F2};
    if (moves.moves[k].kind == MoveKind::Rotation) {
      const double rho = lever * kRoundUp;
      if (w > 0.0) rotations_.push_back({k, w, rho});
      F3 += 3.0 * (w * F2 + (w * w + a) * F1) + (w * (w * w + 3.0 * a) + j) * rho;
      F2 += 2.0 * w * F1 + (w * w + a) * rho;
      F1 += w * rho;
    } else {
      lever += bounds.value[k];
      F3 += j;
      F2 += a;
      F1 += w;
    }
    if (tube.any()) {
      const bool rotation = moves.moves[k].kind == MoveKind::Rotation;
      tube_steps_.push_back(
          {tube.of_move(k), lever, rotation ? w : 0.0, rotation ? a : 0.0, beyond[0], beyond[1], rotation});
    }
  }
  std::reverse(rotations_.begin(), rotations_.end());
  bound_[0] = F1 * kRoundUp;
  bound_[1] = F2 * kRoundUp;
  bound_[2] = F3 * kRoundUp;
  tube_ = {};
  if (tube.any()) bound_tube();
}

void PairMotion::bound_tube() {
  double D = 0.0, W = 0.0, A = 0.0;  // of the rotations nearer B
  for (std::size_t i = tube_steps_.size(); i-- > 0;) {
    const TubeStep& s = tube_steps_[i];
    const double d = s.error;
    if (s.rotation) {
      tube_.most += d * s.lever;
      tube_.second += d * (0.5 * d + D) * s.lever;
      tube_.growth_anywhere += d * s.F1;
      W += s.rate;
      A += s.acceleration;
      tube_.bend += d * ((W * W + A) * s.lever + 2.0 * W * s.F1 + s.F2);
      D += d;
    } else {
      tube_.most += d;
      tube_.second += d * D;
      tube_.bend += d * (W * W + A);
    }
  }
  tube_.turn = D;
  for (double* bound : {&tube_.most, &tube_.second, &tube_.bend, &tube_.growth_anywhere, &tube_.turn})
    *bound *= kRoundUp;
}

void PairState::set(const BodyState& a) {
  R_BA = a.R_WB;
  p_BA = a.p_WB;
  v = a.v;
  w = a.w;
  v_dot = a.v_dot;
  w_dot = a.w_dot;
}

void PairState::set(const BodyState& a, const BodyState& b) {
  // In B's frame the twist is F^T (v_A - v_B + (w_A - w_B) x f), F^T (w_A - w_B), with B's axes F and origin f.
  const Eigen::Vector3d dw = a.w - b.w;
  const Eigen::Vector3d dw_dot = a.w_dot - b.w_dot;
  const Eigen::Vector3d dv = a.v - b.v + dw.cross(b.p_WB);
  const Eigen::Vector3d dv_dot = a.v_dot - b.v_dot + dw_dot.cross(b.p_WB) + dw.cross(b.v + b.w.cross(b.p_WB));
  R_BA.noalias() = b.R_WB.transpose() * a.R_WB;
  p_BA.noalias() = b.R_WB.transpose() * (a.p_WB - b.p_WB);
  v.noalias() = b.R_WB.transpose() * dv;
  w.noalias() = b.R_WB.transpose() * dw;
  v_dot.noalias() = b.R_WB.transpose() * (dv_dot - b.w.cross(dv));
  w_dot.noalias() = b.R_WB.transpose() * (dw_dot - b.w.cross(dw));
}

double PairState::acceleration_bound(const Eigen::Vector3d& c, const PairMotion& motion, double half_width) const {
  return std::min((acceleration(c).norm() + half_width * motion.jerk_bound()) * kRoundUp, motion.acceleration_bound());
}

}  // namespace planner_ccd
