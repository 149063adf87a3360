#pragma once

#include <stdexcept>
#include <string>

namespace planner_ccd {

/// Thrown at load or build time for input that cannot be used. The message names the file or object, the element in it
/// and what to do about it. Queries never throw it.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace planner_ccd
