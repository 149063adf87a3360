// Profiles of PathClearance, and the clearances requested of a check.
#include <algorithm>
#include <cmath>
#include <limits>
#include <queue>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/rounding.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/scene/collision_world.hpp"
#include "planner_ccd/validation/path_clearance.hpp"

namespace planner_ccd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// ClearanceOptions::relative at first, when there is a budget: costs a tenth of 0.05 or less. It decreases by this factor.
constexpr double kCoarse = 0.9, kFiner = 0.3;

}  // namespace

/// A piece is a part of a long segment, or as many short ones as take no longer than `step`.
std::vector<PathClearance::Piece> PathClearance::pieces(double step) const {
  constexpr double kMostPieces = 100'000.0;
  std::vector<Piece> all;
  double length = kInfinity;  // [s] of the current piece
  for (int s = 0; s < static_cast<int>(trajectory_.segments.size()); ++s) {
    const double duration = std::max(0.0, trajectory_.segments[static_cast<std::size_t>(s)].duration());
    const double wanted = std::ceil(duration / step);
    if (wanted > kMostPieces) throw InputError("the step of the clearance profile is too small for this trajectory");
    if (wanted > 1.0) {
      const int count = static_cast<int>(wanted);
      for (int i = 0; i < count; ++i) {
        all.emplace_back().parts = {{s, static_cast<double>(i) / count, static_cast<double>(i + 1) / count}};
      }
      length = kInfinity;
      continue;
    }
    if (length + duration > step) {
      all.emplace_back();
      length = 0.0;
    }
    all.back().parts.push_back({s, 0.0, 1.0});
    length += duration;
  }
  return all;
}

/// What is now known of a piece, if that is more than before.
void PathClearance::update(Piece& piece) {
  if (!nearest_.empty()) {
    const Watched& w = watched_[static_cast<std::size_t>(nearest_[0])];
    if (w.least.upper < piece.least.upper) {
      piece.watched = nearest_[0];
      piece.least = w.least;
      piece.segment = w.segment;
    }
  }
  // Bodies whose distance may be 0 were not asked whether one is inside the other (find_nested).
  const double upper = std::min(options_.below, piece.least.upper);
  double lower = lost_ || (!std::isinf(upper) && !(upper > slack(upper))) ? 0.0 : std::min(upper, unproved());
  std::erase_if(piece.near, [&](const Near& n) { return n.lower >= upper; });
  for (const Near& n : piece.near) lower = std::min(lower, n.lower);
  piece.lower = std::max(piece.lower, lower);
}

/// Measures a piece from its beginning to its end. `last`: index in watched_ of the previous piece's nearest pair: tried first.
void PathClearance::sweep(Piece& piece, bool& may_be_nested, int& last) {
  forget(false);
  piece.near.clear();
  near_ = &piece.near;
  const SegmentPart& middle = piece.parts[piece.parts.size() / 2];
  const double u = 0.5 * (middle.u0 + middle.u1);
  if (last >= 0 && set(middle.segment)) measure(watched_[static_cast<std::size_t>(last)], u);
  look(middle.segment, u, piece.parts.size() == 1 ? middle.u0 : 1.0);
  if (may_be_nested) find_nested(piece.parts.front());
  for (const SegmentPart& part : piece.parts) advance(part);
  near_ = nullptr;
  update(piece);
  piece.relative = relative_;
  if (!nearest_.empty()) last = nearest_[0];
  may_be_nested = !(piece.lower > 0.0);
}

/// Once more, with what is left of the budget, what each piece's share of it did not suffice for.
void PathClearance::sweep_again(std::vector<Piece>& all) {
  std::vector<Piece*> open;
  for (Piece& piece : all) {
    if (!is_known(result(piece).nearest)) open.push_back(&piece);
  }
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::int64_t left = budget() - cost();
    if (left <= 0) return;
    limit_ = cost() + left / static_cast<std::int64_t>(open.size() - i);
    forget(true);
    bool may_be_nested = true;
    int last = open[i]->watched;
    sweep(*open[i], may_be_nested, last);
  }
}

/// Whether finer bounds of a piece are wanted, and can be had: its bodies are known to be apart.
bool PathClearance::wanting(const Piece& piece) const {
  const double upper = piece.least.upper;
  return piece.lower > 0.0 && piece.watched >= 0 && piece.relative > options_.relative &&
         upper - piece.lower > std::max(options_.accuracy, options_.relative * upper);
}

/// False when evaluations ran out; what was proved remains.
bool PathClearance::sharpen(Piece& piece, double relative) {
  forget(false);
  relative_ = relative;
  Watched& nearest = watched_[static_cast<std::size_t>(piece.watched)];
  nearest.least = piece.least;
  nearest.segment = piece.segment;
  nearest_ = {piece.watched};
  enough_ = std::min(options_.below, piece.least.upper);
  bool all = true;
  for (Near& n : piece.near) {
    Watched& w = watched_[static_cast<std::size_t>(n.watched)];
    if (n.lower >= level(w)) continue;
    all = !spent() && set(n.part.segment) && refine(w, n.part);
    if (!all) break;
    n.lower = std::max(n.lower, level(w));
  }
  update(piece);
  piece.relative = relative;
  return all;
}

