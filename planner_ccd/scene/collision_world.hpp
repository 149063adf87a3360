#pragma once

#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/scene/pair_margins.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// A named thing with geometry: a link, an obstacle or an attached object, placed once in the frame of the body it is
/// on.
struct Collider {
  std::string name;
  int body;                    ///< 0: the world.
  bool is_link;                ///< Of the robot; otherwise an object.
  int robot;                   ///< That it is part of or held by (Link::robot); -1 for obstacles.
  TreeRef tree;                ///< In the body's frame. A link's serves all scenes.
  Eigen::AlignedBox3d bounds;  ///< Those of the tree, there without it;
  double radius;               ///< [m] and its bounding radius.

  double reach() const { return bounds.center().norm() + radius; }  ///< [m] As SsvTree::reach().
};

/// [m] The greatest of the lengths that placed() adds up: where they cancel, what was lost in rounding is relative to them.
double offsets_of(const std::vector<Geometry>& geometry, const Eigen::Isometry3d& X);

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
/// Trees of obstacles are built ahead for shapes that are there for the first time, and for others up to so many primitives
/// (kPrimitivesAhead); the rest of them wait until something comes near (DeferredTree).
///
/// No pair is lost by its name: links and objects share one space of names, in which each name is there once, links without
/// geometry included; what the matrix says is applied to links alone.
class CollisionWorld {
 public:
  using Exclusions = std::map<std::pair<int, int>, Exclusion>;

  /// `margins`: for all pairs the scene does not name. Throws InputError for names that are unknown or there twice, and
  /// for bad geometry.
  CollisionWorld(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix, const Margins& margins)
      : CollisionWorld(robot, link_trees(robot), scene, matrix, margins) {}
  /// With trees of this robot that are there already.
  CollisionWorld(const RobotModel& robot, const LinkTrees& trees, const Scene& scene, const CollisionMatrix& matrix,
                 const Margins& margins);
  CollisionWorld(const CollisionWorld&) = delete;
  CollisionWorld& operator=(const CollisionWorld&) = delete;

  const SearchProblem& problem() const { return problem_; }
  const std::vector<Collider>& colliders() const { return colliders_; }
  /// The colliders of tree_a and tree_b of a pair, as indices.
  int collider_a(int pair) const { return colliders_of(pair).first; }
  int collider_b(int pair) const { return colliders_of(pair).second; }
  int mover_of_row(int row) const { return collider_of_row_[static_cast<std::size_t>(row)]; }
  int find_pair(const std::string& a, const std::string& b) const;  ///< By name, in either order; -1: not checked.
  /// Colliders that rest, in the order in which the rows of problem().pairs count them.
  const std::vector<int>& resting() const { return colliders_of_body_[0]; }
  /// The pairs that would be checked but for the matrix, the scene, or being one body: by collider, the lower first.
  const Exclusions& exclusions() const { return exclusions_; }
  const std::vector<AllowedForAll>& allowed_for_all() const { return allowed_for_all_; }
  /// Whose surfaces are not all closed, in the order of the colliders.
  const std::vector<OpenBody>& open_bodies() const { return open_bodies_; }
  const Margins& margins() const { return margins_; }  ///< As given to the constructor.
  /// [m] That of the pair if the scene said nothing of it.
  double margin_unless_told(int pair) const;

 private:
  std::deque<DeferredTree> trees_;
  std::vector<Collider> colliders_;
  std::vector<std::vector<int>> colliders_of_body_;
  std::vector<int> collider_of_row_;
  std::vector<std::pair<int, int>> moving_colliders_;  ///< By pair of two that move.
  SearchProblem problem_;
  Exclusions exclusions_;
  std::vector<AllowedForAll> allowed_for_all_;
  std::vector<OpenBody> open_bodies_;
  Margins margins_;

  std::unordered_map<std::string, int> collider_of_link_;
  int first_object_ = 0;  ///< The collider of scene.objects[0]; the others follow.

  void add_collider(std::string name, int body, bool is_link, int robot, std::shared_ptr<const SsvTree> tree);
  void add_objects(const Scene& scene);
  void add_colliders(const RobotModel& robot, const LinkTrees& trees, const Scene& scene);
  void add_exclusions(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix);
  void add_allowed(const RobotModel& robot, const Scene& scene);
  void add_touch_links(const RobotModel& robot, const Scene& scene);
  int find_collider(const RobotModel& robot, const Scene& scene, const std::string& name, const char* where) const;
  bool exclude(int a, int b, ExclusionReason reason, const std::string& detail);
  void add_pairs(const RobotModel& robot, const Scene& scene);
  void add_rows(const RobotModel& robot, const Scene& scene, const PairMargins& margins);
  void add_chain(int body_a, int body_b);
  void add_moving_pairs(int body_a, int body_b, const PairMargins& margins);
  std::pair<int, int> colliders_of(int pair) const;
  double reach(int body) const;
  Margined margined(int collider) const { return {colliders_[collider].name, colliders_[collider].robot}; }
};

}  // namespace planner_ccd
