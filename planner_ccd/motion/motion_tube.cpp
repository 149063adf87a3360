#include "planner_ccd/motion/motion_tube.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

void MotionTube::set(const MoveChain& chain, const MotionErrors& errors) {
  if (errors == last_) return;
  any_ = false;
  last_ = {};  // in case what follows throws
  of_move_.assign(chain.moves.size(), 0.0);
  loose_.clear();
  above_.clear();
  std::vector<std::uint64_t> own(robot_->links().size(), 0);  // errors of a link's own pose
  if (errors.tracking.size() > 0) read_tracking(chain, errors.tracking);
  for (std::size_t i = 0; i < loose_.size(); ++i) {
    const Joint& joint = robot_->joints()[robot_->bodies()[loose_[i].body].joint];
    own[joint.child_link] |= std::uint64_t{1} << i;
  }
  read_links(errors.links, own);
  any_ = !loose_.empty() || std::any_of(of_move_.begin(), of_move_.end(), [](double d) { return d > 0.0; });
  if (!loose_.empty()) {
    above_.assign(own.size(), 0);
    for (std::size_t i = 0; i < own.size(); ++i) {
      for (int link = static_cast<int>(i); link >= 0;) {
        above_[i] |= own[link];
        const int joint = robot_->links()[link].parent_joint;
        link = joint < 0 ? -1 : robot_->joints()[joint].parent_link;
      }
    }
  }
  last_ = errors;
}

void MotionTube::add(const Loose& loose) {
  if (loose_.size() == kMostLoose) {
    throw InputError(
        "errors of poses: more than 64 links and floating joints have one; give fewer, with greater errors");
  }
  loose_.push_back(loose);
}

void MotionTube::read_tracking(const MoveChain& chain, const JointVector& tracking) {
  if (tracking.size() != robot_->dof()) {
    throw InputError("robot '" + robot_->name() + "' has " + std::to_string(robot_->dof()) +
                     " coordinates; the tracking error has " + std::to_string(tracking.size()));
  }
  for (Eigen::Index i = 0; i < tracking.size(); ++i) {
    if (!(tracking[i] >= 0.0) || !(tracking[i] <= kMostError)) {
      throw InputError("the tracking error of " + robot_->coordinates()[i].name +
                       " must be a number from 0 to 1000, in radians or metres");
    }
  }
  for (std::size_t b = 1; b < chain.bodies.size(); ++b) {
    const Joint& joint = robot_->joints()[robot_->bodies()[b].joint];
    if (joint.q_index < 0) continue;
    if (joint.type == JointType::Floating) {
      const double shift = tracking.segment<3>(joint.q_index).norm() * kRoundUp;
      const double turn = tracking.segment<4>(joint.q_index + 3).maxCoeff();
      if (shift > 0.0 || turn > 0.0) add({static_cast<int>(b), Eigen::Vector3d::Zero(), shift, turn});
      continue;
    }
    const BodyMoves& m = chain.bodies[b];
    for (int k = 0; k < m.count; ++k) {
      of_move_[m.first + k] =
          std::abs(joint.multiplier) * (1.0 + joint.multiplier_error) * tracking[joint.q_index + k] * kRoundUp;
    }
  }
}

void MotionTube::read_links(const std::vector<LinkError>& links, std::vector<std::uint64_t>& own) {
  for (const LinkError& e : links) {
    const int link = robot_->find_link(e.link);
    if (link < 0) throw InputError("errors of poses: robot '" + robot_->name() + "' has no link '" + e.link + "'");
    validate(e.error, "errors of poses, link '" + e.link + "'");
    if (!e.error.any()) continue;
    const std::size_t index = loose_.size();
    const Link& of = robot_->links()[link];
    add({of.body, of.X_BodyLink.translation(), e.error.position, e.error.angle});  // refuses more than there are bits
    own[link] |= std::uint64_t{1} << index;
  }
}

}  // namespace planner_ccd
