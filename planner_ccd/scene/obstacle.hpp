#pragma once

#include <Eigen/Geometry>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "planner_ccd/hierarchy/deferred_tree.hpp"
#include "planner_ccd/scene/volumes.hpp"

namespace planner_ccd {

/// The few volumes that stand for an obstacle in a first look.
struct ObstacleVolumes {
  static constexpr int kMost = look::Boxes::kCount;
  std::vector<look::Volume> volumes;  ///< Together they cover the surface. At most kMost.
  look::Boxes boxes;                  ///< Of the volumes, in the world.
  bool filled = false;                ///< They also cover every enclosed point.
  std::optional<look::Field> field;   ///< Of grains: the only volume is the field's box, and the field tells more.
};

/// A body at rest: an object of the scene at its pose, or a link that never moves. Immutable; worlds share it.
class Obstacle {
 public:
  struct Content {
    std::uint64_t key = 0;                           ///< Of the object in SceneObjects.
    int place = -1;                                  ///< Its number in a world.
    std::shared_ptr<const SceneObject> object = {};  ///< As given; null for a link.
    int resting = -1;                     ///< Index in CollisionWorld::resting(); -1: it is not in that world.
    std::shared_ptr<DeferredTree> tree;   ///< At its pose, in the world.
    Eigen::AlignedBox3d bounds;           ///< Of the tree;
    double radius = 0.0;                  ///< [m] about the middle of that.
    double displaced = 0.0;               ///< [m] How far its points may be off their places.
    double extent = 0.0;                  ///< [m] SearchProblem::extent for it.
    std::ptrdiff_t bodies_of_grains = 1;  ///< How many such bodies share the memory of fields.
  };
  explicit Obstacle(Content content);
  ~Obstacle();
  Obstacle(const Obstacle&) = delete;
  Obstacle& operator=(const Obstacle&) = delete;

  const Content& content() const { return content_; }
  std::uint64_t key() const { return content_.key; }
  int place() const { return content_.place; }
  int resting() const { return content_.resting; }
  double displaced() const { return content_.displaced; }
  TreeRef tree() const { return TreeRef(*content_.tree); }
  /// [m] The bounds and what its pose's error adds.
  Eigen::AlignedBox3d bounds() const;
  /// bounds() in single precision, rounded outwards.
  const float (&lower() const)[3] { return lower_; }
  const float (&upper() const)[3] { return upper_; }
  /// Made when the obstacle is first met. Thread-safe; if several threads make them, the first result is kept.
  const ObstacleVolumes& volumes() const {
    const ObstacleVolumes* made = volumes_.load(std::memory_order_acquire);
    return made != nullptr ? *made : make_volumes();
  }

 private:
  Content content_;
  float lower_[3], upper_[3];
  mutable std::atomic<const ObstacleVolumes*> volumes_ = nullptr;

  const ObstacleVolumes& make_volumes() const;
};

/// The obstacle that an object is. `buildable`: SsvTree::build() is known to accept it, so that its tree can be built on first use.
/// Throws InputError for geometry of which no tree can be built; validate(object) has accepted it.
std::shared_ptr<const Obstacle> make_obstacle(std::uint64_t key, int place, std::shared_ptr<const SceneObject> object,
                                              bool buildable, std::ptrdiff_t bodies_of_grains = 1);

}  // namespace planner_ccd
