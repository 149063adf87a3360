#include "planner_ccd/io/log/log_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "planner_ccd/io/text.hpp"

namespace planner_ccd {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;  // [ns]
constexpr double kNanosecond = 1e-9;             // [s]

using Gaps = std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::string>>;

std::string seconds_text(std::int64_t ns) {
  return format_number(std::round(static_cast<double>(ns) * 1e-6) * 1e-3) + " s";
}

/// Joins gaps that follow each other directly.
std::vector<Finding> gap_findings(const Gaps& gaps, const std::vector<std::int64_t>& times, double max_gap) {
  std::vector<Finding> findings;
  std::vector<std::string> names;
  std::int64_t longest = 0;
  int count = 0;
  const auto clock = [&](std::int64_t t) { return static_cast<double>(t - times.front()) * kNanosecond; };
  for (const auto& [span, joints] : gaps) {
    const auto [from, to] = span;
    const bool joins = !findings.empty() && findings.back().end.to == clock(from) && joints == names;
    if (!joins) {
      Finding f;
      f.kind = FindingKind::Undecided;
      f.segment = static_cast<int>(std::upper_bound(times.begin(), times.end(), from) - times.begin()) - 1;
      f.begin = {clock(from), clock(from)};
      f.limit = max_gap;
      findings.push_back(std::move(f));
      longest = count = 0;
      names = joints;
    }
    Finding& f = findings.back();
    f.end = {clock(to), clock(to)};
    longest = std::max(longest, to - from);
    f.value = static_cast<double>(longest) * kNanosecond;
    if (longest == to - from) f.at = clock(from);
    ++count;
    f.message = "no sample of " + join_names(names, 4) + (count == 1 ? " for " : " again and again, for up to ") +
                seconds_text(longest) + ": where the robot was is not known (--max-gap)";
  }
  return findings;
}

}  // namespace

void SampleCollector::add(const JointSample& sample, std::int64_t log_time, const std::string& where) {
  if (sample.positions.empty()) {
    ++without_positions_;
    return;
  }
  const bool as_before = last_ != nullptr && last_->names.size() == sample.names.size() &&
                         std::equal(sample.names.begin(), sample.names.end(), last_->names.begin());
  const NameList& list = as_before ? *last_ : list_of(sample.names, where);
  last_ = &list;
  if (list.columns.empty()) return;
  Group& group = groups_[list.group];
  for (const std::size_t column : list.columns) {
    if (!std::isfinite(sample.positions[column])) {
      throw InputError(where + ": the position of " + in_quotes(list.names[column]) + " is not a finite number");
    }
    group.values.push_back(sample.positions[column]);
  }
  group.stamps.push_back(sample.stamp);
  group.log_times.push_back(log_time);
}

const SampleCollector::NameList& SampleCollector::list_of(const std::vector<std::string_view>& names,
                                                          const std::string& where) {
  std::string key;
  for (const std::string_view name : names) key += std::to_string(name.size()) + ":" + std::string(name);
  const auto [at, is_new] = lists_.try_emplace(key);
  NameList& list = at->second;
  if (!is_new) return list;
  std::vector<std::pair<int, std::size_t>> found;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list.names.emplace_back(names[i]);
    const int coordinate = model_.find_coordinate(options_.prefix + list.names.back());
    if (coordinate >= 0) {
      found.emplace_back(coordinate, i);
    } else {
      foreign_.insert(visible(list.names.back()));
    }
  }
  std::sort(found.begin(), found.end());
  std::vector<int> coordinates;
  for (const auto& [coordinate, column] : found) {
    coordinates.push_back(coordinate);
    list.columns.push_back(column);
  }
  if (coordinates.empty()) return list;
  require_distinct(coordinates, model_, where);
  const auto group =
      std::find_if(groups_.begin(), groups_.end(), [&](const Group& g) { return g.coordinates == coordinates; });
  list.group = static_cast<std::size_t>(group - groups_.begin());
  if (group == groups_.end()) groups_.push_back({coordinates, {}, {}, {}});
  return list;
}

/// Leaves in `stamps` the times to use: the stamp; the log's own time if there is none, or if the stamps run back.
void SampleCollector::choose_times(const std::string& where) {
  std::int64_t back = 0, earliest = INT64_MAX, latest = INT64_MIN;
  std::size_t unordered = 0, stamped = 0;
  for (Group& group : groups_) {
    std::int64_t newest = INT64_MIN;
    for (std::size_t i = 0; i < group.stamps.size(); ++i) {
      std::int64_t& stamp = group.stamps[i];
      if (stamp == 0) {
        stamp = group.log_times[i];
      } else {
        ++stamped;
        earliest = std::min(earliest, group.log_times[i] - stamp);
        latest = std::max(latest, group.log_times[i] - stamp);
      }
      if (stamp < newest) ++unordered, back = std::max(back, newest - stamp);
      newest = std::max(newest, stamp);
    }
  }
  if (back > kSecond) {
    warnings.push_back(
        {WarningKind::LogClock,
         where + ": stamps run back by " + seconds_text(back) +
             ", as when a clock is set or a simulation begins again; the log's own times count instead"});
    for (Group& group : groups_) group.stamps = group.log_times;
    return;
  }
  if (unordered > 0) {
    warnings.push_back({WarningKind::LogClock, where + ": " + std::to_string(unordered) +
                                                   " messages come too late, by up to " + seconds_text(back) +
                                                   "; their stamps say where they belong"});
  }
  if (stamped > 0 && (latest > kSecond || earliest < -kSecond)) {
    warnings.push_back({WarningKind::LogClock,
                        where + ": messages were recorded " + seconds_text(earliest) + " to " + seconds_text(latest) +
                            " after their stamps, which are of another clock, or of another time; the stamps count"});
  }
}

