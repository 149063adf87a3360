#include "planner_ccd/robot/kinematics.hpp"

#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/robot/detail/angles.hpp"
#include "planner_ccd/robot/detail/unit_quaternion.hpp"

namespace planner_ccd {
namespace {

#define PLANNER_CCD_INLINE inline
#include "planner_ccd/robot/detail/forward_pass_inl.hpp"

struct Number {
  double operator()(double x) const { return x; }
};

/// One instant, with its state in Kinematics.
struct OneInstant {
  std::span<const double> values, rates, accelerations;
  Kinematics* out;

  double value(int k) const { return values[k]; }
  double rate(int k) const { return rates[k]; }
  double acceleration(int k) const { return accelerations[k]; }
  void turn(int k, double& sine, double& cosine) const { detail::sine_cosine_of(values[k], sine, cosine); }
  BodyPass<double> body(int b) const {
    const BodyState& s = out->bodies[b];
    return {{triple(s.R_WB.col(0)), triple(s.R_WB.col(1)), triple(s.R_WB.col(2))},
            triple(s.p_WB),
            triple(s.w),
            triple(s.v),
            triple(s.w_dot),
            triple(s.v_dot)};
  }
  void set_body(int b, const BodyPass<double>& s) const {
    BodyState& to = out->bodies[b];
    for (int i = 0; i < 3; ++i) to.R_WB.col(i) = vector(s.R[i]);
    to.p_WB = vector(s.p);
    to.w = vector(s.w);
    to.v = vector(s.v);
    to.w_dot = vector(s.w_dot);
    to.v_dot = vector(s.v_dot);
  }
  void set_move(int k, const Triple<double>& axis, const Triple<double>& origin) const {
    out->moves[k] = {vector(axis), vector(origin)};
  }

 private:
  static Triple<double> triple(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }
  static Eigen::Vector3d vector(const Triple<double>& t) { return {t.x, t.y, t.z}; }
};

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

void detail::sine_cosine_of(double x, double& sine, double& cosine) {
  if (std::abs(x) <= kAnglesInLanes) return sine_cosine(x, Number{}, sine, cosine);
  sine = std::sin(x);
  cosine = std::cos(x);
}

Eigen::Quaterniond detail::unit_quaternion(const Eigen::Vector4d& xyzw, const Joint& joint) {
  Eigen::Vector4d c = xyzw;
  const double greatest = c.cwiseAbs().maxCoeff();
  if (greatest > 1e100) c /= greatest;  // its squares would overflow, and what is left of it would be no rotation
  if (!(c.norm() > 1e-9)) throw InputError("joint '" + joint.name + "': the quaternion is zero");
  return Eigen::Quaterniond(c[3], c[0], c[1], c[2]).normalized();
}

std::pair<Eigen::Vector3d, Eigen::Vector3d> plane_axes(const Eigen::Vector3d& normal) {
  const Eigen::Quaterniond turn = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), normal);
  return {turn * Eigen::Vector3d::UnitX(), turn * Eigen::Vector3d::UnitY()};
}

Eigen::Isometry3d BodyState::pose() const {
  Eigen::Isometry3d X;
  X.linear() = R_WB;
  X.translation() = p_WB;
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
  OneInstant storage{value, rate, acceleration, &out};
  forward_pass<double>(chain, Number{}, storage);
}

int velocity_size(const RobotModel& robot) {
  int size = robot.dof();
  for (const Joint& joint : robot.joints()) size -= joint.type == JointType::Floating;
  return size;
}

Kinematics kinematics(const RobotModel& robot, const JointVectorRef& q, const JointVectorRef& velocity) {
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
      const int at = velocity_index[robot.bodies()[b].joint];
      const Eigen::Vector3d directions[] = {velocity.segment<3>(at), velocity.segment<3>(at + 3)};
      m.before.translation() = q.segment<3>(joint.q_index);
      m.after.linear() = detail::unit_quaternion(q.segment<4>(joint.q_index + 3), joint).toRotationMatrix();
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

Kinematics kinematics(const RobotModel& robot, const JointVectorRef& q) {
  return kinematics(robot, q, JointVector::Zero(velocity_size(robot)));
}

}  // namespace planner_ccd
