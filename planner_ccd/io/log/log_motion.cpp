#include <algorithm>
#include <cmath>
#include <optional>

#include "planner_ccd/io/log.hpp"
#include "planner_ccd/io/log/log_files.hpp"
#include "planner_ccd/io/log/log_samples.hpp"
#include "planner_ccd/io/text.hpp"

namespace planner_ccd {

class LogMotion::Source {
 public:
  virtual ~Source() = default;
  virtual std::size_t parts() const = 0;
  virtual std::size_t segments() const = 0;
  virtual Trajectory part(std::size_t i) const = 0;

  std::string topic, type;
  std::int64_t messages = 0, begin_ns = 0;
  std::vector<Finding> gaps;
  std::vector<bool> moved;
  bool sampled = false;
};

namespace {

constexpr double kNanosecond = 1e-9;                         // [s]
constexpr std::size_t kPartSegments = std::size_t{1} << 15;  // Some 15 MB of a Trajectory for six joints.

/// Cuts a motion to its samples from the last one before `from` to the first one after `to`, on its clock.
void cut(SampledMotion& motion, double from, double to, const std::string& where) {
  const auto clock = [&](std::int64_t t) { return static_cast<double>(t - motion.times.front()) * kNanosecond; };
  std::size_t first = 0, last = motion.times.size() - 1;
  if (clock(motion.times[last]) < from || to < 0.0) {
    throw InputError(where + ": has no sample in the time that is asked for (--from, --to)");
  }
  while (first < last && clock(motion.times[first]) < from && clock(motion.times[first + 1]) <= from) ++first;
  while (last > first && clock(motion.times[last]) > to && clock(motion.times[last - 1]) >= to) --last;
  std::erase_if(motion.gaps, [&](const Finding& gap) { return gap.end.to <= from || gap.begin.from >= to; });
  for (Finding& gap : motion.gaps) gap.segment = std::max(0, gap.segment - static_cast<int>(first));
  const auto k = static_cast<std::ptrdiff_t>(motion.coordinates.size());
  const auto begin = static_cast<std::ptrdiff_t>(first), end = static_cast<std::ptrdiff_t>(last) + 1;
  motion.values = std::vector<double>(motion.values.begin() + begin * k, motion.values.begin() + end * k);
  motion.times = std::vector<std::int64_t>(motion.times.begin() + begin, motion.times.begin() + end);
}

class Samples final : public LogMotion::Source {
 public:
  Samples(SampledMotion motion, const RobotModel& model, JointVector base)
      : motion_(std::move(motion)), model_(model), base_(std::move(base)) {}

  std::size_t segments() const override { return motion_.times.size() - 1; }
  std::size_t parts() const override {
    return std::max<std::size_t>(1, (segments() + kPartSegments - 1) / kPartSegments);
  }

  Trajectory part(std::size_t i) const override {
    const std::size_t first = i * kPartSegments, last = std::min(first + kPartSegments, segments());
    const std::size_t k = motion_.coordinates.size();
    std::vector<TrajectoryPoint> points;
    points.reserve(last - first + 1);
    for (std::size_t row = first; row <= last; ++row) {
      TrajectoryPoint point{static_cast<double>(motion_.times[row] - begin_ns) * kNanosecond, base_, {}, {}};
      for (std::size_t c = 0; c < k; ++c) point.position[motion_.coordinates[c]] = motion_.values[row * k + c];
      points.push_back(std::move(point));
    }
    Trajectory motion = make_trajectory(model_, points);
    motion.sampled = true;
    return motion;
  }

 private:
  SampledMotion motion_;
  const RobotModel& model_;
  JointVector base_;
};

class Messages final : public LogMotion::Source {
 public:
  struct Entry {
    std::int64_t begin;
    std::int64_t message;
    TrajectoryTable table;
  };

  Messages(std::vector<Entry> entries, const RobotModel& model, TrajectoryFileOptions options, std::string name)
      : entries_(std::move(entries)), model_(model), options_(std::move(options)), name_(std::move(name)) {}

  std::size_t parts() const override { return entries_.size(); }
  std::size_t segments() const override {
    std::size_t count = 0;
    for (const Entry& entry : entries_) count += std::max<std::size_t>(2, entry.table.rows.size()) - 1;
    return count;
  }

  Trajectory part(std::size_t i) const override {
    const Entry& entry = entries_[i];
    const std::string where = name_ + ", message " + std::to_string(entry.message);
    Trajectory trajectory = assemble_trajectory(entry.table, model_, options_, where).trajectory;
    const double begin = static_cast<double>(entry.begin - begin_ns) * kNanosecond;
    for (TrajectorySegment& segment : trajectory.segments) segment.t0 += begin, segment.t1 += begin;
    return trajectory;
  }

