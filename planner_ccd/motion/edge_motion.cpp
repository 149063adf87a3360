#include "planner_ccd/motion/edge_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/robot/detail/unit_quaternion.hpp"

namespace planner_ccd {
namespace {

Polynomial line(double from, double to) {
  Polynomial p;
  p.c[0] = from;
  p.c[1] = to - from;
  p.degree = p.c[1] == 0.0 ? 0 : 1;
  return p;
}

Eigen::Quaterniond unit_quaternion(const JointVectorRef& q, const Joint& joint) {
  return detail::unit_quaternion(q.segment<4>(joint.q_index + 3), joint);
}

/// Error of multiplier * q + offset at an end of a straight line, for |q| <= q_bound: product and sum are rounded
/// relative to their terms, not to the result when they cancel. Without an offset, the error is relative to the value
/// and covered by rounding_pads.
double end_error(const Joint& joint, double q_bound) {
  const double product = std::abs(joint.multiplier) * q_bound;
  const double rounding = joint.offset == 0.0 ? 0.0 : 4.0 * kUnitRoundoff * (product + std::abs(joint.offset));
  return rounding + joint.offset_error + joint.multiplier_error * product;
}

}  // namespace

EdgeMotion::EdgeMotion(const RobotModel& robot) : chain_(robot), tube_(robot), lanes_now_(chain_.moves.size()) {
  const std::size_t n = chain_.moves.size();
  value_.resize(n);
  const std::vector<double> none(n, 0.0);
  bounds_.fill({none, none, none, none});
  slide_to_.assign(chain_.bodies.size(), 0.0);
  value_error_.assign(n, 0.0);
  rate_error_.assign(n, 0.0);
  acceleration_error_.assign(n, 0.0);
  value_now_.assign(n, 0.0);
  rate_now_.assign(n, 0.0);
  acceleration_now_.assign(n, 0.0);
  fixed_reach_ = 2.0 * robot.all_offsets();  // for both bodies' chains
  fixed_joints_ = robot.joints().size() + 1 - robot.bodies().size();
}

void EdgeMotion::set_linear(const JointVectorRef& q0, const JointVectorRef& q1, AnglePolicy policy) {
  const RobotModel& robot = *chain_.robot;
  if (q0.size() != robot.dof() || q1.size() != robot.dof()) {
    throw InputError("robot '" + robot.name() + "' has " + std::to_string(robot.dof()) +
                     " coordinates; the configurations have " + std::to_string(q0.size()) + " and " +
                     std::to_string(q1.size()));
  }
  if (!q0.allFinite() || !q1.allFinite()) throw InputError("robot '" + robot.name() + "': a joint value is not finite");
  straight();
  q0_ = q0;
  q1_ = q1;
  if (policy == AnglePolicy::Wrap) {
    for (int i = 0; i < robot.dof(); ++i) {
      if (robot.coordinates()[i].continuous) q1_[i] = q0[i] + std::remainder(q1[i] - q0[i], 2.0 * std::numbers::pi);
    }
  }
  for (std::size_t b = 1; b < chain_.bodies.size(); ++b) {
    const Joint& joint = robot.joints()[robot.bodies()[b].joint];
    if (joint.type == JointType::Floating) {
      set_floating(static_cast<int>(b), joint, q0, q1);
      continue;
    }
    const BodyMoves& m = chain_.bodies[b];
    for (int k = 0; k < m.count; ++k) {
      if (joint.q_index < 0) {
        value_[m.first] = line(joint.offset, joint.offset);
        value_error_[m.first] = joint.offset_error;
        continue;
      }
      const int i = joint.q_index + k;
      value_[m.first + k] = line(joint.multiplier * q0[i] + joint.offset, joint.multiplier * q1_[i] + joint.offset);
      value_error_[m.first + k] = end_error(joint, std::max(std::abs(q0[i]), std::abs(q1_[i])));
      // The other end of a turn is off by the rounding of q1 - q0, 2 pi and their remainder.
      if (q1_[i] != q1[i]) {
        value_error_[m.first + k] +=
            std::abs(joint.multiplier) * 4.0 * kUnitRoundoff * (std::abs(q0[i]) + std::abs(q1[i]));
      }
    }
  }
  bound_moves();
}

void EdgeMotion::straight() {
  std::fill(value_error_.begin(), value_error_.end(), 0.0);
  std::fill(rate_error_.begin(), rate_error_.end(), 0.0);
  std::fill(acceleration_error_.begin(), acceleration_error_.end(), 0.0);
  segment_.value.clear();
}

void EdgeMotion::set_segment(const TrajectorySegment& segment) {
  const RobotModel& robot = *chain_.robot;
  const std::size_t n = robot.coordinates().size();
  if (segment.value.size() != n || segment.error.size() != n) {
    throw InputError("robot '" + robot.name() + "' has " + std::to_string(n) + " coordinates; the segment has " +
                     std::to_string(segment.value.size()));
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Polynomial& value = segment.value[i];
    const char* wrong = value.degree < 0 || value.degree > Polynomial::kMaxDegree ? " has a degree that is not 0 to 5"
                        : !std::isfinite(value.abs_sum())                         ? " is not finite"
                        : !(segment.error[i] >= 0.0) || std::isinf(segment.error[i])
                            ? " has an error that is not finite and >= 0"
                            : nullptr;
    if (wrong) throw InputError("robot '" + robot.name() + "': the motion of " + robot.coordinates()[i].name + wrong);
  }
  straight();
  segment_ = segment;
  q0_ = planner_ccd::configuration(robot, segment, 0.0);
  q1_ = planner_ccd::configuration(robot, segment, 1.0);
  for (std::size_t b = 1; b < chain_.bodies.size(); ++b) {
    const Joint& joint = robot.joints()[robot.bodies()[b].joint];
    const BodyMoves& m = chain_.bodies[b];
    if (joint.type == JointType::Floating) {
      set_floating(static_cast<int>(b), joint, q0_, q1_);
      // The ends' own errors: three coordinates each, and of a unit quaternion half an angle.
      for (int k = 0; k < 3; ++k) value_error_[m.first] += segment.error[joint.q_index + k];
      for (int k = 3; k < 7; ++k) value_error_[m.first + 1] += 4.0 * segment.error[joint.q_index + k];
      continue;
    }
    for (int k = 0; k < m.count; ++k) {
      Polynomial& value = value_[m.first + k];
      if (joint.q_index < 0) {
        value = line(joint.offset, joint.offset);
        value_error_[m.first] = joint.offset_error;
        continue;
      }
      value = segment.value[joint.q_index + k];
      const double terms = std::abs(joint.multiplier) * value.abs_sum() + std::abs(joint.offset);
      for (int i = 0; i <= value.degree; ++i) value.c[i] *= joint.multiplier;
      value.c[0] += joint.offset;
      while (value.degree > 0 && value.c[value.degree] == 0.0) --value.degree;
      // Two roundings of a coefficient, plus the curve's own error, scaled by the mimic joint's multiplier.
      value_error_[m.first + k] = std::abs(joint.multiplier) * segment.error[joint.q_index + k] + joint.offset_error +
                                  (joint.multiplier_error + 4.0 * kUnitRoundoff) * terms;
    }
  }
  bound_moves();
}

void EdgeMotion::set_moves(std::span<const Polynomial> values) {
  straight();
  std::copy(values.begin(), values.end(), value_.begin());
  bound_moves();
}

void EdgeMotion::set_floating(int body, const Joint& joint, const JointVectorRef& q0, const JointVectorRef& q1) {
  BodyMoves& m = chain_.bodies[body];
  const Eigen::Vector3d p0 = q0.segment<3>(joint.q_index);
  const Eigen::Vector3d p1 = q1.segment<3>(joint.q_index);
  const Eigen::Quaterniond r0 = unit_quaternion(q0, joint);
  Eigen::Quaterniond turn = unit_quaternion(q1, joint) * r0.conjugate();
  if (turn.w() < 0.0) turn.coeffs() = -turn.coeffs();
  const double sine = turn.vec().norm();  // of half the angle
  const double distance = (p1 - p0).norm();
  m.before.translation() = p0;
  m.after.linear() = r0.toRotationMatrix();
  if (distance > 0.0) chain_.moves[m.first] = Move(MoveKind::Translation, (p1 - p0) / distance);
  if (sine > 0.0) chain_.moves[m.first + 1] = Move(MoveKind::Rotation, turn.vec() / sine);
  value_[m.first] = line(0.0, distance);
  value_[m.first + 1] = line(0.0, 2.0 * std::atan2(sine, turn.w()));
}

JointVector EdgeMotion::configuration(double t) const {
  if (!segment_.value.empty()) return planner_ccd::configuration(*chain_.robot, segment_, t);
  JointVector q = q0_ + t * (q1_ - q0_);
  for (const Joint& joint : chain_.robot->joints()) {
    if (joint.type != JointType::Floating) continue;
    const Eigen::Quaterniond r = unit_quaternion(q0_, joint).slerp(t, unit_quaternion(q1_, joint));
    q.segment<4>(joint.q_index + 3) = r.coeffs();  // x, y, z, w
  }
  return q;
}

void EdgeMotion::bound_moves() {
  at_rest_ = true;
  curved_ = false;
  bounded_.fill(false);
  bound_part(0);
  for (std::size_t k = 0; k < value_.size(); ++k) {
    if (value_[k].degree >= 2) {
      curved_ = true;
      // Horner's rule at t in [0, 1]: at most 2 * degree roundings of each term, of the derivative's one more.
      const Polynomial first = value_[k].derived();
      value_error_[k] += 12.0 * kUnitRoundoff * value_[k].abs_sum();
      rate_error_[k] = 12.0 * kUnitRoundoff * first.abs_sum();
      acceleration_error_[k] = 12.0 * kUnitRoundoff * first.derived().abs_sum();
    }
    at_rest_ = at_rest_ && bounds_[0].rate[k] == 0.0;
  }
}

/// Bernstein hulls over the part. The coefficients of the derivatives are rounded once each, which the factors of
/// PairMotion cover. A straight move has the bounds of [0, 1] everywhere.
void EdgeMotion::bound_part(int part) {
  if (bounded_[part]) return;
  double t0 = 0.0, width = 1.0;
  for (int p = part; p > 0; p = (p - 1) / 2) {  // from the part upwards: each step goes to its parent
    t0 = 0.5 * (t0 + (p % 2 == 0 ? 1.0 : 0.0));
    width *= 0.5;
  }
  const double t1 = t0 + width;
  MoveBounds& out = bounds_[part];
  for (std::size_t k = 0; k < value_.size(); ++k) {
    const Polynomial& p = value_[k];
    if (p.degree < 2) {
      out.rate[k] = std::abs(p.c[1]);
      out.acceleration[k] = out.jerk[k] = 0.0;
      out.value[k] = std::max(std::abs(p.c[0]), std::abs(p.c[0] + p.c[1])) * (1.0 + 8.0 * kUnitRoundoff);
      continue;
    }
    const Polynomial first = p.derived(), second = first.derived();
    out.rate[k] = first.abs_bound(t0, t1);
    out.acceleration[k] = second.abs_bound(t0, t1);
    out.jerk[k] = second.derived().abs_bound(t0, t1);
    out.value[k] = p.abs_bound(t0, t1);
  }
  bounded_[part] = true;
}

int EdgeMotion::part_of(double t0, double t1) const {
  if (!curved_) return 0;
  int part = 0;
  double lo = 0.0, hi = 1.0;
  while (2 * part + 2 < kParts) {
    const double middle = 0.5 * (lo + hi);
    if (t1 <= middle) {
      hi = middle;
      part = 2 * part + 1;
    } else if (t0 >= middle) {
      lo = middle;
      part = 2 * part + 2;
    } else {
      break;
    }
  }
  return part;
}

/// With L the sum of all levers there can be and w, a, j the sums over all moves, the recursion (1) gives at most
/// B_3 <= (L + 1) (w^3 + 3 w a + j), the third derivative of (L + 1) exp(w s + a s^2 / 2 + j s^3 / 6), which dominates the
/// product of what single moves contribute; B_1 and B_2 likewise. The factor pays for rounding.
bool EdgeMotion::finite_bounds(double reach) const {
  double L = reach + fixed_reach_ + 1.0, w = 0.0, a = 0.0, j = 0.0;
  for (std::size_t k = 0; k < value_.size(); ++k) {
    const BodyMoves& body = chain_.bodies[chain_.body_of_move[k]];
    if (body.has_offset && body.first == static_cast<int>(k)) L += body.before.translation().norm();
    if (chain_.moves[k].kind == MoveKind::Translation) L += bounds_[0].value[k];
    w += bounds_[0].rate[k];
    a += bounds_[0].acceleration[k];
    j += bounds_[0].jerk[k];
  }
  return std::isfinite(4.0 * L * (w * (1.0 + w * (1.0 + w) + 3.0 * a) + a + j));
}

double EdgeMotion::origin_reach() {
  double farthest = 0.0;
  for (std::size_t b = 1; b < chain_.bodies.size(); ++b) {
    const BodyMoves& m = chain_.bodies[b];
    double way = slide_to_[chain_.robot->bodies()[b].parent];
    if (m.has_offset) way += m.before.translation().norm();
    for (int k = m.first; k < m.first + m.count; ++k) {
      if (chain_.moves[k].kind == MoveKind::Translation) way += bounds_[0].value[k];
    }
    slide_to_[b] = way;
    farthest = std::max(farthest, way + chain_.robot->offsets_to(static_cast<int>(b)));
  }
  return farthest;
}

RoundingPads EdgeMotion::rounding_pads(double extent) const {
  // MATHS.md 8a.
  double reach = extent + fixed_reach_;
  double roundings = 256.0 + 64.0 * static_cast<double>(fixed_joints_);
  double rates = 0.0, accelerations = 0.0;
  double value_errors = 0.0;  // each turns or shifts everything beyond it, its rate the other moves' velocities
  double rate_errors = 0.0, acceleration_errors = 0.0;
  for (std::size_t k = 0; k < value_.size(); ++k) {
    const BodyMoves& body = chain_.bodies[chain_.body_of_move[k]];
    if (body.has_offset && body.first == static_cast<int>(k)) reach += body.before.translation().norm();
    if (chain_.moves[k].kind == MoveKind::Translation) reach += bounds_[0].value[k];
    roundings += 128.0 + 8.0 * bounds_[0].value[k];
    rates += bounds_[0].rate[k];
    accelerations += bounds_[0].acceleration[k];
    value_errors += value_error_[k];
    rate_errors += rate_error_[k];
    acceleration_errors += acceleration_error_[k];
  }
  const double relative = kUnitRoundoff * roundings;
  const double curve = 2.0 * value_errors * (reach + 1.0);
  const double speed = (relative + 2.0 * value_errors) * rates + 2.0 * rate_errors;
  // Accelerations are sums of at most four times as many products, of two rates each.
  const double acceleration = 4.0 * (relative + 2.0 * value_errors) * (rates * rates + accelerations) +
                              4.0 * rate_errors * rates + 2.0 * acceleration_errors;
  return {relative * reach + curve, speed * (reach + 1.0), acceleration * (reach + 1.0), relative * reach};
}

void EdgeMotion::kinematics(double t, Kinematics& out) {
  for (std::size_t k = 0; k < value_.size(); ++k) {
    const Polynomial& p = value_[k];
    const bool straight = p.degree < 2;
    value_now_[k] = straight ? p.c[1] * t + p.c[0] : p.value(t);
    rate_now_[k] = straight ? p.c[1] : p.derivative(t);
    acceleration_now_[k] = straight ? 0.0 : p.second_derivative(t);
  }
  forward_kinematics(chain_, value_now_, rate_now_, acceleration_now_, out);
}

void EdgeMotion::kinematics(std::span<const double, kKinematicsLanes> times, KinematicsLanes& out) {
  for (std::size_t k = 0; k < value_.size(); ++k) {
    const Polynomial& p = value_[k];
    const bool straight = p.degree < 2;
    for (int i = 0; i < kKinematicsLanes; ++i) {
      const std::size_t at = k * kKinematicsLanes + i;
      lanes_now_.value[at] = straight ? p.c[1] * times[i] + p.c[0] : p.value(times[i]);
      lanes_now_.rate[at] = straight ? p.c[1] : p.derivative(times[i]);
      lanes_now_.acceleration[at] = straight ? 0.0 : p.second_derivative(times[i]);
    }
  }
  forward_kinematics(chain_, lanes_now_, out);
}

}  // namespace planner_ccd