/// That piece first whose bounds differ most, as a share of its distance, times how near it comes.
void PathClearance::sharpen(std::vector<Piece>& all) {
  constexpr std::int64_t kShareOfOne = 8;  // no piece takes more than this part of what is left
  double least = kInfinity;
  for (const Piece& piece : all) least = std::min(least, piece.least.upper);
  least = std::max(least, options_.accuracy);
  std::priority_queue<std::pair<double, std::size_t>> queue;
  const auto enter = [&](std::size_t i) {
    const double upper = all[i].least.upper;
    if (wanting(all[i])) queue.emplace((1.0 - all[i].lower / upper) * std::sqrt(least / upper), i);
  };
  for (std::size_t i = 0; i < all.size(); ++i) enter(i);
  while (!queue.empty()) {
    const std::int64_t left = budget() - cost();
    if (left <= 0) break;
    limit_ = cost() + left / kShareOfOne;
    const std::size_t i = queue.top().second;
    queue.pop();
    if (sharpen(all[i], std::max(options_.relative, kFiner * all[i].relative))) enter(i);
  }
}

ClearancePiece PathClearance::result(const Piece& piece) {
  const auto clock = [&](const SegmentPart& part, double at) {
    const TrajectorySegment& s = trajectory_.segments[static_cast<std::size_t>(part.segment)];
    return at == 1.0 ? s.t1 : s.t0 + at * s.duration();
  };
  ClearancePiece out;
  out.from = clock(piece.parts.front(), piece.parts.front().u0);
  out.to = clock(piece.parts.back(), piece.parts.back().u1);
  out.nearest.upper = kInfinity;
  if (piece.watched >= 0) {
    Watched nearest = watched_[static_cast<std::size_t>(piece.watched)];
    nearest.least = piece.least;
    nearest.segment = piece.segment;
    out.nearest = result(nearest);
  }
  out.nearest.lower = piece.lower;
  out.nearest.known = is_known(out.nearest);
  return out;
}

std::vector<ClearancePiece> PathClearance::profile(double step, const TrajectoryProgress& progress) {
  if (!(step > 0.0)) throw InputError("the step of a clearance profile must be > 0 seconds");
  most_ = 1;
  const bool bounded = options_.budget < std::numeric_limits<std::int64_t>::max();
  relative_ = bounded ? std::max(options_.relative, kCoarse) : options_.relative;
  forget(true);
  std::vector<Piece> all = pieces(step);
  bool may_be_nested = true;
  int last = -1;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (progress && !progress(static_cast<int>(i), static_cast<int>(all.size()))) return {};
    const std::int64_t left = std::max<std::int64_t>(0, budget() - cost());
    const std::size_t ahead = all.size() - i;  // the first piece looks at everything
    limit_ = cost() + left / static_cast<std::int64_t>(i == 0 ? std::min<std::size_t>(4, ahead) : (ahead + 1) / 2);
    sweep(all[i], may_be_nested, last);
    if (!bounded) all[i].near = {};
  }
  if (bounded) {
    sweep_again(all);
    sharpen(all);
  }
  lost_ = false;
  std::vector<ClearancePiece> out;
  for (const Piece& piece : all) out.push_back(result(piece));
  return out;
}

std::int64_t picture_budget(const Trajectory& trajectory, const TrajectoryResult& report) {
  constexpr std::int64_t kLeast = 200'000;
  const QueryCounters& spent = report.counters;
  return kLeast + 4 * (spent.node_evaluations + spent.primitive_evaluations) +
         32 * static_cast<std::int64_t>(trajectory.segments.size());
}

ClearanceOptions clearance_options(const TrajectoryOptions& options, std::int64_t budget) {
  ClearanceOptions asked;
  asked.max_evaluations = options.edge.max_evaluations;
  if (options.clearance_accuracy > 0.0) {
    asked.accuracy = options.clearance_accuracy;
    asked.below = options.clearance_below;
  } else {
    asked.relative = 0.05;
    asked.budget = budget;
  }
  return asked;
}

namespace {

/// [m] No pair of a motion that is free comes nearer.
double least_margin(const PathChecker& checker) {
  const SearchPairs& pairs = parts_of(checker).world.problem().pairs;
  double least = pairs.empty() ? 0.0 : kInfinity;
  for (std::size_t p = 0; p < pairs.size() && least > 0.0; ++p) least = std::min(least, pairs[p].margin);
  return least;
}

void raise_to(double margin, PairClearance& c) {
  if (!(margin > c.lower)) return;
  c.lower = margin;
  c.known = true;
}

}  // namespace

bool add_clearance(PathClearance& clearance, const TrajectoryOptions& options, TrajectoryResult& report,
                   const TrajectoryProgress& progress) {
  bool goes_on = true;
  const TrajectoryProgress step = [&](int done, int total) {
    goes_on = !progress || progress(done, total);
    return goes_on;
  };
  if (options.clearance_accuracy > 0.0) {
    report.clearance = clearance.nearest_pairs(options.clearance_pairs, step);
    report.clearance_of_others = goes_on ? clearance.of_others() : 0.0;
  }
  if (goes_on && options.profile_step > 0.0) report.profile = clearance.profile(options.profile_step, step);
  if (report.verdict == Verdict::Free) {
    const double margin = least_margin(clearance.checker());
    for (PairClearance& c : report.clearance) raise_to(margin, c);
    for (ClearancePiece& piece : report.profile) raise_to(margin, piece.nearest);
    report.clearance_of_others = std::max(report.clearance_of_others, margin);
  }
  report.clearance_counters = clearance.counters();
  return goes_on;
}

bool add_clearance(const PathChecker& checker, const Trajectory& trajectory, const TrajectoryOptions& options,
                   TrajectoryResult& report, const TrajectoryProgress& progress) {
  if (!(options.clearance_accuracy > 0.0) && !(options.profile_step > 0.0)) return true;
  PathClearance clearance(checker, trajectory, clearance_options(options, picture_budget(trajectory, report)));
  return add_clearance(clearance, options, report, progress);
}

}  // namespace planner_ccd
