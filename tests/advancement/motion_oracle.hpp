#pragma once

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"

/// Dense sampling of an edge: what the searches are judged by. Shares no code with them: kinematics straight from the joints'
/// definitions, brute force over all triangle pairs, distances by features in extended precision.
namespace planner_ccd::oracle {

using Real = long double;
using Vector = Eigen::Matrix<Real, 3, 1>;
using Pose = Eigen::Transform<Real, 3, Eigen::Isometry>;

inline Real clamp01(Real x) { return std::min<Real>(1, std::max<Real>(0, x)); }

inline Real segment_distance(const Vector& a, const Vector& da, const Vector& b, const Vector& db) {
  const Real A = da.squaredNorm(), B = db.squaredNorm(), C = da.dot(db);
  const Vector r = a - b;
  const auto at = [&](Real s, Real t) { return (r + s * da - t * db).norm(); };
  const auto best_t = [&](Real s) { return B > 0 ? clamp01(db.dot(r + s * da) / B) : Real(0); };
  const auto best_s = [&](Real t) { return A > 0 ? clamp01(da.dot(t * db - r) / A) : Real(0); };
  Real best = std::min({at(0, best_t(0)), at(1, best_t(1)), at(best_s(0), 0), at(best_s(1), 1)});
  const Real det = A * B - C * C;
  if (det > 0) {
    const Real s = clamp01((C * db.dot(r) - B * da.dot(r)) / det);
    best = std::min(best, at(s, best_t(s)));
  }
  return best;
}

/// Distance of p from the inside of a triangle, when it projects there.
inline Real face_distance(const Vector& p, const Vector* t) {
  const Vector n = (t[1] - t[0]).cross(t[2] - t[0]);
  const Real size = n.norm();
  if (!(size > 0)) return std::numeric_limits<Real>::infinity();
  for (int k = 0; k < 3; ++k) {
    if (n.dot((t[(k + 1) % 3] - t[k]).cross(p - t[k])) < 0) return std::numeric_limits<Real>::infinity();
  }
  return std::abs(n.dot(p - t[0])) / size;
}

inline bool pierces(const Vector& p, const Vector& q, const Vector* t) {
  const Vector n = (t[1] - t[0]).cross(t[2] - t[0]);
  const Real hp = n.dot(p - t[0]), hq = n.dot(q - t[0]);
  if (!((hp <= 0 && hq >= 0) || (hp >= 0 && hq <= 0)) || hp == hq) return false;
  return face_distance(p + (q - p) * (hp / (hp - hq)), t) < std::numeric_limits<Real>::infinity();
}

inline Real triangle_distance(const Vector* a, const Vector* b) {
  Real best = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    if (pierces(a[i], a[j], b) || pierces(b[i], b[j], a)) return 0;
    best = std::min({best, face_distance(a[i], b), face_distance(b[i], a)});
    for (int k = 0; k < 3; ++k) {
      best = std::min(best, segment_distance(a[i], a[j] - a[i], b[k], b[(k + 1) % 3] - b[k]));
    }
  }
  return best;
}

/// Triangles (segments and points as degenerate ones) of a link or object, in its own frame.
struct Part {
  std::string name;
  int link;  ///< -1: does not move, in the world frame.
  std::vector<Vector> corners;
  std::vector<Real> radius;  ///< One per triangle.
  std::vector<Vector> center;
  std::vector<Real> around;  ///< All of the triangle, radius included, is within it of its centre.
  Real reach = 0;

  Part(std::string n, int l, const std::vector<Geometry>& geometry) : name(std::move(n)), link(l) {
    for (const Geometry& g : geometry) {
      const Pose X = g.pose.cast<Real>();
      if (const MeshPtr* mesh = std::get_if<MeshPtr>(&g.shape)) {
        for (const Eigen::Vector3i& t : (*mesh)->triangles) {
          for (int k = 0; k < 3; ++k) corners.push_back(X * Vector((*mesh)->vertices[t[k]].cast<Real>()));
          radius.push_back(0);
        }
      } else if (const Capsule* c = std::get_if<Capsule>(&g.shape)) {
        const Vector half(0, 0, Real(0.5) * c->length);
        corners.insert(corners.end(), {X * Vector(-half), X * half, X * half});
        radius.push_back(c->radius);
      } else if (const Sphere* s = std::get_if<Sphere>(&g.shape)) {
        corners.insert(corners.end(), 3, X * Vector(Vector::Zero()));
        radius.push_back(s->radius);
      }
    }
    for (std::size_t i = 0; i < corners.size(); ++i) reach = std::max(reach, corners[i].norm() + radius[i / 3]);
    for (std::size_t i = 0; i < radius.size(); ++i) {
      const Vector* t = &corners[3 * i];
      center.push_back((t[0] + t[1] + t[2]) / 3);
      around.push_back(radius[i]);
      for (int k = 0; k < 3; ++k) around[i] = std::max(around[i], radius[i] + (t[k] - center[i]).norm());
    }
  }
};

