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
  bool is_link;  ///< Of the robot; otherwise an object.
  SsvTree tree;  ///< In the body's frame.
};

/// Robot and scene as the searches want them: a tree per collider and the pairs to check with their margins. Immutable.
/// Pairs of colliders that never move against each other are not checked.
class CollisionWorld {
 public:
  /// `margin`: [m] for all pairs the scene does not name. Throws InputError for unknown names and bad geometry.
  CollisionWorld(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix, double margin);
  CollisionWorld(const CollisionWorld&) = delete;
  CollisionWorld& operator=(const CollisionWorld&) = delete;

  const SearchProblem& problem() const { return problem_; }
  const std::vector<Collider>& colliders() const { return colliders_; }
  /// The colliders of tree_a and tree_b of a pair, as indices.
  int collider_a(int pair) const { return pair_colliders_[pair].first; }
  int collider_b(int pair) const { return pair_colliders_[pair].second; }
  /// The pairs that are not checked, with the reasons; those of the matrix and those the scene adds.
  const CollisionMatrix& exclusions() const { return exclusions_; }

 private:
  std::vector<Collider> colliders_;
  std::vector<std::vector<int>> colliders_of_body_;
  std::vector<std::pair<int, int>> pair_colliders_;
  SearchProblem problem_;
  CollisionMatrix exclusions_;

  void add_colliders(const RobotModel& robot, const Scene& scene);
  void add_exclusions(const RobotModel& robot, const Scene& scene);
  void add_pairs(const RobotModel& robot, const Scene& scene, double margin);
  void add_pairs_of_bodies(int body_a, int body_b, const Scene& scene, double margin);
  double reach(int body) const;
};

}  // namespace planner_ccd
