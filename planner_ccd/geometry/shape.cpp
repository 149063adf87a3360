#include "planner_ccd/geometry/shape.hpp"

#include <cmath>

#include "planner_ccd/geometry/known_mesh.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

void require_positive(double value, const char* what, const std::string& name) {
  if (!(value > 0.0) || !(value <= kMaxCoordinate)) {
    throw InputError(name + ": " + what + " must be a positive finite number of metres, not " + std::to_string(value));
  }
}

struct ValidateShape {
  const std::string& name;

  void operator()(const Sphere& s) const { require_positive(s.radius, "the sphere's radius", name); }
  void operator()(const Box& b) const {
    for (int i = 0; i < 3; ++i) require_positive(b.size[i], "the box's size", name);
  }
  void operator()(const Cylinder& c) const {
    require_positive(c.radius, "the cylinder's radius", name);
    require_positive(c.length, "the cylinder's length", name);
  }
  void operator()(const Capsule& c) const {
    require_positive(c.radius, "the capsule's radius", name);
    if (c.length != 0.0) require_positive(c.length, "the capsule's length", name);
  }
  void operator()(const ConvexHull& h) const {
    if (h.points.empty()) throw InputError(name + ": the convex hull has no points");
    for (const auto& p : h.points) {
      if (!p.allFinite() || p.cwiseAbs().maxCoeff() > kMaxCoordinate) {
        throw InputError(name + ": a point of the convex hull is not finite or lies beyond 1e7 m");
      }
    }
  }
  void operator()(const MeshPtr& m) const {
    if (!m) throw InputError(name + ": the mesh is missing");
    if (!facts_of(m).valid) validate(*m, name);
  }
  void operator()(const CloudPtr& c) const {
    if (!c) throw InputError(name + ": the cloud is missing");
  }
  void operator()(const CellsPtr& c) const {
    if (!c) throw InputError(name + ": the map of cells is missing");
  }
};

}  // namespace

void validate(const Pose& pose, const std::string& name) {
  const Eigen::Matrix3d R = pose.linear();
  const bool rigid = pose.matrix().allFinite() && pose.translation().cwiseAbs().maxCoeff() <= kMaxCoordinate &&
                     (R.transpose() * R - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-6 &&
                     R.determinant() > 0.0;
  if (!rigid) throw InputError(name + ": the pose is not a finite rigid transform");
}

/// Newton's iteration for the orthogonal polar factor, R <- R (3 I - R^T R) / 2: it squares the defect e = |R^T R - I|, to at most
/// 3/4 e^2, so that 1e-6 becomes 1e-12 and then rounding. What is orthonormal to rounding stays as it is, to the bit.
Pose rigid(const Pose& pose, const std::string& name) {
  validate(pose, name);
  Pose out = pose;
  out.makeAffine();
  Eigen::Matrix3d R = pose.linear();
  const Eigen::Matrix3d I = Eigen::Matrix3d::Identity();
  if ((R.transpose() * R - I).cwiseAbs().maxCoeff() <= kRotationEntryError) return out;
  for (int i = 0; i < 3; ++i) R = (R * (3.0 * I - R.transpose() * R) * 0.5).eval();
  out.linear() = R;
  return out;
}

void make_rigid(std::vector<Geometry>& geometry, const std::string& name) {
  for (Geometry& g : geometry) {
    const std::string where = name + ", " + g.source;
    validate(g, where);
    g.pose = rigid(g.pose, where);
  }
}

void validate(const Geometry& geometry, const std::string& name) {
  validate(geometry.pose, name);
  std::visit(ValidateShape{name}, geometry.shape);
}

}  // namespace planner_ccd
