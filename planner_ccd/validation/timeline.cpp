#include "planner_ccd/validation/timeline.hpp"

#include <algorithm>
#include <sstream>
#include <tuple>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/math/spelling.hpp"
#include "planner_ccd/motion/segment_part.hpp"
#include "planner_ccd/query/detail/clock_joints.hpp"
#include "planner_ccd/query/detail/joined_segments.hpp"
#include "planner_ccd/validation/detail/world_events.hpp"

namespace planner_ccd {
namespace {

std::string seconds(double t) {
  std::ostringstream out;
  out << t << " s";
  return out.str();
}

/// An instant of a motion: u in [0, 1) of a segment; of the segment after the last, 0, for the end.
struct Instant {
  std::size_t segment = 0;
  double u = 0.0;

  bool operator==(const Instant&) const = default;
  bool operator<(const Instant& other) const { return std::tie(segment, u) < std::tie(other.segment, other.u); }
};

/// Of a waypoint.
double clock(const Trajectory& motion, const Instant& at) {
  return at.segment == motion.segments.size() ? motion.segments.back().t1 : motion.segments[at.segment].t0;
}

std::size_t last_waypoint(const Trajectory& motion) { return is_at_rest(motion) ? 0 : motion.segments.size(); }

Instant at_waypoint(const Trajectory& motion, const TimelineEvent& event) {
  const std::size_t last = last_waypoint(motion);
  if (*event.waypoint < 0 || static_cast<std::size_t>(*event.waypoint) > last) {
    fail(event, "the motion has no waypoint " + std::to_string(*event.waypoint) + "; they are numbered from 0 to " +
                    std::to_string(last));
  }
  return {static_cast<std::size_t>(*event.waypoint), 0.0};
}

Instant at_time(const Trajectory& motion, const TimelineEvent& event) {
  const double t = *event.time, begin = motion.segments.front().t0, end = motion.segments.back().t1;
  if (!motion.timed) fail(event, "the motion has no times; give a waypoint, or the motion a column of times");
  if (!(begin <= t && t <= end)) {
    fail(event, seconds(t) + " is not within the motion, which goes from " + seconds(begin) + " to " + seconds(end));
  }
  if (t == begin) return {};
  for (std::size_t i = 0; i < motion.segments.size(); ++i) {
    const TrajectorySegment& s = motion.segments[i];
    if (!(s.t0 < s.t1))
      fail(event, "the motion's times do not grow everywhere, so a time is no instant; give a waypoint");
    if (t >= s.t1) continue;
    const double u = (t - s.t0) / s.duration();
    if (u <= 0.0) return {i, 0.0};
    return u >= 1.0 ? Instant{i + 1, 0.0} : Instant{i, u};
  }
  return {motion.segments.size(), 0.0};
}

Instant instant_of(const Trajectory& motion, const TimelineEvent& event) {
  if (event.time.has_value() == event.waypoint.has_value()) fail(event, "needs either a time or a waypoint");
  return event.time ? at_time(motion, event) : at_waypoint(motion, event);
}

/// Segments from one instant to another; one without duration between equal instants.
std::vector<TrajectorySegment> between(const RobotModel& robot, const Trajectory& motion, const Instant& from,
                                       const Instant& to, double t0, double t1) {
  const auto& all = motion.segments;
  std::vector<TrajectorySegment> out;
  if (from == to) {
    const bool at_end = from.segment == all.size();
    const double u = at_end ? 1.0 : from.u;
    out.push_back(cut(robot, {at_end ? &all.back() : &all[from.segment], u, u}, t0, t0));
    return out;
  }
  for (std::size_t i = from.segment; i < all.size() && Instant{i, 0.0} < to; ++i) {
    const double first = i == from.segment ? from.u : 0.0, last = i == to.segment ? to.u : 1.0;
    if (first == 0.0 && last == 1.0) {
      out.push_back(all[i]);
    } else {
      out.push_back(cut(robot, {&all[i], first, last}, first == 0.0 ? all[i].t0 : t0, last == 1.0 ? all[i].t1 : t1));
    }
  }
  return out;
}

/// Two changes of an object at one instant would need an order.
void require_one_each(const std::vector<TimelineEvent>& events, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (events[i].object.empty()) continue;
    for (std::size_t k = begin; k < i; ++k) {
      if (events[k].object != events[i].object) continue;
      fail(events[i], "another event concerns it at the same instant (" + events[k].where +
                          "); give them different times, or hand it over by one event (attach with 'from')");
    }
  }
}

std::vector<TimelineEvent> numbered(std::vector<TimelineEvent> events) {
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (events[i].where.empty()) events[i].where = "event " + std::to_string(i + 1);
  }
  return events;
}

}  // namespace

