#include "planner_ccd/io/log/log_samples.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <numbers>
#include <numeric>
#include <sstream>

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
  ++messages_;
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
  group.messages.push_back(messages_);
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
  if (group == groups_.end()) groups_.push_back({coordinates, {}, {}, {}, {}});
  return list;
}

/// [ns] For how long of the log's own time a stamp stays the same while values change.
std::int64_t SampleCollector::stands_still(const Group& group) {
  const auto n = static_cast<std::ptrdiff_t>(group.coordinates.size());
  const auto row = [&](std::size_t i) { return group.values.begin() + static_cast<std::ptrdiff_t>(i) * n; };
  std::int64_t longest = 0;
  std::size_t first = 0;
  for (std::size_t i = 1; i < group.stamps.size(); ++i) {
    if (group.stamps[i] != group.stamps[first]) {
      first = i;
    } else if (!std::equal(row(i), row(i) + n, row(first))) {
      longest = std::max(longest, group.log_times[i] - group.log_times[first]);
    }
  }
  return longest;
}

/// Leaves in `stamps` the times to use: the stamp; the log's own time if there is none, or if the stamps run back or stand still.
void SampleCollector::choose_times(const std::string& where) {
  std::int64_t back = 0, earliest = INT64_MAX, latest = INT64_MIN;
  std::int64_t still = 0;
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
    still = std::max(still, stands_still(group));
  }
  if (back > kSecond) {
    warnings.push_back(
        {WarningKind::LogClock,
         where + ": stamps run back by " + seconds_text(back) +
             ", as when a clock is set or a simulation begins again; the log's own times count instead"});
    for (Group& group : groups_) group.stamps = group.log_times;
    return;
  }
  if (static_cast<double>(still) * kNanosecond > options_.max_gap) {
    warnings.push_back(
        {WarningKind::LogClock,
         where + ": a stamp stays the same for " + seconds_text(still) +
             " while joints move, so stamps are not when samples were taken; the log's own times count instead"});
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

SampleCollector::Series SampleCollector::series_of(int coordinate) const {
  struct Sample {
    Moment moment;  // with its message's number
    double value;
  };
  std::vector<Sample> all;
  for (const Group& group : groups_) {
    const auto at = std::lower_bound(group.coordinates.begin(), group.coordinates.end(), coordinate);
    if (at == group.coordinates.end() || *at != coordinate) continue;
    const auto column = static_cast<std::size_t>(at - group.coordinates.begin());
    for (std::size_t i = 0; i < group.stamps.size(); ++i) {
      all.push_back({{group.stamps[i], group.messages[i]}, group.values[i * group.coordinates.size() + column]});
    }
  }
  const auto before = [](const Sample& a, const Sample& b) { return a.moment < b.moment; };
  if (!std::is_sorted(all.begin(), all.end(), before)) std::sort(all.begin(), all.end(), before);
  Series series;
  const bool turns = model_.coordinates()[static_cast<std::size_t>(coordinate)].continuous;
  for (auto [moment, value] : all) {
    // For a joint without limits a sensor reports an angle, not a number of turns.
    if (turns && !series.values.empty()) {
      value = series.values.back() + std::remainder(value - series.values.back(), 2.0 * std::numbers::pi);
    }
    const bool again = !series.moments.empty() && series.moments.back().first == moment.first;
    if (again && series.values.back() == value) continue;
    series.moments.emplace_back(moment.first, again ? moment.second : 0);
    series.values.push_back(value);
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
  look(begin, series.moments.front().first);
  for (std::size_t i = 1; i < series.moments.size(); ++i) look(series.moments[i - 1].first, series.moments[i].first);
  look(series.moments.back().first, end);
}

/// The values of coordinate k: its samples, lines between them, and rest before the first and after the last.
void SampleCollector::fill_column(const Series& series, std::size_t k, const std::vector<Moment>& rows,
                                  SampledMotion& motion) {
  std::size_t next = 0;  // the first sample that is later
  for (std::size_t i = 0; i < rows.size(); ++i) {
    while (next < series.moments.size() && series.moments[next] <= rows[i]) ++next;
    double& value = motion.values[i * motion.coordinates.size() + k];
    value = series.values[next == 0 ? 0 : next - 1];
    const std::int64_t t = rows[i].first;
    if (next == 0 || next == series.moments.size() || series.moments[next - 1].first == t) continue;
    const std::int64_t from = series.moments[next - 1].first, to = series.moments[next].first;
    value += static_cast<double>(t - from) / static_cast<double>(to - from) * (series.values[next] - value);
  }
}

/// Samples of one time with other values: what is between them takes no time.
void SampleCollector::warn_of_steps(const SampledMotion& motion, const std::string& where) {
  const std::size_t n = motion.coordinates.size();
  std::size_t count = 0, worst = 0;
  double most = 0.0;
  for (std::size_t i = 1; i < motion.times.size(); ++i) {
    if (motion.times[i] != motion.times[i - 1]) continue;
    ++count;
    for (std::size_t k = 0; k < n; ++k) {
      const double step = std::abs(motion.values[i * n + k] - motion.values[(i - 1) * n + k]);
      if (step > most) most = step, worst = k;
    }
  }
  if (count == 0) return;
  const std::string& name = model_.coordinates()[static_cast<std::size_t>(motion.coordinates[worst])].name;
  std::ostringstream step;
  step << std::setprecision(4) << most;
  warnings.push_back(
      {WarningKind::LogClock,
       where + ": " + std::to_string(count) + " samples have the time of the one before them and other values, up to " +
           step.str() + " apart (" + name +
           "); the way from each to the next, in the order of the log, is checked, and how fast it was is not"});
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
  }
  std::sort(motion.coordinates.begin(), motion.coordinates.end());
  motion.coordinates.erase(std::unique(motion.coordinates.begin(), motion.coordinates.end()), motion.coordinates.end());
  std::vector<Series> series;
  std::vector<Moment> rows;
  for (const int coordinate : motion.coordinates) {
    series.push_back(series_of(coordinate));
    const std::vector<Moment>& more = series.back().moments;
    const auto middle = static_cast<std::ptrdiff_t>(rows.size());
    rows.insert(rows.end(), more.begin(), more.end());
    std::inplace_merge(rows.begin(), rows.begin() + middle, rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  }
  for (const Moment& row : rows) motion.times.push_back(row.first);
  motion.values.resize(rows.size() * motion.coordinates.size());
  Gaps gaps;
  for (std::size_t k = 0; k < series.size(); ++k) {
    find_gaps(series[k], motion.coordinates[k], motion.times.front(), motion.times.back(), gaps);
    fill_column(series[k], k, rows, motion);
  }
  motion.gaps = gap_findings(gaps, motion.times, options_.max_gap);
  warn_of_steps(motion, where);
  return motion;
}

}  // namespace planner_ccd
