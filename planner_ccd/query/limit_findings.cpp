#include "planner_ccd/query/limit_findings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <sstream>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

constexpr int kDepth = 40;        ///< Halvings: brackets of 1e-12 of a segment.
constexpr int kMostParts = 4000;  ///< Parts examined; any others count as beyond the limit.

/// [1] Tolerated excess: files hold nine digits or more, and splines through points at a limit round.
double slack(double limit) { return 1e-9 * (1.0 + std::abs(limit)); }

/// Appends the parts of [t0, t1] on which p is not proved <= limit; neighbours join.
void above(const Polynomial& p, double limit, double t0, double t1, int depth, int& budget,
           std::vector<TimeBracket>& out) {
  const Interval range = p.range(t0, t1);
  if (range.hi <= limit) return;
  if (depth == 0 || --budget < 0 || range.lo > limit) {
    if (!out.empty() && out.back().to == t0) {
      out.back().to = t1;
    } else {
      out.push_back({t0, t1});
    }
    return;
  }
  const double middle = 0.5 * (t0 + t1);
  above(p, limit, t0, middle, depth - 1, budget, out);
  above(p, limit, middle, t1, depth - 1, budget, out);
}

/// Greatest value on [t0, t1]: raises `best` to the values found; skips parts that cannot exceed it by 1e-12.
void greatest(const Polynomial& p, double t0, double t1, int& budget, Excess& best) {
  const Interval range = p.range(t0, t1);
  if (range.hi <= best.value + 1e-12 * (1.0 + std::abs(best.value)) || --budget < 0 || t1 - t0 < 1e-12) return;
  const double middle = 0.5 * (t0 + t1);
  if (const double seen = p.value(middle); seen > best.value) best.value = seen, best.at = middle;
  greatest(p, t0, middle, budget, best);
  greatest(p, middle, t1, budget, best);
}

std::string number(double x) {
  std::ostringstream out;
  out.precision(6);
  out << x;
  return out.str();
}

class LimitSearch {
 public:
  LimitSearch(const RobotModel& robot, const Trajectory& trajectory) : robot_(robot), trajectory_(trajectory) {}

  std::vector<Finding> findings;

  /// One coordinate, one kind: f of each segment against [lower, upper]. Parts that touch at a knot become one finding.
  template <typename Quantity>
  void compare(int coordinate, FindingKind kind, double lower, double upper, Quantity&& quantity) {
    for (const bool over : {true, false}) {
      const double limit = over ? upper : lower;
      if (!std::isfinite(limit)) continue;
      int last = -1;
      for (std::size_t s = 0; s < trajectory_.segments.size(); ++s) {
        Polynomial p = quantity(trajectory_.segments[s]);
        if (!over) {
          for (double& c : p.c) c = -c;
        }
        const double bound = over ? limit : -limit;
        if (p.range(0.0, 1.0).hi <= bound + slack(limit)) continue;
        const Excess excess = find_excess(p, bound + slack(limit));
        for (const Excess::Part& part : excess.parts) add(coordinate, kind, over, limit, s, part, excess, last);
      }
    }
  }

 private:
  const RobotModel& robot_;
  const Trajectory& trajectory_;

  void add(int coordinate, FindingKind kind, bool over, double limit, std::size_t s, const Excess::Part& part,
           const Excess& excess, int& last) {
    const TrajectorySegment& segment = trajectory_.segments[s];
    const auto clock = [&](double u) { return segment.t0 + u * segment.duration(); };
    const double value = over ? excess.value : -excess.value;
    const bool joins =
        last >= 0 && part.begin.to == 0.0 && findings[static_cast<std::size_t>(last)].end.to == segment.t0 && s > 0;
    if (!joins) {
      Finding f;
      f.kind = kind;
      f.segment = static_cast<int>(s);
      f.begin = {clock(part.begin.from), clock(part.begin.to)};
      f.coordinate = coordinate;
      f.joint = robot_.coordinates()[static_cast<std::size_t>(coordinate)].name;
      f.limit = limit;
      f.value = value;
      f.at = clock(excess.at);
      last = static_cast<int>(findings.size());
      findings.push_back(std::move(f));
    }
    Finding& f = findings[static_cast<std::size_t>(last)];
    f.end = {clock(part.end.from), clock(part.end.to)};
    if (over ? value > f.value : value < f.value) {
      f.value = value;
      f.at = clock(excess.at);
    }
    const char* what = kind == FindingKind::JointLimit      ? " reaches "
                       : kind == FindingKind::VelocityLimit ? " moves at "
                                                            : " accelerates by ";
    f.message = f.joint + what + number(f.value) + ", its limit is " + number(limit);
  }
};

/// Value, rate and acceleration of a coordinate in its units per second.
Polynomial scaled(Polynomial p, double factor) {
  for (double& c : p.c) c *= factor;
  return p;
}

