#include "planner_ccd/query/path_clearance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/query/detail/joined_segments.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {
namespace {

constexpr double kLeastAccuracy = 1e-6;  ///< [m] Far above rounding for anything that robots do.
constexpr int kSeeds = 16;               ///< Segments at which distances are measured before anything is proved.

}  // namespace

PathClearance::PathClearance(const PathChecker& checker, const Trajectory& trajectory, const ClearanceOptions& options)
    : checker_(checker),
      problem_(parts_of(checker).world.problem()),
      trajectory_(trajectory),
      options_(options),
      motion_(checker.robot()),
      edge_(problem_),
      search_(problem_) {
  require_ieee_arithmetic();
  if (!(options.accuracy >= kLeastAccuracy))
    throw InputError("the accuracy of a clearance must be at least 1e-6 metres");
  if (options.max_evaluations <= 0) throw InputError("max_evaluations must be > 0");
  if (trajectory.segments.empty()) throw InputError("the trajectory has no segments");
  require_joined(checker.robot(), trajectory);
}

bool PathClearance::set(int segment) {
  if (segment == segment_) return usable_;
  if (segment_ >= 0) counters_.kinematics += edge_.kinematics_count();
  motion_.set_segment(trajectory_.segments[static_cast<std::size_t>(segment)]);
  usable_ = edge_.start(motion_);
  segment_ = segment;
  return usable_;
}

/// Lower bound of a pair's distance, from two spheres.
double PathClearance::sphere_gap(int pair, double u) {
  const SearchPair& p = problem_.pairs[static_cast<std::size_t>(pair)];
  const PairState& state = edge_.pair_state(u, p.chain);
  const Eigen::Vector3d a = state.R_BA * p.tree_a->bounding_center() + state.p_BA;
  return (p.tree_b->bounding_center() - a).norm() * kRoundDown - p.tree_a->bounding_radius() -
         p.tree_b->bounding_radius() - edge_.pads().position;
}

/// Lowers `best` by the distance at u, as far as it is below `enough`.
void PathClearance::measure(int pair, double u, double enough, Best& best) {
  if (sphere_gap(pair, u) >= std::min(enough, best.least.upper)) return;
  const SearchPair& p = problem_.pairs[static_cast<std::size_t>(pair)];
  const PairChain& chain = problem_.chains[static_cast<std::size_t>(p.chain)];
  const Kinematics& k = edge_.kinematics(u);
  DistanceOptions options;
  options.absolute_error = 0.5 * options_.accuracy;
  options.containment = false;
  options.start = {best.least.primitive_a, best.least.primitive_b};
  const DistanceResult d = distance(*p.tree_a, k.bodies[static_cast<std::size_t>(chain.body_a)].pose(), *p.tree_b,
                                    k.bodies[static_cast<std::size_t>(chain.body_b)].pose(), options);
  ++counters_.primitive_evaluations;
  const double before = best.least.upper;
  if (d.witness.valid()) search_.look(edge_, pair, d.witness.a, d.witness.b, u, best.least);
  if (best.least.upper < before) best.segment = segment_;
}

void PathClearance::refine(int pair, double u0, double u1, Best& best) {
  const double before = best.least.upper;
  if (best.least.primitive_a >= 0) {
    search_.look(edge_, pair, best.least.primitive_a, best.least.primitive_b, 0.5 * (u0 + u1), best.least);
  }
  QueryCounters counters;
  const bool proved =
      search_.refine(edge_, pair, u0, u1, options_.accuracy, options_.max_evaluations, best.least, counters);
  best.proved = best.proved && proved;
  counters_ += counters;
  if (best.least.upper < before) best.segment = segment_;
}