/// The motion of one joint at t on the straight line from q0 to q1, in its joint frame.
inline Pose joint_pose(const Joint& j, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, Real t) {
  const Vector axis = j.axis.cast<Real>();
  const auto q = [&](int i) { return q0[i] + (static_cast<Real>(q1[i]) - q0[i]) * t; };
  const auto value = [&] { return j.q_index < 0 ? Real(j.offset) : j.multiplier * q(j.q_index) + j.offset; };
  Pose X = Pose::Identity();
  switch (j.type) {
    case JointType::Fixed: break;
    case JointType::Revolute:
    case JointType::Continuous: X.rotate(Eigen::AngleAxis<Real>(value(), axis)); break;
    case JointType::Prismatic: X.translate(Vector(value() * axis)); break;
    case JointType::Planar: {
      const auto turn = Eigen::Quaternion<Real>::FromTwoVectors(Vector::UnitZ(), axis);
      X.translate(turn * Vector(q(j.q_index), q(j.q_index + 1), 0));
      X.rotate(Eigen::AngleAxis<Real>(q(j.q_index + 2), axis));
      break;
    }
    case JointType::Floating: {
      const auto unit = [&](const Eigen::VectorXd& all) {
        const Eigen::Vector4d c = all.segment<4>(j.q_index + 3);
        return Eigen::Quaternion<Real>(c[3], c[0], c[1], c[2]).normalized();
      };
      X.translate(Vector(q(j.q_index), q(j.q_index + 1), q(j.q_index + 2)));
      X.rotate(unit(q0).slerp(t, unit(q1)));
      break;
    }
  }
  return X;
}

/// Poses of all links at t.
inline std::vector<Pose> link_poses(const RobotModel& model, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1,
                                    Real t) {
  std::vector<Pose> body(model.bodies().size(), Pose::Identity());
  for (std::size_t b = 1; b < body.size(); ++b) {
    const Joint& j = model.joints()[model.bodies()[b].joint];
    body[b] = body[model.bodies()[b].parent] * j.X_ParentBodyJoint.cast<Real>() * joint_pose(j, q0, q1, t);
  }
  std::vector<Pose> out;
  for (const Link& link : model.links()) out.push_back(body[link.body] * link.X_BodyLink.cast<Real>());
  return out;
}

struct CheckedParts {
  int a, b;
};

/// Least distance over all pairs at t. Parts farther apart than `enough` are not looked at closely.
inline Real distance(const std::vector<Part>& parts, const std::vector<CheckedParts>& pairs,
                     const std::vector<Pose>& poses, Real enough) {
  Real best = enough;
  for (const CheckedParts& pair : pairs) {
    const Part &a = parts[pair.a], &b = parts[pair.b];
    const Pose Xa = a.link < 0 ? Pose::Identity() : poses[a.link], Xb = b.link < 0 ? Pose::Identity() : poses[b.link];
    const Pose X = Xb.inverse() * Xa;
    if (X.translation().norm() - a.reach - b.reach > best) continue;
    for (std::size_t i = 0; i < a.radius.size(); ++i) {
      const Vector corner[3] = {X * a.corners[3 * i], X * a.corners[3 * i + 1], X * a.corners[3 * i + 2]};
      const Vector center = X * a.center[i];
      for (std::size_t j = 0; j < b.radius.size(); ++j) {
        if ((center - b.center[j]).norm() - a.around[i] - b.around[j] > best) continue;
        best =
            std::min(best, std::max<Real>(0, triangle_distance(corner, &b.corners[3 * j]) - a.radius[i] - b.radius[j]));
      }
    }
  }
  return best;
}

}  // namespace planner_ccd::oracle
