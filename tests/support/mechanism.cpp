#include "support/mechanism.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace planner_ccd::truth {
namespace {

constexpr Real kPi = std::numbers::pi_v<Real>;

struct Quaternion {
  Real w = 1;
  Vec v;
};

Quaternion unit(const Eigen::VectorXd& q, int at) {
  const Real x = q[at], y = q[at + 1], z = q[at + 2], w = q[at + 3];
  const Real n = std::sqrt(x * x + y * y + z * z + w * w);
  return {w / n, {x / n, y / n, z / n}};
}

/// a times the conjugate of b
Quaternion times_conjugate(const Quaternion& a, const Quaternion& b) {
  const Vec bv = Real(-1) * b.v;
  return {a.w * b.w - dot(a.v, bv), a.w * bv + b.w * a.v + cross(a.v, bv)};
}

int values_of(JointType type) {
  if (type == JointType::Fixed) return 0;
  return type == JointType::Planar ? 3 : type == JointType::Floating ? 7 : 1;
}

Real length(const Mat4& X) { return norm({X.m[0][3], X.m[1][3], X.m[2][3]}); }

}  // namespace

Mechanism::Mechanism(const RobotSpec& spec) : parent_joint_(spec.links.size(), -1) {
  std::map<std::string, int> joint_by_name;
  for (const LinkSpec& link : spec.links) names_.push_back(link.name);
  int next = 0;
  for (const JointSpec& j : spec.joints) {
    const auto index = static_cast<int>(joints_.size());
    joint_by_name[j.name] = index;
    Joint joint;
    joint.type = j.type;
    joint.origin = from(j.origin);
    joint.parent = find_link(j.parent);
    const Eigen::Vector3d axis = j.axis.normalized();  // its double rounding is part of the model
    joint.axis = from(axis);
    // Documented: the shortest rotation from z to the plane's normal turns x and y into the plane's axes.
    const auto turn = Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitZ(), axis);
    joint.x = from(Eigen::Vector3d(turn * Eigen::Vector3d::UnitX()));
    joint.y = from(Eigen::Vector3d(turn * Eigen::Vector3d::UnitY()));
    if (!j.mimic && j.type != JointType::Fixed) {
      joint.first = next;
      next += values_of(j.type);
    }
    parent_joint_[static_cast<std::size_t>(find_link(j.child))] = index;
    joints_.push_back(joint);
  }
  for (std::size_t i = 0; i < joints_.size(); ++i) {
    const JointSpec& j = spec.joints[i];
    if (!j.mimic || j.type == JointType::Fixed) continue;
    joints_[i].master = joint_by_name.at(j.mimic->joint);
    joints_[i].multiplier = j.mimic->multiplier;
    joints_[i].offset = j.mimic->offset;
  }
}

