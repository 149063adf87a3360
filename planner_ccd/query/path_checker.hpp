#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/papers/c2a_hca/paper_methods.hpp"
#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/robot/robot_model.hpp"
#include "planner_ccd/scene/box_index.hpp"
#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

class BroadPhase;
class CollisionWorld;
class EdgeState;
class Workspace;
struct SearchResult;

enum class Verdict : std::uint8_t {
  Free,       ///< Proved: clearance > margin for every t in [0, 1].
  Contact,    ///< Clearance <= margin + tolerance at the witness; proved free before t_free.
  Undecided,  ///< Budget spent, or a bound was not finite. A planner must reject the edge.
};

const char* to_string(Verdict verdict);

/// What a checker is built for; the same for all its queries.
struct CheckerOptions {
  double margin = 0.0;  ///< [m] >= 0. Clearance demanded of every pair that the scene gives no margin of its own.
  /// Spent once per pair of moving links, on proofs for whole ranges of joint values (certified cells): later queries
  /// need not ask about these again. 0 for none.
  std::int64_t cell_evaluations = 10'000;
  /// How obstacles near a link are found. Sweep and prune is the faster one where few obstacles meet queries that differ by a
  /// small part of their size, see bench/README.md.
  BoxIndexKind broad_phase = BoxIndexKind::Tree;
};

struct EdgeOptions {
  double tolerance = 1e-4;                    ///< [m] > 0. May turn Free into Contact, never Contact into Free.
  std::int64_t max_evaluations = 1'000'000;   ///< > 0. Distance evaluations over all pairs.
  AnglePolicy angles = AnglePolicy::Literal;  ///< How joints without limits turn.
  Method method = Method::Taylor;             ///< The others are slower; they are there for comparison.
};

/// Where a motion first comes within margin + tolerance. Points and normal are in the world frame.
struct Contact {
  std::string a;       ///< Link or attached object.
  std::string b;       ///< Link, attached object or obstacle.
  int geometry_a = 0;  ///< Which <collision> element (or shape) of a.
  int geometry_b = 0;
  int triangle_a = -1;  ///< Index in that element's mesh; -1 for a sphere, capsule or cylinder.
  int triangle_b = -1;
  double t = 0.0;         ///< Time of the witness.
  double distance = 0.0;  ///< [m] At t, rounded up. 0 when one body is inside the other.
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< Unit, from b to a.
  bool inside = false;  ///< No surfaces meet: one closed body lies inside the other; points and normal say little.
  Eigen::VectorXd q;    ///< Configuration at t.
};

/// Costs of a query, for benchmarks. Deterministic.
struct QueryCounters {
  std::int64_t node_evaluations = 0;
  std::int64_t primitive_evaluations = 0;
  std::int64_t self_evaluations = 0;  ///< Those of the above between two bodies that both move.
  std::int64_t kinematics = 0;        ///< Distinct times at which poses were asked for.
};

struct EdgeResult {
  Verdict verdict = Verdict::Undecided;
  double t_free = 0.0;  ///< Proved free on [0, t_free); 1 when Free. The contact lies in [t_free, contact->t].
  std::optional<Contact> contact;  ///< When Contact.
  QueryCounters counters;
};

/// How near the robot is to anything at one configuration, over all pairs that are checked.
struct NearestPair {
  double lower = 0.0;  ///< [m] Certified: no pair is nearer. Infinite when there is no pair.
  double upper = 0.0;  ///< [m] Distance of the two points, rounded up; lower and upper differ by rounding only.
  std::string a, b;    ///< The nearest pair; empty when there is none.
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< World frame.
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
};

/// Two links by name.
struct LinkPair {
  std::string a, b;
};

/// Robot, scene and pairs, ready for queries. Immutable; shared by any number of threads, each with a Workspace of its
/// own.
class PathChecker {
 public:
  /// Copies what it needs. Throws InputError for geometry, names or margins that cannot be used.
  PathChecker(std::shared_ptr<const RobotModel> robot, const Scene& scene, const CollisionMatrix& matrix,
              const CheckerOptions& options = {});
  ~PathChecker();

  const RobotModel& robot() const { return *robot_; }
  const CollisionWorld& world() const { return *world_; }
  const BroadPhase& broad_phase() const { return *broad_phase_; }

  /// True only when proved: no pair comes within its margin anywhere on the motion from q0 to q1.
  bool is_free(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, Workspace& workspace,
               const EdgeOptions& options = {}) const;
  /// As is_free, with the verdict, some contact (not the first) and the counters.
  EdgeResult any_contact(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, Workspace& workspace,
                         const EdgeOptions& options = {}) const;
  EdgeResult first_contact(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, Workspace& workspace,
                           const EdgeOptions& options = {}) const;
  /// The same questions about a piece of a trajectory; times are its u in [0, 1]. EdgeOptions::angles has no meaning.
  bool is_free(const TrajectorySegment& segment, Workspace& workspace, const EdgeOptions& options = {}) const;
  EdgeResult any_contact(const TrajectorySegment& segment, Workspace& workspace, const EdgeOptions& options = {}) const;
  EdgeResult first_contact(const TrajectorySegment& segment, Workspace& workspace,
                           const EdgeOptions& options = {}) const;

  /// True unless proved clear by more than the margins at this configuration.
  bool in_contact(const Eigen::VectorXd& q, Workspace& workspace, const EdgeOptions& options = {}) const;

  /// The least distance at a configuration; 0 when something touches or is inside. Margins do not enter.
  NearestPair clearance(const Eigen::VectorXd& q, Workspace& workspace) const;

  /// Pairs of links that are proved apart by more than their margin for all joint values within the limits
  /// (CheckerOptions::cell_evaluations), as far as the joints between them keep to their limits at all of `waypoints`: the
  /// pairs that Method::Taylor passes over on a path through these. A motion beyond the limits is always searched.
  std::vector<LinkPair> proved_apart(const std::vector<Eigen::VectorXd>& waypoints = {}) const;

 private:
  std::shared_ptr<const RobotModel> robot_;
  std::unique_ptr<const CollisionWorld> world_;
  std::unique_ptr<const BroadPhase> broad_phase_;

  SearchResult search(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, Workspace& workspace,
                      const EdgeOptions& options, bool first) const;
  SearchResult search(const TrajectorySegment& segment, Workspace& workspace, const EdgeOptions& options,
                      bool first) const;
  SearchResult search_motion(Workspace& workspace, const EdgeOptions& options, bool first) const;
  void find_containment(const std::vector<int>& overlapping_roots, EdgeState& edge, SearchResult& result) const;
  EdgeResult finish(const SearchResult& result, Workspace& workspace) const;
};

/// One thread's scratch memory. Results never depend on what it was used for before.
class Workspace {
 public:
  explicit Workspace(const PathChecker& checker);
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;

 private:
  friend class PathChecker;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace planner_ccd
