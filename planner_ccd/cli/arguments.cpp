#include "planner_ccd/cli/arguments.hpp"

#include "planner_ccd/io/text.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd::cli {

std::vector<std::string> Arguments::all(const std::string& name) const {
  const auto found = values_.find(name);
  return found == values_.end() ? std::vector<std::string>{} : found->second;
}

std::optional<std::string> Arguments::text(const std::string& name) const {
  const auto values = all(name);
  if (values.empty()) return std::nullopt;
  return values.back();
}

std::string Arguments::required(const std::string& name) const {
  const auto value = text(name);
  if (!value) throw InputError(name + " is missing");
  return *value;
}

std::optional<double> Arguments::number(const std::string& name) const {
  const auto value = text(name);
  if (!value) return std::nullopt;
  const auto number = parse_number(*value);
  if (!number) throw InputError("--" + name + " " + in_quotes(*value) + ": must be a finite number");
  return number;
}

std::optional<long long> Arguments::integer(const std::string& name, long long lower, long long upper) const {
  const auto value = text(name);
  if (!value) return std::nullopt;
  const auto number = parse_integer(*value);
  if (!number || *number < lower || *number > upper) {
    throw InputError("--" + name + " " + in_quotes(*value) + ": must be a whole number from " + std::to_string(lower) +
                     " to " + std::to_string(upper));
  }
  return number;
}

}  // namespace planner_ccd::cli
