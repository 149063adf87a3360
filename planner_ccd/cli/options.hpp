#pragma once

#include <string>
#include <vector>

namespace planner_ccd::cli {

class Arguments;

enum class ValueKind { None, Text, File, Folder, Number, Choice };

/// One option, as used by the command line, `--help` and everything else generated from this table.
struct Option {
  std::string name;  ///< Without dashes.
  ValueKind kind;
  std::string value_name;  ///< Stands for its value in help; empty for a flag.
  std::string help;
  bool repeatable = false;
  std::vector<std::string> choices = {};  ///< For ValueKind::Choice.
  std::string without_value = {};         ///< If not empty: the value it takes when no number follows.
  std::string letter = {};                ///< If not empty: its short form, as in -v.
  bool several = false;                   ///< Several values may follow it at once.
};

struct Positional {
  std::string value_name;
  ValueKind kind;
  std::string help;
  std::vector<std::string> choices = {};  ///< For ValueKind::Choice.
  bool repeatable = false;
};

/// A subcommand: its words, its options by name (see `option_table`), and its function.
struct Command {
  std::string name;
  std::string summary;
  std::vector<Positional> positionals;
  std::vector<std::string> options;
  std::vector<std::string> required;  ///< Mandatory options.
  int (*run)(const Arguments&);       ///< Returns the exit code.
  std::string exit_codes = "0 done, 2 bad input";
};

/// Exit codes, the same for every subcommand.
inline constexpr int kFree = 0, kContact = 1, kBadInput = 2, kUndecided = 3;

/// Every option of every subcommand, once.
const std::vector<Option>& option_table();
const Option& find_option(const std::string& name);

/// Every subcommand.
const std::vector<Command>& command_table();

int run_check(const Arguments& arguments);
int run_completion(const Arguments& arguments);
int run_help(const Arguments& arguments);
int run_inspect(const Arguments& arguments);
int run_man(const Arguments& arguments);
int run_view(const Arguments& arguments);
int run_plan(const Arguments& arguments);
int run_prepare(const Arguments& arguments);
int run_statement(const Arguments& arguments);

}  // namespace planner_ccd::cli
