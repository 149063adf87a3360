#pragma once

#include <atomic>
#include <memory>

#include "planner_ccd/geometry/scene_object.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// The tree of an object at its pose, built on first use: of a hundred thousand obstacles a robot meets few. The tree
/// does not depend on who builds it or when, so neither does any answer.
class DeferredTree {
 public:
  explicit DeferredTree(std::shared_ptr<const SsvTree> tree);        ///< An existing tree.
  explicit DeferredTree(std::shared_ptr<const SceneObject> object);  ///< SsvTree::build() is known to accept it.
  ~DeferredTree();
  DeferredTree(const DeferredTree&) = delete;
  DeferredTree& operator=(const DeferredTree&) = delete;

  /// Thread-safe; if several threads build it, the first result is kept.
  const SsvTree& get() {
    const SsvTree* tree = tree_.load(std::memory_order_acquire);
    return tree != nullptr ? *tree : build();
  }
  bool is_built() const { return tree_.load(std::memory_order_acquire) != nullptr; }

 private:
  std::shared_ptr<const SceneObject> object_;
  std::shared_ptr<const SsvTree> given_;  ///< Owns the target of tree_, if it was built before.
  std::atomic<const SsvTree*> tree_;

  [[gnu::visibility("default")]] const SsvTree& build();  // the papers call it, through get()
};

/// Points to a tree that may not be built yet.
class TreeRef {
 public:
  TreeRef() = default;
  explicit TreeRef(DeferredTree& tree) : tree_(&tree) {}

  const SsvTree& operator*() const { return tree_->get(); }
  const SsvTree* operator->() const { return &tree_->get(); }
  bool is_built() const { return tree_->is_built(); }
  /// For whoever wants an owner; it is none: the tree must outlive it.
  std::shared_ptr<DeferredTree> share() const { return {std::shared_ptr<void>(), tree_}; }

 private:
  DeferredTree* tree_ = nullptr;
};

/// The shapes placed by X.
std::vector<Geometry> placed(std::vector<Geometry> geometry, const Eigen::Isometry3d& X);
/// [m] The greatest of the lengths that placed() adds up: where they cancel, rounding errors are relative to them.
double offsets_of(const std::vector<Geometry>& geometry, const Eigen::Isometry3d& X);

/// What SsvTree::bounds() and SsvTree::bounding_radius() of the object's tree are or will be.
struct BodyBounds {
  Eigen::AlignedBox3d box;
  double radius;  ///< [m] Around the box's centre.
};
BodyBounds bounds_of(const SceneObject& object);

}  // namespace planner_ccd
