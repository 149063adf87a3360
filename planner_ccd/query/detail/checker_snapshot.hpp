#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/scene/object_rules.hpp"
#include "planner_ccd/scene/obstacle_tree.hpp"
#include "planner_ccd/scene/persistent_map.hpp"

namespace planner_ccd {

/// The contents of a PathChecker: the robot and what it holds (the base), the objects around it, and the rules about these. A persistent
/// value: another scene shares whatever it has in common with this one, and objects that came with a change are like all others.
///
/// Pairs of the base come first; higher numbers stand for each row of the base with each place for an object.
///
/// Immutable and never moved. A PathChecker and every Workspace that served it share ownership, so no two snapshots can
/// be at one address while anything refers to the first.
class CheckerSnapshot final : public MorePairs, public std::enable_shared_from_this<CheckerSnapshot> {
 public:
  /// Throws InputError for an unusable scene.
  CheckerSnapshot(std::shared_ptr<const PreparedParts> robot, const Scene& scene, const CheckerOptions& options);
  /// The same robot and options in another scene. Throws InputError for an unusable scene.
  std::shared_ptr<const CheckerSnapshot> with(const Scene& scene) const;
  /// The same with the objects in the base, built once, for whoever goes through all pairs.
  const CheckerParts& in_full() const;

  const std::shared_ptr<const RobotParts>& base() const { return base_; }
  const ObstacleTree& tree() const { return tree_; }
  const ObjectRules& rules() const { return *object_rules_; }
  double extent() const;     ///< [m] SearchProblem::extent for the objects.
  double displaced() const;  ///< [m] The greatest of the objects.
  /// Objects that the robot's joints carry and that stand still in this scene (require_motion.hpp): no motion can be checked in it.
  const std::vector<std::string>& left_behind() const { return left_behind_; }

  /// True when no pair is checked in this scene.
  bool checks_nothing() const;
  SearchPair pair(int number) const;
  SearchPair beyond(int pair) const override;
  /// Names of a pair's colliders, collider_a's first.
  std::pair<std::string, std::string> names(int pair) const;
  /// The number of a row's pair with an object; -1: it is not checked.
  int number(int row, const Obstacle& object) const;
  /// Of a pair with an object.
  std::pair<int, const Obstacle*> row_and_object(int number) const;
  /// Appends candidates for the pairs with objects, and with links that rest, that swept boxes do not exclude, pair by pair in order of time.
  void sweep(EdgeState& edge, std::vector<Candidate>& out) const;

 private:
  using Owned = std::shared_ptr<const Obstacle>;
  struct Greatest {
    double extent, displaced;
    Greatest(const Owned& one, const Greatest* left, const Greatest* right);
  };
  struct Full {
    std::once_flag once;
    std::shared_ptr<const CheckerParts> parts;
  };
  class Sweep;

  std::shared_ptr<const RobotParts> base_;
  SceneObjects objects_;
  std::shared_ptr<const Scene> rules_;  ///< The scene without its objects.
  std::shared_ptr<const ObjectRules> object_rules_;
  PersistentMap<int, Owned, Greatest> obstacles_;   ///< By place: a small number that an object keeps.
  PersistentMap<std::uint64_t, int> place_of_key_;  ///< By key in SceneObjects.
  PersistentMap<int, int> free_places_;             ///< Below the greatest in use; by themselves.
  ObstacleTree tree_;
  std::vector<std::string> left_behind_;
  std::shared_ptr<Full> full_ = std::make_shared<Full>();

  CheckerSnapshot(std::shared_ptr<const RobotParts> base, SceneObjects objects, std::shared_ptr<const Scene> rules)
      : base_(std::move(base)), objects_(std::move(objects)), rules_(std::move(rules)) {}
  void place_all();
  void change(const CheckerSnapshot& before, const std::vector<SceneObjects::Difference>& differences);
  int free_place();
  int rows() const { return static_cast<int>(base_->world.problem().pairs.rows().size()); }
  const Obstacle& obstacle_of(int beyond) const { return **obstacles_.find(beyond / rows()); }
  void require_numbers() const;
};

/// Throws InputError for a moved-from checker.
[[gnu::visibility("default")]] const CheckerSnapshot& snapshot_of(const PathChecker& checker);

}  // namespace planner_ccd