int Mechanism::find_link(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

/// Entry k of a joint. A mimic follows its master, wrapped angles included; a fixed joint's value is 0.
Real Mechanism::value(const Joint& joint, int k, const Edge& edge, Real t) const {
  if (joint.master >= 0) {
    return joint.multiplier * value(joints_[static_cast<std::size_t>(joint.master)], 0, edge, t) + joint.offset;
  }
  if (joint.first < 0) return 0;
  if (edge.curve) return edge.curve(joint.first + k, t);
  const bool endless = joint.type == JointType::Continuous || (joint.type == JointType::Planar && k == 2);
  const Real from_q = edge.q0[joint.first + k];
  Real change = static_cast<Real>(edge.q1[joint.first + k]) - from_q;
  if (endless && edge.angles == AnglePolicy::Wrap) change -= 2 * kPi * std::round(change / (2 * kPi));
  return from_q + t * change;
}

Mat4 Mechanism::motion(const Joint& joint, const Edge& edge, Real t) const {
  switch (joint.type) {
    case JointType::Fixed: break;
    case JointType::Revolute:
    case JointType::Continuous: return turn(joint.axis, value(joint, 0, edge, t));
    case JointType::Prismatic: return translation(value(joint, 0, edge, t) * joint.axis);
    case JointType::Planar: {
      const Vec shift = value(joint, 0, edge, t) * joint.x + value(joint, 1, edge, t) * joint.y;
      return translation(shift) * turn(joint.axis, value(joint, 2, edge, t));
    }
    case JointType::Floating: {
      const int i = joint.first;
      const auto p = [&](int k) { return edge.q0[i + k] + t * (static_cast<Real>(edge.q1[i + k]) - edge.q0[i + k]); };
      const Quaternion r0 = unit(edge.q0, i + 3);
      Quaternion d = times_conjugate(unit(edge.q1, i + 3), r0);
      if (d.w < 0) d = {-d.w, Real(-1) * d.v};
      const Real sine = norm(d.v);
      const Mat4 R0 = rotation(r0.w, r0.v);
      const Mat4 now = sine > 0 ? turn(1 / sine * d.v, t * 2 * std::atan2(sine, d.w)) * R0 : R0;
      return translation({p(0), p(1), p(2)}) * now;
    }
  }
  return Mat4{};
}

std::vector<int> Mechanism::joints_up(int link) const {
  std::vector<int> list;
  while (link >= 0 && parent_joint_[static_cast<std::size_t>(link)] >= 0) {
    list.push_back(parent_joint_[static_cast<std::size_t>(link)]);
    link = joints_[static_cast<std::size_t>(list.back())].parent;
  }
  return list;
}

int Mechanism::carrier(int link) const {
  for (const int j : joints_up(link)) {
    if (joints_[static_cast<std::size_t>(j)].type != JointType::Fixed) return j;
  }
  return -1;
}

Mat4 Mechanism::relative(int link_a, int link_b, const Edge& edge, Real t) const {
  std::vector<int> up_a = joints_up(link_a), up_b = joints_up(link_b);
  while (!up_a.empty() && !up_b.empty() && up_a.back() == up_b.back()) {  // joints that move both links cancel
    up_a.pop_back();
    up_b.pop_back();
  }
  const auto pose = [&](const std::vector<int>& up) {
    Mat4 X;
    for (const int j : up) {
      const Joint& joint = joints_[static_cast<std::size_t>(j)];
      X = joint.origin * motion(joint, edge, t) * X;
    }
    return X;
  };
  return inverse(pose(up_b)) * pose(up_a);
}

std::vector<Mat4> Mechanism::poses(const Edge& edge, Real t) const {
  std::vector<Mat4> all;
  for (int link = 0; link < links(); ++link) all.push_back(relative(link, -1, edge, t));
  return all;
}

/// For each joint between the two links: its rate times the greatest distance of any point beyond it, over the whole
/// edge.
Real Mechanism::speed_bound(int link_a, Real reach_a, int link_b, Real reach_b, const Edge& edge) const {
  const std::vector<int> up_a = joints_up(link_a), up_b = joints_up(link_b);
  const auto one_side = [&](Real far, const std::vector<int>& own, const std::vector<int>& other) {
    Real speed = 0;
    for (const int j : own) {
      if (std::find(other.begin(), other.end(), j) != other.end()) break;
      const Joint& joint = joints_[static_cast<std::size_t>(j)];
      const auto at = [&](int k, Real t) { return value(joint, k, edge, t); };
      const auto rate = [&](int k) { return std::abs(at(k, 1) - at(k, 0)); };
      const auto size = [&](int k) { return std::max(std::abs(at(k, 1)), std::abs(at(k, 0))); };
      switch (joint.type) {
        case JointType::Fixed: break;
        case JointType::Revolute:
        case JointType::Continuous: speed += far * rate(0); break;
        case JointType::Prismatic:
          speed += rate(0);
          far += size(0);
          break;
        case JointType::Planar:
          speed += far * rate(2) + rate(0) + rate(1);
          far += size(0) + size(1);
          break;
        case JointType::Floating:
          speed += far * kPi;  // the shorter way: at most half a turn
          for (int k = 0; k < 3; ++k) {
            const double from_q = edge.q0[joint.first + k], to_q = edge.q1[joint.first + k];
            speed += std::abs(static_cast<Real>(to_q) - from_q);
            far += std::max(std::abs(from_q), std::abs(to_q));
          }
          break;
      }
      far += length(joint.origin);
    }
    return speed;
  };
  return one_side(reach_a, up_a, up_b) + one_side(reach_b, up_b, up_a);
}

}  // namespace planner_ccd::truth