 private:
  std::vector<Entry> entries_;
  const RobotModel& model_;
  TrajectoryFileOptions options_;
  std::string name_;
};

/// The channel of the requested topic, or of the only one with a motion.
LogChannel choose_topic(const std::vector<LogChannel>& channels, const std::string& path, const std::string& asked) {
  std::map<std::string, LogChannel> fitting;
  std::vector<std::string> all;
  for (const LogChannel& channel : channels) {
    all.push_back(channel.topic);
    if (content_of(channel) == LogContent::Nothing) {
      if (channel.topic != asked) continue;
      throw InputError(path + ": " + asked + " holds " + in_quotes(channel.type) + ", which says nothing of a motion" +
                       (channel.encoding == LogEncoding::Other ? " in an encoding that is known (cdr, ros1)" : ""));
    }
    const auto [known, is_new] = fitting.emplace(channel.topic, channel);
    if (!is_new && known->second.type != channel.type && (asked.empty() || channel.topic == asked)) {
      throw InputError(path + ": " + channel.topic + " holds both " + known->second.type + " and " + channel.type);
    }
  }
  std::vector<std::string> names;
  for (const auto& [name, channel] : fitting) names.push_back(name);
  const std::string list = names.empty() ? "; there is none with a motion in this log"
                                         : "; those with a motion are: " + join_names(names, 40);
  if (asked.empty() && names.size() != 1) {
    throw InputError(path + ": which topic is meant (--topic)?" + list);
  }
  const std::string& topic = asked.empty() ? names[0] : asked;
  const auto found = fitting.find(topic);
  if (found == fitting.end()) {
    throw InputError(path + ": has no topic " + in_quotes(topic) + did_you_mean(topic, all) + list);
  }
  return found->second;
}

/// Loads all messages of one topic, according to its content.
class LogLoader {
 public:
  LogLoader(const std::string& path, const RobotModel& model, const LogOptions& options)
      : path_(path), model_(model), options_(options) {
    file_options_.prefix = options.prefix;
    file_options_.hold = options.hold;
    file_options_.angles = options.angles;
    file_options_.partial = options.partial;
    file_options_.elsewhere = options.elsewhere;
  }

  Loaded<LogMotion> load() {
    std::string topic = options_.topic;
    if (topic.empty()) {
      LogFiles files(path_);  // topics may be listed at the end of a file
      files.read([](const LogChannel&) { return false; }, [](const LogChannel&, std::int64_t, std::string_view) {});
      topic = choose_topic(files.channels(), path_, topic).topic;
    }
    where_ = path_ + ": " + topic;
    LogFiles files(path_);
    SampleCollector samples(model_, options_);
    std::string where;
    files.read([&](const LogChannel& channel) { return channel.topic == topic; },
               [&](const LogChannel& channel, std::int64_t time, std::string_view message) {
                 where = where_ + ", message " + std::to_string(messages_++);
                 const LogContent content = content_of(channel);
                 if (content == LogContent::Samples) samples.add(read_sample(channel, message, where), time, where);
                 if (content != LogContent::Trajectories) return;
                 add_trajectories(read_trajectories(channel, message, model_, options_.prefix, where), time);
               });
    chosen_ = choose_topic(files.channels(), path_, topic);
    files.note();
    warn(files.warnings());
    if (messages_ == 0) throw InputError(where_ + ": there is no message");
    auto source = content_of(chosen_) == LogContent::Samples ? sampled(samples) : planned();
    source->topic = topic;
    source->type = chosen_.type;
    source->messages = messages_;
    source->moved = moved_;
    if (!held_.empty()) {
      loaded_.assumptions.push_back(
          {.kind = AssumptionKind::Held, .text = "held, as no message moves it", .names = held_});
    }
    return {LogMotion(std::move(source)), std::move(loaded_.warnings), std::move(loaded_.assumptions)};
  }

 private:
  const std::string& path_;
  const RobotModel& model_;
  const LogOptions& options_;
  TrajectoryFileOptions file_options_;
  LogChannel chosen_;
  std::string where_;
  std::int64_t messages_ = 0, without_points_ = 0;
  std::vector<Messages::Entry> entries_;
  std::vector<bool> moved_;
  std::vector<std::string> held_;
  Loaded<int> loaded_;

  void warn(const std::vector<InputWarning>& more) {
    loaded_.warnings.insert(loaded_.warnings.end(), more.begin(), more.end());
  }

  void note_held(const std::vector<bool>& moved) {
    moved_ = moved;
    if (options_.partial) return;
    const auto& others = options_.elsewhere;
    for (std::size_t i = 0; i < moved.size(); ++i) {
      const std::string& name = model_.coordinates()[i].name;
      if (!moved[i] && std::find(others.begin(), others.end(), name) == others.end()) held_.push_back(name);
    }
  }

  std::shared_ptr<LogMotion::Source> sampled(SampleCollector& samples) {
    SampledMotion motion = samples.finish(where_);
    warn(samples.warnings);
    TrajectoryTable first;
    first.coordinates = motion.coordinates;
    first.rows.resize(1);
    first.rows[0].position.assign(motion.values.begin(),
                                  motion.values.begin() + static_cast<std::ptrdiff_t>(motion.coordinates.size()));
    const TrajectoryFile file = assemble_trajectory(first, model_, file_options_, where_);
    note_held(file.moved);
    const std::int64_t begin = motion.times.front();
    cut(motion, options_.from, options_.to, where_);
    loaded_.assumptions.push_back({.kind = AssumptionKind::UnknownStart,
                                   .text = "between samples of a log the joints are taken to go straight",
                                   .names = {chosen_.topic}});
    std::vector<Finding> gaps = std::move(motion.gaps);
    auto source = std::make_shared<Samples>(std::move(motion), model_, file.points[0].position);
    source->begin_ns = begin;
    source->gaps = std::move(gaps);
    source->sampled = true;
    return source;
  }

