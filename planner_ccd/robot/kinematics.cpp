#include "planner_ccd/robot/kinematics.hpp"

#include <cmath>

#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

/// Rodrigues' rotation by `angle` about the unit vector `a`.
Eigen::Matrix3d rotation(const Eigen::Vector3d& a, double angle) {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const Eigen::Vector3d k = (1.0 - c) * a;
  Eigen::Matrix3d R;
  R << k.x() * a.x() + c, k.x() * a.y() - s * a.z(), k.x() * a.z() + s * a.y(),  //
      k.y() * a.x() + s * a.z(), k.y() * a.y() + c, k.y() * a.z() - s * a.x(),   //
      k.z() * a.x() - s * a.y(), k.z() * a.y() + s * a.x(), k.z() * a.z() + c;
  return R;
}

/// body.R = body.R * rotation(move.axis, angle)
void turn(const Move& move, double angle, BodyState& body) {
  if (move.main_axis < 0) {
    body.R = body.R * rotation(move.axis, angle);
    return;
  }
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const int i = (move.main_axis + 1) % 3;
  const int j = (move.main_axis + 2) % 3;
  const Eigen::Vector3d x = body.R.col(i);
  const Eigen::Vector3d y = body.R.col(j);
  body.R.col(i) = c * x + s * y;
  body.R.col(j) = c * y - s * x;
}

void apply(const Eigen::Isometry3d& X, BodyState& body) {
  body.p += body.R * X.translation();
  body.R = body.R * X.linear();
}

/// Moves of one joint, with the directions a floating joint has at rest.
void append_moves(const Joint& joint, std::vector<Move>& moves) {
  switch (joint.type) {
    case JointType::Fixed: break;
    case JointType::Revolute:
    case JointType::Continuous: moves.push_back({MoveKind::Rotation, joint.axis}); break;
    case JointType::Prismatic: moves.push_back({MoveKind::Translation, joint.axis}); break;
    case JointType::Planar: {
      const auto [x, y] = plane_axes(joint.axis);
      moves.push_back({MoveKind::Translation, x});
      moves.push_back({MoveKind::Translation, y});
      moves.push_back({MoveKind::Rotation, joint.axis});
      break;
    }
    case JointType::Floating:
      moves.push_back({MoveKind::Translation, Eigen::Vector3d::UnitX()});
      moves.push_back({MoveKind::Rotation, Eigen::Vector3d::UnitX()});
      break;
  }
}

}  // namespace

std::pair<Eigen::Vector3d, Eigen::Vector3d> plane_axes(const Eigen::Vector3d& normal) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), normal);
  return {turn * Eigen::Vector3d::UnitX(), turn * Eigen::Vector3d::UnitY()};
}

Eigen::Isometry3d BodyState::pose() const {
  Eigen::Isometry3d X;
  X.linear() = R;
  X.translation() = p;
  X.makeAffine();
  return X;
}

Move::Move(MoveKind move_kind, const Eigen::Vector3d& move_axis) : kind(move_kind), axis(move_axis) {
  for (int i = 0; i < 3; ++i) {
    if (axis == Eigen::Vector3d::Unit(i)) main_axis = i;
  }
}

MoveChain::MoveChain(const RobotModel& model) : robot(&model) {
  bodies.resize(model.bodies().size());
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const Joint& joint = model.joints()[model.bodies()[b].joint];
    bodies[b].first = static_cast<int>(moves.size());
    append_moves(joint, moves);
    bodies[b].count = static_cast<int>(moves.size()) - bodies[b].first;
    bodies[b].turned = joint.X_ParentBodyJoint.linear() != Eigen::Matrix3d::Identity();
    bodies[b].has_offset = joint.type == JointType::Floating;
    body_of_move.resize(moves.size(), static_cast<int>(b));
  }
}

void Kinematics::resize(const MoveChain& chain) {
  bodies.resize(chain.bodies.size());
  moves.resize(chain.moves.size());
}

