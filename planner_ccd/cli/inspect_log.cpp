#include "planner_ccd/cli/inspect_log.hpp"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/io/log.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/report/parts.hpp"

namespace planner_ccd::cli {
namespace {

using nlohmann::ordered_json;

double seconds(const LogSummary& log) { return static_cast<double>(log.end_ns - log.begin_ns) * 1e-9; }

std::string log_text(const std::string& file, const LogSummary& log) {
  std::ostringstream out;
  out << file << ": " << log.format << ", " << format_number(std::round(seconds(log) * 1e3) * 1e-3) << " s from "
      << utc_text(log.begin_ns) << "\n";
  std::size_t widest = 0, longest = 0;
  for (const LogTopic& topic : log.topics) {
    widest = std::max(widest, topic.name.size());
    longest = std::max(longest, topic.type.size());
  }
  std::string example;
  for (const LogTopic& topic : log.topics) {
    out << (topic.can_be_checked ? "  check  " : "         ") << std::left << std::setw(static_cast<int>(widest))
        << topic.name << "  " << std::setw(static_cast<int>(longest)) << topic.type << "  " << topic.messages
        << " messages\n";
    if (topic.can_be_checked && example.empty()) example = topic.name;
  }
  if (example.empty()) {
    out << "no topic holds a motion that can be checked\n";
  } else {
    out << "planner_ccd check --robot ROBOT.urdf --path " << file << " --topic " << example << "\n";
  }
  return out.str();
}

std::string log_json(const std::string& file, const LogSummary& log) {
  ordered_json topics = ordered_json::array();
  for (const LogTopic& topic : log.topics) {
    topics.push_back({{"name", topic.name},
                      {"type", topic.type},
                      {"messages", topic.messages},
                      {"can_be_checked", topic.can_be_checked}});
  }
  const ordered_json out = {
      {"log", file}, {"format", log.format}, {"begin_ns", log.begin_ns}, {"end_ns", log.end_ns}, {"topics", topics}};
  return out.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int inspect_log(const Arguments& arguments, const std::string& file) {
  const Loaded<LogSummary> log = planner_ccd::inspect_log(file);
  std::cerr << warnings_text(log.warnings);
  std::cout << (arguments.has("json") ? log_json(file, log.value) : log_text(file, log.value)) << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
