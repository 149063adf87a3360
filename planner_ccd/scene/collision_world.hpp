#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// A named thing with geometry: a link, an obstacle or an attached object, placed once in the frame of the body it is
/// on.
struct Collider {
  std::string name;
  int body;                             ///< 0: the world.
  bool is_link;                         ///< Of the robot; otherwise an object.
  std::shared_ptr<const SsvTree> tree;  ///< In the body's frame. A link's serves all scenes.
};

/// The trees of a robot's links, each in its body's frame, by link; null for one without geometry. Built once per robot.
using LinkTrees = std::vector<std::shared_ptr<const SsvTree>>;
LinkTrees link_trees(const RobotModel& robot);

/// An entry of Scene::allow with a "*", and how many pairs it takes out that would be checked without it.
struct AllowedForAll {
  AllowedPair rule;
  int pairs;
};

/// A collider of which some surface encloses nothing: what lies wholly behind that surface is not seen.
struct OpenBody {
  int collider;
  std::vector<int> geometries;  ///< Which of its shapes have such a surface.
  bool has_inside;              ///< Somewhere else.
};

/// Robot and scene as the searches want them: a tree per collider and the pairs to check with their margins. Immutable.
/// Pairs of colliders that never move against each other are not checked.
///
/// No pair is lost by its name: links and objects share one space of names, in which each name is there once, links without
/// geometry included; what the matrix says is applied to links alone.
class CollisionWorld {
 public:
  using Exclusions = std::map<std::pair<int, int>, Exclusion>;

  /// `margin`: [m] for all pairs the scene does not name. Throws InputError for names that are unknown or there twice, and
  /// for bad geometry.
  CollisionWorld(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix, double margin)
      : CollisionWorld(robot, link_trees(robot), scene, matrix, margin) {}
  /// With trees of this robot that are there already.
  CollisionWorld(const RobotModel& robot, const LinkTrees& trees, const Scene& scene, const CollisionMatrix& matrix,
                 double margin);
  CollisionWorld(const CollisionWorld&) = delete;
  CollisionWorld& operator=(const CollisionWorld&) = delete;

  const SearchProblem& problem() const { return problem_; }
  const std::vector<Collider>& colliders() const { return colliders_; }
  /// The colliders of tree_a and tree_b of a pair, as indices.
  int collider_a(int pair) const { return pair_colliders_[pair].first; }
  int collider_b(int pair) const { return pair_colliders_[pair].second; }
  /// The pairs that would be checked but for the matrix, the scene, or being one body: by collider, the lower first.
  const Exclusions& exclusions() const { return exclusions_; }
  const std::vector<AllowedForAll>& allowed_for_all() const { return allowed_for_all_; }
  /// Whose surfaces are not all closed, in the order of the colliders.
  const std::vector<OpenBody>& open_bodies() const { return open_bodies_; }
  double margin() const { return margin_; }  ///< [m] As given to the constructor.

 private:
  std::vector<Collider> colliders_;
  std::vector<std::vector<int>> colliders_of_body_;
  std::vector<std::pair<int, int>> pair_colliders_;
  SearchProblem problem_;
  Exclusions exclusions_;
  std::vector<AllowedForAll> allowed_for_all_;
  std::vector<OpenBody> open_bodies_;
  double margin_;

  void add_colliders(const RobotModel& robot, const LinkTrees& trees, const Scene& scene);
  void add_exclusions(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix);
  void add_exclusions_of_scene(const RobotModel& robot, const Scene& scene);
  bool exclude(int a, int b, ExclusionReason reason, const std::string& detail);
  void add_pairs(const RobotModel& robot, const Scene& scene);
  void add_pairs_of_bodies(int body_a, int body_b, const Scene& scene);
  double reach(int body) const;
};

}  // namespace planner_ccd
