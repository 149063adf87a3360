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
      {"robot", ValueKind::File, "ROBOT.urdf", "The robot"},
      {"scene", ValueKind::File, "SCENE.yaml", "What stands around the robot"},
      {"path", ValueKind::File, "PATH.csv", "The motion: waypoints, joined by straight lines in joint space"},
      {"margin", ValueKind::Number, "M", "Clearance demanded everywhere, in metres (default 0)"},
      {"tolerance", ValueKind::Number, "T",
       "A path that comes this near to the margin, in metres, may count as contact (default 1e-4)"},
      {"max-evaluations", ValueKind::Number, "N",
       "Distance evaluations to spend on a segment before giving up undecided (default 1e6)"},
      {"method",
       ValueKind::Choice,
       "METHOD",
       "taylor (default), or a method of the papers for comparison",
       false,
       {"taylor", "c2a", "hca", "catch", "undirected"}},
      {"angles",
       ValueKind::Choice,
       "POLICY",
       "How joints without limits turn: literal (default), by the difference of the numbers; wrap, the shorter way",
       false,
       {"literal", "wrap"}},
      {"cell-evaluations", ValueKind::Number, "N",
       "Distance evaluations to spend on each pair of links for proofs that hold for all joint values (default 10000)"},
      {"suggest",
       ValueKind::Number,
       "[N]",
       "Suggest pairs to leave out, from N random configurations within the limits (default 10000)",
       false,
       {},
       "10000"},
      {"seed", ValueKind::Number, "S", "Of whatever is drawn at random: the same seed, the same result (default 1)"},
      {"write-srdf", ValueKind::File, "FILE",
       "Write an SRDF with what --srdf holds, the pairs that are left out anyway, and those that --suggest suggests"},
      {"html", ValueKind::File, "PAGE.html", "Write a page that shows the robot, its motion and what was found"},
      {"start", ValueKind::Text, "CONFIG",
       "Where the plan begins: joint1=0.5,...; values in joint order; a state of the SRDF; or the first row of a CSV "
       "file"},
      {"goal", ValueKind::Text, "CONFIG", "Where it ends, given in the same ways; the last row of a CSV file"},
      {"planner",
       ValueKind::Choice,
       "NAME",
       "Planner of OMPL (default RRTConnect); RRTstar and BITstar improve the path for all of --time",
       false,
       {"RRTConnect", "RRT", "RRTstar", "BITstar", "PRM", "KPIECE", "LBKPIECE", "EST"}},
      {"time", ValueKind::Number, "SECONDS", "How long to look for a plan (default 10)"},
      {"out", ValueKind::File, "PATH.csv", "Write the path there; without it, it is printed"},
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
       {"srdf", "suggest", "seed", "write-srdf", "cell-evaluations", "package", "package-path", "use-visual", "json"},
       {},
       run_inspect},
      {"check",
       "Prove a motion free of collision everywhere on it, or find its first contact",
       {},
       {"robot", "srdf", "scene", "path", "margin", "tolerance", "max-evaluations", "cell-evaluations", "method",
        "angles", "package", "package-path", "use-visual", "html", "json"},
       {"robot", "path"},
       run_check},
      {"view",
       "Write a page that shows a robot and a scene, unchecked: on a path, or with joints to be moved by hand",
       {{"ROBOT.urdf", ValueKind::File, "The robot"}},
       {"html", "srdf", "scene", "path", "package", "package-path", "use-visual"},
       {"html"},
       run_view},
      {"completion",
       "Print a script that completes this command's words in a shell; loading it is up to the shell's own ways",
       {{"SHELL", ValueKind::Choice, "bash, zsh or fish", {"bash", "zsh", "fish"}}},
       {},
       {},
       run_completion},
      {"man", "Print the manual page, for man -l", {}, {}, {}, run_man},
      {"plan",
       "Find a motion from one configuration to another that is proved free of collision (exit code 3: none in time)",
       {},
       {"robot", "srdf", "scene", "start", "goal", "planner", "time", "seed", "out", "margin", "tolerance",
        "max-evaluations", "cell-evaluations", "package", "package-path", "use-visual", "json"},
       {"robot", "start", "goal"},
       run_plan},
  };
  return table;
}

}  // namespace planner_ccd::cli
