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
#include "planner_ccd/motion/motion_errors.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/scene.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

class LeafKernel;
class PreparedRobot;
class SearchMethod;
class Workspace;
class CheckerSnapshot;
struct CheckerParts;
struct TrajectorySegment;

const char* to_string(Verdict verdict);

/// Settings of a checker, the same for all its queries.
struct CheckerOptions {
  /// [m] >= 0. Clearance between a robot, with what it holds, and everything else, other robots included, for pairs
  /// without a margin in the scene.
  double margin = 0.0;
  double self_margin = 0.0;  ///< [m] >= 0. The same between links of one robot, and a link and what the robot holds.
  /// Distance evaluations, spent once per unprepared pair (query/prepared_robot.hpp), on proofs for whole ranges of
  /// joint values (certified cells), which later queries reuse. 0: none.
  std::int64_t cell_evaluations = 10'000;
  /// How obstacles near a link are found; null: a tree of boxes. "sweep_and_prune" of papers/by_name.hpp is faster
  /// where few obstacles meet queries that differ by a small part of their size.
  std::shared_ptr<const SearchMethod> broad_phase = {};
};

struct EdgeOptions {
  double tolerance = 1e-4;                    ///< [m] > 0. May turn Free into Contact, never Contact into Free.
  std::int64_t max_evaluations = 1'000'000;   ///< > 0. Distance evaluations over all pairs.
  AnglePolicy angles = AnglePolicy::Literal;  ///< How joints without limits turn.
  /// How an edge is searched; null: the default. The methods of papers/by_name.hpp are slower and serve comparison;
  /// verdicts are the same, except for paths that come closer than margin + tolerance.
  std::shared_ptr<const SearchMethod> method = {};
  /// How triangle pairs that the search leaves open are decided; null: the default. Cannot be combined with `method`.
  std::shared_ptr<const LeafKernel> leaf = {};
  /// How far the robot may be from the motion. Free is then proved for everything within; Contact says that the motion
  /// itself comes so near that errors may bring two bodies within margin + tolerance (Contact::error). None can be given
  /// with `method`.
  MotionErrors errors = {};
};

/// Where a motion first comes within margin + tolerance; with errors (EdgeOptions::errors, SceneObject::pose_error)
/// within margin + error + tolerance. Points and normal are in the world frame, without errors.
struct Contact {
  std::string a;       ///< Link or attached object.
  std::string b;       ///< Link, attached object or obstacle.
  int geometry_a = 0;  ///< Index of a's <collision> element (or shape).
  int geometry_b = 0;
  /// Index in that element's mesh; of a cloud the number of the point, of a map that of the cell; -1 for other shapes.
  int triangle_a = -1;
  int triangle_b = -1;
  double t = 0.0;         ///< Time of the witness.
  double distance = 0.0;  ///< [m] At t, rounded up. 0 when one body is inside the other.
  double margin = 0.0;    ///< [m] Required of the pair; if positive, the bodies need not touch.
  /// [m] By how much errors may bring these two points nearer, at most. Without errors 0; where distance exceeds margin +
  /// tolerance, only errors make this a contact.
  double error = 0.0;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< Unit, from b to a.
  bool inside = false;  ///< One closed body lies inside the other, surfaces apart: points and normal say little.
  JointVector q;        ///< Configuration at t.
};

/// Names of two links or objects.
struct LinkPair {
  std::string a, b;
};

/// What EdgeResult::open is: an old name, filled like the new one.
class OldUndecidedPair : public std::optional<LinkPair> {
 public:
  using std::optional<LinkPair>::optional;

  [[deprecated("open is now undecided_pair")]] explicit operator bool() const { return has_value(); }
  [[deprecated("open is now undecided_pair")]] const LinkPair& operator*() const { return value(); }
  [[deprecated("open is now undecided_pair")]] const LinkPair* operator->() const { return &value(); }
};

struct [[nodiscard]] EdgeResult {
  Verdict verdict = Verdict::Undecided;
  double t_free = 0.0;  ///< Proved free on [0, t_free); 1 when Free. The contact lies in [t_free, contact->t].
  std::optional<Contact> contact;          ///< When Contact.
  std::optional<LinkPair> undecided_pair;  ///< When Undecided: a pair that is not settled, if known.
  bool nothing_checked = false;            ///< Free because the checker has no pair of bodies to check.
  QueryCounters counters;
  OldUndecidedPair open = {};
};

/// The nearest of all checked pairs at one configuration. If nothing can be computed (a body is farther away than
/// kMaxCoordinate, a number overflows), `lower` is 0, `upper` infinite and there are no names.
struct [[nodiscard]] NearestPair {
  double lower = 0.0;  ///< [m] Certified: no pair is nearer. Infinite when there is no pair.
  double upper = 0.0;  ///< [m] Distance of the two points, rounded up; lower and upper differ by rounding only.
  std::string a, b;    ///< The nearest pair; empty when there is none.
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< World frame.
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
};

