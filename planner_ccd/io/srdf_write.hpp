#pragma once

#include <string>
#include <vector>

#include "planner_ccd/io/srdf.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// An SRDF with everything `text` has in it (comments and elements that are not understood too) and a <disable_collisions>
/// for each of `disabled` that it lacks, at its end. An empty `text` gives a new SRDF for `robot`. `name` is what messages
/// call the text; InputError when it is not XML.
std::string add_disabled_pairs(const std::string& text, const std::string& name, const std::string& robot,
                               const std::vector<SrdfPair>& disabled);

/// An SRDF for `robot` that says what `srdf` says, as far as Srdf holds it: read back, it is the same.
std::string format_srdf(const Srdf& srdf, const std::string& robot);

}  // namespace planner_ccd
#pragma GCC visibility pop