void find_times(const Trajectory& trajectory, std::vector<Finding>& findings) {
  if (trajectory.segments.size() == 1 && trajectory.segments[0].duration() == 0.0) return;  // one waypoint
  for (std::size_t s = 0; s < trajectory.segments.size(); ++s) {
    const TrajectorySegment& segment = trajectory.segments[s];
    if (segment.t0 < segment.t1) continue;
    Finding f;
    f.kind = FindingKind::TimeNotIncreasing;
    f.segment = static_cast<int>(s);
    f.begin = f.end = {segment.t1, segment.t1};
    f.value = segment.t1;
    f.limit = segment.t0;
    f.at = segment.t1;
    f.message = "point " + std::to_string(s + 1) + " is at " + number(segment.t1) + " s, not after point " +
                std::to_string(s) + " at " + number(segment.t0) + " s: controllers reject the trajectory";
    findings.push_back(std::move(f));
  }
}

/// A joint without limits that is commanded to turn by nearly a full turn, or more, from one point to the next.
void find_turns(const RobotModel& robot, const Trajectory& trajectory, std::vector<Finding>& findings) {
  constexpr double kTurn = 2.0 * std::numbers::pi, kNear = 0.5;
  for (std::size_t s = 0; s < trajectory.segments.size(); ++s) {
    const TrajectorySegment& segment = trajectory.segments[s];
    for (std::size_t i = 0; i < segment.value.size(); ++i) {
      const Coordinate& c = robot.coordinates()[i];
      const double change = segment.value[i].value(1.0) - segment.value[i].value(0.0);
      if (!c.continuous || std::abs(change) < kTurn - kNear) continue;
      Finding f;
      f.kind = FindingKind::FullTurn;
      f.severity = Severity::Warning;
      f.segment = static_cast<int>(s);
      f.begin = f.end = {segment.t0, segment.t1};
      f.coordinate = static_cast<int>(i);
      f.joint = c.name;
      f.value = change;
      f.limit = kTurn - kNear;
      f.at = segment.t0;
      f.message = c.name + " turns by " + number(change) + " rad between two points: the shorter way is " +
                  number(std::remainder(change, kTurn)) + " rad";
      findings.push_back(std::move(f));
    }
  }
}

}  // namespace

Excess find_excess(const Polynomial& p, double limit) {
  Excess excess;
  std::vector<TimeBracket> parts;
  int budget = kMostParts;
  above(p, limit, 0.0, 1.0, kDepth, budget, parts);
  excess.value = p.value(0.0);
  if (const double end = p.value(1.0); end > excess.value) excess.value = end, excess.at = 1.0;
  budget = kMostParts;
  greatest(p, 0.0, 1.0, budget, excess);
  if (!(excess.value > limit)) return excess;  // only rounding at the limit
  // A part's ends are within 2^-40 of where the limit is passed; at 0 and 1 it may reach beyond the segment.
  const double width = std::ldexp(1.0, -kDepth);
  for (const TimeBracket& part : parts) {
    const double first = part.from == 0.0 ? 0.0 : std::min(part.from + width, part.to);
    const double last = part.to == 1.0 ? 1.0 : std::max(part.to - width, part.from);
    excess.parts.push_back({{part.from, first}, {last, part.to}});
  }
  return excess;
}

std::vector<Finding> limit_findings(const RobotModel& robot, const Trajectory& trajectory,
                                    const TrajectoryOptions& options) {
  MotionLimits limits = options.limits;
  const MotionLimits own = motion_limits(robot);
  if (limits.velocity.empty()) limits.velocity = own.velocity;
  if (limits.acceleration.empty()) limits.acceleration = own.acceleration;
  if (limits.velocity.size() != own.velocity.size() || limits.acceleration.size() != own.acceleration.size()) {
    throw InputError("motion limits must have a value for every coordinate of the robot");
  }
  LimitSearch search(robot, trajectory);
  if (trajectory.timed) find_times(trajectory, search.findings);
  if (!options.check_limits) return std::move(search.findings);
  find_turns(robot, trajectory, search.findings);
  for (int i = 0; i < robot.dof(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Coordinate& c = robot.coordinates()[k];
    if (robot.joints()[static_cast<std::size_t>(c.joint)].type == JointType::Floating) continue;
    search.compare(i, FindingKind::JointLimit, c.lower, c.upper,
                   [k](const TrajectorySegment& s) { return s.value[k]; });
    if (!trajectory.timed) continue;
    const auto inverse = [](const TrajectorySegment& s) { return s.duration() > 0.0 ? 1.0 / s.duration() : 0.0; };
    search.compare(i, FindingKind::VelocityLimit, -limits.velocity[k], limits.velocity[k],
                   [&](const TrajectorySegment& s) { return scaled(s.value[k].derived(), inverse(s)); });
    search.compare(
        i, FindingKind::AccelerationLimit, -limits.acceleration[k], limits.acceleration[k],
        [&](const TrajectorySegment& s) { return scaled(s.value[k].derived().derived(), inverse(s) * inverse(s)); });
  }
  return std::move(search.findings);
}

}  // namespace planner_ccd
