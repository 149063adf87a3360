#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "planner_ccd/query/path_checker.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

struct SuggestOptions {
  int samples = 10'000;    ///< >= 1. Random configurations within the limits.
  std::uint64_t seed = 1;  ///< The same seed gives the same suggestions on every machine.
};

/// Why a pair need not be checked, in SRDF terms.
enum class SuggestedReason {
  Never,    ///< Not in contact in any sample; or proved apart.
  Always,   ///< In contact in every configuration.
  Default,  ///< In contact in the neutral configuration.
};

const char* to_string(SuggestedReason reason);

struct PairSuggestion {
  std::string a, b;  ///< Links.
  SuggestedReason reason;
  int contacts;  ///< Number of random configurations in which the pair was in contact.
  bool proved;   ///< Never, by proof (PathChecker::proved_apart); the pair was then not sampled.
};

struct PairSuggestions {
  std::vector<PairSuggestion> pairs;
  int pairs_asked = 0;  ///< All pairs of links that the checker checks.
};

/// Which of the checked pairs of links could be left out, by the rules of the usual set-up tools: links in contact
/// always or in the neutral configuration are assumed to belong together, links never seen in contact to stay apart.
/// Only `proved` is a guarantee: a contact missed by m random configurations may still have a probability of 3 / m (95
/// % confidence).
///
/// Coordinates are drawn uniformly within their limits; angles without limits over a full turn, translations without
/// limits in [-1, 1] m, orientations uniformly. Throws InputError for options out of range.
PairSuggestions suggest_pairs(const PathChecker& checker, const SuggestOptions& options = {});

}  // namespace planner_ccd
#pragma GCC visibility pop
