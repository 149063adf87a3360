#include "planner_ccd/cli/manual.hpp"
#include "planner_ccd/cli/options.hpp"

namespace planner_ccd::cli {
namespace {

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : " ") + word;
  return out;
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (const Command& command : command_table()) names.push_back(command.name);
  return names;
}

std::vector<std::string> option_flags(const Command& command) {
  std::vector<std::string> flags;
  for (const std::string& name : command.options) flags.push_back("--" + name);
  flags.emplace_back("--help");
  return flags;
}

/// Quoted with single quotes for a shell.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// The values that bash offers.
std::string bash_values(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::Choice: return "_planner_ccd_words " + quoted(join(choices));
    case ValueKind::File: return "_planner_ccd_files -f";
    case ValueKind::Folder: return "_planner_ccd_files -d";
    default: return "COMPREPLY=()";
  }
}

std::string bash() {
  std::string text = R"(# Completion of planner_ccd for bash; made by `planner_ccd completion bash`.
_planner_ccd_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_planner_ccd_files() { compopt -o filenames; mapfile -t COMPREPLY < <(compgen "$1" -- "$current"); }
_planner_ccd() {
  local current=${COMP_WORDS[COMP_CWORD]} at=$((COMP_CWORD - 1)) previous
  if [ "$current" = = ]; then
    current=
    at=$COMP_CWORD
  fi
  if [ "${COMP_WORDS[at]}" = = ]; then  # --option=VALUE or PREFIX=FILE
    at=$((at - 1))
    [[ ${COMP_WORDS[at]} == -* ]] || at=$((at - 1))
  fi
  previous=${COMP_WORDS[at]}
  if [ "$COMP_CWORD" -eq 1 ]; then
    _planner_ccd_words ')" +
                     join(command_names()) + " --help --version'\n    return\n  fi\n  case $previous in\n";
  for (const Option& option : option_table()) {
    if (option.kind != ValueKind::None && option.without_value.empty()) {
      text += "    --" + option.name + ") " + bash_values(option.kind, option.choices) + "; return ;;\n";
    }
  }
  text += "  esac\n  case ${COMP_WORDS[1]} in\n";
  for (const Command& command : command_table()) {
    text += "    " + command.name + ")\n      case $current in\n        -*) _planner_ccd_words '" +
            join(option_flags(command)) + "' ;;\n        *) ";
    text += command.positionals.empty() ? "_planner_ccd_words '" + join(option_flags(command)) + "'"
                                        : bash_values(command.positionals[0].kind, command.positionals[0].choices);
    text += " ;;\n      esac ;;\n";
  }
  return text + "  esac\n}\ncomplete -F _planner_ccd planner_ccd\n";
}

/// Text inside an argument of zsh's _arguments.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::string zsh_values(ValueKind kind, const std::vector<std::string>& choices) {
  switch (kind) {
    case ValueKind::Choice: return "(" + join(choices) + ")";
    case ValueKind::File: return "_files";
    case ValueKind::Folder: return "_files -/";
    default: return " ";
  }
}

std::string zsh() {
  std::string text =
      "#compdef planner_ccd\n# Made by `planner_ccd completion zsh`.\n_planner_ccd() {\n"
      "  if (( CURRENT == 2 )); then\n    local -a commands=(\n";
  for (const Command& c : command_table()) text += "      " + quoted(c.name + ":" + zsh_text(c.summary)) + "\n";
  text += "    )\n    _describe command commands\n    return\n  fi\n  case $words[2] in\n";
  for (const Command& command : command_table()) {
    text += "    " + command.name + ") _arguments";
    for (const Positional& p : command.positionals) {
      text += " \\\n      " +
              quoted((p.repeatable ? "*:" : "2:") + zsh_text(p.value_name) + ":" + zsh_values(p.kind, p.choices));
    }
    for (const std::string& name : command.options) {
      const Option& option = find_option(name);
      std::string argument = (option.repeatable ? "*--" : "--") + name + "[" + zsh_text(option.help) + "]";
      if (option.kind != ValueKind::None) {
        argument += (option.without_value.empty() ? ":" : "::") + zsh_text(option.value_name) + ":" +
                    zsh_values(option.kind, option.choices);
      }
      text += " \\\n      " + quoted(argument);
    }
    text += " ;;\n";
  }
  return text + "  esac\n}\n_planner_ccd \"$@\"\n";
}

std::string fish() {
  std::string text =
      "# Completion of planner_ccd for fish; made by `planner_ccd completion fish`.\n"
      "complete -c planner_ccd -f\n";
  for (const Command& command : command_table()) {
    text +=
        "complete -c planner_ccd -n __fish_use_subcommand -a " + command.name + " -d " + quoted(command.summary) + "\n";
    const std::string begin = "complete -c planner_ccd -n '__fish_seen_subcommand_from " + command.name + "'";
    for (const Positional& p : command.positionals) {
      if (p.kind == ValueKind::File) text += begin + " -F\n";
      if (p.kind == ValueKind::Choice) text += begin + " -a " + quoted(join(p.choices)) + "\n";
    }
    for (const std::string& name : command.options) {
      const Option& option = find_option(name);
      text += begin + " -l " + name + " -d " + quoted(option.help);
      if (option.kind != ValueKind::None && option.without_value.empty()) text += " -r";
      if (option.kind == ValueKind::File || option.kind == ValueKind::Folder) text += " -F";
      if (option.kind == ValueKind::Choice) text += " -f -a " + quoted(join(option.choices));
      text += "\n";
    }
  }
  return text;
}

}  // namespace

std::string completion_script(const std::string& shell) {
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  return bash();
}

}  // namespace planner_ccd::cli
