#include "planner_ccd/validation/deviation.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/interval.hpp"
#include "planner_ccd/math/rounding.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/validation/limit_findings.hpp"
#include "planner_ccd/validation/tracking_delay.hpp"

namespace planner_ccd {
namespace {

void require_comparable(const RobotModel& robot, const Trajectory& planned, const Trajectory& executed) {
  if (!planned.timed || !executed.timed) {
    throw InputError("a planned and an executed motion are compared by the clock; give both with times");
  }
  if (planned.segments.empty() || executed.segments.empty()) {
    throw InputError("a planned and an executed motion are compared; one of them is empty");
  }
  for (const Trajectory* motion : {&planned, &executed}) {
    for (std::size_t i = 0; i < motion->segments.size(); ++i) {
      if (motion->segments[i].duration() >= 0.0) continue;
      throw InputError(
          "a planned and an executed motion are compared by the clock, and the times of one run backwards in segment " +
          std::to_string(i));
    }
  }
  for (const Joint& joint : robot.joints()) {
    if (joint.type == JointType::Floating) {
      throw InputError("deviations are not known of floating joint '" + joint.name + "'; hold it in both motions");
    }
  }
}

/// [s] A nanosecond, as stamps have them, and what sums of clocks and shift round.
double clock_slack(const Trajectory& planned, const Trajectory& executed, double shift) {
  double sum = std::abs(shift);
  for (const Trajectory* motion : {&planned, &executed}) {
    sum += std::abs(motion->segments.front().t0) + std::abs(motion->segments.back().t1);
  }
  return 1e-9 + 8.0 * kUnitRoundoff * sum;
}

/// A joint's value on [a, b] of the clock, as a polynomial on [0, 1], and how much it may be off.
struct JointCurve {
  Polynomial value;
  double pad = 0.0;
};

/// `shift` was added to the segment's own times. All of a segment without duration is at one instant.
JointCurve curve_of(const TrajectorySegment& segment, int coordinate, double shift, double a, double b) {
  const auto i = static_cast<std::size_t>(coordinate);
  const Polynomial& value = segment.value[i];
  if (!(segment.duration() > 0.0)) return {value, segment.error[i] * kRoundUp};
  const double t0 = segment.t0 + shift, duration = segment.duration();
  const auto share = [&](double t) { return std::clamp((t - t0) / duration, 0.0, 1.0); };
  // Times are rounded a few times each, before they are divided.
  const double share_error =
      8.0 * kUnitRoundoff *
      ((std::abs(a) + std::abs(b) + std::abs(segment.t0) + std::abs(segment.t1) + std::abs(shift)) / duration + 1.0);
  return {value.restricted(share(a), share(b)), (Polynomial::kRestrictedError * value.abs_sum() +
                                                 value.derived().abs_sum() * share_error + segment.error[i]) *
                                                    kRoundUp};
}

/// The comparison of one coordinate, piece by piece in order of time.
class JointComparison {
 public:
  JointComparison(const Coordinate& coordinate, int index) : index_(index), turns_(coordinate.continuous) {
    out.joint = coordinate.name;
  }

  JointDeviation out;

  void add(const TrajectorySegment& planned, const TrajectorySegment& executed, double shift, double a, double b,
           double allowed) {
    const JointCurve plan = curve_of(planned, index_, 0.0, a, b), real = curve_of(executed, index_, shift, a, b);
    if (planned.duration() > 0.0) return add(plan, real, a, b, allowed);
    const Interval all = plan.value.range(0.0, 1.0);  // each against all that the other is at that instant
    for (const double end : {all.lo, all.hi}) {
      JointCurve one{{}, plan.pad};
      one.value.c[0] = end;
      add(one, real, a, b, allowed);
    }
  }

 private:
  const int index_;
  const bool turns_;
  bool first_ = true;
  double whole_turns_ = 0.0;

