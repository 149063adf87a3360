#include "planner_ccd/hierarchy/deferred_tree.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "planner_ccd/geometry/shape_points.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// X * Y, but inlined: a caller's program may contain a copy of Eigen's function compiled with other options.
Eigen::Isometry3d product(const Eigen::Isometry3d& X, const Eigen::Isometry3d& Y) {
  const Eigen::Matrix3d R = X.linear() * Y.linear();
  const Eigen::Vector3d p = X.linear() * Y.translation() + X.translation();
  Eigen::Isometry3d out = Y;
  out.linear() = R;
  out.translation() = p;
  return out;
}

}  // namespace

std::vector<Geometry> placed(std::vector<Geometry> geometry, const Eigen::Isometry3d& X) {
  for (Geometry& g : geometry) g.pose = product(X, g.pose);
  return geometry;
}

/// Where lengths cancel, rounding errors are relative to them. A point takes fewer than 24 roundings of |X| + 2 |X_g| and its own distance from the
/// frame, so at most 96 of the greatest of the three, and as many again for the factors of X itself:
/// EdgeMotion::rounding_pads has 256.
double offsets_of(const std::vector<Geometry>& geometry, const Eigen::Isometry3d& X) {
  double greatest = X.translation().norm();
  for (const Geometry& g : geometry) greatest = std::max(greatest, g.pose.translation().norm());
  return greatest;
}

DeferredTree::DeferredTree(std::shared_ptr<const SsvTree> tree) : given_(std::move(tree)), tree_(given_.get()) {}
DeferredTree::DeferredTree(std::shared_ptr<const SceneObject> object) : object_(std::move(object)), tree_(nullptr) {}
DeferredTree::~DeferredTree() {
  if (given_ == nullptr) delete tree_.load(std::memory_order_relaxed);
}

const SsvTree& DeferredTree::build() {
  auto fresh = std::make_unique<const SsvTree>(SsvTree::build(placed(object_->geometry, object_->pose), object_->name));
  const SsvTree* known = nullptr;
  if (tree_.compare_exchange_strong(known, fresh.get(), std::memory_order_acq_rel)) return *fresh.release();
  return *known;
}

/// The same operations as for the tree: PrimitiveSoup places by (X_WorldObject X_ObjectShape) made rigid,
/// SsvTreeBuilder extends by the radius. Rounding is monotone, so the order of taking greatest and least does not
/// matter.
BodyBounds bounds_of(const SceneObject& object) {
  BodyBounds bounds{{}, 0.0};
  std::vector<std::pair<Eigen::Vector3d, double>> balls;
  for (const Geometry& g : object.geometry) {
    const Eigen::Isometry3d X = rigid(product(object.pose, g.pose), object.name);
    for_each_ball(g.shape, [&](const Eigen::Vector3d& p, double radius) {
      const Eigen::Vector3d at = X * p;
      bounds.box.extend(Eigen::Vector3d(at - Eigen::Vector3d::Constant(radius)));
      bounds.box.extend(Eigen::Vector3d(at + Eigen::Vector3d::Constant(radius)));
      balls.emplace_back(at, radius);
    });
  }
  const Eigen::Vector3d center = bounds.box.center();
  for (const auto& [at, radius] : balls) {
    bounds.radius = std::max(bounds.radius, std::sqrt((at - center).squaredNorm()) + radius);
  }
  bounds.radius *= 1.0 + 8.0 * kUnitRoundoff;
  return bounds;
}

}  // namespace planner_ccd
