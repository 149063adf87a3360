#include <algorithm>

#include "planner_ccd/cli/manual.hpp"
#include "planner_ccd/cli/options.hpp"

namespace planner_ccd::cli {
namespace {

/// Escapes roff commands: backslashes, hyphens, and control characters at a line's start.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out.push_back(c);
    }
  }
  if (!out.empty() && (out[0] == '.' || out[0] == '\'')) out.insert(0, "\\&");
  return out;
}

std::string value_of(const Option& option) {
  if (option.kind == ValueKind::Choice) {
    std::string words;
    for (const std::string& choice : option.choices) words += (words.empty() ? "" : "|") + choice;
    return words;
  }
  return option.value_name;
}

std::string option_words(const Option& option) {
  std::string words = "\\fB" + (option.letter.empty() ? "" : roff("-" + option.letter) + "\\fR, \\fB") +
                      roff("--" + option.name) + "\\fR";
  if (option.kind != ValueKind::None) words += " \\fI" + roff(value_of(option)) + "\\fR";
  return words;
}

std::string synopsis(const Command& command) {
  std::string line = ".B planner_ccd " + roff(command.name) + "\n";
  for (const Positional& positional : command.positionals) {
    line += ".I " + roff(positional.value_name) + (positional.repeatable ? "..." : "") + "\n";
  }
  for (const std::string& name : command.options) {
    const bool required = std::find(command.required.begin(), command.required.end(), name) != command.required.end();
    line += (required ? "" : "[") + option_words(find_option(name)) + (required ? "" : "]") +
            (find_option(name).repeatable ? "..." : "") + "\n";
  }
  return line + ".br\n";
}

std::string section(const Command& command) {
  std::string text = ".SS " + roff(command.name) + "\n" + roff(command.summary) + ".\n";
  for (const Positional& positional : command.positionals) {
    text += ".TP\n.I " + roff(positional.value_name) + "\n" + roff(positional.help) + ".\n";
  }
  for (const std::string& name : command.options) {
    const Option& option = find_option(name);
    text += ".TP\n" + option_words(option) + "\n" + roff(option.help) + ".\n";
  }
  return text + ".PP\nExit codes: " + roff(command.exit_codes) + ".\n";
}

}  // namespace

std::string man_page(const std::string& version) {
  std::string text = ".TH PLANNER_CCD 1 \"\" \"planner_ccd " + roff(version) + "\" \"User Commands\"\n";
  text += ".SH NAME\nplanner_ccd \\- prove robot motions free of collision, or find their first contact\n";
  text += ".SH SYNOPSIS\n.nh\n";
  for (const Command& command : command_table()) text += synopsis(command);
  text +=
      ".hy\n.SH DESCRIPTION\n"
      "Answers one question: is this robot motion free of collision, everywhere on it and not only at samples?\n"
      "It answers with a proof or with the first contact, on the robot's own meshes.\n"
      ".SH COMMANDS\n";
  for (const Command& command : command_table()) text += section(command);
  text +=
      ".SH EXIT STATUS\n.TP\n0\nfree, or done\n.TP\n1\ncontact, closer than a margin, or another finding that is an "
      "error: a limit that is exceeded, times that do not "
      "grow (\\-\\-ignore\\-limits leaves limits out)\n.TP\n2\nbad input; one message on stderr, and a record of it in "
      "\\-\\-json and \\-\\-junit\n"
      ".TP\n3\nundecided: the budget was spent\n"
      ".SH FILES\n.B planner_ccd help scene\n(path, trajectory, mesh, json, ...) prints what files and JSON look "
      "like.\n";
  return text;
}

}  // namespace planner_ccd::cli
