#include "planner_ccd/cli/options.hpp"

#include <stdexcept>

namespace planner_ccd::cli {

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = {
      {"srdf", ValueKind::File, "FILE", "Pairs that need no checking, and named states, from this SRDF"},
      {"package", ValueKind::Text, "NAME=DIR", "Where package://NAME/ is; may be given several times", true},
      {"package-path", ValueKind::Folder, "DIR", "A folder in which packages lie by name; may be given several times",
       true},
      {"use-visual", ValueKind::None, "", "Links without collision geometry take their visual geometry"},
      {"json", ValueKind::None, "", "Print one JSON object instead of text for people"},
  };
  return table;
}

const Option& find_option(const std::string& name) {
  for (const Option& option : option_table()) {
    if (option.name == name) return option;
  }
  throw std::logic_error("no option --" + name + " in the table");
}

const std::vector<Command>& command_table() {
  static const std::vector<Command> table = {
      {"inspect",
       "Say what a robot is made of: bodies, links, triangles, joints, which pairs are checked, and why others are not",
       {{"ROBOT.urdf", ValueKind::File, "The robot"}},
       {"srdf", "package", "package-path", "use-visual", "json"},
       {},
       run_inspect},
  };
  return table;
}

}  // namespace planner_ccd::cli
