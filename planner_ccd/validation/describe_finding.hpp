#pragma once

#include <optional>
#include <string>

#include "planner_ccd/validation/finding.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Sets kind and message of a finding with a contact: whether the bodies meet, or only come too near. `nearest`: [m]
/// the least distance found, at time `at`.
void describe_finding(Finding& finding, double nearest, double at, double tolerance);

/// The message of an Undecided finding.
std::string unsettled(const std::optional<LinkPair>& pair);

/// "15.6 mm"
std::string millimetres(double metres);

}  // namespace planner_ccd
#pragma GCC visibility pop
