#include "planner_ccd/cli/options.hpp"

#include <iterator>
#include <sstream>
#include <stdexcept>

#include "planner_ccd/cli/manual.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/papers/by_name.hpp"

namespace planner_ccd::cli {
namespace {

/// Which robot, and where everything is.
std::vector<Option> robot_options() {
  return {
      {"srdf", ValueKind::File, "[PREFIX=]FILE",
       "Pairs that need no checking, and named states, from this SRDF; with PREFIX it is for that robot", true},
      {"base", ValueKind::Text, "[PREFIX=]X,Y,Z[,R,P,Y]",
       "Where a robot's root stands: metres, then roll, pitch and yaw in radians; of several robots that of PREFIX",
       true},
      {"mount", ValueKind::Text, "[PREFIX=]TOOL.urdf:LINK[,X,Y,Z[,R,P,Y]]",
       "A tool with a URDF of its own, fixed on a link of the robot or of another tool, its root so many metres and "
       "radians from there; with a PREFIX for the names of its links and joints",
       true},
      {"delay", ValueKind::Text, "[PREFIX=]SECONDS", "The file of that PREFIX begins so much later", true},
      {"package", ValueKind::Text, "NAME=DIR", "Where package://NAME/ is; may be given several times", true},
      {"package-path", ValueKind::Folder, "DIR", "A folder in which packages lie by name; may be given several times",
       true},
      {"dae-up-axis",
       ValueKind::Choice,
       "POLICY",
       "The up_axis of DAE files: ignore (default), as RViz does; honour, turn them so that it is Z",
       false,
       {"ignore", "honour"}},
      {"use-visual", ValueKind::None, "", "Links without collision geometry take their visual geometry"},
      {"robot", ValueKind::File, "[PREFIX=]ROBOT.urdf",
       "The robot; or several in one scene, each with a PREFIX for the names of its links and joints", true},
      {"scene", ValueKind::File, "SCENE.yaml", "What stands around the robot"},
  };
}

/// Which motion.
std::vector<Option> motion_options() {
  return {
      {"path",
       ValueKind::File,
       "[PREFIX=]FILE",
       "The motion: CSV, YAML or JSON as ROS and MoveIt print trajectories, or a log (MCAP, .db3, .bag; --topic). "
       "Several files after one --path, or a folder, are motions to be checked one by one; several --path, each for "
       "the "
       "joints it names (after PREFIX), run on one clock",
       true,
       {},
       {},
       {},
       true},
      {"trajectory", ValueKind::File, "[PREFIX=]FILE", "The same as --path", true},
      {"timeline", ValueKind::File, "FILE.yaml",
       "What changes during the motion, in one check: what the robot picks up and puts down, and when; what moves by "
       "itself (planner_ccd help timeline)"},
      {"topic", ValueKind::Text, "TOPIC",
       "Of a log: the topic with the motion (planner_ccd inspect LOG lists them); without it, the only one there is"},
      {"max-gap", ValueKind::Number, "SECONDS",
       "Of a log: a joint without a sample for longer is a finding (default 0.1)"},
      {"from", ValueKind::Number, "SECONDS", "Of a log: check only what happens from then on, on the log's clock"},
      {"to", ValueKind::Number, "SECONDS", "and until then"},
      {"hold", ValueKind::Text, "NAME=VALUE",
       "A joint that no file moves, or no plan, stays at this value; may be given several times", true},
  };
}

/// What is asked of it.
std::vector<Option> question_options() {
  return {
      {"all", ValueKind::None, "", "Go on after the first contact: every contact of every pair, from when to when"},
      {"limits", ValueKind::File, "[PREFIX=]FILE",
       "Limits of velocities, accelerations, jerks, and narrower ones of positions, as MoveIt's joint_limits.yaml has "
       "them; with "
       "PREFIX for that robot",
       true},
      {"ignore-limits", ValueKind::None, "", "Say nothing of limits of positions, velocities, accelerations and jerks"},
      {"clearance", ValueKind::Number, "ACC",
       "The least distances over the motion, to ACC metres, of the pairs that come nearest; listed with a cost of its "
       "own"},
      {"clearance-below", ValueKind::Number, "D",
       "Only of pairs that come nearer than D metres, and a profile below D"},
      {"clearance-pairs", ValueKind::Number, "N", "Of so many pairs (default 10)"},
      {"clearance-step", ValueKind::Number, "S",
       "Length of the pieces of the clearance profile, in seconds (default: a hundredth of the motion)"},
      {"clearance-csv", ValueKind::File, "FILE", "Write the clearance profile; needs --clearance"},
  };
}

/// What is accepted, and what is written of it.
std::vector<Option> answer_options() {
  return {
      {"assumptions", ValueKind::None, "", "Name all that the verdict relies on: bodies, pairs, joints, files"},
      {"strict", ValueKind::None, "", "Exit with 2 when there is any warning, about inputs or in the findings"},
      {"fail-on", ValueKind::Text, "KIND[,KIND]",
       "Exit with 2 when one of these kinds of warnings, assumptions or findings occurs (planner_ccd help kinds)",
       true},
      {"allow-nothing-checked", ValueKind::None, "",
       "Accept a robot and scene of which no pair of bodies is checked; otherwise that is bad input"},
      {"certificate", ValueKind::File, "FILE.pccd",
       "Write a proof of a free motion, which planner_ccd_verify checks on its own (exit code 3 when there is none)"},
      {"junit", ValueKind::File, "FILE", "Write what was found as JUnit XML, for CI"},
  };
}

/// How near things may come, and what they may be off by.
std::vector<Option> distance_options() {
  return {
      {"margin", ValueKind::Number, "M",
       "Clearance demanded between a robot and the world, and between robots, in metres (default 0)"},
      {"self-margin", ValueKind::Number, "M",
       "Clearance demanded within a robot: of its links and what they hold, in metres (default 0)"},
      {"tracking-error", ValueKind::Text, "[JOINT=]E",
       "Prove the motion free for all joint values within E of it, in radians or metres: of every joint, or of JOINT; "
       "of several entries for a joint the last counts",
       true},
      {"base-error", ValueKind::Text, "[PREFIX=]XYZ[,ANGLE]",
       "and wherever the robots' bases, or that of PREFIX, may stand: within XYZ metres and ANGLE radians of their "
       "place",
       true},
      {"tracking-delay", ValueKind::Number, "SECONDS",
       "and however far, up to so much, the robot is behind the motion, on its own path; needs a motion with times"},
      {"max-tracking-error", ValueKind::None, "",
       "Also find the greatest error of every joint (the same in radians and metres) with which the motion is proved "
       "free, to a hundredth of it, and what limits it"},
      {"executed", ValueKind::File, "FILE",
       "What the robot did, a log or a file as for --path: checked as well, and compared with the motion by the clock, "
       "joint by joint; exit code 1 when it left the errors that are given"},
      {"executed-topic", ValueKind::Text, "TOPIC", "Of a log of what the robot did: the topic, as --topic"},
      {"shift", ValueKind::Number, "SECONDS",
       "The motion's clock is so much ahead of that of --executed (default: by the stamps of two logs; else what "
       "fits best)"},
  };
}

/// How it is searched.
std::vector<Option> search_options() {
  return {
      {"tolerance", ValueKind::Number, "T",
       "A path that comes this near to the margin, in metres, may count as contact (default 1e-4)"},
      {"max-evaluations", ValueKind::Number, "N",
       "Distance evaluations to spend on a segment before giving up undecided (default 1e6)"},
      {"method", ValueKind::Choice, "METHOD", "taylor (default), or a method of the papers for comparison", false,
       search_method_names()},
      {"leaf", ValueKind::Choice, "KERNEL",
       "What decides pairs of triangles that resist the search: inclusion (default), or a kernel of the papers", false,
       leaf_kernel_names()},
      {"broad-phase", ValueKind::Choice, "INDEX",
       "How obstacles near a link are found: tree (default: the first look), sweep_and_prune or box_tree", false,
       box_index_names()},
      {"angles",
       ValueKind::Choice,
       "POLICY",
       "How joints without limits turn: literal (default), by the difference of the numbers; wrap, the shorter way",
       false,
       {"literal", "wrap"}},
      {"cell-evaluations", ValueKind::Number, "N",
       "Distance evaluations to spend on each pair of links for proofs that hold for all joint values (default 10000)"},
      {"cache", ValueKind::Folder, "DIR",
       "Where proofs about robots are kept (default $PLANNER_CCD_CACHE, else planner_ccd in the user's cache folder)"},
  };
}

/// Pairs to be left out, and pages.
std::vector<Option> page_options() {
  return {
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
      {"html", ValueKind::File, "PAGE.html",
       "Write a page that shows the robot, its motion and what was found; and how near things come, to a twentieth of "
       "the "
       "distance or 1 mm, which costs up to some five times the check, or a fifth of a second"},
  };
}

/// Of plans, and how the command tells.
std::vector<Option> plan_options() {
  return {
      {"start", ValueKind::Text, "CONFIG",
       "Where the plan begins: joint1=0.5,...; values in joint order; a state of the SRDF; or the first row of a CSV "
       "file"},
      {"goal", ValueKind::Text, "CONFIG",
       "Where it ends, given in the same ways; the last row of a CSV file. What it does not speak of stays as at the "
       "start"},
      {"planner",
       ValueKind::Choice,
       "NAME",
       "Planner of OMPL (default RRTConnect); RRTstar and BITstar improve the path for all of --time",
       false,
       {"RRTConnect", "RRT", "RRTstar", "BITstar", "PRM", "KPIECE", "LBKPIECE", "EST"}},
      {"range", ValueKind::Number, "R",
       "Longest step of the planner in the metric of its space, radians and metres (default: OMPL's, a fifth of the "
       "space); BITstar and PRM have none"},
      {"time", ValueKind::Number, "SECONDS",
       "How long to look for a plan, by the wall clock (default 10): a slower or busier machine may find none in the "
       "same time, or with RRTstar and BITstar another one"},
      {"group", ValueKind::Text, "GROUP",
       "Of the SRDF: only its joints move; states that --start and --goal name are its own"},
      {"out", ValueKind::File, "FILE",
       "Write the path there: as a ROS JointTrajectory, timed by the velocity limits alone, where FILE ends in .yaml "
       "or .yml, else as CSV; without it, it is printed"},
      {"json", ValueKind::None, "", "Print one JSON object instead of text for people"},
      {"verbose", ValueKind::None, "", "Every detail of warnings that speak of several things", false, {}, {}, "v"},
  };
}

std::vector<std::string> words(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

Positional robots(const char* or_else = "") {
  return {"ROBOT.urdf",
          ValueKind::File,
          std::string("The robot; or several as PREFIX=ROBOT.urdf, each with a PREFIX for its names") + or_else,
          {},
          true};
}

Command inspect_command() {
  return {"inspect",
          "Say what a robot is made of: bodies, links, triangles, joints, which pairs are checked, and why others are "
          "not; or "
          "which topics a log has",
          {robots("; or a log (MCAP, .db3, .bag)")},
          words("srdf base mount suggest seed write-srdf cell-evaluations package package-path dae-up-axis use-visual "
                "verbose json"),
          {},
          run_inspect};
}

Command check_command() {
  return {
      "check",
      "Prove a motion free of collision everywhere on it, or find its first contact",
      {},
      words("robot srdf base mount scene path trajectory timeline delay topic max-gap from to hold all margin "
            "self-margin tracking-error base-error tracking-delay max-tracking-error executed executed-topic shift "
            "tolerance max-evaluations cell-evaluations cache method leaf broad-phase angles limits ignore-limits "
            "clearance clearance-step clearance-below clearance-pairs clearance-csv package package-path dae-up-axis "
            "use-visual verbose assumptions strict fail-on allow-nothing-checked certificate html junit json"),
      {"robot"},
      run_check,
      "0 free, 1 contact, too close, or a limit that is exceeded (see --ignore-limits), 2 bad input, or what --strict "
      "and "
      "--fail-on do not accept, 3 undecided (with --certificate: or free without a certificate)"};
}

Command prepare_command() {
  return {
      "prepare",
      "Prove pairs of links apart for whole ranges of joint values and keep the proofs: check and plan then take less "
      "time",
      {robots()},
      words("srdf base mount margin self-margin cell-evaluations cache package package-path dae-up-axis use-visual "
            "verbose"),
      {},
      run_prepare};
}

Command view_command() {
  return {"view",
          "Write a page that shows a robot and a scene, unchecked: on a path, with what a timeline changes, or with "
          "joints to be"
          " moved by hand",
          {robots()},
          words("html srdf base mount scene path trajectory timeline delay topic max-gap from to hold angles package "
                "package-path dae-up-axis use-visual verbose"),
          {"html"},
          run_view};
}

Command statement_command() {
  return {"statement",
          "Print the SHA-256 of what a certificate of this motion states: planner_ccd_verify --statement demands it",
          {},
          {"robot",       "srdf",   "base",    "mount",        "scene",       "path",       "trajectory",
           "delay",       "topic",  "max-gap", "from",         "to",          "hold",       "margin",
           "self-margin", "angles", "package", "package-path", "dae-up-axis", "use-visual", "verbose"},
          {"robot"},
          run_statement};
}

Command completion_command() {
  return {"completion",
          "Print a script that completes this command's words in a shell; loading it is up to the shell's own ways",
          {{"SHELL", ValueKind::Choice, "bash, zsh or fish", {"bash", "zsh", "fish"}}},
          {},
          {},
          run_completion};
}

Command help_command() {
  return {"help",
          "Print what files and JSON look like, with examples",
          {{"TOPIC", ValueKind::Choice, "One of " + join_names(help_topics()), help_topics()}},
          {},
          {},
          run_help};
}

Command man_command() { return {"man", "Print the manual page, for man -l", {}, {}, {}, run_man}; }

Command plan_command() {
  return {
      "plan",
      "Find a motion from one configuration to another that is proved free of collision (exit code 3: none in time)",
      {},
      words("robot srdf base mount scene start goal group hold planner range time seed out margin self-margin "
            "tracking-error base-error tolerance max-evaluations cell-evaluations cache package package-path "
            "dae-up-axis use-visual verbose assumptions strict fail-on allow-nothing-checked html json"),
      {"robot", "start", "goal"},
      run_plan,
      "0 solved and proved free, 2 bad input (also: start or goal in contact), 3 no plan in time"};
}

}  // namespace

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = [] {
    std::vector<Option> all;
    for (const auto group : {robot_options, motion_options, question_options, answer_options, distance_options,
                             search_options, page_options, plan_options}) {
      const std::vector<Option> some = group();
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return table;
}

const Option& find_option(const std::string& name) {
  for (const Option& option : option_table()) {
    if (option.name == name) return option;
  }
  throw std::logic_error("no option --" + name + " in the table");
}

const std::vector<Command>& command_table() {
  static const std::vector<Command> table = {inspect_command(), check_command(),     prepare_command(),
                                             view_command(),    statement_command(), completion_command(),
                                             help_command(),    man_command(),       plan_command()};
  return table;
}

}  // namespace planner_ccd::cli
