#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "planner_ccd/robot/robot_model.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

enum class MoveKind : std::uint8_t { Rotation, Translation };

/// An elementary one-parameter motion. Every joint is a sequence of at most three of them, so kinematics and motion
/// bounds have two cases only: a revolute, continuous or prismatic joint is one move; a planar joint two translations
/// and a rotation; a floating joint a translation and a rotation whose directions depend on the motion (see MoveChain).
struct Move {
  MoveKind kind;
  Eigen::Vector3d axis;  ///< Unit, in the frame the move starts from.
  int main_axis = -1;    ///< 0, 1, 2 when `axis` is exactly x, y or z: its rotation mixes two columns only.

  Move(MoveKind move_kind, const Eigen::Vector3d& move_axis);
};

/// The moves between a body and its parent: X_ParentBody = X_ParentBodyJoint * before * move_first * ... * after.
struct BodyMoves {
  int first = 0;
  int count = 0;
  bool turned = true;       ///< True if X_ParentBodyJoint has a rotation other than the identity.
  bool has_offset = false;  ///< True if `before` and `after` are used.
  Eigen::Isometry3d before = Eigen::Isometry3d::Identity();
  Eigen::Isometry3d after = Eigen::Isometry3d::Identity();
};

/// A robot decomposed into elementary moves. Constant for robots without floating joints; the two moves of a floating
/// joint get their directions, `before` and `after` from the current motion (or velocity).
struct MoveChain {
  explicit MoveChain(const RobotModel& robot);

  const RobotModel* robot;
  std::vector<Move> moves;
  std::vector<BodyMoves> bodies;  ///< By body index; the world's entry is empty.
  std::vector<int> body_of_move;
};

/// Pose, velocity and acceleration of a body in the world: a point of it at p (world) moves with p' = v + w x p and
/// p'' = v' + w' x p + w x p'.
struct BodyState {
  Eigen::Matrix3d R_WB = Eigen::Matrix3d::Identity();
  Eigen::Vector3d p_WB = Eigen::Vector3d::Zero();   ///< [m]
  Eigen::Vector3d w = Eigen::Vector3d::Zero();      ///< [rad per unit of time]
  Eigen::Vector3d v = Eigen::Vector3d::Zero();      ///< Of the point now at the world's origin. [m per unit of time]
  Eigen::Vector3d w_dot = Eigen::Vector3d::Zero();  ///< Derivative of w.
  Eigen::Vector3d v_dot = Eigen::Vector3d::Zero();  ///< Derivative of v: of the field at the origin, not of one point.

  Eigen::Isometry3d pose() const;
};

/// Current pose of a move's axis, in the world.
struct MoveFrame {
  Eigen::Vector3d axis;
  Eigen::Vector3d origin;
};

struct Kinematics {
  std::vector<BodyState> bodies;
  std::vector<MoveFrame> moves;

  void resize(const MoveChain& chain);
};

/// Poses, world twists and their derivatives of all bodies in one pass, without allocation (`out` must have been resized
/// for `chain`). `value`, `rate` and `acceleration` have one entry per move.
void forward_kinematics(const MoveChain& chain, std::span<const double> value, std::span<const double> rate,
                        std::span<const double> acceleration, Kinematics& out);

/// Number of entries of a velocity vector: as dof(), but 6 for a floating joint (velocity of its origin, then angular
/// velocity, both in the joint's frame).
int velocity_size(const RobotModel& robot);

/// Kinematics from a configuration and a velocity. Throws InputError for wrong sizes, numbers that are not finite, or a
/// zero quaternion. Allocates; queries use forward_kinematics directly.
Kinematics kinematics(const RobotModel& robot, const JointVectorRef& q, const JointVectorRef& velocity);
Kinematics kinematics(const RobotModel& robot, const JointVectorRef& q);

/// Two unit vectors that form a right-handed frame with the unit vector `normal`: the x and y of a planar joint. For
/// normal = z they are x and y.
std::pair<Eigen::Vector3d, Eigen::Vector3d> plane_axes(const Eigen::Vector3d& normal);

}  // namespace planner_ccd
#pragma GCC visibility pop
