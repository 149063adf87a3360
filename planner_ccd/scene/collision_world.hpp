#pragma once

#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// A named thing with geometry: a link, an obstacle or an attached object, placed once in the frame of the body it is
/// on.
struct Collider {
  std::string name;
  int body;      ///< 0: the world.
  SsvTree tree;  ///< In the body's frame.
};

/// Robot and scene as the searches want them: trees, forests per body, and the pairs to check with their margins.
/// Immutable.
///
/// Everything that never moves (obstacles, the robot's base, what is attached to it) is one forest in the world frame,
/// so that a moving link meets all of it in one traversal. Pairs of bodies that never move against each other are not
/// checked.
class CollisionWorld {
 public:
  /// `margin`: [m] for all pairs the scene does not name. Throws InputError for unknown names and bad geometry.
  CollisionWorld(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix, double margin);
  CollisionWorld(const CollisionWorld&) = delete;
  CollisionWorld& operator=(const CollisionWorld&) = delete;

  const SearchProblem& problem() const { return problem_; }
  const std::vector<Collider>& colliders() const { return colliders_; }
  /// The collider of tree_a of a pair, and of one tree of its forest_b.
  const Collider& collider_a(int pair) const { return colliders_[pair_colliders_[pair]]; }
  const Collider& collider_b(int pair, int tree) const;

  /// Colliders that are checked against each other, and those that are not with the reason, for reports.
  struct CheckedPair {
    std::string a, b;
    double margin;
  };
  const std::vector<CheckedPair>& checked() const { return checked_; }
  const CollisionMatrix& exclusions() const { return exclusions_; }

 private:
  std::vector<Collider> colliders_;
  std::vector<std::unique_ptr<SsvForest>> forests_;  // by body; may be null
  std::vector<std::vector<int>> colliders_of_body_;  // in the order of the forest's trees
  std::vector<int> pair_colliders_;
  SearchProblem problem_;
  std::vector<CheckedPair> checked_;
  CollisionMatrix exclusions_;

  void add_colliders(const RobotModel& robot, const Scene& scene);
  void add_exclusions(const RobotModel& robot, const Scene& scene);
  void add_pairs(const RobotModel& robot, const Scene& scene, double margin);
  void add_pair(int collider, int body_b, const Scene& scene, double margin);
  double reach(int body) const;
};

}  // namespace planner_ccd
