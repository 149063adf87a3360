#include "planner_ccd/motion/lever_form.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

void LeverForm::set(const PairChain& chain, const EdgeMotion& motion, const PairMotion& bounds,
                    const Kinematics& kinematics) {
  const BodyState& f = kinematics.bodies[chain.body_b];
  const BodyState& a = kinematics.bodies[chain.body_a];
  M_.setZero();
  b_.setZero();
  e_ = weight_sum_ = translation_part_ = 0.0;
  at_most_ = bounds.acceleration_bound();

  double max_lever = 0.0;
  for (const PairMotion::Rotation& r : bounds.rotations()) max_lever = std::max(max_lever, r.lever);
  double coordinate = (f.R_WB.transpose() * (a.p_WB - f.p_WB)).cwiseAbs().maxCoeff() + max_lever;

  double W = 0.0;  // rates between B and here
  for (const PairChain::Step& step : chain.steps) {
    const double rate = motion.rate_bound(step.move);
    if (motion.chain().moves[step.move].kind == MoveKind::Translation) {
      translation_part_ += 2.0 * W * rate;
      continue;
    }
    if (rate == 0.0) continue;
    const double weight = rate * (rate + 2.0 * W) * kRoundUp;
    W += rate;
    weight_sum_ += weight;
    const MoveFrame& frame = kinematics.moves[step.move];
    const Eigen::Vector3d axis = f.R_WB.transpose() * frame.axis;
    const Eigen::Vector3d origin = f.R_WB.transpose() * (frame.origin - f.p_WB);
    // weight |(I - a a^T)(c - o)|^2 with P = I - a a^T, P^2 = P
    const Eigen::Vector3d Po = origin - axis * axis.dot(origin);
    M_.diagonal().array() += weight;
    M_.noalias() -= (weight * axis) * axis.transpose();
    b_ += weight * Po;
    e_ += weight * origin.dot(Po);
    coordinate = std::max(coordinate, origin.cwiseAbs().maxCoeff());
  }
  weight_sum_ *= kRoundUp;
  translation_part_ *= kRoundUp;
  // M, b, e and the form take fewer than 256 roundings, none on a quantity above weight_sum * 12 coordinate^2.
  form_pad_ = kUnitRoundoff * 256.0 * 12.0 * weight_sum_ * coordinate * coordinate;
}

double LeverForm::second_order(const Eigen::Vector3d& c) const {
  const double form = std::max(0.0, c.dot(M_ * c) - 2.0 * b_.dot(c) + e_) + form_pad_;
  const double now = std::sqrt(weight_sum_ * form) * kRoundUp;
  return std::min(now + translation_part_, at_most_);
}

}  // namespace planner_ccd
