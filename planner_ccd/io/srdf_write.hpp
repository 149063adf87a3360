#pragma once

#include <string>
#include <vector>

#include "planner_ccd/io/srdf.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// `text` with a <disable_collisions> appended for each pair of `disabled` that it lacks; all else is kept, comments
/// and unknown elements included. An empty `text` gives a new SRDF for `robot`. Messages call the text `name`. Throws
/// InputError for invalid XML.
std::string add_disabled_pairs(const std::string& text, const std::string& name, const std::string& robot,
                               const std::vector<SrdfPair>& disabled);

/// An SRDF for `robot` with the contents of `srdf`; reading it back gives the same Srdf.
std::string format_srdf(const Srdf& srdf, const std::string& robot);

}  // namespace planner_ccd
#pragma GCC visibility pop
