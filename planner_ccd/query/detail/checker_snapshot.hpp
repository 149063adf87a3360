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
  std::vector<const Arrival*> met;  ///< What is left of each level, the deepest last.
  std::vector<Candidate> found;
};

/// What a PathChecker is made of: a base that was built in full, and where the scene differs from the base's.
///
/// Pairs of the base keep their numbers. Those with objects that are gone or changed are not asked (gone()). Beyond them is a number for
/// each row of the base and each object that may have arrived. Queries of edges and the clearance of a configuration know all of this;
/// everything else asks in_full().
///
/// An object of which rules say something else than in the base counts as changed. Other rules about the robot, or other held objects, mean
/// another base: built in full, or, where there are more objects than a first look takes, of the robot alone, among arrivals.
///
/// Immutable and never moved. A PathChecker and every Workspace that served it own it together, so that no two of these can ever be at
/// one address while anybody remembers the first.
class CheckerSnapshot final : public MorePairs, public std::enable_shared_from_this<CheckerSnapshot> {
 public:
  /// In full. `before`: see CheckerParts.
  CheckerSnapshot(std::shared_ptr<const PreparedParts> robot, const Scene& scene, const CheckerOptions& options,
                  const CheckerParts* before = nullptr);
  /// The same robot and options in another scene. Throws InputError for one that cannot be used.
  std::shared_ptr<const CheckerSnapshot> with(const Scene& scene) const;
  /// The same built in full, once; itself if it was.
  std::shared_ptr<const CheckerSnapshot> in_full() const;

  const std::shared_ptr<const CheckerParts>& base() const { return base_; }
  double extent() const { return arrivals_.extent(); }  ///< [m] As SearchProblem::extent, of the arrivals.
  bool is_changed() const { return !departed_.empty() || !arrivals_.empty() || told_ != nullptr; }

  /// Of a pair of the base: it is not one of this scene.
  bool gone(int pair) const;
  SearchPair pair(int number) const;
  SearchPair beyond(int pair) const override;
  /// Names of the two of a pair, collider_a's first.
  std::pair<std::string, std::string> names(int pair) const;
  /// Appends what swept boxes do not rule out of the pairs with arrivals, pair by pair in order of time.
  void collect(EdgeState& edge, ArrivalScratch& scratch, std::vector<Candidate>& out) const;
  /// Appends the pairs of a row with arrivals whose boxes meet `box`, and which arrival each is with.
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
  std::shared_ptr<const Scene> rules_;       ///< The scene but for its objects.
  std::shared_ptr<const ObjectRules> told_;  ///< Null: the base's rules.
  Arrivals arrivals_;                        ///< Among them all objects that told_ names.
  PersistentMap<int, Nothing> departed_;     ///< Of what rests in the base.
  std::shared_ptr<Full> full_ = std::make_shared<Full>();

  CheckerSnapshot(std::shared_ptr<const CheckerParts> base, SceneObjects objects, std::shared_ptr<const Scene> rules)
      : base_(std::move(base)), objects_(std::move(objects)), rules_(std::move(rules)) {}
  std::shared_ptr<const CheckerSnapshot> changed(const Scene& scene) const;
  std::shared_ptr<const CheckerSnapshot> over_robot_alone(const Scene& scene) const;
  bool take(const SceneObjects::Difference& difference);
  int resting_index(std::uint64_t key) const;
  int rows() const { return static_cast<int>(base_->world.problem().pairs.rows().size()); }
  int number(int row, const Arrival& arrival) const;
  const Arrival& arrival_of(int beyond) const;
  int known(const Arrival& arrival) const;
  const ObjectRules::Rule* told(int row, const Arrival& arrival) const;
  bool is_checked(int row, const Arrival& arrival) const;
  double margin(int row, const Arrival& arrival) const;
  double greatest_margin(int row) const;
  void sweep(EdgeState& edge, int row, double t0, double t1, int level, std::size_t begin,
             ArrivalScratch& scratch) const;
};

/// Throws InputError for a checker that was moved from.
[[gnu::visibility("default")]] const CheckerSnapshot& snapshot_of(const PathChecker& checker);

}  // namespace planner_ccd
