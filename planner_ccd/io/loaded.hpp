#pragma once

#include <string>
#include <vector>

#include "planner_ccd/validation/assumptions.hpp"
#include "planner_ccd/validation/input_warning.hpp"

namespace planner_ccd {

/// What a loader returns: the value and what the user should know about it. Unusable input throws InputError instead.
template <class T>
struct Loaded {
  T value;
  std::vector<InputWarning> warnings;
  /// What weakens every check that uses the value; for `assumptions`.
  std::vector<Assumption> assumptions = {};
  std::vector<std::string> details = {};  ///< Details of warnings that summarise several items.
};

}  // namespace planner_ccd
