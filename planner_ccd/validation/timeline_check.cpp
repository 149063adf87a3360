// The checks of a timeline: those of its stages, joined.
#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/validation/detail/joined_reports.hpp"
#include "planner_ccd/validation/limit_findings.hpp"
#include "planner_ccd/validation/path_clearance.hpp"
#include "planner_ccd/validation/timeline.hpp"

namespace planner_ccd {
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
    Stage seen{of_others, {}};
    for (PairClearance& c : stage) {
      c.segment += first_segment;
      const Names names = std::minmax(c.a, c.b);
      seen.listed.insert(names);
      const auto [entry, is_new] = least_.emplace(names, c);
      if (is_new) continue;
      const double lower = std::min(entry->second.lower, c.lower);
      if (c.upper < entry->second.upper) entry->second = c;
      entry->second.lower = lower;
    }
    stages_.push_back(std::move(seen));
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
