#include "planner_ccd/cli/bad_input.hpp"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <set>

#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/report/views.hpp"

namespace planner_ccd::cli {
namespace {

const Command* find_command(const std::vector<std::string>& words) {
  for (const Command& command : command_table()) {
    if (!words.empty() && command.name == words[0]) return &command;
  }
  return nullptr;
}

bool takes(const Command& command, const std::string& option) {
  return std::find(command.options.begin(), command.options.end(), option) != command.options.end();
}

/// "name" of "--name" and "--name=value"; empty for anything else.
std::string option_in(const std::string& word) {
  return word.starts_with("--") ? word.substr(2, word.find('=') - 2) : std::string();
}

/// The value of an option, following it or its "=".
std::string value_of(const std::vector<std::string>& words, const std::string& option) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (option_in(words[i]) != option) continue;
    const std::size_t equals = words[i].find('=');
    if (equals != std::string::npos) return words[i].substr(equals + 1);
    if (i + 1 < words.size()) return words[i + 1];
  }
  return {};
}

/// Every option with the value it needs, and once where once is all; two dashes before names.
void require_values(const Command& command, const std::vector<std::string>& words) {
  std::set<std::string> seen;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string option = option_in(word);
    if (option.empty() && word.size() > 2 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0) {
      const std::string name = word.substr(1, word.find('=') - 1);
      throw InputError("not expected: " + in_quotes(word) + "; options begin with two dashes" +
                       (takes(command, name) ? ": --" + name : did_you_mean(name, command.options)));
    }
    if (option.empty() || option == "help") continue;
    const Option& known = find_option(option);
    if (known.kind == ValueKind::None) continue;
    if (!known.repeatable && !seen.insert(option).second) throw InputError("--" + option + " is given more than once");
    if (!known.without_value.empty() || word.find('=') != std::string::npos) continue;
    if (i + 1 == words.size() || !option_in(words[i + 1]).empty()) {
      throw InputError("--" + option + " needs a value: --" + option + " " + known.value_name);
    }
    ++i;  // its value
  }
}

}  // namespace

void require_known_words(const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with("-")) return;
  const Command* command = find_command(words);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const Command& c : command_table()) names.push_back(c.name);
    throw InputError("there is no command " + in_quotes(words[0]) + did_you_mean(words[0], names) +
                     " (commands: " + join_names(names) + ")");
  }
  for (const std::string& word : words) {
    const std::string option = option_in(word);
    if (option.empty() || option == "help" || takes(*command, option)) continue;
    throw InputError("--" + option + " is no option of " + command->name + did_you_mean(option, command->options) +
                     " (planner_ccd " + command->name + " --help lists them)");
  }
  require_values(*command, words);
}

void note_alternatives(const std::vector<std::string>& words, Arguments& arguments) {
  for (const Option& option : option_table()) {
    if (!option.several || !arguments.has(option.name)) continue;
    const auto times = std::count_if(words.begin(), words.end(),
                                     [&](const std::string& word) { return option_in(word) == option.name; });
    const auto values = static_cast<std::ptrdiff_t>(arguments.all(option.name).size());
    if (values == times) continue;
    if (times > 1) {
      throw InputError(
          "--" + option.name +
          ": several files after one --path are checked one by one; files that run together each need a --path "
          "of their own");
    }
    arguments.set_one_of_many(option.name);
  }
}

void report_bad_input(const std::vector<std::string>& words, const std::string& message) {
  std::cerr << "planner_ccd: " << message << "\n";
  const Command* command = find_command(words);
  if (command == nullptr) return;
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  if (json && takes(*command, "json")) {
    const nlohmann::ordered_json record = {{"error", message}, {"exit_code", static_cast<int>(kBadInput)}};
    std::cout << record.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << std::endl;
  }
  const std::string file = takes(*command, "junit") ? value_of(words, "junit") : "";
  if (file.empty()) return;
  std::ofstream out(file, std::ios::binary);
  out << bad_input_junit(message);
  if (!out.flush()) std::cerr << "planner_ccd: --junit " << file << ": cannot be written\n";
}

}  // namespace planner_ccd::cli
