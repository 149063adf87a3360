#pragma once

#include <atomic>
#include <memory>

#include "planner_ccd/geometry/scene_object.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// The tree of an object at its pose, built when it is first asked for: of a hundred thousand obstacles a robot meets few. It
/// is the same tree whoever builds it and whenever, so that no answer depends on that.
class DeferredTree {
 public:
  explicit DeferredTree(std::shared_ptr<const SsvTree> tree);        ///< Built already.
  explicit DeferredTree(std::shared_ptr<const SceneObject> object);  ///< One that SsvTree::build() is known to take.
  ~DeferredTree();
  DeferredTree(const DeferredTree&) = delete;
  DeferredTree& operator=(const DeferredTree&) = delete;

  /// For any number of threads at once; of several that build it, the first one's is kept.
  const SsvTree& get() {
    const SsvTree* tree = tree_.load(std::memory_order_acquire);
    return tree != nullptr ? *tree : build();
  }
  bool is_built() const { return tree_.load(std::memory_order_acquire) != nullptr; }

 private:
  std::shared_ptr<const SceneObject> object_;
  std::shared_ptr<const SsvTree> given_;  ///< Owns what tree_ points to, if it was built already.
  std::atomic<const SsvTree*> tree_;

  [[gnu::visibility("default")]] const SsvTree& build();  // the papers call it, through get()
};

/// Points to a tree that may still have to be built.
class TreeRef {
 public:
  TreeRef() = default;
  explicit TreeRef(DeferredTree& tree) : tree_(&tree) {}

  const SsvTree& operator*() const { return tree_->get(); }
  const SsvTree* operator->() const { return &tree_->get(); }
  bool is_built() const { return tree_->is_built(); }

 private:
  DeferredTree* tree_ = nullptr;
};

/// The shapes placed by X.
std::vector<Geometry> placed(std::vector<Geometry> geometry, const Eigen::Isometry3d& X);

/// What SsvTree::bounds() and SsvTree::bounding_radius() of the object's tree are or will be.
struct BodyBounds {
  Eigen::AlignedBox3d box;
  double radius;  ///< [m] Around the box's centre.
};
BodyBounds bounds_of(const SceneObject& object);

}  // namespace planner_ccd
