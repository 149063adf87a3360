#include "planner_ccd/advancement/pair_tube.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

/// Places err by less than `position`, so levers by twice that and, with what an axis' direction errs by, four times; products with
/// four times as much again at most. A direction errs by `position` per reach.
void PairTube::set(const PairChain& chain, const EdgeMotion& motion, std::uint64_t loose, const Kinematics& kinematics,
                   double reach, double position) {
  const BodyState& b = kinematics.bodies[static_cast<std::size_t>(chain.body_b)];
  const BodyState& a = kinematics.bodies[static_cast<std::size_t>(chain.body_a)];
  const Eigen::Vector3d p_BA = b.R_WB.transpose() * (a.p_WB - b.p_WB);
  twists_.clear();
  points_.clear();
  double turned = 0.0, slid = 0.0;
  for (const PairChain::Step& step : chain.steps) {
    const double d = motion.tube().of_move(step.move);
    if (d == 0.0) continue;
    const MoveFrame& frame = kinematics.moves[static_cast<std::size_t>(step.move)];
    const Eigen::Vector3d axis = d * (b.R_WB.transpose() * frame.axis);
    if (motion.chain().moves[static_cast<std::size_t>(step.move)].kind == MoveKind::Translation) {
      twists_.push_back({axis, Eigen::Vector3d::Zero()});
      slid += d;
    } else {
      const Eigen::Vector3d origin = b.R_WB.transpose() * (frame.origin - b.p_WB);
      twists_.push_back({origin.cross(axis), axis});
      turned += d;
    }
  }
  loose_shift_ = loose_turn_ = loose_most_ = 0.0;
  for (; loose != 0; loose &= loose - 1) {
    const MotionTube::Loose& of = motion.tube().loose()[static_cast<std::size_t>(std::countr_zero(loose))];
    const BodyState& carrier = kinematics.bodies[static_cast<std::size_t>(of.body)];
    const Eigen::Vector3d at = b.R_WB.transpose() * (carrier.R_WB * of.p_BodyPoint + carrier.p_WB - b.p_WB);
    if (of.turn > 0.0) points_.push_back({at, of.turn});
    loose_shift_ += of.shift;
    loose_turn_ += of.turn;
    loose_most_ += of.shift + of.turn * ((p_BA - at).norm() + reach);
  }
  pad_ = 8.0 * position * (turned + loose_turn_ + slid / reach) * kRoundUp;
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

PairTube::Reach PairTube::anywhere(const Eigen::Vector3d& c, const PairMotion& motion) const {
  double sum = of_poses(c) + pad_;
  for (const Twist& twist : twists_) sum += (twist.v + twist.w.cross(c)).norm();
  return {sum * kRoundUp, (motion.tube().growth_anywhere + loose_turn_ * motion.speed_bound()) * kRoundUp};
}

PairTube::Reach PairTube::along(const Eigen::Vector3d& n, const Eigen::Vector3d& c, const PairMotion& motion) const {
  const PairMotion::TubeBounds& moves = motion.tube();
  const double poses = of_poses(c) + pad_, growth = loose_turn_ * motion.speed_bound();
  double along = poses + moves.second + loose_turn_ * moves.most, anywhere = poses;
  for (const Twist& twist : twists_) {
    const Eigen::Vector3d velocity = twist.v + twist.w.cross(c);
    along += std::abs(n.dot(velocity));
    anywhere += velocity.norm();
  }
  const Reach first{along * kRoundUp, growth_along(motion)};
  const Reach second{anywhere * kRoundUp, (moves.growth_anywhere + growth) * kRoundUp};
  return first.now < second.now ? first : second;
}

}  // namespace planner_ccd