/// One body inside the other at u, the surfaces apart: then for as long as these do not meet.
bool PathClearance::nested(int pair, double u) {
  const SearchPair& p = problem_.pairs[static_cast<std::size_t>(pair)];
  const PairChain& chain = problem_.chains[static_cast<std::size_t>(p.chain)];
  if (sphere_gap(pair, u) > 0.0) return false;
  const Kinematics& k = edge_.kinematics(u);
  return collide(*p.tree_a, k.bodies[static_cast<std::size_t>(chain.body_a)].pose(), *p.tree_b,
                 k.bodies[static_cast<std::size_t>(chain.body_b)].pose())
      .contained;
}

std::vector<int> PathClearance::seeds() const {
  const int count = static_cast<int>(trajectory_.segments.size());
  std::vector<int> at;
  for (int s = 0; s < count; s += std::max(1, count / kSeeds)) at.push_back(s);
  return at;
}

PairClearance PathClearance::result(int pair, const Best& best) {
  const SearchPair& p = problem_.pairs[static_cast<std::size_t>(pair)];
  const CollisionWorld& world = parts_of(checker_).world;
  const TrajectorySegment& segment = trajectory_.segments[static_cast<std::size_t>(best.segment)];
  PairClearance c;
  c.a = world.colliders()[static_cast<std::size_t>(world.collider_a(pair))].name;
  c.b = world.colliders()[static_cast<std::size_t>(world.collider_b(pair))].name;
  c.upper = best.least.upper;
  c.lower = best.proved ? std::max(0.0, sub_down(best.least.upper, options_.accuracy)) : 0.0;
  c.segment = best.segment;
  c.time = segment.t0 + best.least.t * segment.duration();
  if (!set(best.segment)) return c;
  const int body_b = problem_.chains[static_cast<std::size_t>(p.chain)].body_b;
  const Eigen::Isometry3d X_WB = edge_.kinematics(best.least.t).bodies[static_cast<std::size_t>(body_b)].pose();
  c.point_a = X_WB * best.least.point_a;
  c.point_b = X_WB * best.least.point_b;
  return c;
}

PathClearance::Best PathClearance::touching(int segment, double u) {
  Best best;
  best.least.upper = 0.0;
  best.least.t = u;
  best.segment = segment;
  return best;
}

std::vector<PairClearance> PathClearance::every_pair() {
  constexpr double kAny = std::numeric_limits<double>::infinity();
  const int pairs = static_cast<int>(problem_.pairs.size());
  std::vector<Best> best(problem_.pairs.size());
  for (const int s : seeds()) {
    if (!set(s)) continue;
    for (int p = 0; p < pairs; ++p) measure(p, 0.0, kAny, best[static_cast<std::size_t>(p)]);
  }
  for (int s = 0; s < static_cast<int>(trajectory_.segments.size()); ++s) {
    const bool usable = set(s);
    for (int p = 0; p < pairs; ++p) {
      Best& b = best[static_cast<std::size_t>(p)];
      usable ? refine(p, 0.0, 1.0, b) : void(b.proved = false);
    }
  }
  // A body that is inside another later but not at the start has passed through its surface.
  for (int p = 0; p < pairs && set(0); ++p) {
    Best& b = best[static_cast<std::size_t>(p)];
    if (b.least.upper > 0.0 && nested(p, 0.0)) b = touching(0, 0.0);
  }
  std::vector<PairClearance> all;
  for (int p = 0; p < pairs; ++p) all.push_back(result(p, best[static_cast<std::size_t>(p)]));
  std::stable_sort(all.begin(), all.end(), [](const auto& x, const auto& y) { return x.upper < y.upper; });
  return all;
}

