#include "planner_ccd/validation/timeline.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/math/spelling.hpp"
#include "planner_ccd/motion/segment_part.hpp"
#include "planner_ccd/query/detail/require_motion.hpp"
#include "planner_ccd/validation/detail/joined_reports.hpp"
#include "planner_ccd/validation/detail/world_events.hpp"
#include "planner_ccd/validation/limit_findings.hpp"
#include "planner_ccd/validation/path_clearance.hpp"

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

// The checks of a timeline: those of its stages, joined.
namespace {

using Names = std::pair<std::string, std::string>;

/// Of the motion as it was given: without the segments that events at its ends added. Its number of segments too.
std::pair<std::vector<Finding>, int> limits(const Timeline& timeline, const TrajectoryOptions& options) {
  Trajectory motion;
  motion.timed = timeline.motion().timed;
  motion.sampled = timeline.motion().sampled;
  motion.start = timeline.motion().start;
  std::vector<int> number;
  for (const Timeline::Stage& stage : timeline.stages()) {
    if (stage.is_instant) continue;
    for (std::size_t i = 0; i < stage.motion.segments.size(); ++i) {
      motion.segments.push_back(stage.motion.segments[i]);
      number.push_back(stage.first_segment + static_cast<int>(i));
    }
  }
  std::vector<Finding> findings = limit_findings(timeline.stages()[0].checker.robot(), motion, options);
  for (Finding& f : findings) f.segment = number[static_cast<std::size_t>(f.segment)];
  return {std::move(findings), is_at_rest(motion) ? 0 : static_cast<int>(motion.segments.size())};
}

/// Least distances of pairs in every stage as those over all of it. A pair that is missing in a stage's list came no
/// nearer there than what was proved of all that are missing.
class NearestPairs {
 public:
  explicit NearestPairs(const TrajectoryOptions& options) : options_(options) {}

  void add(std::vector<PairClearance>&& stage, double of_others, int first_segment) {
    Stage listed_pairs{of_others, {}};
    for (PairClearance& c : stage) {
      c.segment += first_segment;
      const Names names = std::minmax(c.a, c.b);
      listed_pairs.listed.insert(names);
      const auto [entry, is_new] = least_.emplace(names, c);
      if (is_new) continue;
      const double lower = std::min(entry->second.lower, c.lower);
      if (c.upper < entry->second.upper) entry->second = c;
      entry->second.lower = lower;
    }
    stages_.push_back(std::move(listed_pairs));
  }

  /// Sets the report's pairs, and the bound of all others.
  void take(TrajectoryResult& report) {
    std::vector<PairClearance>& all = report.clearance;
    for (auto& [names, c] : least_) {
      for (const Stage& stage : stages_) {
        if (stage.listed.count(names) == 0) c.lower = std::min(c.lower, stage.of_others);
      }
      c.known = c.lower > 0.0 || c.upper <= options_.clearance_accuracy;
      all.push_back(c);
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const PairClearance& x, const PairClearance& y) { return x.upper < y.upper; });
    double others = std::numeric_limits<double>::infinity();
    for (const Stage& stage : stages_) others = std::min(others, stage.of_others);
    for (std::size_t i = options_.clearance_pairs; i < all.size(); ++i) others = std::min(others, all[i].lower);
    if (all.size() > options_.clearance_pairs) all.resize(options_.clearance_pairs);
    report.clearance_of_others = others;
  }

 private:
  struct Stage {
    double of_others;  ///< [m] Pairs that are not listed are at least so far apart.
    std::set<Names> listed;
  };
  const TrajectoryOptions& options_;
  std::vector<Stage> stages_;
  std::map<Names, PairClearance> least_;
};

/// Names and pairs of one kind of assumption, and in how many stages each holds.
struct Counted {
  Assumption assumption;
  std::size_t stages = 0;
  std::vector<std::pair<std::string, std::size_t>> names;
  std::vector<std::pair<Names, std::size_t>> pairs;

  template <class Item>
  static void count(std::vector<std::pair<Item, std::size_t>>& counts, const std::vector<Item>& items) {
    std::map<Item, std::size_t> place;
    for (std::size_t i = 0; i < counts.size(); ++i) place.emplace(counts[i].first, i);
    for (const Item& item : items) {
      const auto [entry, is_new] = place.emplace(item, counts.size());
      if (is_new) counts.emplace_back(item, 0);
      ++counts[entry->second].second;
    }
  }
  /// Those that hold in all of `stages`, or in some only.
  std::optional<Assumption> take(bool always, std::size_t all) const {
    Assumption out{.kind = assumption.kind, .by = assumption.by, .text = assumption.text};
    for (const auto& [name, in] : names) {
      if ((in == all) == always) out.names.push_back(name);
    }
    for (const auto& [pair, in] : pairs) {
      if ((in == all) == always) out.pairs.push_back(pair);
    }
    const bool bare = names.empty() && pairs.empty();
    if (out.names.empty() && out.pairs.empty() && !(bare && (stages == all) == always)) return std::nullopt;
    if (!always) out.text += kPartOfTheTime;
    return out;
  }
};

}  // namespace

