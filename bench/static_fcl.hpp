#pragma once

#include <fcl/fcl.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

#include "planner_ccd/geometry/shape.hpp"

namespace planner_ccd::bench {

/// A mesh as an FCL model with one of its bounding volumes.
template <typename Volume>
class FclMesh {
 public:
  explicit FclMesh(const TriangleMesh& mesh) : model_(std::make_shared<fcl::BVHModel<Volume>>()) {
    std::vector<fcl::Triangle> triangles;
    triangles.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) triangles.emplace_back(t[0], t[1], t[2]);
    model_->beginModel(static_cast<int>(triangles.size()), static_cast<int>(mesh.vertices.size()));
    model_->addSubModel(mesh.vertices, triangles);
    model_->endModel();
  }

  const fcl::BVHModel<Volume>& model() const { return *model_; }
  /// FCL's memUsage() only prints; this is the number it prints plus the order of the primitives.
  std::size_t bytes() const {
    const std::size_t triangles = model_->num_tris, vertices = model_->num_vertices;
    return model_->getNumBVs() * sizeof(fcl::BVNode<Volume>) + triangles * (sizeof(fcl::Triangle) + sizeof(unsigned)) +
           vertices * sizeof(fcl::Vector3d);
  }

 private:
  std::shared_ptr<fcl::BVHModel<Volume>> model_;
};

/// The model of a mesh, built once for successive cases of a pair.
template <typename Volume>
const FclMesh<Volume>& fcl_mesh(const MeshPtr& mesh) {
  static std::deque<std::pair<MeshPtr, FclMesh<Volume>>> recent;
  for (const auto& [of, model] : recent) {
    if (of == mesh) return model;
  }
  if (recent.size() == 2) recent.pop_front();
  return recent.emplace_back(mesh, FclMesh<Volume>(*mesh)).second;
}

template <typename Volume>
bool fcl_collide(const FclMesh<Volume>& a, const Eigen::Isometry3d& X_BA, const FclMesh<Volume>& b) {
  static const fcl::CollisionRequestd request(1, false);
  fcl::CollisionResultd result;
  return fcl::collide(&a.model(), X_BA, &b.model(), Eigen::Isometry3d::Identity(), request, result) > 0;
}

struct FclContact {
  bool hit;
  int a, b;  ///< Triangles.
};

template <typename Volume>
FclContact fcl_contact(const FclMesh<Volume>& a, const Eigen::Isometry3d& X_BA, const FclMesh<Volume>& b) {
  fcl::CollisionResultd result;
  fcl::collide(&a.model(), X_BA, &b.model(), Eigen::Isometry3d::Identity(), fcl::CollisionRequestd(1, false), result);
  if (!result.isCollision()) return {false, -1, -1};
  return {true, static_cast<int>(result.getContact(0).b1), static_cast<int>(result.getContact(0).b2)};
}

struct FclNearest {
  double distance;
  int a, b;  ///< Triangles.
};

template <typename Volume>
FclNearest fcl_nearest(const FclMesh<Volume>& a, const Eigen::Isometry3d& X_BA, const FclMesh<Volume>& b) {
  fcl::DistanceResultd result;
  const double d =
      fcl::distance(&a.model(), X_BA, &b.model(), Eigen::Isometry3d::Identity(), fcl::DistanceRequestd(false), result);
  return {std::max(0.0, d), static_cast<int>(result.b1), static_cast<int>(result.b2)};
}

template <typename Volume>
double fcl_distance(const FclMesh<Volume>& a, const Eigen::Isometry3d& X_BA, const FclMesh<Volume>& b) {
  static const fcl::DistanceRequestd request(false);
  fcl::DistanceResultd result;
  return fcl::distance(&a.model(), X_BA, &b.model(), Eigen::Isometry3d::Identity(), request, result);
}

}  // namespace planner_ccd::bench
