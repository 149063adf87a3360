#include "planner_ccd/query/path_checker.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/query/detail/nearest_pair.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"
#include "planner_ccd/query/detail/workspace_impl.hpp"
#include "planner_ccd/query/prepared_robot.hpp"

namespace planner_ccd {

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Free: return "free";
    case Verdict::Contact: return "contact";
    case Verdict::Undecided: return "undecided";
  }
  return "undecided";
}

Workspace::Workspace() = default;
Workspace::Workspace(const PathChecker& checker) { bind(checker.snapshot_); }
Workspace::~Workspace() = default;
Workspace::Workspace(Workspace&&) noexcept = default;
Workspace& Workspace::operator=(Workspace&&) noexcept = default;

/// Compared by address: no other snapshot can have it while this workspace owns this one. Nothing is copied for the
/// snapshot of the last query, so that threads do not contend for its reference count.
Workspace::Impl& Workspace::bind(const std::shared_ptr<const CheckerSnapshot>& snapshot) {
  if (snapshot == nullptr) throw InputError("this PathChecker was moved from");
  require_ieee_arithmetic();
  if (impl_ == nullptr || impl_->parts != snapshot->base()) {
    impl_ = std::make_unique<Impl>(snapshot);
  } else if (impl_->snapshot != snapshot) {
    impl_->follow(snapshot);
  }
  return *impl_;
}

PathChecker::PathChecker(std::shared_ptr<const RobotModel> robot, const Scene& scene, const CollisionMatrix& matrix,
                         const CheckerOptions& options)
    : snapshot_(std::make_shared<const CheckerSnapshot>(std::make_shared<const PreparedParts>(std::move(robot), matrix),
                                                        scene, options)) {}

PathChecker::PathChecker(const PreparedRobot& robot, const Scene& scene, const CheckerOptions& options)
    : snapshot_(std::make_shared<const CheckerSnapshot>(robot.parts(), scene, options)) {}

PathChecker PathChecker::with_scene(const Scene& scene) const { return PathChecker(snapshot_of(*this).with(scene)); }

const RobotModel& PathChecker::robot() const { return *snapshot_of(*this).base()->robot; }

bool PathChecker::checks_nothing() const { return snapshot_of(*this).checks_nothing(); }

bool PathChecker::is_free(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                          const EdgeOptions& options) const {
  Workspace::Impl& w = workspace.bind(snapshot_);
  require_no_clock(robot());
  w.motion.set_linear(q0, q1, options.angles);
  return w.verdict(options) == Verdict::Free;
}

EdgeResult PathChecker::any_contact(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                                    const EdgeOptions& options) const {
  Workspace::Impl& w = workspace.bind(snapshot_);
  require_no_clock(robot());
  w.motion.set_linear(q0, q1, options.angles);
  return w.contact(options, Wanted::AnyContact);
}

EdgeResult PathChecker::first_contact(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                                      const EdgeOptions& options) const {
  Workspace::Impl& w = workspace.bind(snapshot_);
  require_no_clock(robot());
  w.motion.set_linear(q0, q1, options.angles);
  return w.contact(options, Wanted::FirstContact);
}

bool PathChecker::is_free(const TrajectorySegment& segment, Workspace& workspace, const EdgeOptions& options) const {
  Workspace::Impl& w = workspace.bind(snapshot_);
  require_carried(snapshot_->left_behind());
  w.motion.set_segment(segment);
  return w.verdict(options) == Verdict::Free;
}

EdgeResult PathChecker::any_contact(const TrajectorySegment& segment, Workspace& workspace,
                                    const EdgeOptions& options) const {
  Workspace::Impl& w = workspace.bind(snapshot_);
  require_carried(snapshot_->left_behind());
  w.motion.set_segment(segment);
  return w.contact(options, Wanted::AnyContact);
}

EdgeResult PathChecker::first_contact(const TrajectorySegment& segment, Workspace& workspace,
                                      const EdgeOptions& options) const {
  Workspace::Impl& w = workspace.bind(snapshot_);
  require_carried(snapshot_->left_behind());
  w.motion.set_segment(segment);
  return w.contact(options, Wanted::FirstContact);
}

bool PathChecker::in_contact(const JointVectorRef& q, Workspace& workspace, const EdgeOptions& options) const {
  return !is_free(q, q, workspace, options);
}

NearestPair PathChecker::clearance(const JointVectorRef& q, Workspace& workspace) const {
  Workspace::Impl& w = workspace.bind(snapshot_);
  require_no_clock(robot());
  w.motion.set_linear(q, q, AnglePolicy::Literal);
  if (!w.edge.start(w.motion)) {
    NearestPair nearest;
    nearest.upper = std::numeric_limits<double>::infinity();
    return nearest;
  }
  return nearest_pair(*w.snapshot, w.edge);
}

std::vector<LinkPair> PathChecker::proved_apart(const std::vector<JointVector>& waypoints) const {
  const RobotParts& parts = *snapshot_of(*this).base();  // links are the same in every snapshot
  const CollisionWorld& world = parts.world;
  EdgeMotion motion(*parts.robot);
  std::vector<LinkPair> pairs;
  for (const MovingPairs::Pair& moving : parts.moving_pairs.pairs()) {
    const Collider& a = world.colliders()[world.collider_a(moving.pair)];
    const Collider& b = world.colliders()[world.collider_b(moving.pair)];
    if (!a.is_link || !b.is_link || !moving.cells->always_free()) continue;
    // The box of joint values is convex: a path whose waypoints are in it stays in it.
    const bool inside = std::all_of(waypoints.begin(), waypoints.end(), [&](const JointVectorRef& q) {
      motion.set_linear(q, q, AnglePolicy::Literal);
      return std::all_of(moving.cells->axes().begin(), moving.cells->axes().end(), [&](const PairCells::Axis& axis) {
        const double value = motion.move(axis.move).c[0], error = motion.value_error(axis.move);
        return axis.periodic || (value - error >= axis.lower && value + error <= axis.upper);
      });
    });
    if (inside) pairs.push_back({a.name, b.name});
  }
  return pairs;
}

std::vector<std::string> PathChecker::open_surfaces() const {
  const CollisionWorld& world = parts_of(*this).world;
  std::vector<std::string> names;
  for (const OpenBody& body : world.open_bodies()) names.push_back(world.colliders()[body.collider].name);
  return names;
}

}  // namespace planner_ccd
