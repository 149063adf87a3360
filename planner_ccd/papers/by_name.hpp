#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#pragma GCC visibility push(default)
namespace planner_ccd {

class LeafKernel;
class SearchMethod;

/// The choices of EdgeOptions and CheckerOptions by the names that `check` and the Python module accept: the default
/// first, then those of the papers. The same name gives the same object. Any other name throws InputError, which lists
/// these.
///
/// The classes themselves are opaque to users of the installed library: they take part in proofs, so they are compiled
/// with the library. To add one, add a file to papers/ and a name to by_name.cpp.

const std::vector<std::string>& search_method_names();  ///< "taylor", "c2a", "hca", "catch", "undirected"
const std::vector<std::string>& leaf_kernel_names();    ///< "inclusion", "cubic", "space_time", "plucker"
const std::vector<std::string>& box_index_names();      ///< "tree", "sweep_and_prune", "box_tree"

std::shared_ptr<const SearchMethod> search_method_named(std::string_view name);  ///< "taylor": null, the default.
std::shared_ptr<const LeafKernel> leaf_kernel_named(std::string_view name);
std::shared_ptr<const SearchMethod> box_index_named(std::string_view name);  ///< "tree": null, the default.

}  // namespace planner_ccd
#pragma GCC visibility pop
