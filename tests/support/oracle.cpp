#include "support/oracle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "planner_ccd/robot/kinematics.hpp"

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

/// Entry k of the joint; a mimic joint follows its master's coordinate, whichever way that goes round.
Real joint_value(const RobotModel& robot, const Joint& joint, const Edge& edge, int k, Real t) {
  if (joint.q_index < 0) return joint.offset;
  const Joint& master = robot.joints()[robot.coordinates()[joint.q_index].joint];
  const bool endless = master.type == JointType::Continuous || (master.type == JointType::Planar && k == 2);
  if (edge.curve) return joint.multiplier * edge.curve(joint.q_index + k, t) + joint.offset;
  const Real from_q = edge.q0[joint.q_index + k];
  Real change = static_cast<Real>(edge.q1[joint.q_index + k]) - from_q;
  if (endless && edge.angles == AnglePolicy::Wrap) change -= 2 * kPi * std::round(change / (2 * kPi));
  return joint.multiplier * (from_q + t * change) + joint.offset;
}

bool matches(const std::string& p, const std::string& q, const std::string& a, const std::string& b) {
  const auto one = [](const std::string& pattern, const std::string& name) {
    return pattern == "*" || pattern == name;
  };
  return (one(p, a) && one(q, b)) || (one(p, b) && one(q, a));
}

}  // namespace

Oracle::Oracle(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix, double margin)
    : robot_(&robot) {
  std::vector<std::pair<std::string, std::string>> touching;
  for (std::size_t l = 0; l < robot.links().size(); ++l) {
    const Link& link = robot.links()[l];
    if (!link.collision.empty()) {
      bodies_.emplace_back(link.name, static_cast<int>(l), link.collision, Eigen::Isometry3d::Identity());
    }
  }
  for (const SceneObject& o : scene.objects) bodies_.emplace_back(o.name, -1, o.geometry, o.pose);
  for (const AttachedObject& a : scene.attached) {
    bodies_.emplace_back(a.object.name, robot.find_link(a.link), a.object.geometry, a.object.pose);
    touching.emplace_back(a.object.name, a.link);
    for (const std::string& link : a.touch_links) touching.emplace_back(a.object.name, link);
  }
  add_pairs(scene, matrix, margin, touching);
}

int Oracle::moving_body(const Body& body) const { return body.link < 0 ? 0 : robot_->links()[body.link].body; }

void Oracle::add_pairs(const Scene& scene, const CollisionMatrix& matrix, double margin,
                       const std::vector<std::pair<std::string, std::string>>& touching) {
  for (std::size_t i = 0; i < bodies_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const std::string &a = bodies_[i].name, &b = bodies_[j].name;
      if (moving_body(bodies_[i]) == moving_body(bodies_[j]) || matrix.find(a, b) != nullptr) continue;
      bool skip = false;
      for (const AllowedPair& p : scene.allow) skip = skip || matches(p.a, p.b, a, b);
      for (const auto& [p, q] : touching) skip = skip || matches(p, q, a, b);
      if (skip) continue;
      Real wanted = margin;
      for (const bool stars : {true, false}) {  // exact names win over stars, later entries over earlier ones
        for (const PairMargin& m : scene.margins) {
          if ((m.a == "*" || m.b == "*") == stars && matches(m.a, m.b, a, b)) wanted = m.margin;
        }
      }
      pairs_.push_back({static_cast<int>(i), static_cast<int>(j), wanted});
    }
  }
}

int Oracle::find_pair(const std::string& a, const std::string& b) const {
  for (std::size_t p = 0; p < pairs_.size(); ++p) {
    const std::string &x = bodies_[pairs_[p].a].name, &y = bodies_[pairs_[p].b].name;
    if ((x == a && y == b) || (x == b && y == a)) return static_cast<int>(p);
  }
  return -1;
}