/// Robot, scene and pairs, ready for queries.
///
/// What queries throw, here and in all that is built on them (check_path, check_trajectory, PathClearance, batch/):
/// InputError, before anything is computed, for invalid arguments:
///   - configurations or segments with the wrong number of coordinates, numbers that are not finite, a quaternion that is zero;
///     a path without waypoints, a trajectory whose segments do not join;
///   - options outside the range stated beside them;
///   - a checker that was moved from;
///   - configurations for a robot with joints that move by the clock (validation/moving_frame.hpp), which would stand still: give motions
///     with times, in a scene where what these joints carry is held by them;
///   - a thread whose floating-point environment is not IEEE's (math/float_environment.hpp).
/// They also throw std::bad_alloc. Everything else is a verdict: what cannot be computed, however large the joint
/// values, is Undecided. A workspace can be used again after a query threw.
///
/// Threads: a checker is an immutable snapshot of its world; any number of threads may query it, copy it and destroy
/// their copies. A Workspace serves one query at a time. Lifetime: copies and workspaces share ownership of the data;
/// no result refers to the checker, the workspace or the checker's inputs. A moved-from checker may only be assigned to
/// and destroyed; a query of it throws InputError.
class PathChecker {
 public:
  /// Copies what it needs. Throws InputError for geometry, names or margins that cannot be used.
  PathChecker(std::shared_ptr<const RobotModel> robot, const Scene& scene, const CollisionMatrix& matrix,
              const CheckerOptions& options = {});
  /// For a prepared robot: costs its scene alone.
  PathChecker(const PreparedRobot& robot, const Scene& scene, const CheckerOptions& options = {});

  /// The same robot and options in another scene, for a world that has changed. Verdicts and exceptions are those of a
  /// newly built checker. This checker stays valid and unchanged; a Workspace switches between the two at no cost.
  ///
  /// If `scene` is a changed copy of this checker's scene, only changes cost time: a few microseconds for each object
  /// that was moved, added, replaced or removed, or that a changed rule names, however many objects there are, and
  /// whatever came cost no more to check than what was there from the start. Changes of held objects, or of rules that
  /// name no object, cost a new robot with this one's proofs; the objects stay.
  ///
  /// Edges, segments and clearance() can be queried at once. All else (assumptions, certificates, PathClearance,
  /// check_trajectory with all_contacts, methods of the papers) builds the new checker in full, once, at its first use.
  [[nodiscard]] PathChecker with_scene(const Scene& scene) const;

  const RobotModel& robot() const;

  /// True when no pair of bodies is checked, because of missing geometry or rules that exclude all: every motion is then free, and
  /// that says nothing.
  [[nodiscard]] bool checks_nothing() const;

  /// True only when proved: no pair comes within its margin anywhere on the motion from q0 to q1.
  [[nodiscard]] bool is_free(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                             const EdgeOptions& options = {}) const;
  /// As is_free, with the verdict, a contact (not necessarily the first) and the counters.
  EdgeResult any_contact(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                         const EdgeOptions& options = {}) const;
  EdgeResult first_contact(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                           const EdgeOptions& options = {}) const;
  /// The same for a segment of a trajectory (motion/trajectory.hpp); times are its u in [0, 1]. EdgeOptions::angles is
  /// ignored.
  [[nodiscard]] bool is_free(const TrajectorySegment& segment, Workspace& workspace,
                             const EdgeOptions& options = {}) const;
  EdgeResult any_contact(const TrajectorySegment& segment, Workspace& workspace, const EdgeOptions& options = {}) const;
  EdgeResult first_contact(const TrajectorySegment& segment, Workspace& workspace,
                           const EdgeOptions& options = {}) const;

  /// True unless proved clear by more than the margins at this configuration.
  [[nodiscard]] bool in_contact(const JointVectorRef& q, Workspace& workspace, const EdgeOptions& options = {}) const;

  /// The least distance at a configuration; 0 when bodies touch or overlap. Margins are not subtracted.
  NearestPair clearance(const JointVectorRef& q, Workspace& workspace) const;

  /// Pairs of links proved apart by more than their margin for all joint values within the limits
  /// (CheckerOptions::cell_evaluations), provided that the joints between them keep to their limits at all `waypoints`:
  /// the default method skips these pairs on a path through the waypoints. A motion beyond the limits is always
  /// searched.
  [[nodiscard]] std::vector<LinkPair> proved_apart(const std::vector<JointVector>& waypoints = {}) const;

  /// Links and objects whose surfaces are not all closed: whatever lies wholly behind an open one is not detected. Part
  /// of what `assumptions` lists (validation/assumptions.hpp).
  [[nodiscard]] std::vector<std::string> open_surfaces() const;
  [[deprecated("is now open_surfaces"), nodiscard]] std::vector<std::string> without_inside() const {
    return open_surfaces();
  }

 private:
  friend const CheckerSnapshot& snapshot_of(const PathChecker& checker);
  friend class Workspace;

  std::shared_ptr<const CheckerSnapshot> snapshot_;

  explicit PathChecker(std::shared_ptr<const CheckerSnapshot> snapshot) : snapshot_(std::move(snapshot)) {}
};

/// Scratch memory for one query at a time. Results never depend on earlier queries. Between snapshots of one world
/// (PathChecker::with_scene) it is reused at no cost; for any other checker, or when moved from or made without a
/// checker, it reinitialises itself at the cost of a new Workspace. Until then it keeps the data of its last checker in
/// memory, even if that checker is gone.
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
