#include "planner_ccd/validation/limit_findings.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>
#include <sstream>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

constexpr int kDepth = 40;            ///< Halvings: brackets of 1e-12 of a segment.
constexpr int kMostIntervals = 4000;  ///< Intervals examined; any others count as beyond the limit.

/// [1] Tolerated excess: files hold nine digits or more, and splines through points at a limit round.
double slack(double limit) { return 1e-9 * (1.0 + std::abs(limit)); }

/// Where a polynomial is not proved to keep to a limit.
class IntervalsAbove {
 public:
  IntervalsAbove(const Polynomial& p, double limit) : p_(p), limit_(limit) {}

  /// Those in [t0, t1]; neighbours join.
  std::vector<TimeBracket> in(double t0, double t1) {
    search(t0, t1, kDepth);
    return std::move(found_);
  }

 private:
  const Polynomial& p_;
  double limit_;
  int budget_ = kMostIntervals;
  std::vector<TimeBracket> found_;

  void search(double t0, double t1, int depth) {
    const Interval range = p_.range(t0, t1);
    if (range.hi <= limit_) return;
    if (depth == 0 || --budget_ < 0 || range.lo > limit_) {
      if (!found_.empty() && found_.back().to == t0) {
        found_.back().to = t1;
      } else {
        found_.push_back({t0, t1});
      }
      return;
    }
    const double middle = 0.5 * (t0 + t1);
    search(t0, middle, depth - 1);
    search(middle, t1, depth - 1);
  }
};

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

  /// One coordinate, one kind: its `order`th derivative in each segment against [lower, upper]. Intervals that touch at a knot become
  /// one finding.
  void compare(int coordinate, FindingKind kind, int order, double lower, double upper) {
    for (const bool over : {true, false}) {
      const double limit = over ? upper : lower;
      if (!std::isfinite(limit)) continue;
      Bound bound{coordinate, kind, over, limit};
      for (std::size_t s = 0; s < trajectory_.segments.size(); ++s) {
        Polynomial p = derivative(trajectory_.segments[s], coordinate, order);
        if (!over) {
          for (double& c : p.c) c = -c;
        }
        const double most = (over ? limit : -limit) + slack(limit) +
                            (order == 3 ? rounded(trajectory_.segments[s], coordinate, order, limit) : 0.0);
        if (p.range(0.0, 1.0).hi <= most) continue;
        const Excess excess = find_excess(p, most);
        for (const Excess::Interval& interval : excess.intervals) add(bound, s, excess, interval);
      }
    }
  }

  /// Where the derivative of order `order` - 1 jumps between two segments, that of `order` does not exist, nor any higher one: `limit`,
  /// of `kind`, says nothing there.
  void find_jumps(int coordinate, FindingKind kind, int order, double limit) {
    if (!std::isfinite(limit)) return;
    Finding f;
    int count = 0;
    for (std::size_t s = 1; s < trajectory_.segments.size(); ++s) {
      const TrajectorySegment &before = trajectory_.segments[s - 1], &after = trajectory_.segments[s];
      const double jump =
          derivative(after, coordinate, order - 1).value(0.0) - derivative(before, coordinate, order - 1).value(1.0);
      const double most = 1e-6 * (1.0 + std::abs(limit)) + rounded(before, coordinate, order - 1, limit) +
                          rounded(after, coordinate, order - 1, limit);
      if (std::abs(jump) <= most) continue;
      if (++count == 1) {
        f.segment = static_cast<int>(s);
        f.begin = {after.t0, after.t0};
      }
      f.end = {after.t0, after.t0};
      if (std::abs(jump) > std::abs(f.value)) f.value = jump, f.at = after.t0;
    }
    if (count == 0) return;
    f.kind = kind;
    f.severity = Severity::Warning;
    name(coordinate, f);
    f.limit = limit;
    f.message = f.joint + ": its " + (order == 2 ? "velocity" : "acceleration") + " jumps at " + std::to_string(count) +
                " points, by up to " + number(std::abs(f.value)) + "; its limit of " + number(limit) +
                (kind == FindingKind::JerkLimit ? " for jerks" : " for accelerations") +
                " is checked between points alone";
    findings.push_back(std::move(f));
  }

 private:
  const RobotModel& robot_;
  const Trajectory& trajectory_;

  void name(int coordinate, Finding& f) const {
    f.coordinate = coordinate;
    f.joint = robot_.coordinates()[static_cast<std::size_t>(coordinate)].name;
  }

  static double per_second(const TrajectorySegment& segment, int order) {
    return segment.duration() > 0.0 ? std::pow(1.0 / segment.duration(), order) : order == 0 ? 1.0 : 0.0;
  }

  /// In units per second to the power of `order`, as a polynomial in u.
  static Polynomial derivative(const TrajectorySegment& segment, int coordinate, int order) {
    Polynomial p = segment.value[static_cast<std::size_t>(coordinate)];
    for (int i = 0; i < order; ++i) p = p.derived();
    for (double& c : p.c) c *= per_second(segment, order);
    return p;
  }

  /// How far the derivative may be off because coefficients are rounded: those of degree 5, of which the error states the sum, grow
  /// most, by 5, 20 and 60. Not more than a ten-thousandth of the limit: a larger error is no rounding.
  static double rounded(const TrajectorySegment& segment, int coordinate, int order, double limit) {
    constexpr double kGrowth[] = {1.0, 5.0, 20.0, 60.0};
    const double most =
        kGrowth[order] * segment.error[static_cast<std::size_t>(coordinate)] * per_second(segment, order);
    return std::min(most, 1e-4 * (1.0 + std::abs(limit)));
  }

  /// One side of a coordinate's limit.
  struct Bound {
    int coordinate;
    FindingKind kind;
    bool is_upper;
    double limit;
    std::optional<std::size_t> finding = {};  ///< The last one about it.
  };

  /// In segment s the bound is exceeded, among others on this interval.
  void add(Bound& bound, std::size_t s, const Excess& excess, const Excess::Interval& interval) {
    const TrajectorySegment& segment = trajectory_.segments[s];
    const auto clock = [&](double u) { return segment.t0 + u * segment.duration(); };
    const double value = bound.is_upper ? excess.value : -excess.value;
    const bool joins =
        bound.finding && interval.begin.to == 0.0 && findings[*bound.finding].end.to == segment.t0 && s > 0;
    if (!joins) {
      Finding f;
      f.kind = bound.kind;
      f.segment = static_cast<int>(s);
      f.begin = {clock(interval.begin.from), clock(interval.begin.to)};
      name(bound.coordinate, f);
      f.limit = bound.limit;
      f.value = value;
      f.at = clock(excess.at);
      bound.finding = findings.size();
      findings.push_back(std::move(f));
    }
    Finding& f = findings[*bound.finding];
    f.end = {clock(interval.end.from), clock(interval.end.to)};
    if (bound.is_upper ? value > f.value : value < f.value) {
      f.value = value;
      f.at = clock(excess.at);
    }
    const char* what = f.kind == FindingKind::JointLimit      ? " reaches "
                       : f.kind == FindingKind::VelocityLimit ? " moves at "
                       : f.kind == FindingKind::JerkLimit     ? " changes its acceleration by "
                                                              : " accelerates by ";
    f.message = f.joint + what + number(f.value) + ", its limit is " + number(f.limit);
  }
};

