#include "planner_ccd/motion/pair_motion.hpp"

#include <algorithm>
#include <cmath>

namespace planner_ccd {
namespace {

/// Sums of at most a few hundred positive terms and products, each rounded once: multiplying by this rounds the result
/// up.
constexpr double kRoundUp = 1.0 + 0x1p-40;

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
  // An offset lies between two moves: it goes to the one nearer B, which is there already unless both frames are B's
  // side.
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

void PairMotion::set(const PairChain& chain, const EdgeMotion& motion, double reach) {
  rotations_.clear();
  speed_bound_ = acceleration_bound_ = weight_sum_ = translation_part_ = drift_ = max_lever_ = 0.0;
  const MoveChain& moves = motion.chain();

  // A floating joint's own offset `before` lies between its first move and the parent.
  const auto floating_offset = [&](std::size_t i, bool on_b_side) {
    if (i >= chain.steps.size() || chain.steps[i].on_b_side != on_b_side) return 0.0;
    const BodyMoves& body = moves.bodies[moves.body_of_move[chain.steps[i].move]];
    return body.has_offset && chain.steps[i].move == body.first ? body.before.translation().norm() : 0.0;
  };

  // From A towards B: the levers.
  double lever = reach;
  for (std::size_t i = chain.steps.size(); i-- > 0;) {
    const int k = chain.steps[i].move;
    lever += chain.steps[i].offset_to_a + floating_offset(i, true) + floating_offset(i + 1, false);
    const double rate = motion.rate_bound(k);
    if (moves.moves[k].kind == MoveKind::Rotation) {
      rotations_.push_back({k, rate, 0.0, lever * kRoundUp});
    } else {
      lever += motion.value_bound(k);
    }
  }
  std::reverse(rotations_.begin(), rotations_.end());

  // From B towards A: the running sum W.
  double W = 0.0;
  std::size_t next = 0;
  for (const PairChain::Step& step : chain.steps) {
    const double rate = motion.rate_bound(step.move);
    const double acceleration = motion.acceleration_bound(step.move);
    if (moves.moves[step.move].kind == MoveKind::Rotation) {
      Rotation& r = rotations_[next++];
      r.weight = (rate * (rate + 2.0 * W) + acceleration) * kRoundUp;
      W += rate;
      weight_sum_ += r.weight;
      speed_bound_ += r.lever * rate;
      acceleration_bound_ += r.lever * r.weight;
    } else {
      speed_bound_ += rate;
      translation_part_ += acceleration + 2.0 * W * rate;
    }
  }
  acceleration_bound_ = (acceleration_bound_ + translation_part_) * kRoundUp;
  translation_part_ *= kRoundUp;
  speed_bound_ *= kRoundUp;
  weight_sum_ *= kRoundUp;

  // Drift of the levers: moves nearer to A carry the point along. Walk from A to B, adding up what lies beyond.
  double beyond = 0.0;
  std::size_t r = rotations_.size();
  for (std::size_t i = chain.steps.size(); i-- > 0;) {
    const int k = chain.steps[i].move;
    if (moves.moves[k].kind == MoveKind::Rotation) {
      --r;
      drift_ += rotations_[r].weight * beyond;
      beyond += rotations_[r].lever * rotations_[r].rate;
    } else {
      beyond += motion.rate_bound(k);
    }
  }
  drift_ *= kRoundUp;
  std::erase_if(rotations_, [](const Rotation& rotation) { return rotation.rate == 0.0; });
  for (const Rotation& rotation : rotations_) max_lever_ = std::max(max_lever_, rotation.lever);
}

void PairState::set(const PairChain& chain, const PairMotion& motion, const Kinematics& kinematics) {
  const BodyState& a = kinematics.bodies[chain.body_a];
  const BodyState& f = kinematics.bodies[chain.body_b];
  const bool world = chain.body_b == 0;
  const Eigen::Vector3d dw = a.w - f.w;
  const Eigen::Vector3d dv = a.v - f.v + dw.cross(f.p);
  if (world) {
    R = a.R;
    o = a.p;
    w = a.w;
    v = a.v;
  } else {
    R.noalias() = f.R.transpose() * a.R;
    o.noalias() = f.R.transpose() * (a.p - f.p);
    w.noalias() = f.R.transpose() * dw;
    v.noalias() = f.R.transpose() * dv;
  }
  M.setZero();
  b.setZero();
  e = 0.0;
  double coordinate = o.cwiseAbs().maxCoeff() + motion.max_lever();  // of A's points: within a lever of A's frame
  for (const PairMotion::Rotation& r : motion.rotations()) {
    Eigen::Vector3d axis = kinematics.moves[r.move].axis;
    Eigen::Vector3d origin = kinematics.moves[r.move].origin;
    if (!world) {
      axis = f.R.transpose() * axis;
      origin = f.R.transpose() * (origin - f.p);
    }
    // weight |(I - a a^T)(c - o)|^2 with P = I - a a^T, P^2 = P
    const Eigen::Vector3d Po = origin - axis * axis.dot(origin);
    M.diagonal().array() += r.weight;
    M.noalias() -= (r.weight * axis) * axis.transpose();
    b += r.weight * Po;
    e += r.weight * origin.dot(Po);
    coordinate = std::max(coordinate, origin.cwiseAbs().maxCoeff());
  }
  // M, b, e and the form take fewer than 256 roundings, none on a quantity above weight_sum * 12 coordinate^2.
  form_pad = 0x1p-53 * 256.0 * 12.0 * motion.weight_sum() * coordinate * coordinate;
}

double PairState::acceleration_at(const Eigen::Vector3d& c, const PairMotion& motion, double half_width) const {
  const double form = std::max(0.0, c.dot(M * c) - 2.0 * b.dot(c) + e) + form_pad;
  const double now = std::sqrt(motion.weight_sum() * form) * kRoundUp;
  return std::min(now + half_width * motion.drift() + motion.translation_part(), motion.acceleration_bound());
}

}  // namespace planner_ccd
