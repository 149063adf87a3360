#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace planner_ccd::cli {

/// The options given on the command line, by name (positionals by their value name).
class Arguments {
 public:
  void set(const std::string& name, std::vector<std::string> values) { values_[name] = std::move(values); }

  /// Says that several values of an option followed it once, as alternatives, and not each the option's name.
  void set_one_of_many(const std::string& name) { one_of_many_.insert(name); }
  bool one_of_many(const std::string& name) const { return one_of_many_.count(name) > 0; }
  void set_command(std::string line) { command_ = std::move(line); }
  const std::string& command() const { return command_; }  ///< The whole command line.

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  std::vector<std::string> all(const std::string& name) const;
  std::optional<std::string> text(const std::string& name) const;
  std::string required(const std::string& name) const;
  /// A finite number, read under any locale. Throws InputError that names the option.
  std::optional<double> number(const std::string& name) const;
  /// A whole number of [lower, upper]. Throws InputError that names the option and the range.
  std::optional<long long> integer(const std::string& name, long long lower, long long upper) const;

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::set<std::string> one_of_many_;
  std::string command_;
};

}  // namespace planner_ccd::cli
