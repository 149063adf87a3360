#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <new>

#include "planner_ccd/cli/accepted.hpp"
#include "planner_ccd/cli/arguments.hpp"
#include "planner_ccd/cli/bad_input.hpp"
#include "planner_ccd/cli/options.hpp"
#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/version.hpp"

namespace planner_ccd::cli {
namespace {

// Values filled in by CLI11; they must not move while it parses.
struct OptionValues {
  std::string name;
  std::vector<std::string> values;
  CLI::Option* option = nullptr;
};

CLI::Validator one_of(const std::vector<std::string>& choices) {
  const auto reject = [choices](std::string& word) {
    if (std::find(choices.begin(), choices.end(), word) != choices.end()) return std::string();
    return in_quotes(word) + " is none of " + join_names(choices) + did_you_mean(word, choices);
  };
  std::string list;
  for (const std::string& choice : choices) list += (list.empty() ? "{" : ",") + choice;
  return {reject, list + "}"};
}

void add_option(CLI::App& app, const Option& option, bool required, std::vector<std::unique_ptr<OptionValues>>& given) {
  given.push_back(std::make_unique<OptionValues>());
  OptionValues& target = *given.back();
  target.name = option.name;
  if (option.kind == ValueKind::None) {
    target.option =
        app.add_flag((option.letter.empty() ? "" : "-" + option.letter + ",") + "--" + option.name, option.help);
    return;
  }
  target.option = app.add_option("--" + option.name, target.values, option.help)->type_name(option.value_name);
  if (option.several) {
    target.option->expected(1, CLI::detail::expected_max_vector_size)->required(required);
  } else {
    target.option->expected(1)->allow_extra_args(false)->required(required);
  }
  if (option.repeatable) {
    target.option->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  } else {
    target.option->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  }
  if (option.kind == ValueKind::Choice) target.option->check(one_of(option.choices));
}

void add_command(CLI::App& app, const Command& command, std::vector<std::unique_ptr<OptionValues>>& given) {
  app.description(command.summary);
  app.footer("Exit codes: " + command.exit_codes + ".");
  for (const Positional& positional : command.positionals) {
    given.push_back(std::make_unique<OptionValues>());
    given.back()->name = positional.value_name;
    given.back()->option = app.add_option(positional.value_name, given.back()->values, positional.help);
    given.back()->option->type_name("")->expected(positional.repeatable ? -1 : 1)->required();
    if (positional.kind == ValueKind::Choice) given.back()->option->check(one_of(positional.choices));
  }
  for (const std::string& name : command.options) {
    const bool required = std::find(command.required.begin(), command.required.end(), name) != command.required.end();
    add_option(app, find_option(name), required, given);
  }
}

/// The arguments in reverse, as CLI11 expects them. An option given without its optional value gets its default.
std::vector<std::string> completed(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (const Option& option : option_table()) {
      if (option.without_value.empty() || words[i] != "--" + option.name) continue;
      const bool has_value = i + 1 < words.size() && parse_number(words[i + 1]).has_value();
      if (!has_value) words[i] += "=" + option.without_value;
    }
  }
  std::reverse(words.begin(), words.end());
  return words;
}

int run(int argc, char** argv) {
  CLI::App app(
      "Is this robot motion free of collision, everywhere on it? Exit codes: 0 free (or done), 1 contact, too close, "
      "or a "
      "limit that is exceeded (see --ignore-limits), 2 bad input, 3 undecided. planner_ccd help TOPIC prints what "
      "files and "
      "JSON look like.",
      "planner_ccd");
  app.set_version_flag("--version", "planner_ccd " PLANNER_CCD_VERSION);
  app.require_subcommand(1);
  const Command* chosen = nullptr;
  std::map<const Command*, std::vector<std::unique_ptr<OptionValues>>> given;
  for (const Command& command : command_table()) {
    CLI::App* sub = app.add_subcommand(command.name);
    add_command(*sub, command, given[&command]);
    sub->callback([&chosen, &command] { chosen = &command; });
  }
  try {
    require_known_words({argv + 1, argv + argc});
    app.parse(completed(argc, argv));
  } catch (const CLI::ExtrasError&) {
    std::string extras;
    for (const std::string& word : app.remaining(true)) extras += " " + in_quotes(word);
    throw InputError("not expected:" + extras + " (planner_ccd --help lists what there is)");
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    throw InputError(std::string(error.what()) + " (planner_ccd --help lists what there is)");
  }
  Arguments arguments;
  for (const auto& entry : given[chosen]) {
    if (entry->option->count() > 0) arguments.set(entry->name, entry->values);
  }
  note_alternatives({argv + 1, argv + argc}, arguments);
  arguments.set_command(command_line(argc, argv));
  return chosen->run(arguments);
}

}  // namespace
}  // namespace planner_ccd::cli

int main(int argc, char** argv) {
  std::string message;
  try {
    return planner_ccd::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    message = "the input needs more memory than there is";
  } catch (const std::exception& error) {
    message = error.what();
  }
  planner_ccd::cli::report_bad_input({argv + 1, argv + argc}, message);
  return planner_ccd::cli::kBadInput;
}
