#include "planner_ccd/robot/kinematics_lanes.hpp"

#include <algorithm>

namespace planner_ccd {
namespace {

Eigen::Vector3d vector_at(const double* numbers) {
  return {numbers[0], numbers[kKinematicsLanes], numbers[2 * kKinematicsLanes]};
}

void set_vector(const Eigen::Vector3d& v, double* numbers) {
  for (int i = 0; i < 3; ++i) numbers[i * kKinematicsLanes] = v[i];
}

}  // namespace

void KinematicsLanes::resize(const MoveChain& chain) {
  bodies_.assign(chain.bodies.size() * kOfBody * kKinematicsLanes, 0.0);
  moves_.assign(chain.moves.size() * kOfMove * kKinematicsLanes, 0.0);
  for (int i = 0; i < 3; ++i)
    std::fill_n(bodies_.data() + 4 * i * kKinematicsLanes, kKinematicsLanes, 1.0);  // the world
}

BodyState KinematicsLanes::body(int b, int lane) const {
  const double* n = &bodies_[static_cast<std::size_t>(b) * kOfBody * kKinematicsLanes] + lane;
  constexpr int kVector = 3 * kKinematicsLanes;
  BodyState s;
  for (int i = 0; i < 3; ++i) s.R_WB.col(i) = vector_at(n + i * kVector);
  s.p_WB = vector_at(n + 3 * kVector);
  s.w = vector_at(n + 4 * kVector);
  s.v = vector_at(n + 5 * kVector);
  s.w_dot = vector_at(n + 6 * kVector);
  s.v_dot = vector_at(n + 7 * kVector);
  return s;
}

MoveFrame KinematicsLanes::move(int k, int lane) const {
  const double* n = &moves_[static_cast<std::size_t>(k) * kOfMove * kKinematicsLanes] + lane;
  return {vector_at(n), vector_at(n + 3 * kKinematicsLanes)};
}

void KinematicsLanes::copy(int lane, Kinematics& out) const {
  for (std::size_t b = 0; b < out.bodies.size(); ++b) out.bodies[b] = body(static_cast<int>(b), lane);
  for (std::size_t k = 0; k < out.moves.size(); ++k) out.moves[k] = move(static_cast<int>(k), lane);
}

void KinematicsLanes::set(int lane, const Kinematics& from) {
  constexpr int kVector = 3 * kKinematicsLanes;
  for (std::size_t b = 0; b < from.bodies.size(); ++b) {
    const BodyState& s = from.bodies[b];
    double* n = body_numbers(static_cast<int>(b)) + lane;
    for (int i = 0; i < 3; ++i) set_vector(s.R_WB.col(i), n + i * kVector);
    set_vector(s.p_WB, n + 3 * kVector);
    set_vector(s.w, n + 4 * kVector);
    set_vector(s.v, n + 5 * kVector);
    set_vector(s.w_dot, n + 6 * kVector);
    set_vector(s.v_dot, n + 7 * kVector);
  }
  for (std::size_t k = 0; k < from.moves.size(); ++k) {
    double* n = move_numbers(static_cast<int>(k)) + lane;
    set_vector(from.moves[k].axis, n);
    set_vector(from.moves[k].origin, n + kVector);
  }
}

}  // namespace planner_ccd
