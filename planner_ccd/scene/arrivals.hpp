#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "planner_ccd/hierarchy/deferred_tree.hpp"
#include "planner_ccd/scene/persistent_map.hpp"

namespace planner_ccd {

/// An object added or changed after a world was built (CollisionWorld).
struct Arrival {
  std::uint64_t key;                          ///< Its key in SceneObjects.
  std::shared_ptr<const SceneObject> object;  ///< As given.
  std::shared_ptr<DeferredTree> tree;         ///< At its pose.
  Eigen::AlignedBox3d bounds;                 ///< Of the tree, and what its pose's error adds; and
  double radius;                              ///< [m] the tree's bounding radius.
  double displaced;                           ///< [m] What the error adds.
  double extent;                              ///< [m] SearchProblem::extent for it.
  int known;  ///< Index among the world's resting trees of the object that had its name; -1: none.
};

/// Makes an arrival. `alike`: an object, if any, with the same geometry whose tree was built: the new tree is then
/// built on first use. Throws InputError for an unusable object.
Arrival arrive(std::uint64_t key, std::shared_ptr<const SceneObject> object, const SceneObject* alike, int known);

/// Objects by key and by position. Copies cost O(1), changes O(log n): see PersistentMap.
class Arrivals {
 public:
  bool empty() const { return by_key_.empty(); }
  std::size_t size() const { return by_key_.size(); }
  double extent() const { return empty() ? 0.0 : by_place_.root()->summary.extent; }  ///< [m] The greatest.
  /// Null for an unknown key.
  const Arrival* find(std::uint64_t key) const;
  /// Replaces the arrival with the same key, if any.
  void put(Arrival arrival);
  void erase(std::uint64_t key);

  /// Appends the arrivals whose bounds meet the box.
  void meet(const Eigen::AlignedBox3d& box, std::vector<const Arrival*>& out) const;

 private:
  using Shared = std::shared_ptr<const Arrival>;
  /// Position of the centre along a space-filling curve, so that subtrees cover regions of space.
  struct Place {
    std::uint64_t cell, key;
    bool operator==(const Place&) const = default;
    auto operator<=>(const Place&) const = default;
  };
  struct Mixed {
    std::uint64_t operator()(const Place& place) const;
  };
  struct Around {
    Eigen::AlignedBox3d box;
    double extent;
    Around(const Shared& one, const Around* left, const Around* right);
  };
  PersistentMap<std::uint64_t, Shared> by_key_;
  PersistentMap<Place, Shared, Around, Mixed> by_place_;

  static Place place_of(const Arrival& arrival);
};

}  // namespace planner_ccd
