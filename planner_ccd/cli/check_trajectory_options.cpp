#include "planner_ccd/cli/check_trajectory_options.hpp"

#include <algorithm>
#include <fstream>

#include "planner_ccd/cli/robots.hpp"
#include "planner_ccd/io/motion_limits_file.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/papers/by_name.hpp"

namespace planner_ccd::cli {
namespace {

/// Applies --delay [PREFIX=]SECONDS to the one file with that prefix.
void set_delay(const std::string& entry, std::vector<TrajectorySource>& sources) {
  const std::size_t equals = entry.find('=');
  const std::string prefix = equals == std::string::npos ? "" : entry.substr(0, equals);
  const auto seconds = parse_number(equals == std::string::npos ? entry : entry.substr(equals + 1));
  if (!seconds) throw InputError("--delay " + entry + ": must read [PREFIX=]SECONDS");
  const auto is_meant = [&](const TrajectorySource& source) { return source.prefix == prefix; };
  const auto count = std::count_if(sources.begin(), sources.end(), is_meant);
  if (count != 1) {
    throw InputError("--delay " + entry + ": " + (count == 0 ? "no --path" : "more than one --path") +
                     " has the prefix " + in_quotes(prefix));
  }
  std::find_if(sources.begin(), sources.end(), is_meant)->delay += *seconds;
}

}  // namespace

std::map<std::string, double> held_values(const Arguments& arguments) {
  std::map<std::string, double> held;
  for (const std::string& entry : arguments.all("hold")) {
    const std::size_t equals = entry.rfind('=');
    const auto value = equals == std::string::npos ? std::nullopt : parse_number(entry.substr(equals + 1));
    if (!value) throw InputError("--hold " + entry + ": must read NAME=VALUE, the value a number");
    held[entry.substr(0, equals)] = *value;
  }
  return held;
}

std::vector<TrajectorySource> trajectory_sources(const Arguments& arguments) {
  std::vector<std::string> given = arguments.all("path");
  const std::vector<std::string> more = arguments.all("trajectory");
  given.insert(given.end(), more.begin(), more.end());
  if (given.empty()) throw InputError("--path is required: the file of the motion");
  std::vector<TrajectorySource> sources;
  for (const std::string& entry : given) {
    const Prefixed split = split_prefix("--path", entry);
    sources.push_back({split.value, split.prefix});
  }
  for (const std::string& entry : arguments.all("delay")) set_delay(entry, sources);
  return sources;
}

TrajectoryFileOptions trajectory_file_options(const Arguments& arguments) {
  TrajectoryFileOptions options;
  if (arguments.text("angles").value_or("literal") == "wrap") options.angles = AnglePolicy::Wrap;
  options.hold = held_values(arguments);
  return options;
}

EdgeOptions edge_options(const Arguments& arguments) {
  EdgeOptions options;
  options.tolerance = arguments.number("tolerance").value_or(options.tolerance);
  if (!(options.tolerance > 0.0)) throw InputError("--tolerance must be greater than 0 (metres)");
  const double budget = arguments.number("max-evaluations").value_or(static_cast<double>(options.max_evaluations));
  if (!(budget >= 1.0 && budget <= 1e15)) throw InputError("--max-evaluations must be a number from 1 to 1e15");
  options.max_evaluations = static_cast<std::int64_t>(budget);
  if (const auto method = arguments.text("method")) options.method = search_method_named(*method);
  if (const auto leaf = arguments.text("leaf")) options.leaf = leaf_kernel_named(*leaf);
  if (arguments.text("angles").value_or("literal") == "wrap") options.angles = AnglePolicy::Wrap;
  return options;
}

Loaded<TrajectoryOptions> trajectory_options(const Arguments& arguments, const RobotModel& robot,
                                             const Trajectory& trajectory) {
  Loaded<TrajectoryOptions> loaded;
  TrajectoryOptions& options = loaded.value;
  options.edge = edge_options(arguments);
  options.all_contacts = arguments.has("all");
  options.check_limits = !arguments.has("ignore-limits");
  if (arguments.has("limits")) options.limits = motion_limits(robot);
  for (const std::string& entry : arguments.all("limits")) {
    const Prefixed file = split_prefix("--limits", entry);
    Loaded<MotionLimits> limits = load_motion_limits(file.value, robot, file.prefix, options.limits);
    options.limits = std::move(limits.value);
    loaded.warnings.insert(loaded.warnings.end(), limits.warnings.begin(), limits.warnings.end());
  }
  if (const auto accuracy = arguments.number("clearance")) {
    if (!(*accuracy >= 1e-6)) throw InputError("--clearance must be at least 1e-6 (metres)");
    options.clearance_accuracy = *accuracy;
  }
  const auto step = arguments.number("clearance-step"), below = arguments.number("clearance-below");
  const auto pairs = arguments.number("clearance-pairs");
  if (!arguments.has("clearance") && (step || below || pairs || arguments.has("clearance-csv"))) {
    throw InputError("--clearance-below, --clearance-csv, --clearance-pairs and --clearance-step need --clearance ACC");
  }
  if (below && !(*below > 0.0)) throw InputError("--clearance-below must be greater than 0 (metres)");
  if (pairs && !(*pairs >= 1.0 && *pairs <= 1e9)) throw InputError("--clearance-pairs must be a number from 1 to 1e9");
  options.clearance_below = below.value_or(options.clearance_below);
  if (pairs) options.clearance_pairs = static_cast<std::size_t>(*pairs);
  if (step && !(*step > 0.0)) throw InputError("--clearance-step must be greater than 0 (seconds)");
  const double length = trajectory.segments.back().t1 - trajectory.segments.front().t0;
  if (arguments.has("html") || arguments.has("clearance-csv") || step) {
    options.profile_step = step.value_or(length > 0.0 ? length / 100.0 : 1.0);
  }
  return loaded;
}

void write_text(const std::string& option, const std::string& file, const std::string& text) {
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw InputError("--" + option + " " + file + ": cannot be written; check the folder and its permissions");
}

}  // namespace planner_ccd::cli
