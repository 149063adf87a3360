#include "planner_ccd/advancement/pair_tube.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

/// What rounding of places and axes adds: MATHS.md T18.
void PairTube::set(const PairChain& chain, const EdgeMotion& motion, std::uint64_t loose, double t, PoseCache& poses,
                   double reach, const RoundingPads& pads) {
  chain_ = &chain;
  motion_ = &motion;
  poses_ = &poses;
  t_ = t;
  reach_ = reach;
  pads_ = pads;
  placed_ = false;
  turned_ = slid_ = 0.0;
  for (const PairChain::Step& step : chain.steps) {
    const bool rotation = motion.chain().moves[step.move].kind == MoveKind::Rotation;
    (rotation ? turned_ : slid_) += motion.tube().of_move(step.move);
  }
  points_.clear();
  loose_shift_ = loose_turn_ = loose_most_ = 0.0;
  if (loose != 0) place_points(loose);
  pad_ = 8.0 * pads.position * (turned_ + loose_turn_ + shares_of_slides()) * kRoundUp;
}

/// Infinite for a body that is a point at its origin, which makes the motion undecided.
double PairTube::shares_of_slides() const { return slid_ > 0.0 ? slid_ / reach_ : 0.0; }

void PairTube::place_points(std::uint64_t loose) {
  const Kinematics& kinematics = poses_->kinematics(t_);
  const BodyState& b = kinematics.bodies[chain_->body_b];
  const BodyState& a = kinematics.bodies[chain_->body_a];
  const Eigen::Vector3d p_BA = b.R_WB.transpose() * (a.p_WB - b.p_WB);
  for (; loose != 0; loose &= loose - 1) {
    const MotionTube::Loose& of = motion_->tube().loose()[std::countr_zero(loose)];
    const BodyState& carrier = kinematics.bodies[of.body];
    const Eigen::Vector3d at = b.R_WB.transpose() * (carrier.R_WB * of.p_BodyPoint + carrier.p_WB - b.p_WB);
    if (of.turn > 0.0) points_.push_back({at, of.turn});
    loose_shift_ += of.shift;
    loose_turn_ += of.turn;
    loose_most_ += of.shift + of.turn * ((p_BA - at).norm() + reach_);
  }
}

void PairTube::place() {
  placed_ = true;
  const Kinematics& kinematics = poses_->kinematics(t_);
  const BodyState& b = kinematics.bodies[chain_->body_b];
  const bool in_world = chain_->body_b == 0;
  twists_.clear();
  Eigen::Vector3d v = Eigen::Vector3d::Zero(), w = v;  // of the moves so far
  double rates = 0.0;
  for (const PairChain::Step& step : chain_->steps) {
    const double d = motion_->tube().of_move(step.move);
    const double rate = motion_->move(step.move).derivative(t_) * (step.on_b_side ? -1.0 : 1.0);
    const MoveFrame& frame = kinematics.moves[step.move];
    Eigen::Vector3d angular = frame.axis, linear = frame.origin;
    if (!in_world) {
      angular = b.R_WB.transpose() * frame.axis;
      linear = b.R_WB.transpose() * (frame.origin - b.p_WB);
    }
    const bool rotation = motion_->chain().moves[step.move].kind == MoveKind::Rotation;
    if (rotation) {
      linear = linear.cross(angular).eval();
    } else {
      linear = angular;
      angular.setZero();
    }
    if (d > 0.0) {
      twists_.push_back({d * linear, d * angular, d * (w.cross(linear) + v.cross(angular)), d * w.cross(angular)});
    }
    v += rate * linear;
    w += rate * angular;
    if (rotation) rates += std::abs(rate);
  }
  for (Twist& twist : twists_) twist.u += twist.w.cross(v);
  turning_ = w;
  rate_pad_ = 8.0 * (pads_.speed + rates * pads_.position) * (turned_ + shares_of_slides()) * kRoundUp;
}

const std::vector<PairTube::Twist>& PairTube::twists() {
  if (!placed_) place();
  return twists_;
}

double PairTube::of_poses(const Eigen::Vector3d& c) const {
  double sum = loose_shift_;
  for (const Point& p : points_) sum += p.turn * (c - p.at).norm();
  return sum;
}

double PairTube::beside(const PairMotion& motion, double half_width) const {
  const PairMotion::TubeBounds& moves = motion.tube();
  return (moves.second + loose_turn_ * moves.most + loose_most_ + half_width * loose_turn_ * motion.speed_bound() +
          pad_) *
         kRoundUp;
}

double PairTube::most(const PairMotion& motion, double half_width) const {
  return (motion.tube().most + loose_most_ + half_width * loose_turn_ * motion.speed_bound() + pad_) * kRoundUp;
}

PairTube::Reach PairTube::anywhere(const Eigen::Vector3d& c, const PairMotion& motion) {
  double sum = of_poses(c) + pad_;
  for (const Twist& twist : twists()) sum += (twist.v + twist.w.cross(c)).norm();
  const double growth = (motion.tube().growth_anywhere + loose_turn_ * motion.speed_bound()) * kRoundUp;
  return {sum * kRoundUp, growth, growth, 0.0};
}

/// Rounding: `now` is rounded up by more than what a chord's end, less `now`, may be off.
std::array<PairTube::Reach, 4> PairTube::along(const Eigen::Vector3d& n, const Eigen::Vector3d* c, int count,
                                               const PairMotion& motion, double half_width) {
  const double h = half_width;
  double now[4] = {}, ahead[4] = {}, behind[4] = {};
  for (const Twist& twist : twists()) {
    // n.(v + w x c) and h n.(u + w_dot x c + w x (turning x c)), affine in c
    const double a = n.dot(twist.v), b = h * n.dot(twist.u);
    const Eigen::Vector3d of = n.cross(twist.w);
    const Eigen::Vector3d of_change =
        h * (n.cross(twist.w_dot) + n.dot(turning_) * twist.w - twist.w.dot(turning_) * n);
    for (int j = 0; j < count; ++j) {
      const double velocity = a + of.dot(c[j]), change = b + of_change.dot(c[j]);
      now[j] += std::abs(velocity);
      ahead[j] += std::abs(velocity + change);
      behind[j] += std::abs(velocity - change);
    }
  }
  const PairMotion::TubeBounds& moves = motion.tube();
  const double beside = moves.second + loose_turn_ * moves.most + pad_;
  const double growth = growth_of_poses(motion) + rate_pad_;
  std::array<Reach, 4> out{};
  for (int j = 0; j < count; ++j) {
    const auto slope = [&](double there) { return (h > 0.0 ? (there * kRoundUp - now[j]) / h : 0.0) + growth; };
    out[j] = {(now[j] + of_poses(c[j]) + beside) * kRoundUp, slope(ahead[j]), slope(behind[j]), moves.bend};
  }
  return out;
}

}  // namespace planner_ccd