TrajectoryResult check_timeline(const Timeline& timeline, Workspace& workspace, const TrajectoryOptions& options,
                                const TrajectoryProgress& progress) {
  // What is attached on the way would keep the errors of the joints at that instant.
  if (options.edge.errors.any() || options.tracking_delay != 0.0 || !options.segment_errors.empty()) {
    throw InputError("a timeline knows no errors of the motion; leave them out, or check its stages one by one");
  }
  TrajectoryOptions own = options;  // what concerns the motion as a whole comes afterwards
  own.check_limits = false;
  own.clearance_accuracy = own.profile_step = 0.0;
  const auto [others, segments] = limits(timeline, options);
  const int rounds = options.all_contacts ? 2 : 1;
  const int total = static_cast<int>(timeline.motion().segments.size()) * rounds;
  bool goes_on = true;
  JoinedReports reports(true);
  for (const Timeline::Stage& stage : timeline.stages()) {
    Trajectory part = stage.motion;
    part.timed = false;  // times are looked at above
    TrajectoryResult report = check_part(stage.checker, part, workspace, own, [&](int done, int) {
      goes_on = goes_on && (!progress || progress(stage.first_segment * rounds + done, total));
      return goes_on;
    });
    const bool free = report.verdict == Verdict::Free;
    reports.add(std::move(report), stage.motion.segments.size(), stage.begin);
    if (!goes_on || (!free && !options.all_contacts)) break;
  }
  TrajectoryResult report = reports.finish(timeline.stages().back().end);
  report.segments = segments;
  report.findings.insert(report.findings.end(), others.begin(), others.end());
  sort_by_time(report.findings);
  if (goes_on) add_clearance(timeline, options, report, progress);
  return report;
}

bool add_clearance(const Timeline& timeline, const TrajectoryOptions& options, TrajectoryResult& report,
                   const TrajectoryProgress& progress) {
  if (!(options.clearance_accuracy > 0.0) && !(options.profile_step > 0.0)) return true;
  NearestPairs pairs(options);
  const double budget = static_cast<double>(picture_budget(timeline.motion(), report));
  const double length = timeline.stages().back().end - timeline.stages().front().begin;
  const double equal = 1.0 / static_cast<double>(timeline.stages().size());
  for (const Timeline::Stage& stage : timeline.stages()) {
    // A stage without duration is looked at, too.
    const double share = length > 0.0 ? 0.8 * (stage.end - stage.begin) / length + 0.2 * equal : equal;
    PathClearance clearance(stage.checker, stage.motion,
                            clearance_options(options, 1 + static_cast<std::int64_t>(share * budget)));
    TrajectoryResult part;
    part.verdict = report.verdict;
    if (!add_clearance(clearance, options, part, progress)) return false;
    pairs.add(std::move(part.clearance), part.clearance_of_others, stage.first_segment);
    for (ClearancePiece& piece : part.profile) {
      piece.nearest.segment += stage.first_segment;
      report.profile.push_back(std::move(piece));
    }
    report.clearance_counters += part.clearance_counters;
  }
  if (options.clearance_accuracy > 0.0) pairs.take(report);
  return true;
}

std::vector<Assumption> assumptions(const Timeline& timeline, const std::vector<Assumption>& loaded) {
  std::vector<Counted> all;
  std::map<std::tuple<AssumptionKind, std::string, std::string>, std::size_t> place;
  for (const Timeline::Stage& stage : timeline.stages()) {
    for (const Assumption& a : assumptions(stage.checker)) {
      const auto [entry, is_new] = place.emplace(std::tuple(a.kind, a.by, a.text), all.size());
      if (is_new) all.emplace_back().assumption = a;
      Counted& counted = all[entry->second];
      ++counted.stages;
      Counted::count(counted.names, a.names);
      Counted::count(counted.pairs, a.pairs);
    }
  }
  std::vector<Assumption> out;
  for (const Counted& counted : all) {
    for (const bool always : {true, false}) {
      if (auto a = counted.take(always, timeline.stages().size())) out.push_back(std::move(*a));
    }
  }
  merge(out, timeline.steps());
  merge(out, loaded);
  return out;
}

}  // namespace planner_ccd
