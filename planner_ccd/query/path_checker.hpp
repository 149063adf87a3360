#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/advancement/query_counters.hpp"
#include "planner_ccd/math/types.hpp"
#include "planner_ccd/math/verdict.hpp"
#include "planner_ccd/motion/joint_path.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

class BoxIndexFactory;
class LeafKernel;
class PreparedRobot;
class SearchMethod;
class Workspace;
class CheckerSnapshot;
struct CheckerParts;
struct TrajectorySegment;

const char* to_string(Verdict verdict);

/// What a checker is built for; the same for all its queries.
struct CheckerOptions {
  /// [m] >= 0. Clearance demanded of a robot, with what it holds, from all around it, other robots included: of every such pair
  /// without a margin in the scene.
  double margin = 0.0;
  double self_margin = 0.0;  ///< [m] >= 0. The same of two links of one robot, and of a link and what the robot holds.
  /// Spent once per pair that is not prepared (query/prepared_robot.hpp), on proofs for whole ranges of joint values (certified
  /// cells): later queries need not ask about these again. 0 for none.
  std::int64_t cell_evaluations = 10'000;
  /// How obstacles near a link are found; empty for a tree of boxes. "sweep_and_prune" of papers/by_name.hpp is the faster one
  /// where few obstacles meet queries that differ by a small part of their size.
  std::shared_ptr<const BoxIndexFactory> broad_phase = {};
};

struct EdgeOptions {
  double tolerance = 1e-4;                    ///< [m] > 0. May turn Free into Contact, never Contact into Free.
  std::int64_t max_evaluations = 1'000'000;   ///< > 0. Distance evaluations over all pairs.
  AnglePolicy angles = AnglePolicy::Literal;  ///< How joints without limits turn.
  /// How an edge is searched; empty for the library's own way. Those of papers/by_name.hpp are slower and there for comparison;
  /// verdicts are the same, but for paths that come closer than margin + tolerance.
  std::shared_ptr<const SearchMethod> method = {};
  /// How pairs of triangles that resist the search are decided; empty for the library's own. Not together with `method`.
  std::shared_ptr<const LeafKernel> leaf = {};
};

/// Where a motion first comes within margin + tolerance. Points and normal are in the world frame.
struct Contact {
  std::string a;       ///< Link or attached object.
  std::string b;       ///< Link, attached object or obstacle.
  int geometry_a = 0;  ///< Which <collision> element (or shape) of a.
  int geometry_b = 0;
  /// Index in that element's mesh; of a cloud the number of the point, of a map that of the cell; -1 for other shapes.
  int triangle_a = -1;
  int triangle_b = -1;
  double t = 0.0;         ///< Time of the witness.
  double distance = 0.0;  ///< [m] At t, rounded up. 0 when one body is inside the other.
  double margin = 0.0;    ///< [m] What is demanded of the pair; above `distance` they need not touch.
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< Unit, from b to a.
  bool inside = false;  ///< No surfaces meet: one closed body lies inside the other; points and normal say little.
  JointVector q;        ///< Configuration at t.
};

/// Two links, or objects, by name.
struct LinkPair {
  std::string a, b;
};

struct [[nodiscard]] EdgeResult {
  Verdict verdict = Verdict::Undecided;
  double t_free = 0.0;  ///< Proved free on [0, t_free); 1 when Free. The contact lies in [t_free, contact->t].
  std::optional<Contact> contact;  ///< When Contact.
  std::optional<LinkPair> open;    ///< When Undecided: a pair that is not settled, where one is known.
  QueryCounters counters;
};

/// How near the robot is to anything at one configuration, over all pairs that are checked. Where nothing can be said (a body is
/// taken farther than kMaxCoordinate, a number overflows) `lower` is 0, `upper` infinite and there are no names.
struct [[nodiscard]] NearestPair {
  double lower = 0.0;  ///< [m] Certified: no pair is nearer. Infinite when there is no pair.
  double upper = 0.0;  ///< [m] Distance of the two points, rounded up; lower and upper differ by rounding only.
  std::string a, b;    ///< The nearest pair; empty when there is none.
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< World frame.
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
};

/// Robot, scene and pairs, ready for queries.
///
/// What queries throw, here and in all that is built on them (check_path, check_trajectory, PathClearance, batch/): InputError, before
/// anything is computed, for an invalid question:
///   - configurations or segments with the wrong number of coordinates, numbers that are not finite, a quaternion that is zero;
///     a path without waypoints, a trajectory whose segments do not join;
///   - options outside the range stated beside them;
///   - a checker that was moved from;
///   - a thread whose floating-point environment is not IEEE's (math/float_environment.hpp).
/// And std::bad_alloc. Everything else has a verdict: what cannot be computed, however large the joint values are, is Undecided.
/// A workspace that a query threw from can be used again.
///
/// Threads: a checker is immutable, a snapshot of its world; any number of threads may query it, copy it and drop their copies. A Workspace serves one
/// query at a time. Lifetime: copies share what they are made of, a Workspace shares it too; nothing that a query returns
/// refers to the checker, the workspace or what the checker was built from. Once moved from, a checker may only be assigned
/// to and destroyed; a query of it throws InputError.
class PathChecker {
 public:
  /// Copies what it needs. Throws InputError for geometry, names or margins that cannot be used.
  PathChecker(std::shared_ptr<const RobotModel> robot, const Scene& scene, const CollisionMatrix& matrix,
              const CheckerOptions& options = {});
  /// The same with what was prepared for the robot: costs its scene alone.
  PathChecker(const PreparedRobot& robot, const Scene& scene, const CheckerOptions& options = {});

