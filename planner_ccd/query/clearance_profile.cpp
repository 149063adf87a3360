// Profiles of PathClearance, and the clearances requested of a check.
#include <algorithm>
#include <cmath>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/path_clearance.hpp"

namespace planner_ccd {

/// A piece is a part of a long segment, or as many short ones as take no longer than `step`.
std::vector<std::vector<PathClearance::Part>> PathClearance::pieces(double step) const {
  constexpr double kMostPieces = 100'000.0;
  std::vector<std::vector<Part>> all;
  double length = std::numeric_limits<double>::infinity();  // [s] of the current piece
  for (int s = 0; s < static_cast<int>(trajectory_.segments.size()); ++s) {
    const double duration = std::max(0.0, trajectory_.segments[static_cast<std::size_t>(s)].duration());
    const double wanted = std::ceil(duration / step);
    if (wanted > kMostPieces) throw InputError("the step of the clearance profile is too small for this trajectory");
    if (wanted > 1.0) {
      const int count = static_cast<int>(wanted);
      for (int i = 0; i < count; ++i) {
        all.push_back({{s, static_cast<double>(i) / count, static_cast<double>(i + 1) / count}});
      }
      length = std::numeric_limits<double>::infinity();
      continue;
    }
    if (length + duration > step) {
      all.emplace_back();
      length = 0.0;
    }
    all.back().push_back({s, 0.0, 1.0});
    length += duration;
  }
  return all;
}

/// `last`: index in watched_ of the previous piece's nearest pair: tried first.
ClearancePiece PathClearance::piece(const std::vector<Part>& parts, bool& may_be_nested, int& last) {
  forget(false);
  const Part& middle = parts[parts.size() / 2];
  const double u = 0.5 * (middle.u0 + middle.u1);
  if (last >= 0 && set(middle.segment)) measure(watched_[static_cast<std::size_t>(last)], u);
  if (last < 0 || !spent()) look(middle.segment, u);
  if (may_be_nested) find_nested(parts.front());
  for (const Part& part : parts) advance(part);

  const auto clock = [&](const Part& part, double at) {
    const TrajectorySegment& s = trajectory_.segments[static_cast<std::size_t>(part.segment)];
    return at == 1.0 ? s.t1 : s.t0 + at * s.duration();
  };
  ClearancePiece out;
  out.from = clock(parts.front(), parts.front().u0);
  out.to = clock(parts.back(), parts.back().u1);
  out.nearest = none();
  if (!nearest_.empty()) {
    last = nearest_[0];
    out.nearest = result(watched_[static_cast<std::size_t>(last)]);
  }
  for (const Watched& w : watched_) out.nearest.lower = std::min(out.nearest.lower, w.floor);
  if (lost_) out.nearest.lower = 0.0;
  may_be_nested = !(out.nearest.lower > 0.0);
  return out;
}

std::vector<ClearancePiece> PathClearance::profile(double step, const TrajectoryProgress& progress) {
  if (!(step > 0.0)) throw InputError("the step of a clearance profile must be > 0 seconds");
  most_ = 1;
  forget(true);
  const std::vector<std::vector<Part>> all = pieces(step);
  std::vector<ClearancePiece> out;
  bool may_be_nested = true;
  int last = -1;
  for (const std::vector<Part>& parts : all) {
    if (progress && !progress(static_cast<int>(out.size()), static_cast<int>(all.size()))) return {};
    out.push_back(piece(parts, may_be_nested, last));
  }
  return out;
}

namespace {

/// For a plot: to a twentieth of the distance, for four times the check's evaluations plus a few per segment.
ClearanceOptions for_a_picture(const Trajectory& trajectory, const PathReport& report) {
  ClearanceOptions options;
  options.relative = 0.05;
  options.budget = 100'000 + 4 * (report.counters.node_evaluations + report.counters.primitive_evaluations) +
                   32 * static_cast<std::int64_t>(trajectory.segments.size());
  return options;
}

}  // namespace

bool add_clearance(const PathChecker& checker, const Trajectory& trajectory, const TrajectoryOptions& options,
                   PathReport& report, const TrajectoryProgress& progress) {
  const bool pairs = options.clearance_accuracy > 0.0;
  if (!pairs && !(options.profile_step > 0.0)) return true;
  ClearanceOptions asked = for_a_picture(trajectory, report);
  if (pairs) {
    asked = {};
    asked.accuracy = options.clearance_accuracy;
    asked.below = options.clearance_below;
  }
  asked.max_evaluations = options.edge.max_evaluations;
  PathClearance clearance(checker, trajectory, asked);
  bool goes_on = true;
  const TrajectoryProgress step = [&](int done, int total) {
    goes_on = !progress || progress(done, total);
    return goes_on;
  };
  if (pairs) report.clearance = clearance.nearest_pairs(options.clearance_pairs, step);
  if (goes_on && options.profile_step > 0.0) report.profile = clearance.profile(options.profile_step, step);
  report.clearance_counters = clearance.counters();
  return goes_on;
}

}  // namespace planner_ccd
