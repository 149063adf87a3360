#pragma once

#include <string>
#include <vector>

#include "planner_ccd/query/assumptions.hpp"

namespace planner_ccd {

/// What a loader returns: the value and what the user should know about it. Unusable input throws InputError instead.
template <class T>
struct Loaded {
  T value;
  std::vector<std::string> warnings;  ///< One sentence each, naming the file and the element.
  /// What weakens every check that uses the value; for `assumptions`.
  std::vector<Assumption> assumptions = {};
  std::vector<std::string> meshes = {};   ///< Mesh files that were read for it.
  std::vector<std::string> details = {};  ///< Details of warnings that summarise several items.
};

}  // namespace planner_ccd