  /// The same robot and options in another scene: what a planner calls when the world has changed. Verdicts, and what is thrown, are those
  /// of a checker made anew. This one stays as it is for whoever uses it; a Workspace goes over from one to the other for nothing.
  ///
  /// Where `scene` is a changed copy of this checker's it costs what has changed, a few microseconds for an object that was moved, added,
  /// replaced or taken away, or of which a rule that names it says something else, however many there are. Other held objects, and rules
  /// that name none, cost a new checker with this one's proofs: of the robot alone, once more than 512 objects have been gone through;
  /// more changes at once than 64 and an eighth of the objects cost a whole one. Make one anew now and then, on another thread, where
  /// most of a scene has changed: the first look (first_look/) knows obstacles as they were when one was last built.
  ///
  /// Edges, segments and clearance() are asked at once. All else (assumptions, certificates, PathClearance, check_trajectory with
  /// all_contacts, methods of the papers) builds the new checker in full, once, when it is first asked for.
  [[nodiscard]] PathChecker with_scene(const Scene& scene) const;

  const RobotModel& robot() const;

  /// True only when proved: no pair comes within its margin anywhere on the motion from q0 to q1.
  [[nodiscard]] bool is_free(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                             const EdgeOptions& options = {}) const;
  /// As is_free, with the verdict, some contact (not the first) and the counters.
  EdgeResult any_contact(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                         const EdgeOptions& options = {}) const;
  EdgeResult first_contact(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                           const EdgeOptions& options = {}) const;
  /// The same questions about a piece of a trajectory (motion/trajectory.hpp); times are its u in [0, 1].
  /// EdgeOptions::angles has no meaning.
  [[nodiscard]] bool is_free(const TrajectorySegment& segment, Workspace& workspace,
                             const EdgeOptions& options = {}) const;
  EdgeResult any_contact(const TrajectorySegment& segment, Workspace& workspace, const EdgeOptions& options = {}) const;
  EdgeResult first_contact(const TrajectorySegment& segment, Workspace& workspace,
                           const EdgeOptions& options = {}) const;

  /// True unless proved clear by more than the margins at this configuration.
  [[nodiscard]] bool in_contact(const JointVectorRef& q, Workspace& workspace, const EdgeOptions& options = {}) const;

  /// The least distance at a configuration; 0 when something touches or is inside. Margins do not enter.
  NearestPair clearance(const JointVectorRef& q, Workspace& workspace) const;

  /// Pairs of links that are proved apart by more than their margin for all joint values within the limits
  /// (CheckerOptions::cell_evaluations), as far as the joints between them keep to their limits at all of `waypoints`: the
  /// pairs that the library's own method passes over on a path through these. A motion beyond the limits is always searched.
  [[nodiscard]] std::vector<LinkPair> proved_apart(const std::vector<JointVector>& waypoints = {}) const;

  /// Links and objects whose surfaces are not all closed: what lies wholly behind an open one is not seen. Part of what
  /// `assumptions` lists (query/assumptions.hpp).
  [[nodiscard]] std::vector<std::string> without_inside() const;

 private:
  friend const CheckerSnapshot& snapshot_of(const PathChecker& checker);
  friend class Workspace;

  std::shared_ptr<const CheckerSnapshot> snapshot_;

  explicit PathChecker(std::shared_ptr<const CheckerSnapshot> snapshot) : snapshot_(std::move(snapshot)) {}
};

/// Scratch memory, for one query at a time. Results never depend on what it was used for before: given to another checker
/// than the last it makes itself anew for that one, which costs as much as a new Workspace, and so do one that was moved from and one
/// made without a checker; between snapshots of one world (PathChecker::with_scene) it goes for nothing. Until then it keeps what the last
/// checker is made of in memory, even if that checker is gone.
class Workspace {
 public:
  Workspace();
  explicit Workspace(const PathChecker& checker);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

 private:
  friend class PathChecker;
  struct Impl;
  std::unique_ptr<Impl> impl_;

  Impl& bind(const std::shared_ptr<const CheckerSnapshot>& snapshot);
};

}  // namespace planner_ccd
#pragma GCC visibility pop
