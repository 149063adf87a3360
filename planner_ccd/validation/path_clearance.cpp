#include "planner_ccd/validation/path_clearance.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/query/detail/nearest_pair.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {
namespace {

constexpr double kLeastAccuracy = 1e-6;  ///< [m] Far above rounding for any robot.
constexpr int kSeeds = 16;               ///< Segments at which distances are measured before anything is proved.
constexpr int kMostPoses = 4096;         ///< Kept of a segment; each takes some 100 bytes per body.
constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

PathClearance::PathClearance(const PathChecker& checker, const Trajectory& trajectory, const ClearanceOptions& options)
    : checker_(checker),
      problem_(parts_of(checker).world.problem()),
      trajectory_(trajectory),
      options_(options),
      motion_(checker.robot()),
      edge_(problem_),
      search_(problem_),
      resting_(problem_.pairs.rows().size()),
      relative_(options.relative) {
  require_ieee_arithmetic();
  if (!(options.accuracy >= kLeastAccuracy))
    throw InputError("the accuracy of a clearance must be at least 1e-6 metres");
  if (!(options.relative >= 0.0 && options.relative < 1.0)) {
    throw InputError("the relative accuracy of a clearance must be from 0 to below 1");
  }
  if (!(options.below > 0.0)) throw InputError("the distance below which clearance is of interest must be > 0 metres");
  if (options.max_evaluations <= 0 || options.budget <= 0) throw InputError("max_evaluations and budget must be > 0");
  if (trajectory.segments.empty()) throw InputError("the trajectory has no segments");
  require_motion(checker, trajectory);
  for (std::size_t p = problem_.pairs.resting_pairs(); p < problem_.pairs.size(); ++p) watch(static_cast<int>(p));
}

bool PathClearance::set(int segment) {
  if (segment == segment_ && edge_.kinematics_count() < kMostPoses) return usable_;
  if (segment_ >= 0) counters_.kinematics += edge_.kinematics_count();
  motion_.set_segment(trajectory_.segments[static_cast<std::size_t>(segment)]);
  usable_ = edge_.start(motion_);
  segment_ = segment;
  return usable_;
}

double PathClearance::slack(double upper) const { return std::max(options_.accuracy, relative_ * upper); }

/// (1)
double PathClearance::level(const Watched& w) const {
  const double least = std::min(w.least.upper, enough_);
  return std::isinf(least) ? kInfinity : std::max(0.0, least - slack(least));
}

/// [m] Bounds how far points of a pair's bodies move relative to the other body on [u0, u1].
double PathClearance::travel(int chain, double u0, double u1) {
  return edge_.pair_motion(chain, u0, u1).speed_bound() * (u1 - u0) * kRoundUp;
}

/// Lower bound of a pair's distance, from two spheres.
double PathClearance::sphere_gap(int pair, double u) {
  const CollisionWorld& world = parts_of(checker_).world;
  const Collider& a = world.colliders()[static_cast<std::size_t>(world.collider_a(pair))];
  const Collider& b = world.colliders()[static_cast<std::size_t>(world.collider_b(pair))];
  const Kinematics& k = edge_.kinematics(u);
  const Eigen::Vector3d at_a = k.bodies[static_cast<std::size_t>(a.body)].pose() * a.bounds.center();
  const Eigen::Vector3d at_b = k.bodies[static_cast<std::size_t>(b.body)].pose() * b.bounds.center();
  return (at_b - at_a).norm() * kRoundDown - a.radius - b.radius - 2.0 * edge_.pads().position;
}

int PathClearance::watch(int pair) {
  const auto [at, is_new] = index_of_.emplace(pair, static_cast<int>(watched_.size()));
  if (is_new) {
    Watched w;
    w.pair = pair;
    w.chain = problem_.pairs[static_cast<std::size_t>(pair)].chain;
    w.clear = -kInfinity;
    w.active = static_cast<std::size_t>(pair) >= problem_.pairs.resting_pairs();
    watched_.push_back(w);
  }
  return at->second;
}

/// Nothing is known of its distance any more.
void PathClearance::lose(Watched& w) {
  w.clear = -kInfinity;
  w.beside = false;
}

/// Takes the smaller of the two distances.
void PathClearance::lower_to(Watched& w, const LeastDistance& least) {
  if (!(least.upper < w.least.upper)) return;
  w.least = least;
  w.segment = segment_;
  if (!(least.upper < enough_)) return;
  const int index = static_cast<int>(&w - watched_.data());
  std::erase(nearest_, index);
  const auto at = std::upper_bound(nearest_.begin(), nearest_.end(), least.upper, [&](double upper, int other) {
    return upper < watched_[static_cast<std::size_t>(other)].least.upper;
  });
  nearest_.insert(at, index);
  if (nearest_.size() > most_) nearest_.pop_back();
  if (nearest_.size() == most_) {
    enough_ = std::min(enough_, watched_[static_cast<std::size_t>(nearest_.back())].least.upper);
  }
}

/// The certified distance at u, by which w is lowered.
double PathClearance::measure(Watched& w, double u) {
  const SearchPair p = problem_.pairs[static_cast<std::size_t>(w.pair)];
  const PairChain& chain = problem_.chains[static_cast<std::size_t>(p.chain)];
  const Kinematics& k = edge_.kinematics(u);
  DistanceOptions options;
  options.absolute_error = 0.1 * options_.accuracy;
  options.relative_error = std::max(0.02, 0.4 * relative_);
  options.containment = false;
  options.start = {w.least.primitive_a, w.least.primitive_b};
  const DistanceResult d = distance(*p.tree_a, k.bodies[static_cast<std::size_t>(chain.body_a)].pose(), *p.tree_b,
                                    k.bodies[static_cast<std::size_t>(chain.body_b)].pose(), options);
  ++counters_.primitive_evaluations;
  work_ += 4 + d.evaluations;
  if (d.witness.valid()) {
    const LeastDistance least = search_.measured(edge_, w.pair, d.witness, u, w.least);
    w.least.primitive_a = d.witness.a;  // tried first next time
    w.least.primitive_b = d.witness.b;
    lower_to(w, least);
  }
  return d.lower - 2.0 * edge_.pads().position;
}

/// Proves (1) on the part; false when the budget ends it. Where the accuracy is a share of the distance it becomes finer
/// as that decreases.
bool PathClearance::refine(Watched& w, const SegmentPart& part) {
  LeastDistance trial = w.least;
  const double before = trial.upper = std::min(w.least.upper, enough_);
  if (trial.primitive_a >= 0) {
    const PrimitivePair nearest{trial.primitive_a, trial.primitive_b};
    trial = search_.measured(edge_, w.pair, nearest, 0.5 * (part.u0 + part.u1), trial);
  }
  bool proved = true;
  for (double accuracy = kInfinity; proved && slack(trial.upper) < accuracy;) {
    accuracy = slack(trial.upper);
    const std::int64_t most = std::clamp<std::int64_t>((limit_ - cost()) / kShare, 1, options_.max_evaluations);
    const LeastDistanceResult found = search_.refine(edge_, {w.pair, part.u0, part.u1, accuracy, most}, trial);
    proved = found.is_proved;
    trial = found.best;
    counters_ += found.counters;
  }
  if (trial.upper < before) lower_to(w, trial);
  return proved;
}

/// True if one body is inside the other at u with the surfaces apart: then for as long as these do not meet.
bool PathClearance::nested(int pair, double u) {
  if (sphere_gap(pair, u) > 0.0) return false;
  const SearchPair p = problem_.pairs[static_cast<std::size_t>(pair)];
  const PairChain& chain = problem_.chains[static_cast<std::size_t>(p.chain)];
  const Kinematics& k = edge_.kinematics(u);
  const CollideResult there = collide(*p.tree_a, k.bodies[static_cast<std::size_t>(chain.body_a)].pose(), *p.tree_b,
                                      k.bodies[static_cast<std::size_t>(chain.body_b)].pose());
  work_ += 32 + there.evaluations;  // of which the search for an inside, say, two
  return there.contained;
}

/// Resets for another stretch of the path; `distances`: it does not begin where the last one ended.
void PathClearance::forget(bool distances) {
  nearest_.clear();
  enough_ = options_.below;
  lost_ = false;
  for (Watched& w : watched_) {
    w.least.upper = w.floor = kInfinity;
    if (distances) lose(w);
  }
  if (distances) {
    for (RestingTrees& row : resting_) row.cover = -1.0;
  }
}

/// The pairs of a row that may be nearer than `within` at u.
void PathClearance::resting_near(int row, double u, double within, std::vector<int>& pairs) {
  const RestingRow& r = problem_.pairs.rows()[static_cast<std::size_t>(row)];
  const int body = problem_.chains[static_cast<std::size_t>(r.chain)].body_a;
  const Eigen::Isometry3d X_WA = edge_.kinematics(u).bodies[static_cast<std::size_t>(body)].pose();
  const Eigen::Vector3d center = X_WA * r.tree->bounding_center();
  const double half = (r.tree->bounding_radius() + within + 2.0 * edge_.pads().position) * kRoundUp;
  const Eigen::Vector3d around = Eigen::Vector3d::Constant(half);
  parts_of(checker_).near(row, {center - around, center + around}, pairs);
}

/// Measures at one instant pairs that may be among the nearest, in order of the spheres: the nearest few exclude most
/// pairs. `known`: the earlier instant of the segment to which the pairs' `clear` belong; later: they belong to none.
void PathClearance::look(int segment, double u, double known) {
  if (!set(segment)) return;
  std::vector<int> pairs;
  double within = std::isinf(enough_) ? first_reach(problem_.pairs) : enough_;
  const std::size_t resting = problem_.pairs.resting_pairs(), moving = problem_.pairs.size() - resting;
  while (resting > 0) {
    pairs.clear();
    for (int row = 0; row < static_cast<int>(resting_.size()); ++row) resting_near(row, u, within, pairs);
    if (!std::isinf(enough_) || moving + pairs.size() >= most_ || pairs.size() == resting) break;
    within *= 4.0;
  }
  for (std::size_t p = resting; p < problem_.pairs.size(); ++p) pairs.push_back(static_cast<int>(p));
  std::vector<std::pair<double, int>> order;
  for (const int p : pairs) {
    const int index = watch(p);
    const Watched& w = watched_[static_cast<std::size_t>(index)];
    double gap = sphere_gap(p, u);
    if (known < u && w.clear > gap) gap = std::max(gap, sub_down(w.clear, travel(w.chain, known, u)));
    order.emplace_back(gap, index);
  }
  work_ += static_cast<std::int64_t>(order.size());
  std::sort(order.begin(), order.end());
  for (const auto& [gap, index] : order) {
    Watched& w = watched_[static_cast<std::size_t>(index)];
    if (spent() && !nearest_.empty()) break;
    if (gap < std::min(enough_, w.least.upper) && level(w) > 0.0) measure(w, u);
  }
}

/// Ensures that every resting tree that may come nearer than enough_ on the part is watched.
void PathClearance::cover(const SegmentPart& part) {
  for (int i = 0; i < static_cast<int>(resting_.size()); ++i) {
    RestingTrees& row = resting_[static_cast<std::size_t>(i)];
    const RestingRow& r = problem_.pairs.rows()[static_cast<std::size_t>(i)];
    const double go = travel(r.chain, part.u0, part.u1);
    if (row.cover - go < enough_) {
      row.cover = enough_ + r.tree->bounding_radius() + 2.0 * go;
      std::vector<int> pairs;
      resting_near(i, part.u0, row.cover, pairs);
      std::vector<int> watched;
      for (const int p : pairs) watched.push_back(watch(p));
      for (const int w : watched) {
        if (!watched_[static_cast<std::size_t>(w)].active) lose(watched_[static_cast<std::size_t>(w)]);
      }
      for (const int w : row.watched) watched_[static_cast<std::size_t>(w)].active = false;
      for (const int w : watched) watched_[static_cast<std::size_t>(w)].active = true;
      row.watched = std::move(watched);
    }
    row.cover -= (go + 4.0 * edge_.pads().position) * kRoundUp;
  }
}

/// Advances a pair over a part: (1) holds on all of it, and `clear` at its end. Returns a lower bound of the distance of
/// the surfaces on all of it.
double PathClearance::follow(Watched& w, const SegmentPart& part) {
  work_ += 8;
  const double go = travel(w.chain, part.u0, part.u1);
  // Rounding between two segments, or between the computed and the intended motion.
  const double blur = 4.0 * edge_.pads().position;
  const auto carry = [&](double from, double way) { return sub_down(from, way + blur); };
  if (carry(w.clear, go) > level(w) || level(w) == 0.0) {
    return w.clear = carry(w.clear, go);
  }
  if (spent()) {
    w.clear = std::max(0.0, carry(w.clear, go));
    w.floor = std::min(w.floor, w.clear);
    return w.clear;
  }
  const double middle = 0.5 * (part.u0 + part.u1), half = 0.5 * go * kRoundUp;
  w.clear = carry(sphere_gap(w.pair, middle), half);
  if (w.clear > level(w)) return w.clear;
  w.clear = carry(measure(w, middle), half);
  if (w.clear > level(w)) return w.clear;
  if (refine(w, part)) {
    return w.clear = std::max(w.clear, level(w));
  }
  w.clear = std::max(w.clear, 0.0);
  w.floor = std::min(w.floor, w.clear);
  return w.clear;
}

/// Bodies beside each other stay so for as long as their surfaces are apart.
void PathClearance::follow_beside(Watched& w, const SegmentPart& part) {
  const double apart = follow(w, part);
  if (near_ != nullptr && apart < enough_) near_->push_back({static_cast<int>(&w - watched_.data()), part, apart});
  w.beside = w.beside && apart > 0.0;
}

void PathClearance::advance(const SegmentPart& part) {
  if (!set(part.segment)) {
    for (Watched& w : watched_) {
      lose(w);
      w.floor = 0.0;
    }
    for (RestingTrees& row : resting_) row.cover = -1.0;
    lost_ = true;
    return;
  }
  if (part.u0 == 0.0 && !goes_on(part.segment)) {
    for (Watched& w : watched_) lose(w);
    for (RestingTrees& row : resting_) row.cover = -1.0;
  }
  cover(part);
  const std::size_t moving = problem_.pairs.size() - problem_.pairs.resting_pairs();
  for (std::size_t i = 0; i < moving; ++i) follow_beside(watched_[i], part);
  for (const RestingTrees& row : resting_) {
    for (const int w : row.watched) follow_beside(watched_[static_cast<std::size_t>(w)], part);
  }
}

/// Whether a segment begins where the previous one ends, so precisely that any point's position jumps by less than four
/// pads: these hold 32 u |value| of every coordinate, and eight times its stated error, times the reach
/// (EdgeMotion::rounding_pads).
bool PathClearance::goes_on(int segment) const {
  if (segment == 0) return false;
  const TrajectorySegment& before = trajectory_.segments[static_cast<std::size_t>(segment) - 1];
  const TrajectorySegment& here = trajectory_.segments[static_cast<std::size_t>(segment)];
  for (std::size_t i = 0; i < here.value.size(); ++i) {
    const double end = before.value[i].value(1.0), begin = here.value[i].value(0.0);
    const double rounding = 8.0 * kUnitRoundoff * (std::abs(end) + std::abs(begin));
    if (!(std::abs(end - begin) <= before.error[i] + here.error[i] + rounding)) return false;
  }
  return true;
}

/// Where no surfaces meet, a body inside another at the beginning is inside throughout, and only then. Pairs known to be
/// so near that (1) says nothing need no test.
void PathClearance::find_nested(const SegmentPart& part) {
  if (!set(part.segment)) return;
  cover(part);
  LeastDistance inside;
  inside.upper = 0.0;
  inside.t = part.u0;
  for (Watched& w : watched_) {
    if (!w.active || w.beside || level(w) == 0.0) continue;
    if (!spent()) {
      if (nested(w.pair, part.u0)) {
        lower_to(w, inside);
      } else {
        w.beside = true;
      }
    } else if (!(sphere_gap(w.pair, part.u0) > 0.0)) {
      w.floor = 0.0;
    }
  }
}

PairClearance PathClearance::result(const Watched& w) {
  const SearchPair p = problem_.pairs[static_cast<std::size_t>(w.pair)];
  const CollisionWorld& world = parts_of(checker_).world;
  const TrajectorySegment& segment = trajectory_.segments[static_cast<std::size_t>(w.segment)];
  PairClearance c;
  c.a = world.colliders()[static_cast<std::size_t>(world.collider_a(w.pair))].name;
  c.b = world.colliders()[static_cast<std::size_t>(world.collider_b(w.pair))].name;
  c.upper = w.least.upper;
  c.lower = lost_ ? 0.0 : std::min(w.floor, std::max(0.0, sub_down(w.least.upper, slack(w.least.upper))));
  c.segment = w.segment;
  c.time = segment.t0 + w.least.t * segment.duration();
  if (!set(w.segment)) return c;
  const int body_b = problem_.chains[static_cast<std::size_t>(p.chain)].body_b;
  const Eigen::Isometry3d X_WB = edge_.kinematics(w.least.t).bodies[static_cast<std::size_t>(body_b)].pose();
  c.point_a = X_WB * w.least.point_a;
  c.point_b = X_WB * w.least.point_b;
  return c;
}

std::vector<PairClearance> PathClearance::nearest_pairs(std::size_t most, const TrajectoryProgress& progress) {
  if (most == 0) throw InputError("the number of pairs whose clearance is wanted must be at least 1");
  most_ = most;
  relative_ = options_.relative;
  limit_ = budget();
  forget(true);
  const int count = static_cast<int>(trajectory_.segments.size());
  for (int s = 0; s < count; s += std::max(1, count / kSeeds)) look(s, 0.0);
  find_nested({0, 0.0, 1.0});
  for (int s = 0; s < count; ++s) {
    if (progress && !progress(s, count)) return {};
    advance({s, 0.0, 1.0});
  }
  std::vector<PairClearance> all;
  for (const int w : nearest_) {
    all.push_back(result(watched_[static_cast<std::size_t>(w)]));
    all.back().lower = std::min(all.back().lower, unproved());
    all.back().known = is_known(all.back());
  }
  return all;
}

PairClearance PathClearance::nearest() {
  const std::vector<PairClearance> one = nearest_pairs(1);
  if (!one.empty()) return one[0];
  return none();
}

double PathClearance::unproved() const {
  double least = std::numeric_limits<double>::infinity();
  for (const Watched& w : watched_) least = std::min(least, w.floor);
  return least;
}

double PathClearance::of_others() const {
  if (nearest_.size() == problem_.pairs.size()) return kInfinity;
  if (lost_) return 0.0;
  const double farther = std::isinf(enough_) ? kInfinity : std::max(0.0, sub_down(enough_, slack(enough_)));
  return std::min(farther, unproved());
}

/// Bodies that touch, or that come nearer than the accuracy, are known to be so near.
bool PathClearance::is_known(const PairClearance& c) const { return c.lower > 0.0 || c.upper <= options_.accuracy; }

std::int64_t PathClearance::budget() const {
  return std::min(options_.budget, std::numeric_limits<std::int64_t>::max() / kShare) * kShare;
}

/// Distance evaluations of the search, which take about a microsecond, and poses of the robot, some 0.1 per body.
std::int64_t PathClearance::cost() const {
  const std::int64_t poses = counters_.kinematics + (segment_ < 0 ? 0 : edge_.kinematics_count());
  const auto bodies = static_cast<std::int64_t>(checker_.robot().bodies().size());
  return kShare * (counters_.node_evaluations + counters_.primitive_evaluations) + 2 * bodies * poses + work_;
}

PairClearance PathClearance::none() const {
  PairClearance none;
  none.lower = of_others();
  none.upper = kInfinity;
  none.known = is_known(none);
  return none;
}

}  // namespace planner_ccd