void forward_kinematics(const MoveChain& chain, std::span<const double> value, std::span<const double> rate,
                        std::span<const double> acceleration, Kinematics& out) {
  const RobotModel& robot = *chain.robot;
  for (std::size_t b = 1; b < chain.bodies.size(); ++b) {
    const Body& body = robot.bodies()[b];
    const BodyMoves& m = chain.bodies[b];
    BodyState s = out.bodies[body.parent];
    const Eigen::Isometry3d& X_ParentJoint = robot.joints()[body.joint].X_ParentBodyJoint;
    s.p.noalias() += s.R * X_ParentJoint.translation();
    if (m.turned) s.R = s.R * X_ParentJoint.linear();
    if (m.has_offset) apply(m.before, s);
    for (int k = m.first; k < m.first + m.count; ++k) {
      const Move& move = chain.moves[k];
      const Eigen::Vector3d axis = move.main_axis >= 0 ? Eigen::Vector3d(s.R.col(move.main_axis)) : s.R * move.axis;
      out.moves[k] = {axis, s.p};
      // What the move adds to the twist turns with the frame it starts from, and its axis goes with that frame's origin.
      const Eigen::Vector3d added = rate[k] * axis;
      const Eigen::Vector3d added_dot = acceleration[k] * axis + s.w.cross(added);
      if (move.kind == MoveKind::Rotation) {
        s.v_dot += (s.v + s.w.cross(s.p)).cross(added) + s.p.cross(added_dot);
        s.w_dot += added_dot;
        s.v += s.p.cross(added);
        s.w += added;
        turn(move, value[k], s);
      } else {
        s.v_dot += added_dot;
        s.v += added;
        s.p += value[k] * axis;
      }
    }
    if (m.has_offset) apply(m.after, s);
    out.bodies[b] = s;
  }
}

int velocity_size(const RobotModel& robot) {
  int size = robot.dof();
  for (const Joint& joint : robot.joints()) size -= joint.type == JointType::Floating;
  return size;
}

Kinematics kinematics(const RobotModel& robot, const Eigen::VectorXd& q, const Eigen::VectorXd& velocity) {
  if (q.size() != robot.dof() || velocity.size() != velocity_size(robot)) {
    throw InputError("robot '" + robot.name() + "' has " + std::to_string(robot.dof()) + " coordinates and " +
                     std::to_string(velocity_size(robot)) + " velocities, not " + std::to_string(q.size()) + " and " +
                     std::to_string(velocity.size()));
  }
  if (!q.allFinite() || !velocity.allFinite()) throw InputError("robot '" + robot.name() + "': a value is not finite");
  MoveChain chain(robot);
  std::vector<double> value(chain.moves.size(), 0.0);
  std::vector<double> rate(chain.moves.size(), 0.0);
  const std::vector<double> acceleration(chain.moves.size(), 0.0);
  std::vector<int> velocity_index(robot.joints().size(), 0);  // where a joint's entries of `velocity` begin
  int next = 0;
  for (std::size_t j = 0; j < robot.joints().size(); ++j) {
    velocity_index[j] = next;
    next += robot.joints()[j].type == JointType::Floating ? 6 : robot.joints()[j].q_size;
  }
  for (std::size_t b = 1; b < chain.bodies.size(); ++b) {
    const Joint& joint = robot.joints()[robot.bodies()[b].joint];
    BodyMoves& m = chain.bodies[b];
    if (joint.type == JointType::Floating) {
      const Eigen::Vector4d c = q.segment<4>(joint.q_index + 3);
      if (!(c.norm() > 1e-9)) throw InputError("joint '" + joint.name + "': the quaternion is zero");
      const int at = velocity_index[robot.bodies()[b].joint];
      const Eigen::Vector3d directions[] = {velocity.segment<3>(at), velocity.segment<3>(at + 3)};
      m.before.translation() = q.segment<3>(joint.q_index);
      m.after.linear() = Eigen::Quaterniond(c[3], c[0], c[1], c[2]).normalized().toRotationMatrix();
      for (int k = 0; k < 2; ++k) {
        rate[m.first + k] = directions[k].norm();
        if (rate[m.first + k] > 0.0) {
          chain.moves[m.first + k] = Move(chain.moves[m.first + k].kind, directions[k] / rate[m.first + k]);
        }
      }
      continue;
    }
    if (joint.q_index < 0) {  // mimics a fixed joint: constant
      value[m.first] = joint.offset;
      continue;
    }
    const int at = velocity_index[robot.coordinates()[joint.q_index].joint];
    for (int k = 0; k < m.count; ++k) {
      value[m.first + k] = joint.multiplier * q[joint.q_index + k] + joint.offset;
      rate[m.first + k] = joint.multiplier * velocity[at + k];
    }
  }
  Kinematics out;
  out.resize(chain);
  forward_kinematics(chain, value, rate, acceleration, out);
  return out;
}

Kinematics kinematics(const RobotModel& robot, const Eigen::VectorXd& q) {
  return kinematics(robot, q, Eigen::VectorXd::Zero(velocity_size(robot)));
}

}  // namespace planner_ccd
