#pragma once

#include <fcl/fcl.h>

#include <memory>

#include "planner_ccd/geometry/shape.hpp"

namespace planner_ccd::bench {

/// A mesh as FCL holds it, with one of its bounding volumes.
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
  int bytes() const { return model_->memUsage(0); }

 private:
  std::shared_ptr<fcl::BVHModel<Volume>> model_;
};

template <typename Volume>
bool fcl_collide(const FclMesh<Volume>& a, const Eigen::Isometry3d& X_BA, const FclMesh<Volume>& b) {
  static const fcl::CollisionRequestd request(1, false);
  fcl::CollisionResultd result;
  return fcl::collide(&a.model(), X_BA, &b.model(), Eigen::Isometry3d::Identity(), request, result) > 0;
}

template <typename Volume>
double fcl_distance(const FclMesh<Volume>& a, const Eigen::Isometry3d& X_BA, const FclMesh<Volume>& b) {
  static const fcl::DistanceRequestd request(false);
  fcl::DistanceResultd result;
  return fcl::distance(&a.model(), X_BA, &b.model(), Eigen::Isometry3d::Identity(), request, result);
}

}  // namespace planner_ccd::bench
