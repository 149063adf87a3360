#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "planner_ccd/io/log.hpp"
#include "planner_ccd/io/log/log_messages.hpp"

namespace planner_ccd {

/// The values of some coordinates at sampled times, with straight lines between them.
struct SampledMotion {
  std::vector<int> coordinates;
  /// [ns] Not decreasing. Rows of one time are in the order in which their samples were recorded.
  std::vector<std::int64_t> times;
  std::vector<double> values;  ///< For each time a row of one value per coordinate.
  std::vector<Finding> gaps;   ///< Their clock begins at times[0].
};

/// Collects the samples of one topic.
class SampleCollector {
 public:
  SampleCollector(const RobotModel& model, const LogOptions& options) : model_(model), options_(options) {}

  /// Throws InputError beginning with `where` for an invalid sample.
  void add(const JointSample& sample, std::int64_t log_time, const std::string& where);

  /// Combines the samples. `where`: the topic. Throws InputError if they contain nothing about the robot.
  SampledMotion finish(const std::string& where);

  std::vector<InputWarning> warnings;  ///< Set by finish().

 private:
  /// Samples for the same coordinates.
  struct Group {
    std::vector<int> coordinates;
    std::vector<std::int64_t> stamps, log_times;  ///< [ns]
    std::vector<std::int64_t> messages;           ///< Their numbers: the order in which they were recorded.
    std::vector<double> values;
  };
  /// Which entries of a message with a given list of names belong to its group.
  struct NameList {
    std::vector<std::string> names;
    std::size_t group = 0;
    std::vector<std::size_t> columns;
  };
  /// When a sample counts: its time and, if it is not its coordinate's first one at that time, its message's number; else 0.
  using Moment = std::pair<std::int64_t, std::int64_t>;
  /// The samples of one coordinate in order.
  struct Series {
    std::vector<Moment> moments;
    std::vector<double> values;
  };

  const RobotModel& model_;
  const LogOptions& options_;
  std::vector<Group> groups_;
  std::map<std::string, NameList> lists_;  ///< By the message's names, joined.
  const NameList* last_ = nullptr;
  std::set<std::string> foreign_;  ///< Names that are not coordinates of the robot.
  std::int64_t messages_ = 0, without_positions_ = 0;

  const NameList& list_of(const std::vector<std::string_view>& names, const std::string& where);
  void choose_times(const std::string& where);
  static std::int64_t stands_still(const Group& group);
  void warn_of_steps(const SampledMotion& motion, const std::string& where);
  Series series_of(int coordinate) const;
  static void fill_column(const Series& series, std::size_t k, const std::vector<Moment>& rows, SampledMotion& motion);
  void find_gaps(const Series& series, int coordinate, std::int64_t begin, std::int64_t end,
                 std::map<std::pair<std::int64_t, std::int64_t>, std::vector<std::string>>& gaps) const;
};

}  // namespace planner_ccd
