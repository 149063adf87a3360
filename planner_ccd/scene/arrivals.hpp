#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "planner_ccd/hierarchy/deferred_tree.hpp"
#include "planner_ccd/scene/persistent_map.hpp"

namespace planner_ccd {

/// An object that came after a world was built (CollisionWorld), or is not as it was then.
struct Arrival {
  std::uint64_t key;                          ///< SceneObjects'.
  std::shared_ptr<const SceneObject> object;  ///< As given.
  std::shared_ptr<DeferredTree> tree;         ///< At its pose.
  Eigen::AlignedBox3d bounds;                 ///< Of the tree; and
  double radius;                              ///< [m] its bounding radius.
  double extent;                              ///< [m] As SearchProblem::extent.
  int known;  ///< What had its name when the world was built, among what rests; -1: nothing.
};

/// The object as it is from now on. `alike`: one with the same shapes in the same places of it whose tree was built, if there is such
/// a one: then its own waits. Throws InputError for one that cannot be used.
Arrival arrive(std::uint64_t key, std::shared_ptr<const SceneObject> object, const SceneObject* alike, int known);

/// Objects by key and by place. Copies cost nothing, a change O(log n): see PersistentMap.
class Arrivals {
 public:
  bool empty() const { return by_key_.empty(); }
  std::size_t size() const { return by_key_.size(); }
  double extent() const { return empty() ? 0.0 : by_place_.root()->summary.extent; }  ///< [m] The greatest.
  /// Null when there is none of this key.
  const Arrival* find(std::uint64_t key) const;
  /// In place of the one with its key, if there is one.
  void put(Arrival arrival);
  void erase(std::uint64_t key);

  /// Appends those whose bounds meet the box.
  void meet(const Eigen::AlignedBox3d& box, std::vector<const Arrival*>& out) const;

 private:
  using Shared = std::shared_ptr<const Arrival>;
  /// Where the centre is, along a curve that keeps near what is near, so that subtrees are about places.
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
