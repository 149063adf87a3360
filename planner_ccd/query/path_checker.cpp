#include "planner_ccd/query/path_checker.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "planner_ccd/advancement/search_method.hpp"
#include "planner_ccd/advancement/taylor_search.hpp"
#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/query/describe_contact.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/query/detail/nearest_pair.hpp"
#include "planner_ccd/query/prepared_robot.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {
namespace {

SearchLimits limits_of(const EdgeOptions& options) {
  if (!(options.tolerance > 0.0)) throw InputError("the tolerance must be > 0 metres");
  if (options.max_evaluations <= 0) throw InputError("max_evaluations must be > 0");
  if (options.method && options.leaf) {
    throw InputError("method " + std::string(options.method->name()) + " asks no leaf kernel; leave out leaf " +
                     std::string(options.leaf->name()));
  }
  if (options.method && options.errors.any()) {
    throw InputError("method " + std::string(options.method->name()) +
                     " knows no errors of the motion; leave out one or the other");
  }
  return {options.tolerance, options.max_evaluations, options.leaf.get()};
}

}  // namespace

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::Free: return "free";
    case Verdict::Contact: return "contact";
    case Verdict::Undecided: return "undecided";
  }
  return "undecided";
}

/// Probes before a proof is tried: at the deepest overlaps of volumes, and when any contact will do also at the end.
constexpr int kProbes = 4;
constexpr int kProbesWithEnd = 6;

/// The kind of query.
enum class Wanted { Verdict, AnyContact, FirstContact };

struct Workspace::Impl {
  std::shared_ptr<const CheckerSnapshot> snapshot;
  const std::shared_ptr<const CheckerParts> parts;  ///< The base; declared before everything that points into it.
  EdgeMotion motion;
  EdgeState edge;
  TaylorSearch search;
  std::shared_ptr<const SearchMethod> other_method;  ///< The last one requested, and
  std::unique_ptr<EdgeSearch> other_search;          ///< its search.
  CandidateScratch scratch;
  FirstLook::Scratch look;
  ArrivalScratch arrivals;
  std::vector<Candidate> candidates;

  explicit Impl(const std::shared_ptr<const CheckerSnapshot>& of)
      : parts(of->base()), motion(*parts->robot), edge(parts->world.problem()), search(parts->world.problem()) {
    follow(of);
  }

  /// Switches to a snapshot of the same base. Data kept from edge to edge depend on the base alone, except for the
  /// search's last pair.
  void follow(const std::shared_ptr<const CheckerSnapshot>& now) {
    snapshot = now;
    search.also_use(snapshot.get());
    edge.allow_for(snapshot->extent());
  }
  void drop_gone();

  EdgeSearch& search_by(const std::shared_ptr<const SearchMethod>& method);
  SearchResult search_motion(const EdgeOptions& options, Wanted wanted);
  double probe_and_collect(bool any);
  double collect_after_look(bool first);
  void find_containment(const std::vector<int>& overlapping_roots, SearchResult& result);
  EdgeResult describe(const SearchResult& found);
};

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

/// Compared by address, for the same reason.
EdgeSearch& Workspace::Impl::search_by(const std::shared_ptr<const SearchMethod>& method) {
  if (method != other_method) {
    other_search = method->make(parts->world.problem());
    other_method = method;
  }
  return *other_search;
}

