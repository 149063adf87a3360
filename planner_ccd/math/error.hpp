#pragma once

#include <stdexcept>
#include <string>

namespace planner_ccd {

/// Thrown at load or build time for input that cannot be used. The message names the file or object, the element in it
/// and what to do about it. Of the queries only those of bodies at rest throw it, for a pose that is not one.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace planner_ccd