  void add_trajectories(std::vector<LoggedTrajectory> found, std::int64_t log_time) {
    if (found.empty()) ++without_points_;
    for (LoggedTrajectory& one : found) {
      entries_.push_back({one.stamp != 0 ? one.stamp : log_time, messages_ - 1, std::move(one.table)});
    }
  }

  std::shared_ptr<LogMotion::Source> planned() {
    if (without_points_ > 0) {
      warn({{WarningKind::LogMessages,
             where_ + ": " + std::to_string(without_points_) + " messages hold no points; they stop the robot"}});
    }
    if (entries_.empty()) throw InputError(where_ + ": no message holds a point of a trajectory");
    std::int64_t begin = entries_[0].begin;
    for (const Messages::Entry& entry : entries_) begin = std::min(begin, entry.begin);
    std::erase_if(entries_, [&](const Messages::Entry& entry) {
      const double clock = static_cast<double>(entry.begin - begin) * kNanosecond;
      return clock < options_.from || clock > options_.to;
    });
    if (entries_.empty()) throw InputError(where_ + ": no message begins in the time that is asked for (--from, --to)");
    if (options_.partial && entries_.size() > 1) {
      throw InputError(where_ + ": holds " + std::to_string(entries_.size()) +
                       " trajectories, and where the robot is between them is not known; take a topic of joint states");
    }
    std::stable_sort(entries_.begin(), entries_.end(),
                     [](const Messages::Entry& a, const Messages::Entry& b) { return a.begin < b.begin; });
    note_entries();
    auto source = std::make_shared<Messages>(std::move(entries_), model_, file_options_, where_);
    source->begin_ns = begin;
    for (std::size_t i = 0; i < source->parts(); ++i) (void)source->part(i);  // report all errors now
    return source;
  }

  void note_entries() {
    std::vector<bool> moved(model_.coordinates().size(), true);
    std::size_t later = 0, replaced = 0;
    std::vector<Assumption> starts;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      const TrajectoryTable& table = entries_[i].table;
      std::vector<bool> mentioned(moved.size(), false);
      for (const int c : table.coordinates) mentioned[static_cast<std::size_t>(c)] = true;
      for (std::size_t c = 0; c < moved.size(); ++c) moved[c] = moved[c] && mentioned[c];
      if (table.rows.front().time > 0.0) ++later;
      merge(starts, start_assumptions(table));
      const double left =
          i + 1 == entries_.size() ? 0.0 : static_cast<double>(entries_[i + 1].begin - entries_[i].begin);
      if (i + 1 < entries_.size() && table.rows.back().time > left * kNanosecond) ++replaced;
    }
    note_held(moved);
    const std::string topic = chosen_.topic;
    if (replaced > 0) {
      warn({{WarningKind::LogMessages,
             where_ + ": " + std::to_string(replaced) +
                 " messages do not end before the next begins, as when a controller gets another goal; each is checked "
                 "to its end"}});
    }
    for (const Assumption& a : starts) {
      warn({{WarningKind::UnknownStart, where_ + ": " + to_line(a, a.names.size())}});
      loaded_.assumptions.push_back(a);
    }
    if (entries_.size() > 1) {
      loaded_.assumptions.push_back({.kind = AssumptionKind::UnknownStart,
                                     .text = "the way from one message's end to the next one's beginning is not known",
                                     .names = {topic}});
    }
    if (later > 0) {
      loaded_.assumptions.push_back({.kind = AssumptionKind::UnknownStart,
                                     .text = "the way to a first point later than 0 s is not known",
                                     .names = {topic}});
    }
  }
};

}  // namespace

std::size_t LogMotion::parts() const { return source_->parts(); }
std::size_t LogMotion::segments() const { return source_->segments(); }
Trajectory LogMotion::part(std::size_t i) const { return source_->part(i); }
const std::vector<Finding>& LogMotion::gaps() const { return source_->gaps; }
const std::string& LogMotion::topic() const { return source_->topic; }
const std::string& LogMotion::type() const { return source_->type; }
std::int64_t LogMotion::messages() const { return source_->messages; }
std::int64_t LogMotion::begin_ns() const { return source_->begin_ns; }
bool LogMotion::sampled() const { return source_->sampled; }
const std::vector<bool>& LogMotion::moved() const { return source_->moved; }

Loaded<LogMotion> load_log(const std::string& path, const RobotModel& model, const LogOptions& options) {
  if (!(options.max_gap > 0.0)) throw InputError("the longest gap between samples must be greater than 0 (seconds)");
  return LogLoader(path, model, options).load();
}

}  // namespace planner_ccd