/// For the current motion. Pairs proved by the first look are no candidates; where it does not apply, the broad phase
/// finds them.
SearchResult Workspace::Impl::search_motion(const EdgeOptions& options, Wanted wanted) {
  const SearchLimits limits = limits_of(options);
  motion.set_errors(options.errors);
  const bool first = wanted == Wanted::FirstContact;
  const bool looked = !options.method &&
                      parts->first_look.look(motion, first ? look::Until::FirstContact : look::Until::AnyContact, look);
  if (looked && look.findings.hit_pair >= 0 && snapshot->gone(look.findings.hit_pair)) {
    parts->first_look.look(motion, look::Until::End, look);  // the obstacle that ended the look is gone
    look.findings.hit_pair = -1;
  }
  SearchResult result;
  if (looked && wanted == Wanted::Verdict) {
    if (look.findings.hit_pair >= 0) {
      result.verdict = Verdict::Contact;
      return result;
    }
    if (look.findings.opened.empty() && look.findings.unsure_within.empty() && !snapshot->is_changed()) {
      result.verdict = Verdict::Free;
      result.t_free = 1.0;
      return result;
    }
  }
  if (!edge.start(motion)) return result;
  if (options.method) {
    EdgeSearch& other = search_by(options.method);
    result = other.search(edge, limits, first);
    find_containment(other.overlapping_roots(), result);
    return result;
  }
  search.begin(edge, limits);
  const double horizon = looked ? collect_after_look(first) : probe_and_collect(!first);
  if (first) {
    result = search.advance(candidates, horizon);
  } else {
    result = horizon <= 1.0 ? search.contact_of_probe() : search.settle(candidates);
  }
  find_containment(search.overlapping_roots(), result);
  if (looked) find_containment(look.findings.unsure_within, result);
  return result;
}

/// Removes from `candidates` what is not in the scene.
void Workspace::Impl::drop_gone() {
  if (snapshot->is_changed()) std::erase_if(candidates, [&](const Candidate& c) { return snapshot->gone(c.pair); });
}

/// Probes before proofs: most edges that collide do so visibly. Fills `candidates` with what remains to be proved up to
/// the earliest contact found by a probe, and returns that time, infinite for none. With `any` the first contact found
/// is the answer, and the candidates are incomplete.
double Workspace::Impl::probe_and_collect(bool any) {
  candidates.clear();
  parts->moving_pairs.ask_cells(motion, scratch.moving);
  double seen = std::numeric_limits<double>::infinity();
  for (const Probe& likely : scratch.moving.looks) {
    if (!(likely.t < seen) || !search.probe(likely.pair, likely.t)) continue;
    seen = likely.t;
    if (any) return seen;
  }
  parts->broad_phase.start(edge, scratch.boxes, true);
  double& horizon = scratch.boxes.horizon;
  horizon = seen;
  while (const std::optional<Probe> probe = parts->broad_phase.next(edge, scratch.boxes)) {
    if (snapshot->gone(probe->pair) || !search.probe(probe->pair, probe->t)) continue;
    horizon = probe->t;
    if (any) return horizon;
  }
  parts->broad_phase.finish(scratch.boxes, candidates);
  drop_gone();
  const std::size_t moving = candidates.size();
  parts->moving_pairs.collect(edge, scratch.moving, horizon, candidates);
  snapshot->collect(edge, arrivals, candidates);
  // At instants whose poses exist already.
  for (const double t : {1.0, 0.5}) {
    for (std::size_t i = moving; i < candidates.size(); ++i) {
      const Candidate& c = candidates[i];
      if (t < c.t0 || t > c.t1 || !(t < horizon) || !search.probe(c.pair, t)) continue;
      horizon = t;
      if (any) return horizon;
    }
  }
  return horizon;
}

