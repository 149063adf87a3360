// Profiles of PathClearance, and the clearances requested of a check.
#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/path_clearance.hpp"

namespace planner_ccd {

double PathClearance::unproved() const {
  double least = std::numeric_limits<double>::infinity();
  for (const Watched& w : watched_) least = std::min(least, w.floor);
  return least;
}

std::int64_t PathClearance::budget() const {
  return std::min(options_.budget, std::numeric_limits<std::int64_t>::max() / kShare) * kShare;
}

/// Distance evaluations of the search, which take about a microsecond, and poses of the robot, some 0.1 per body.
std::int64_t PathClearance::cost() const {
  const std::int64_t poses = counters_.kinematics + (segment_ < 0 ? 0 : edge_.kinematics_count());
  const auto bodies = static_cast<std::int64_t>(checker_.robot().bodies().size());
  return kShare * (counters_.node_evaluations + counters_.primitive_evaluations) + 2 * bodies * poses + work_;
}

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
  look(middle.segment, u, parts.size() == 1 ? middle.u0 : 1.0);
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
  out.nearest.lower = std::min(out.nearest.lower, unproved());
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
    const std::int64_t left = std::max<std::int64_t>(0, budget() - cost());
    const std::size_t ahead = all.size() - out.size();  // the first piece looks at everything
    limit_ = cost() + left / static_cast<std::int64_t>(out.empty() ? std::min<std::size_t>(4, ahead) : (ahead + 1) / 2);
    out.push_back(piece(parts, may_be_nested, last));
  }
  return out;
}

std::int64_t picture_budget(const Trajectory& trajectory, const PathReport& report) {
  constexpr std::int64_t kLeast = 60'000;
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

bool add_clearance(PathClearance& clearance, const TrajectoryOptions& options, PathReport& report,
                   const TrajectoryProgress& progress) {
  bool goes_on = true;
  const TrajectoryProgress step = [&](int done, int total) {
    goes_on = !progress || progress(done, total);
    return goes_on;
  };
  if (options.clearance_accuracy > 0.0) report.clearance = clearance.nearest_pairs(options.clearance_pairs, step);
  if (goes_on && options.profile_step > 0.0) report.profile = clearance.profile(options.profile_step, step);
  report.clearance_counters = clearance.counters();
  return goes_on;
}

bool add_clearance(const PathChecker& checker, const Trajectory& trajectory, const TrajectoryOptions& options,
                   PathReport& report, const TrajectoryProgress& progress) {
  if (!(options.clearance_accuracy > 0.0) && !(options.profile_step > 0.0)) return true;
  PathClearance clearance(checker, trajectory, clearance_options(options, picture_budget(trajectory, report)));
  return add_clearance(clearance, options, report, progress);
}

}  // namespace planner_ccd