Mat4 Oracle::joint_transform(const Joint& joint, const Edge& edge, Real t) const {
  const Vec axis = from(joint.axis);
  switch (joint.type) {
    case JointType::Fixed: break;
    case JointType::Revolute:
    case JointType::Continuous: return turn(axis, joint_value(*robot_, joint, edge, 0, t));
    case JointType::Prismatic: return translation(joint_value(*robot_, joint, edge, 0, t) * axis);
    case JointType::Planar: {
      const auto [x, y] = plane_axes(joint.axis);  // a convention, not a computation: any two such vectors would do
      const Vec shift =
          joint_value(*robot_, joint, edge, 0, t) * from(x) + joint_value(*robot_, joint, edge, 1, t) * from(y);
      return translation(shift) * turn(axis, joint_value(*robot_, joint, edge, 2, t));
    }
    case JointType::Floating: {
      const int i = joint.q_index;
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

Mat4 Oracle::body_transform(int body, const Edge& edge, Real t) const {
  const Joint& joint = robot_->joints()[robot_->bodies()[body].joint];
  return from(joint.X_ParentBodyJoint) * joint_transform(joint, edge, t);
}

std::vector<Mat4> Oracle::poses(const Edge& edge, Real t) const {
  std::vector<Mat4> body(robot_->bodies().size());
  for (std::size_t b = 1; b < body.size(); ++b)
    body[b] = body[robot_->bodies()[b].parent] * body_transform(static_cast<int>(b), edge, t);
  std::vector<Mat4> link;
  for (const Link& l : robot_->links()) link.push_back(body[l.body] * from(l.X_BodyLink));
  return link;
}

Mat4 Oracle::relative(const Pair& pair, const Edge& edge, Real t) const {
  const Body &a = bodies_[pair.a], &b = bodies_[pair.b];
  Mat4 X_a = a.link < 0 ? Mat4{} : from(robot_->links()[a.link].X_BodyLink);
  Mat4 X_b = b.link < 0 ? Mat4{} : from(robot_->links()[b.link].X_BodyLink);
  for (int i = moving_body(a), j = moving_body(b); i != j;) {  // parents have smaller numbers
    const bool up_a = i > j;
    int& body = up_a ? i : j;
    Mat4& X = up_a ? X_a : X_b;
    X = body_transform(body, edge, t) * X;
    body = robot_->bodies()[body].parent;
  }
  return inverse(X_b) * X_a;
}

Real Oracle::distance(const Edge& edge, int pair, Real t, Real exact_below) const {
  const Pair& p = pairs_[pair];
  Hint hint;
  return truth::distance(bodies_[p.a], bodies_[p.b], relative(p, edge, t), exact_below, hint);
}

Real Oracle::clearance(const Edge& edge, Real t) const {
  Real least = std::numeric_limits<Real>::infinity();
  for (const Pair& p : pairs_) {
    Hint hint;
    least = std::min(least, truth::distance(bodies_[p.a], bodies_[p.b], relative(p, edge, t), 1, hint) - p.margin);
  }
  return least;
}

bool Oracle::nested_at(const Edge& edge, int pair, Real t) const {
  const Pair& p = pairs_[pair];
  return nested(bodies_[p.a], bodies_[p.b], relative(p, edge, t));
}

/// Each joint on the way up from a body to the ancestor it shares with the other: rate times the farthest that any point
/// beyond the joint can be from it, over the whole edge.
Real Oracle::speed_bound(const Edge& edge, const Pair& pair) const {
  const auto ancestors = [&](int body) {
    std::vector<int> list;
    for (; body > 0; body = robot_->bodies()[body].parent) list.push_back(body);
    return list;
  };
  const std::vector<int> of_a = ancestors(moving_body(bodies_[pair.a]));
  const std::vector<int> of_b = ancestors(moving_body(bodies_[pair.b]));
  const auto one_side = [&](const Body& side, const std::vector<int>& own, const std::vector<int>& other) {
    Real far = side.reach;
    if (side.link >= 0) far += norm(from(Eigen::Vector3d(robot_->links()[side.link].X_BodyLink.translation())));
    Real speed = 0;
    for (const int b : own) {
      if (std::find(other.begin(), other.end(), b) != other.end()) break;
      const Joint& joint = robot_->joints()[robot_->bodies()[b].joint];
      const auto value = [&](int k, Real t) { return joint_value(*robot_, joint, edge, k, t); };
      const auto rate = [&](int k) { return std::abs(value(k, 1) - value(k, 0)); };
      const auto size = [&](int k) { return std::max(std::abs(value(k, 1)), std::abs(value(k, 0))); };
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
          speed += far * kPi;  // the shorter way: never more than half a turn
          for (int k = 0; k < 3; ++k) {
            speed += std::abs(static_cast<Real>(edge.q1[joint.q_index + k]) - edge.q0[joint.q_index + k]);
            far += std::max(std::abs(edge.q0[joint.q_index + k]), std::abs(edge.q1[joint.q_index + k]));
          }
          break;
      }
      far += norm(from(Eigen::Vector3d(joint.X_ParentBodyJoint.translation())));
    }
    return speed;
  };
  return one_side(bodies_[pair.a], of_a, of_b) + one_side(bodies_[pair.b], of_b, of_a);
}

Scan Oracle::scan(const Edge& edge, int pair, Real t0, Real t1, const ScanOptions& options) const {
  const Pair& p = pairs_[pair];
  const Real speed = speed_bound(edge, p) * (1 + 1e-15L);
  const Real exact_below = p.margin + 5 * options.near;
  Scan scan;
  scan.least = std::numeric_limits<Real>::infinity();
  Hint hint;
  for (Real t = t0;;) {
    ++scan.samples;
    const Real d = truth::distance(bodies_[p.a], bodies_[p.b], relative(p, edge, t), exact_below, hint);
    if (d < scan.least) {
      scan.least = d;
      scan.least_at = t;
    }
    // Rounding of the checker's own input (q1 - q0 and so on in double) is the only slack: 1e-12 m for positive margins.
    if (p.margin > 0 ? d < p.margin - 1e-12L : d <= 0) {
      scan.hit = t;
      return scan;
    }
    if (t >= t1 || speed == 0) return scan;
    const Real sure = (d > exact_below ? std::max(exact_below, Real(0.6) * d) : d) - p.margin;
    const Real safe = std::max<Real>(0, sure) / speed;
    const bool fine = sure < options.near && scan.samples < options.max_samples;
    const Real shortest = fine ? options.fine_step : options.step;
    if (safe < shortest) scan.dense = false;
    t = std::min(t1, t + std::max(safe, shortest));
  }
}

}  // namespace planner_ccd::truth