/// Contacts seen by the first look are left to the search, since the answer names triangles and points. Fills
/// `candidates`, unless any contact will do and one was found; returns the earliest time of a contact, infinite for
/// none.
double Workspace::Impl::collect_after_look(bool first) {
  look::Findings& found = look.findings;
  double horizon = std::numeric_limits<double>::infinity();
  if (found.hit_pair >= 0) {
    const double t = look::instant(found.hit_instant);
    if (search.probe(found.hit_pair, t)) {
      horizon = t;
      if (!first) return horizon;
    } else {
      parts->first_look.look(motion, look::Until::End, look);
    }
  }
  candidates.clear();
  parts->first_look.take_candidates(motion, look, horizon, candidates);
  drop_gone();
  snapshot->collect(edge, arrivals, candidates);
  std::sort(found.overlaps.begin(), found.overlaps.end(),
            [](const look::Overlap& x, const look::Overlap& y) { return x.depth > y.depth; });
  std::array<std::pair<int, int>, kProbesWithEnd> probed;
  int probes = 0;
  // Once for each pair and instant: obstacles are several volumes.
  const auto try_at = [&](int pair, int instant) {
    const double t = look::instant(instant);
    const auto last = probed.begin() + probes;
    const bool open = std::any_of(candidates.begin(), candidates.end(),
                                  [&](const Candidate& c) { return c.pair == pair && c.t0 <= t && t <= c.t1; });
    if (!open || !(t < horizon) || std::find(probed.begin(), last, std::pair(pair, instant)) != last) return false;
    *last = {pair, instant};
    ++probes;
    if (search.probe(pair, t)) horizon = t;
    return horizon == t;
  };
  constexpr int kEnd = look::kInstants - 1;  // of edges that collide, most do there
  for (const look::Overlap& overlap : found.overlaps) {
    if (first || probes == kProbes) break;
    if ((overlap.instants >> kEnd & 1u) != 0 && try_at(overlap.pair, kEnd)) return horizon;
  }
  for (const look::Overlap& overlap : found.overlaps) {
    if (probes == (first ? kProbes : kProbesWithEnd)) break;
    if (try_at(overlap.pair, overlap.instant) && !first) return horizon;
  }
  const int own = static_cast<int>(parts->world.problem().pairs.size());
  for (const double t : {1.0, 0.5}) {
    for (const Candidate& c : candidates) {
      if (c.pair < own) continue;
      if (t < c.t0 || t > c.t1 || !(t < horizon) || !search.probe(c.pair, t)) continue;
      horizon = t;
      if (!first) return horizon;
    }
  }
  std::erase_if(candidates, [&](const Candidate& c) { return c.t0 >= horizon; });
  for (Candidate& c : candidates) c.t1 = std::min(c.t1, horizon);
  return horizon;
}

/// Surfaces that are apart on [0, t_free) keep one body inside or outside of another all that time: one look at t = 0
/// settles it. On an edge that is free, a pair whose root volumes were once found apart cannot be nested.
void Workspace::Impl::find_containment(const std::vector<int>& overlapping_roots, SearchResult& result) {
  if (result.verdict == Verdict::Contact && result.t_free == 0.0) return;
  const SearchProblem& problem = parts->world.problem();
  for (const int p : overlapping_roots) {
    if (snapshot->gone(p)) continue;
    const SearchPair pair = snapshot->pair(p);
    const PairChain& chain = problem.chains[pair.chain];
    const Kinematics& k = edge.kinematics(0.0);
    const PairFrame frame(*pair.tree_a, k.bodies[chain.body_a].pose(), *pair.tree_b, k.bodies[chain.body_b].pose());
    if (!one_contains_other(*pair.tree_a, *pair.tree_b, frame)) continue;
    result.verdict = Verdict::Contact;
    result.t_free = 0.0;
    result.contact = SearchContact{};
    result.contact.pair = p;
    return;
  }
}

EdgeResult Workspace::Impl::describe(const SearchResult& found) {
  EdgeResult result;
  result.verdict = found.verdict;
  result.t_free = found.t_free;
  result.counters = found.counters;
  if (found.verdict == Verdict::Contact) {
    const auto [a, b] = snapshot->names(found.contact.pair);
    result.contact = describe_contact(snapshot->pair(found.contact.pair), a, b, edge, found.contact);
  }
  if (found.verdict == Verdict::Undecided && found.contact.pair >= 0) {
    const auto [a, b] = snapshot->names(found.contact.pair);
    result.open = LinkPair{a, b};
  }
  return result;
}

PathChecker::PathChecker(std::shared_ptr<const RobotModel> robot, const Scene& scene, const CollisionMatrix& matrix,
                         const CheckerOptions& options)
    : snapshot_(std::make_shared<const CheckerSnapshot>(std::make_shared<const PreparedParts>(std::move(robot), matrix),
                                                        scene, options)) {}

