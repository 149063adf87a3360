#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/query/detail/object_rules.hpp"
#include "planner_ccd/scene/arrivals.hpp"
#include "planner_ccd/scene/persistent_map.hpp"

namespace planner_ccd {

/// Scratch memory of CheckerSnapshot::collect().
struct ArrivalScratch {
  std::vector<const Arrival*> met;  ///< Remaining nodes of each level, the deepest last.
  std::vector<Candidate> found;
  bool grains_tried = false;  ///< By the first look.
  std::vector<Probe> likely;  ///< Where contact with arrivals is likely.
};

/// The contents of a PathChecker: a base that was built in full, and the differences of the scene from the base's.
///
/// Pairs of the base keep their numbers. Those with objects that are gone or changed are skipped (gone()). Higher
/// numbers stand for each row of the base with each possible arrival. Queries of edges and the clearance of a
/// configuration work on this; everything else uses in_full().
///
/// An object whose rules differ from the base's counts as changed. Changed rules about the robot, or other held
/// objects, need a new base: built in full, or, with more objects than a first look takes, for the robot alone, with
/// all objects as arrivals.
///
/// Immutable and never moved. A PathChecker and every Workspace that served it share ownership, so no two snapshots can
/// be at one address while anything refers to the first.
class CheckerSnapshot final : public MorePairs, public std::enable_shared_from_this<CheckerSnapshot> {
 public:
  /// Builds in full. `before`: see CheckerParts.
  CheckerSnapshot(std::shared_ptr<const PreparedParts> robot, const Scene& scene, const CheckerOptions& options,
                  const CheckerParts* before = nullptr);
  /// The same robot and options in another scene. Throws InputError for an unusable scene.
  std::shared_ptr<const CheckerSnapshot> with(const Scene& scene) const;
  /// The same scene built in full, once; this snapshot itself if it was.
  std::shared_ptr<const CheckerSnapshot> in_full() const;

  const std::shared_ptr<const CheckerParts>& base() const { return base_; }
  double extent() const { return arrivals_.extent(); }  ///< [m] SearchProblem::extent for the arrivals.
  /// Objects that the robot's joints carry and that stand still in this scene (require_motion.hpp): no motion can be checked in it.
  const std::vector<std::string>& left_behind() const { return left_behind_; }
  bool is_changed() const { return !departed_.empty() || !arrivals_.empty() || told_ != nullptr; }

  /// True when no pair is checked in this scene.
  bool checks_nothing() const;
  /// True for a pair of the base that is not in this scene.
  bool gone(int pair) const;
  SearchPair pair(int number) const;
  SearchPair beyond(int pair) const override;
  /// Names of a pair's colliders, collider_a's first.
  std::pair<std::string, std::string> names(int pair) const;
  /// Appends candidates for the pairs with arrivals that swept boxes do not exclude, pair by pair in order of time.
  /// `look`, if not null: this motion's first look, which then tries those made of grains, and to whose findings pairs
  /// that may contain each other are added.
  void collect(EdgeState& edge, FirstLook::Scratch* look, ArrivalScratch& scratch, std::vector<Candidate>& out) const;
  /// Appends the pairs of a row with arrivals whose boxes meet `box`, each with its arrival.
  void arrivals_near(int row, const Eigen::AlignedBox3d& box, std::vector<std::pair<int, const Arrival*>>& out) const;

 private:
  struct Nothing {
    bool operator==(const Nothing&) const = default;
  };
  struct Full {
    std::once_flag once;
    std::shared_ptr<const CheckerSnapshot> snapshot;
  };
  std::shared_ptr<const CheckerParts> base_;
  SceneObjects objects_;
  std::shared_ptr<const Scene> rules_;       ///< The scene without its objects.
  std::shared_ptr<const ObjectRules> told_;  ///< Null: the base's rules.
  Arrivals arrivals_;                        ///< Including all objects that told_ names.
  struct GrainArrival {
    std::uint64_t key;
    std::shared_ptr<const GrainObstacle> grains;
  };
  std::vector<GrainArrival> grains_;      ///< Of the arrivals, in order of their keys; few.
  PersistentMap<int, Nothing> departed_;  ///< Resting trees of the base that are gone.
  std::vector<std::string> left_behind_;
  std::shared_ptr<Full> full_ = std::make_shared<Full>();

  CheckerSnapshot(std::shared_ptr<const CheckerParts> base, SceneObjects objects, std::shared_ptr<const Scene> rules)
      : base_(std::move(base)), objects_(std::move(objects)), rules_(std::move(rules)) {}
  std::shared_ptr<CheckerSnapshot> changed(const Scene& scene) const;
  std::shared_ptr<CheckerSnapshot> over_robot_alone(const Scene& scene) const;
  bool take(const SceneObjects::Difference& difference);
  void put(Arrival arrival);
  void erase(std::uint64_t key);
  int resting_index(std::uint64_t key) const;
  int rows() const { return static_cast<int>(base_->world.problem().pairs.rows().size()); }
  int number(int row, const Arrival& arrival) const;
  const Arrival& arrival_of(int beyond) const;
  int known(const Arrival& arrival) const;
  const ObjectRules::Rule* told(int row, const Arrival& arrival) const;
  bool is_checked(int row, const Arrival& arrival) const;
  double margin(int row, const Arrival& arrival) const;  ///< Required.
  double greatest_margin(int row) const;                 ///< To be kept, but for what errors of arrivals add.
  void look_at_grains(FirstLook::Scratch& look, ArrivalScratch& scratch, std::vector<Candidate>& out) const;
  const GrainArrival* find_grains(std::uint64_t key) const;
  void sweep(EdgeState& edge, int row, double t0, double t1, int level, std::size_t begin,
             ArrivalScratch& scratch) const;
};

/// Throws InputError for a moved-from checker.
[[gnu::visibility("default")]] const CheckerSnapshot& snapshot_of(const PathChecker& checker);

}  // namespace planner_ccd
