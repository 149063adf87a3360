#pragma once

#include <Eigen/Geometry>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "planner_ccd/scene/obstacle.hpp"
#include "planner_ccd/scene/volumes.hpp"

namespace planner_ccd {

/// Obstacles by their place: a tree of boxes, sixteen to a node, which vectors test at once. A persistent value: copies share nodes and cost
/// O(1), a change copies the nodes on one path and leaves every other copy as it is. The obstacles are owned elsewhere.
class ObstacleTree {
 public:
  struct Node {
    look::Boxes boxes;                                            ///< Of the children, or the obstacles.
    std::shared_ptr<const Node> child[look::Boxes::kCount] = {};  ///< Unless it is a leaf.
    const Obstacle* obstacle[look::Boxes::kCount] = {};           ///< If it is a leaf.
    int count = 0;
    bool leaf = true;
    std::uint64_t edit = 0;  ///< The change that made it, and may still write to it.
  };

  ObstacleTree() = default;
  /// Of all these, in no particular order.
  explicit ObstacleTree(std::vector<const Obstacle*> obstacles);

  std::size_t size() const { return size_; }
  const Node* root() const { return root_.get(); }  ///< Null when empty.

  /// The same with other obstacles. `gone` must be in the tree, `come` must not.
  ObstacleTree with(const std::vector<const Obstacle*>& gone, const std::vector<const Obstacle*>& come) const;

  /// Calls take(obstacle) for those whose boxes, as rounded outwards, meet `box`.
  template <typename Take>
  void meet(const Eigen::AlignedBox3d& box, const Take& take) const {
    std::vector<const Node*> left;
    if (root_ != nullptr) left.push_back(root_.get());
    while (!left.empty()) {
      const Node& node = *left.back();
      left.pop_back();
      for (int i = 0; i < node.count; ++i) {
        if (!meets(node.boxes, i, box)) continue;
        if (node.leaf) {
          take(*node.obstacle[i]);
        } else {
          left.push_back(node.child[i].get());
        }
      }
    }
  }

 private:
  using Ptr = std::shared_ptr<const Node>;
  struct Entry;

  Ptr root_;
  std::size_t size_ = 0;
  std::size_t changes_ = 0;  ///< Since it was built anew.

  static bool meets(const look::Boxes& boxes, int i, const Eigen::AlignedBox3d& box) {
    for (int k = 0; k < 3; ++k) {
      if (boxes.lower[k][i] > box.max()[k] || boxes.upper[k][i] < box.min()[k]) return false;
    }
    return true;
  }
  void all(std::vector<const Obstacle*>& out) const;
  void insert(const Obstacle& obstacle, std::uint64_t edit);
  void erase(const Obstacle& obstacle, std::uint64_t edit);
  static Ptr build(Entry* first, Entry* last, std::size_t capacity);
  static Ptr insert(Ptr& at, const Entry& entry, std::uint64_t edit);
  static bool erase(Ptr& at, const Obstacle& obstacle, std::uint64_t edit, std::vector<const Obstacle*>& again);
  static void remove(Node& node, int i);
  static Node& own(Ptr& at, std::uint64_t edit);
};

}  // namespace planner_ccd