void find_times(const Trajectory& trajectory, std::vector<Finding>& findings) {
  if (is_at_rest(trajectory)) return;
  for (std::size_t s = 0; s < trajectory.segments.size(); ++s) {
    const TrajectorySegment& segment = trajectory.segments[s];
    if (segment.t0 < segment.t1 || (trajectory.sampled && segment.t0 == segment.t1)) continue;
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

/// How far apart the poses of a joint are: [rad] or [m], whichever is more. Turns of joints without limits do not count.
double apart(const RobotModel& robot, const Joint& joint, const JointVector& from, const JointVector& to) {
  double most = 0.0;
  const int straight = joint.type == JointType::Floating ? 3 : joint.q_size;
  for (int k = 0; k < straight; ++k) {
    const Eigen::Index i = joint.q_index + k;
    const double off = to[i] - from[i];
    const bool turns = robot.coordinates()[static_cast<std::size_t>(i)].continuous;
    const double size = std::abs(turns ? std::remainder(off, 2.0 * std::numbers::pi) : off);
    most = std::max(most, size);
  }
  if (joint.type != JointType::Floating) return most;
  const Eigen::Quaterniond a(from.segment<4>(joint.q_index + 3)), b(to.segment<4>(joint.q_index + 3));
  return std::max(most, a.angularDistance(b));
}

/// A motion that begins elsewhere than where the robot stands.
void find_start(const RobotModel& robot, const Trajectory& trajectory, std::vector<Finding>& findings) {
  constexpr double kPrinted = 1e-6;
  if (trajectory.start.size() == 0) return;
  if (trajectory.start.size() != robot.dof() || !trajectory.start.allFinite()) {
    throw InputError("the start of a trajectory must have a number for every coordinate of the robot");
  }
  const JointVector first = configuration(robot, trajectory.segments.front(), 0.0);
  Finding f;
  std::string worst;
  int count = 0;
  for (const Joint& joint : robot.joints()) {
    if (joint.is_mimic || joint.q_size == 0) continue;
    const double off = apart(robot, joint, trajectory.start, first);
    if (off <= kPrinted) continue;
    ++count;
    if (off <= f.value) continue;
    worst = joint.name;
    f.value = off;
    f.coordinate = joint.q_index;
    f.joint = robot.coordinates()[static_cast<std::size_t>(joint.q_index)].name;
  }
  if (count == 0) return;
  const bool refused = f.value > kStartTolerance;
  f.kind = FindingKind::StartJump;
  f.severity = refused ? Severity::Error : Severity::Warning;
  f.segment = 0;
  f.at = trajectory.segments.front().t0;
  f.begin = f.end = {f.at, f.at};
  f.limit = kStartTolerance;
  f.message = "the motion begins " + number(f.value) + " from where the robot is said to stand, in " + worst +
              (count > 1 ? ", and less in " + std::to_string(count - 1) + " more joints" : "") +
              ": the way there is not checked" +
              (refused ? ", and MoveIt executes nothing beyond " + number(kStartTolerance) : "");
  findings.push_back(std::move(f));
}

/// The limits to keep to: those of `options` that are given, else the robot's own. Throws InputError for any that are unusable.
MotionLimits limits_of(const RobotModel& robot, const MotionLimits& given) {
  MotionLimits limits = motion_limits(robot);
  const auto fill = [&](std::vector<double>& own, const std::vector<double>& other) {
    if (other.empty()) return;
    if (own.size() != other.size()) {
      throw InputError("motion limits must have a value for every coordinate of the robot");
    }
    if (std::any_of(other.begin(), other.end(), [](double limit) { return std::isnan(limit); })) {
      throw InputError("motion limits must be numbers");
    }
    own = other;
  };
  fill(limits.velocity, given.velocity);
  fill(limits.acceleration, given.acceleration);
  fill(limits.lower, given.lower);
  fill(limits.upper, given.upper);
  fill(limits.jerk, given.jerk);
  return limits;
}

/// Limits that were given and need times, of a motion that has none.
void note_missing_times(const MotionLimits& given, std::vector<Finding>& findings) {
  const auto has_limit = [](const std::vector<double>& limits) {
    return std::any_of(limits.begin(), limits.end(), [](double limit) { return std::isfinite(limit); });
  };
  if (!has_limit(given.velocity) && !has_limit(given.acceleration) && !has_limit(given.jerk)) return;
  Finding f;
  f.kind = FindingKind::VelocityLimit;
  f.severity = Severity::Warning;
  f.segment = 0;
  f.message = "the motion has no times, so limits of velocities, accelerations and jerks are not checked";
  findings.push_back(std::move(f));
}

}  // namespace

Excess find_excess(const Polynomial& p, double limit) {
  Excess excess;
  const std::vector<TimeBracket> above = IntervalsAbove(p, limit).in(0.0, 1.0);
  excess.value = p.value(0.0);
  if (const double end = p.value(1.0); end > excess.value) excess.value = end, excess.at = 1.0;
  int budget = kMostIntervals;
  greatest(p, 0.0, 1.0, budget, excess);
  if (!(excess.value > limit)) return excess;  // only rounding at the limit
  // An interval's ends are within 2^-40 of where the limit is passed; at 0 and 1 it may reach beyond the segment.
  const double width = std::ldexp(1.0, -kDepth);
  for (const auto& [from, to] : above) {
    const double first = from == 0.0 ? 0.0 : std::min(from + width, to);
    const double last = to == 1.0 ? 1.0 : std::max(to - width, from);
    excess.intervals.push_back({{from, first}, {last, to}});
  }
  return excess;
}

std::vector<Finding> limit_findings(const RobotModel& robot, const Trajectory& trajectory,
                                    const TrajectoryOptions& options) {
  const MotionLimits limits = limits_of(robot, options.limits);
  LimitSearch search(robot, trajectory);
  find_start(robot, trajectory, search.findings);
  if (trajectory.timed) find_times(trajectory, search.findings);
  if (!options.check_limits) return std::move(search.findings);
  find_turns(robot, trajectory, search.findings);
  if (!trajectory.timed) note_missing_times(options.limits, search.findings);
  for (int i = 0; i < robot.dof(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const Coordinate& c = robot.coordinates()[k];
    if (robot.joints()[static_cast<std::size_t>(c.joint)].type == JointType::Floating) continue;
    search.compare(i, FindingKind::JointLimit, 0, limits.lower[k], limits.upper[k]);
    if (!trajectory.timed) continue;
    search.compare(i, FindingKind::VelocityLimit, 1, -limits.velocity[k], limits.velocity[k]);
    search.compare(i, FindingKind::AccelerationLimit, 2, -limits.acceleration[k], limits.acceleration[k]);
    search.compare(i, FindingKind::JerkLimit, 3, -limits.jerk[k], limits.jerk[k]);
    const bool accelerations = std::isfinite(limits.acceleration[k]);
    search.find_jumps(i, accelerations ? FindingKind::AccelerationLimit : FindingKind::JerkLimit, 2,
                      accelerations ? limits.acceleration[k] : limits.jerk[k]);
    search.find_jumps(i, FindingKind::JerkLimit, 3, limits.jerk[k]);
  }
  return std::move(search.findings);
}

}  // namespace planner_ccd
