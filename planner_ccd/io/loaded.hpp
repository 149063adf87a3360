#pragma once

#include <string>
#include <vector>

#include "planner_ccd/query/assumptions.hpp"

namespace planner_ccd {

/// What a loader returns: the value, and what a person should know about it though it can be used. What cannot be used
/// is an InputError instead.
template <class T>
struct Loaded {
  T value;
  std::vector<std::string> warnings;  ///< One sentence each, naming the file and the element.
  /// What makes every check with it weaker; for `assumptions`.
  std::vector<Assumption> assumptions = {};
  std::vector<std::string> meshes = {};   ///< The files of meshes that were read for it.
  std::vector<std::string> details = {};  ///< What stands behind a warning that speaks of several things.
};

}  // namespace planner_ccd