const char* to_string(EventKind kind) {
  switch (kind) {
    case EventKind::Attach: return "attach";
    case EventKind::Detach: return "detach";
    case EventKind::Allow: return "allow";
    case EventKind::Forbid: return "forbid";
  }
  return "attach";
}

std::string describe(const TimelineEvent& event) {
  std::string text = to_string(event.kind);
  if (event.kind == EventKind::Attach) return text + " " + event.object + " to " + event.link;
  if (event.kind == EventKind::Detach)
    return text + " " + event.object + (event.from.empty() ? "" : " from " + event.from);
  for (std::size_t i = 0; i < event.pairs.size(); ++i) {
    text += (i == 0 ? " " : ", ") + event.pairs[i].a + " - " + event.pairs[i].b;
  }
  return text;
}

Timeline::Timeline(const PathChecker& checker, Scene scene, const Trajectory& motion,
                   const std::vector<TimelineEvent>& events)
    : events_(numbered(events)) {
  const RobotModel& robot = checker.robot();
  if (motion.segments.empty()) throw InputError("the trajectory has no segments");
  require_ieee_arithmetic();
  require_clock(robot, motion);
  require_joined(robot, motion);
  std::vector<Instant> instants;
  for (const TimelineEvent& event : events_) {
    const Instant at = instant_of(motion, event);
    if (!instants.empty() && at < instants.back()) {
      fail(event, "takes place before the event listed above it (" + events_[instants.size() - 1].where +
                      "); list events in the order of time");
    }
    instants.push_back(at);
  }
  motion_.timed = motion.timed;
  motion_.sampled = motion.sampled;
  motion_.start = motion.start;
  const Instant end{motion.segments.size(), 0.0};
  Instant from;
  double begin = motion.segments.front().t0;
  for (std::size_t next = 0;;) {
    const bool last = next == events_.size();
    const Instant to = last ? end : instants[next];
    const double until = to.u > 0.0 ? *events_[next].time : clock(motion, to);
    Trajectory part;
    part.timed = motion.timed;
    part.segments = between(robot, motion, from, to, begin, until);
    const PathChecker& before = stages_.empty() ? checker : stages_.back().checker;
    stages_.push_back(
        {begin, until, from == to, part, static_cast<int>(motion_.segments.size()), scene, before.with_scene(scene)});
    motion_.segments.insert(motion_.segments.end(), part.segments.begin(), part.segments.end());
    if (last) break;
    std::size_t after = next;
    while (after < events_.size() && instants[after] == to) ++after;
    require_one_each(events_, next, after);
    // One past the end of the motion there is nothing: its last configuration.
    const bool at_end = to == end;
    const WorldEvents world(robot, configuration(robot, at_end ? motion.segments.back() : motion.segments[to.segment],
                                                 at_end ? 1.0 : to.u));
    for (; next < after; ++next) {
      events_[next].time = until;
      world.apply(events_[next], scene, steps_);
    }
    from = to;
    begin = until;
  }
}

const Timeline::Stage& Timeline::stage_of(int segment) const {
  const auto after = std::upper_bound(stages_.begin(), stages_.end(), segment,
                                      [](int s, const Stage& stage) { return s < stage.first_segment; });
  return after == stages_.begin() ? stages_.front() : *(after - 1);
}

std::vector<TimelineEvent> at_times(std::vector<TimelineEvent> events, const Trajectory& motion) {
  if (motion.segments.empty()) throw InputError("the trajectory has no segments");
  events = numbered(std::move(events));
  for (TimelineEvent& event : events) {
    if (!event.waypoint || event.time) continue;
    event.time = clock(motion, at_waypoint(motion, event));
    event.waypoint.reset();
  }
  return events;
}

Scene with_carried(const RobotModel& robot, Scene scene, const Trajectory& motion,
                   const std::vector<MovingFrame>& frames) {
  if (frames.empty()) return scene;
  if (motion.segments.empty()) throw InputError("the trajectory has no segments");
  const WorldEvents world(robot, configuration(robot, motion.segments.front(), 0.0));
  std::vector<Assumption> none;
  for (const MovingFrame& frame : frames) {
    for (const std::string& object : frame.carries) {
      TimelineEvent ride;
      ride.object = object;
      ride.link = frame.name;
      ride.where = frame.where.empty() ? "moving " + in_quotes(frame.name) : frame.where;
      world.apply(ride, scene, none);
    }
  }
  return scene;
}

}  // namespace planner_ccd