PathChecker::PathChecker(const PreparedRobot& robot, const Scene& scene, const CheckerOptions& options)
    : snapshot_(std::make_shared<const CheckerSnapshot>(robot.parts(), scene, options)) {}

PathChecker PathChecker::with_scene(const Scene& scene) const { return PathChecker(snapshot_of(*this).with(scene)); }

const RobotModel& PathChecker::robot() const { return *snapshot_of(*this).base()->robot; }

bool PathChecker::is_free(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                          const EdgeOptions& options) const {
  Workspace::Impl& w = options.method ? workspace.bind(snapshot_of(*this).in_full()) : workspace.bind(snapshot_);
  w.motion.set_linear(q0, q1, options.angles);
  return w.search_motion(options, Wanted::Verdict).verdict == Verdict::Free;
}

EdgeResult PathChecker::any_contact(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                                    const EdgeOptions& options) const {
  Workspace::Impl& w = options.method ? workspace.bind(snapshot_of(*this).in_full()) : workspace.bind(snapshot_);
  w.motion.set_linear(q0, q1, options.angles);
  return w.describe(w.search_motion(options, Wanted::AnyContact));
}

EdgeResult PathChecker::first_contact(const JointVectorRef& q0, const JointVectorRef& q1, Workspace& workspace,
                                      const EdgeOptions& options) const {
  Workspace::Impl& w = options.method ? workspace.bind(snapshot_of(*this).in_full()) : workspace.bind(snapshot_);
  w.motion.set_linear(q0, q1, options.angles);
  return w.describe(w.search_motion(options, Wanted::FirstContact));
}

bool PathChecker::is_free(const TrajectorySegment& segment, Workspace& workspace, const EdgeOptions& options) const {
  Workspace::Impl& w = options.method ? workspace.bind(snapshot_of(*this).in_full()) : workspace.bind(snapshot_);
  w.motion.set_segment(segment);
  return w.search_motion(options, Wanted::Verdict).verdict == Verdict::Free;
}

EdgeResult PathChecker::any_contact(const TrajectorySegment& segment, Workspace& workspace,
                                    const EdgeOptions& options) const {
  Workspace::Impl& w = options.method ? workspace.bind(snapshot_of(*this).in_full()) : workspace.bind(snapshot_);
  w.motion.set_segment(segment);
  return w.describe(w.search_motion(options, Wanted::AnyContact));
}

EdgeResult PathChecker::first_contact(const TrajectorySegment& segment, Workspace& workspace,
                                      const EdgeOptions& options) const {
  Workspace::Impl& w = options.method ? workspace.bind(snapshot_of(*this).in_full()) : workspace.bind(snapshot_);
  w.motion.set_segment(segment);
  return w.describe(w.search_motion(options, Wanted::FirstContact));
}

bool PathChecker::in_contact(const JointVectorRef& q, Workspace& workspace, const EdgeOptions& options) const {
  return !is_free(q, q, workspace, options);
}

NearestPair PathChecker::clearance(const JointVectorRef& q, Workspace& workspace) const {
  Workspace::Impl& w = workspace.bind(snapshot_);
  w.motion.set_linear(q, q, AnglePolicy::Literal);
  if (!w.edge.start(w.motion)) {
    NearestPair nearest;
    nearest.upper = std::numeric_limits<double>::infinity();
    return nearest;
  }
  return nearest_pair(*w.snapshot, w.edge);
}

std::vector<LinkPair> PathChecker::proved_apart(const std::vector<JointVector>& waypoints) const {
  const CheckerParts& parts = *snapshot_of(*this).base();  // links are the same in every snapshot
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

std::vector<std::string> PathChecker::without_inside() const {
  const CollisionWorld& world = parts_of(*this).world;
  std::vector<std::string> names;
  for (const OpenBody& body : world.open_bodies()) names.push_back(world.colliders()[body.collider].name);
  return names;
}

}  // namespace planner_ccd