PairClearance PathClearance::nearest() {
  const int pairs = static_cast<int>(problem_.pairs.size());
  PairClearance none;
  none.lower = none.upper = std::numeric_limits<double>::infinity();
  if (pairs == 0) return none;
  Best best;
  int best_pair = 0;
  // A pair's witness is no good for another pair: each is tried on a copy without one.
  const auto with = [&](int p, auto&& use) {
    Best mine = best;
    if (p != best_pair) mine.least.primitive_a = mine.least.primitive_b = -1;
    use(mine);
    if (mine.least.upper < best.least.upper) best_pair = p, best = mine;
    best.proved = best.proved && mine.proved;
  };
  for (int p = 0; p < pairs && set(0); ++p) {
    if (nested(p, 0.0)) return result(p, touching(0, 0.0));
  }
  for (const int s : seeds()) {
    if (!set(s)) continue;
    for (int p = 0; p < pairs; ++p) with(p, [&](Best& mine) { measure(p, 0.0, best.least.upper, mine); });
  }
  std::vector<int> order;
  for (int s = 0; s < static_cast<int>(trajectory_.segments.size()); ++s) order.push_back(s);
  const int around = best.segment;  // the nearest place is most likely near the nearest one seen
  std::stable_sort(order.begin(), order.end(),
                   [&](int x, int y) { return std::abs(x - around) < std::abs(y - around); });
  for (const int s : order) {
    if (!set(s)) {
      best.proved = false;
      continue;
    }
    for (int p = 0; p < pairs; ++p) with(p, [&](Best& mine) { refine(p, 0.0, 1.0, mine); });
  }
  return result(best_pair, best);
}

PairClearance PathClearance::nearest_of_piece(double u0, double u1, std::vector<LeastDistance>& last,
                                              bool& not_nested) {
  const int pairs = static_cast<int>(problem_.pairs.size());
  Best best;
  best.segment = segment_;
  int best_pair = -1;
  for (const bool prove : {false, true}) {
    for (int p = 0; p < pairs; ++p) {
      LeastDistance& mine = last[static_cast<std::size_t>(p)];
      Best trial = best;
      trial.least.primitive_a = mine.primitive_a;
      trial.least.primitive_b = mine.primitive_b;
      if (prove) {
        refine(p, u0, u1, trial);
      } else {
        measure(p, 0.5 * (u0 + u1), best.least.upper, trial);
      }
      best.proved = best.proved && trial.proved;
      if (trial.least.upper >= best.least.upper) continue;
      best = trial;
      best_pair = p;
      mine = trial.least;
    }
  }
  // Where no surfaces meet, a body that is inside another at u0 is so throughout, and only then.
  for (int p = 0; p < pairs && !not_nested && best.least.upper > 0.0; ++p) {
    if (!nested(p, u0)) continue;
    best = touching(segment_, u0);
    best_pair = p;
  }
  PairClearance nearest;
  nearest.lower = nearest.upper = std::numeric_limits<double>::infinity();
  if (best_pair >= 0) nearest = result(best_pair, best);
  not_nested = nearest.lower > 0.0;
  return nearest;
}

std::vector<ClearancePiece> PathClearance::profile(double step) {
  if (!(step > 0.0)) throw InputError("the step of a clearance profile must be > 0 seconds");
  constexpr double kMostPieces = 100'000.0;
  std::vector<LeastDistance> last(problem_.pairs.size());  // of the piece before: where to look first
  std::vector<ClearancePiece> pieces;
  for (int s = 0; s < static_cast<int>(trajectory_.segments.size()); ++s) {
    const TrajectorySegment& segment = trajectory_.segments[static_cast<std::size_t>(s)];
    const double wanted = std::ceil(std::max(0.0, segment.duration()) / step);
    if (wanted > kMostPieces) throw InputError("the step of the clearance profile is too small for this trajectory");
    const int count = std::max(1, static_cast<int>(wanted));
    const bool usable = set(s);
    bool not_nested = false;
    for (int i = 0; i < count; ++i) {
      const double u0 = static_cast<double>(i) / count, u1 = static_cast<double>(i + 1) / count;
      ClearancePiece piece;
      piece.from = segment.t0 + u0 * segment.duration();
      piece.to = i + 1 == count ? segment.t1 : segment.t0 + u1 * segment.duration();
      if (usable) {
        piece.nearest = nearest_of_piece(u0, u1, last, not_nested);
      } else {
        piece.nearest.upper = std::numeric_limits<double>::infinity();
      }
      pieces.push_back(std::move(piece));
    }
  }
  return pieces;
}

}  // namespace planner_ccd
