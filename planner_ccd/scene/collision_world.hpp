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

/// A named body with geometry: a link, an obstacle or an attached object, placed in the frame of the body that carries
/// it.
struct Collider {
  std::string name;
  int body;          ///< 0: the world.
  bool is_link;      ///< A link of the robot; otherwise an object.
  int robot;         ///< The robot that it is part of or held by (Link::robot); -1 for obstacles.
  int link;          ///< The link that it is or that holds it; -1 for obstacles.
  double displaced;  ///< [m] How far its points may be off their places in the body: of SceneObject::pose_error.
  TreeRef tree;      ///< In the body's frame. A link's tree serves all scenes.
  Eigen::AlignedBox3d bounds;  ///< Bounds of the tree, available before it is built;
  double radius;               ///< [m] likewise its bounding radius.

  double reach() const { return bounds.center().norm() + radius; }  ///< [m] As SsvTree::reach().
};

/// The trees of a robot's links, each in its body's frame, by link; null for one without geometry. Built once per robot.
using LinkTrees = std::vector<std::shared_ptr<const SsvTree>>;
[[gnu::visibility("default")]] LinkTrees link_trees(const RobotModel& robot);

/// An entry of Scene::allow with a "*", and the number of pairs that only it excludes.
struct AllowedForAll {
  AllowedPair rule;
  int pairs;
};

/// A collider with an open surface: anything wholly behind that surface is not detected.
struct OpenBody {
  int collider;
  std::vector<int> geometries;  ///< Which of its shapes have such a surface.
  bool has_inside;              ///< Another of its surfaces is closed.
};

/// Robot and scene prepared for the searches: a tree per collider and the pairs to check with their margins. Immutable.
/// Pairs of colliders without relative motion are not checked.
///
/// Trees of obstacles are built at once for shapes seen for the first time, and for others up to kPrimitivesAhead
/// primitives; the rest are built when something comes near (DeferredTree).
///
/// No pair is lost through its names: links (also those without geometry) and objects share one set of unique names;
/// the matrix applies to links alone.
class CollisionWorld {
 public:
  using Exclusions = std::map<std::pair<int, int>, Exclusion>;

  /// `margins`: for all pairs that the scene does not name. Throws InputError for unknown or duplicate names and for
  /// bad geometry.
  CollisionWorld(const RobotModel& robot, const Scene& scene, const CollisionMatrix& matrix, const Margins& margins)
      : CollisionWorld(robot, link_trees(robot), scene, matrix, margins) {}
  /// With existing trees of this robot.
  CollisionWorld(const RobotModel& robot, const LinkTrees& trees, const Scene& scene, const CollisionMatrix& matrix,
                 const Margins& margins);
  CollisionWorld(const CollisionWorld&) = delete;
  CollisionWorld& operator=(const CollisionWorld&) = delete;

  const SearchProblem& problem() const { return problem_; }
  const std::vector<Collider>& colliders() const { return colliders_; }
  /// Indices of the colliders of a pair's tree_a and tree_b.
  int collider_a(int pair) const { return colliders_of(pair).first; }
  int collider_b(int pair) const { return colliders_of(pair).second; }
  int mover_of_row(int row) const { return collider_of_row_[static_cast<std::size_t>(row)]; }
  [[gnu::visibility("default")]] int find_pair(
      const std::string& a, const std::string& b) const;  ///< By name, in either order; -1: not checked.
  /// Resting colliders, in the order used by the rows of problem().pairs.
  const std::vector<int>& resting() const { return colliders_of_body_[0]; }
  /// The pairs excluded by the matrix, by the scene, or for being one body: by collider, the lower first.
  const Exclusions& exclusions() const { return exclusions_; }
  const std::vector<AllowedForAll>& allowed_for_all() const { return allowed_for_all_; }
  /// Colliders whose surfaces are not all closed, in the order of the colliders.
  const std::vector<OpenBody>& open_bodies() const { return open_bodies_; }
  const Margins& margins() const { return margins_; }  ///< As given to the constructor.
  /// [m] The pair's margin without the scene's entries.
  [[gnu::visibility("default")]] double margin_unless_told(int pair) const;

 private:
  std::deque<DeferredTree> trees_;
  std::vector<Collider> colliders_;
  std::vector<std::vector<int>> colliders_of_body_;
  std::vector<int> collider_of_row_;
  std::vector<std::pair<int, int>> moving_colliders_;  ///< For pairs of two moving colliders.
  SearchProblem problem_;
  Exclusions exclusions_;
  std::vector<AllowedForAll> allowed_for_all_;
  std::vector<OpenBody> open_bodies_;
  Margins margins_;

  std::unordered_map<std::string, int> collider_of_link_;
  int first_object_ = 0;  ///< Collider of scene.objects[0]; the others follow.

  /// What a collider is: the first members of Collider.
  struct Identity {
    std::string name;
    int body;
    bool is_link;
    int robot, link;
    double displaced;
  };
  void add_collider(Identity identity, std::shared_ptr<const SsvTree> tree);
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
  [[gnu::visibility("default")]] std::pair<int, int> colliders_of(int pair) const;
  double reach(int body) const;
  Margined margined(int collider) const { return {colliders_[collider].name, colliders_[collider].robot}; }
};

}  // namespace planner_ccd
