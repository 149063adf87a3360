#pragma once

#include <stdexcept>
#include <string>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Thrown for input that cannot be used. The message names the file or object, the element in it and what to do about it. When
/// queries throw it says query/path_checker.hpp, of bodies at rest hierarchy/queries.hpp.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace planner_ccd
#pragma GCC visibility pop
