#include "planner_ccd/cli/formats.hpp"

#include <iostream>
#include <string>

#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/manual.hpp"
#include "planner_ccd/cli/options.hpp"

namespace planner_ccd::cli {
namespace {

/// The sections of a topic, by the headings of the two documents.
struct Topic {
  const char* name;
  const char* document;
  std::vector<std::string> headings;
};

const std::vector<Topic>& topics() {
  static const std::vector<Topic> all = {{"scene", kFileFormats, {"Scene files"}},
                                         {"path", kFileFormats, {"Path files"}},
                                         {"trajectory", kFileFormats, {"Trajectories", "Path files"}},
                                         {"timeline", kFileFormats, {"Timelines"}},
                                         {"log", kFileFormats, {"Logs"}},
                                         {"mesh", kFileFormats, {"Where mesh files are found", "Meshes"}},
                                         {"json", kCommandManual, {"check --json", "inspect --json", "plan"}},
                                         {"robots", kCommandManual, {"Several robots"}},
                                         {"plan", kCommandManual, {"plan"}},
                                         {"exit", kCommandManual, {"Exit codes", "Kinds"}},
                                         {"kinds", kCommandManual, {"Kinds"}}};
  return all;
}

}  // namespace

std::vector<std::string> help_topics() {
  std::vector<std::string> names;
  for (const Topic& topic : topics()) names.emplace_back(topic.name);
  return names;
}

std::string section_of(const std::string& document, const std::string& heading) {
  const std::string mark = "\n## " + heading + "\n";
  const std::size_t begin = document.find(mark);
  if (begin == std::string::npos) return {};
  const std::size_t end = document.find("\n## ", begin + mark.size() - 1);
  return document.substr(begin + 1, end == std::string::npos ? std::string::npos : end - begin);
}

std::string help_text(const std::string& name) {
  std::string text;
  for (const Topic& topic : topics()) {
    if (name != topic.name) continue;
    for (const std::string& heading : topic.headings)
      text += (text.empty() ? "" : "\n") + section_of(topic.document, heading);
  }
  return text;
}

int run_help(const Arguments& arguments) {
  std::cout << help_text(arguments.required("TOPIC")) << std::flush;
  return kFree;
}

}  // namespace planner_ccd::cli
