#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace planner_ccd::cli {

/// The options given on the command line, by name (positionals by their value name).
class Arguments {
 public:
  void set(const std::string& name, std::vector<std::string> values) { values_[name] = std::move(values); }

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
};

}  // namespace planner_ccd::cli