  void add(const JointCurve& plan, const JointCurve& real, double a, double b, double allowed) {
    Polynomial off = real.value;
    off.degree = std::max(off.degree, plan.value.degree);
    for (int i = 0; i <= off.degree; ++i)
      off.c[static_cast<std::size_t>(i)] -= plan.value.c[static_cast<std::size_t>(i)];
    if (first_ && turns_) whole_turns_ = 2.0 * std::numbers::pi * std::round(off.c[0] / (2.0 * std::numbers::pi));
    first_ = false;
    off.c[0] -= whole_turns_;
    const double pad =
        (plan.pad + real.pad + 8.0 * kUnitRoundoff * (off.abs_sum() + std::abs(whole_turns_))) * kRoundUp;
    const Interval range = off.range(0.0, 1.0);
    const double most = std::max(range.hi, -range.lo) + pad;
    if (most <= std::abs(out.greatest) && most <= allowed) return;
    for (const double sign : {1.0, -1.0}) {
      Polynomial p = off;
      for (double& c : p.c) c *= sign;
      const Excess excess = find_excess(p, allowed - pad);
      const double value = excess.value + pad;
      if (value > std::abs(out.greatest)) {
        out.greatest = sign * value;
        out.at = a + excess.at * (b - a);
        out.allowed = allowed;
      }
      if (!excess.intervals.empty()) out.left = std::min(out.left, a + excess.intervals.front().begin.from * (b - a));
    }
  }
};

JointVector allowed_by(const RobotModel& robot, const Trajectory& planned, int segment,
                       const TrajectoryOptions& options) {
  const JointVector tracking = errors_of(robot, planned, segment, options).tracking;
  if (tracking.size() > 0) return tracking;
  return JointVector::Constant(robot.dof(), std::numeric_limits<double>::infinity());
}

}  // namespace

bool Deviation::within() const {
  return complete && std::all_of(joints.begin(), joints.end(), [](const JointDeviation& joint) {
           return joint.left == std::numeric_limits<double>::infinity();
         });
}

Deviation deviation(const RobotModel& robot, const Trajectory& planned, const Trajectory& executed, double shift,
                    const TrajectoryOptions& options) {
  require_comparable(robot, planned, executed);
  if (!std::isfinite(shift)) throw InputError("the shift between two motions must be a finite number of seconds");
  Deviation out;
  out.shift = shift;
  const double plan_begin = planned.segments.front().t0, plan_end = planned.segments.back().t1;
  out.begin = std::max(plan_begin, executed.segments.front().t0 + shift);
  out.end = std::max(out.begin, std::min(plan_end, executed.segments.back().t1 + shift));
  const double slack = clock_slack(planned, executed, shift);
  out.complete = out.begin < out.end && out.begin - plan_begin <= slack && plan_end - out.end <= slack;
  std::vector<JointComparison> joints;
  for (int i = 0; i < robot.dof(); ++i) joints.emplace_back(robot.coordinates()[static_cast<std::size_t>(i)], i);
  std::size_t next = 0;
  for (std::size_t s = 0; s < planned.segments.size(); ++s) {
    const TrajectorySegment& plan = planned.segments[s];
    const JointVector allowed = allowed_by(robot, planned, static_cast<int>(s), options);
    for (std::size_t e = next; e < executed.segments.size(); ++e) {
      const TrajectorySegment& real = executed.segments[e];
      // Of a segment without duration the instant may be rounded beyond the other motion's end.
      const bool instant = !(plan.duration() > 0.0 && real.duration() > 0.0);
      if (real.t1 + shift < plan.t0 - slack) next = e + 1;
      if (real.t0 + shift > plan.t1 + slack) break;
      const double a = std::max(plan.t0, real.t0 + shift), b = std::min(plan.t1, real.t1 + shift);
      if (instant ? a > b + slack : !(a < b)) continue;
      for (int i = 0; i < robot.dof(); ++i) {
        joints[static_cast<std::size_t>(i)].add(plan, real, shift, a, std::max(a, b), allowed[i]);
      }
    }
  }
  for (JointComparison& joint : joints) out.joints.push_back(std::move(joint.out));
  return out;
}

double best_shift(const RobotModel& robot, const Trajectory& planned, const Trajectory& executed) {
  require_comparable(robot, planned, executed);
  constexpr int kSamples = 256, kShifts = 2000, kRefined = 8, kZooms = 5, kFiner = 10;
  const double begin = planned.segments.front().t0, end = planned.segments.back().t1;
  std::vector<double> times;
  std::vector<JointVector> plan;
  for (int i = 0; i <= kSamples; ++i) {
    times.push_back(begin + (end - begin) * i / kSamples);
    plan.push_back(configuration(robot, planned, times.back()));
  }
  std::vector<bool> turns;
  for (const Coordinate& c : robot.coordinates()) turns.push_back(c.continuous);
  const auto worst = [&](double shift) {
    double most = 0.0;
    JointVector whole_turns = JointVector::Zero(robot.dof());
    for (std::size_t i = 0; i < times.size(); ++i) {
      JointVector off = configuration(robot, executed, times[i] - shift) - plan[i];
      for (int k = 0; k < robot.dof() && i == 0; ++k) {
        if (turns[static_cast<std::size_t>(k)]) {
          whole_turns[k] = 2.0 * std::numbers::pi * std::round(off[k] / (2.0 * std::numbers::pi));
        }
      }
      most = std::max(most, (off - whole_turns).cwiseAbs().maxCoeff());
    }
    return most;
  };
  const double ran_begin = executed.segments.front().t0, ran_end = executed.segments.back().t1;
  double lower = begin - ran_end, upper = end - ran_begin;
  if (ran_end - ran_begin >= end - begin - clock_slack(planned, executed, 0.0)) {  // long enough to cover the plan
    lower = end - ran_end;
    upper = std::max(lower, begin - ran_begin);
  }
  const double step = (upper - lower) / kShifts;
  std::vector<std::pair<double, double>> tried;  // how bad, and the shift
  for (int i = 0; i <= kShifts; ++i) tried.emplace_back(worst(lower + i * step), lower + i * step);
  std::sort(tried.begin(), tried.end());
  std::pair<double, double> best = tried.front();
  for (int i = 0; i < kRefined; ++i) {
    std::pair<double, double> here = tried[static_cast<std::size_t>(i)];
    double width = step;
    for (int zoom = 0; zoom < kZooms; ++zoom, width /= kFiner) {
      const double center = here.second;
      for (int k = -kFiner; k <= kFiner; ++k) {
        const double shift = std::clamp(center + width * k / kFiner, lower, upper);
        here = std::min(here, std::pair(worst(shift), shift));
      }
    }
    best = std::min(best, here);
  }
  return best.second;
}

}  // namespace planner_ccd
