#pragma once

#include <vector>

#include "planner_ccd/robot/kinematics.hpp"

namespace planner_ccd {

inline constexpr int kKinematicsLanes = 4;

/// Values of all moves at four instants: entry k * kKinematicsLanes + lane of move k.
struct MoveLanes {
  std::vector<double> value, rate, acceleration;
  std::vector<double> sine, cosine;  ///< Of the values of rotations; filled in by forward_kinematics.

  explicit MoveLanes(std::size_t moves)
      : value(moves * kKinematicsLanes),
        rate(value.size()),
        acceleration(value.size()),
        sine(value.size()),
        cosine(value.size()) {}
};

/// Kinematics at four instants at once: forward_kinematics with one instant per lane, for little more than the cost of
/// one instant, and bit-identical on every instruction set.
class KinematicsLanes {
 public:
  void resize(const MoveChain& chain);

  BodyState body(int b, int lane) const;
  MoveFrame move(int k, int lane) const;
  /// `out` must have been resized for the chain.
  void copy(int lane, Kinematics& out) const;
  void set(int lane, const Kinematics& from);

  static constexpr int kOfBody = 24, kOfMove = 6;
  double* body_numbers(int b) { return &bodies_[static_cast<std::size_t>(b) * kOfBody * kKinematicsLanes]; }
  double* move_numbers(int k) { return &moves_[static_cast<std::size_t>(k) * kOfMove * kKinematicsLanes]; }

 private:
  // By body: columns of R, p, w, v, w_dot, v_dot; by move: axis, origin; of each number its four lanes.
  std::vector<double> bodies_, moves_;
};

void forward_kinematics(const MoveChain& chain, MoveLanes& moves, KinematicsLanes& out);

}  // namespace planner_ccd
