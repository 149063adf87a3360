#pragma once

#include <stdexcept>
#include <string>

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Thrown for unusable input. The message names the file or object, the element in it and the remedy.
/// query/path_checker.hpp says when queries throw it, hierarchy/queries.hpp when queries of bodies at rest do.
class InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace planner_ccd
#pragma GCC visibility pop