SampleCollector::Series SampleCollector::series_of(int coordinate) {
  std::vector<std::pair<std::int64_t, double>> all;
  for (const Group& group : groups_) {
    const auto at = std::lower_bound(group.coordinates.begin(), group.coordinates.end(), coordinate);
    if (at == group.coordinates.end() || *at != coordinate) continue;
    const auto column = static_cast<std::size_t>(at - group.coordinates.begin());
    for (std::size_t i = 0; i < group.stamps.size(); ++i) {
      all.emplace_back(group.stamps[i], group.values[i * group.coordinates.size() + column]);
    }
  }
  const auto by_time = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (!std::is_sorted(all.begin(), all.end(), by_time)) std::stable_sort(all.begin(), all.end(), by_time);
  Series series;
  const bool turns = model_.coordinates()[static_cast<std::size_t>(coordinate)].continuous;
  for (auto [time, value] : all) {
    // For a joint without limits a sensor reports an angle, not a number of turns.
    if (turns && !series.values.empty()) {
      value = series.values.back() + std::remainder(value - series.values.back(), 2.0 * std::numbers::pi);
    }
    if (!series.times.empty() && series.times.back() == time) {
      series.values.back() = value;
    } else {
      series.times.push_back(time);
      series.values.push_back(value);
    }
  }
  return series;
}

void SampleCollector::find_gaps(const Series& series, int coordinate, std::int64_t begin, std::int64_t end,
                                Gaps& gaps) const {
  const auto longest = static_cast<std::int64_t>(std::min(options_.max_gap / kNanosecond, 9e18));
  const auto look = [&](std::int64_t from, std::int64_t to) {
    if (to - from > longest)
      gaps[{from, to}].push_back(model_.coordinates()[static_cast<std::size_t>(coordinate)].name);
  };
  look(begin, series.times.front());
  for (std::size_t i = 1; i < series.times.size(); ++i) look(series.times[i - 1], series.times[i]);
  look(series.times.back(), end);
}

SampledMotion SampleCollector::finish(const std::string& where) {
  std::erase_if(groups_, [](const Group& group) { return group.stamps.empty(); });
  if (without_positions_ > 0) {
    warnings.push_back(
        {WarningKind::LogMessages, where + ": " + std::to_string(without_positions_) + " messages hold no positions"});
  }
  const std::vector<std::string> foreign(foreign_.begin(), foreign_.end());
  if (groups_.empty()) {
    throw InputError(where + ": no message has a position of a joint of robot " + in_quotes(model_.name()) +
                     (foreign.empty() ? "" : "; they name " + join_names(foreign)) + "; is it the robot's topic?");
  }
  if (!foreign.empty()) {
    warnings.push_back({WarningKind::UnknownNames,
                        where + ": joints that are none of the robot's own, or follow others, are passed over: " +
                            join_names(foreign)});
  }
  choose_times(where);
  SampledMotion motion;
  for (const Group& group : groups_) {
    motion.coordinates.insert(motion.coordinates.end(), group.coordinates.begin(), group.coordinates.end());
    motion.times.insert(motion.times.end(), group.stamps.begin(), group.stamps.end());
  }
  const auto make_unique = [](auto& list) {
    if (!std::is_sorted(list.begin(), list.end())) std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  };
  make_unique(motion.coordinates);
  make_unique(motion.times);
  motion.values.resize(motion.times.size() * motion.coordinates.size());
  Gaps gaps;
  for (std::size_t k = 0; k < motion.coordinates.size(); ++k) {
    const Series series = series_of(motion.coordinates[k]);
    find_gaps(series, motion.coordinates[k], motion.times.front(), motion.times.back(), gaps);
    std::size_t next = 0;  // the first sample that is later
    for (std::size_t i = 0; i < motion.times.size(); ++i) {
      const std::int64_t t = motion.times[i];
      while (next < series.times.size() && series.times[next] <= t) ++next;
      double& value = motion.values[i * motion.coordinates.size() + k];
      value = series.values[next == 0 ? 0 : next - 1];
      if (next == 0 || next == series.times.size() || series.times[next - 1] == t) continue;
      const double share = static_cast<double>(t - series.times[next - 1]) /
                           static_cast<double>(series.times[next] - series.times[next - 1]);
      value += share * (series.values[next] - value);
    }
  }
  motion.gaps = gap_findings(gaps, motion.times, options_.max_gap);
  return motion;
}

}  // namespace planner_ccd
