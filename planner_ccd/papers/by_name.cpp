#include "planner_ccd/papers/by_name.hpp"

#include <utility>

#include "planner_ccd/advancement/search_method.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"
#if PLANNER_CCD_HAVE_PAPERS
#include "planner_ccd/papers/broad_phase/broad_phase.hpp"
#include "planner_ccd/papers/c2a_hca/methods.hpp"
#include "planner_ccd/papers/fastccd/cubic.hpp"
#include "planner_ccd/papers/sap_gjk_lecture/sweep_and_prune.hpp"
#include "planner_ccd/papers/space_time_ccd/space_time.hpp"
#include "planner_ccd/papers/van_waveren/plucker_leaf.hpp"
#endif

namespace planner_ccd {
namespace {

template <class Strategy>
using Table = std::vector<std::pair<std::string, std::shared_ptr<const Strategy>>>;

#if PLANNER_CCD_HAVE_PAPERS
std::shared_ptr<const SearchMethod> hca(BoundKind bound) {
  HcaOptions options;
  options.bound = bound;
  return std::make_shared<const HcaMethod>(options);
}
#endif

const Table<SearchMethod>& search_methods() {
  static const Table<SearchMethod> table {
    {"taylor", nullptr},
#if PLANNER_CCD_HAVE_PAPERS
        {"c2a", std::make_shared<const C2aMethod>()}, {"hca", hca(BoundKind::Directed)},
        {"catch", hca(BoundKind::RootDirected)}, {"undirected", hca(BoundKind::Undirected)},
#endif
  };
  return table;
}

const Table<LeafKernel>& leaf_kernels() {
  static const Table<LeafKernel> table {
    {"inclusion", inclusion_kernel()},
#if PLANNER_CCD_HAVE_PAPERS
        {"cubic", std::make_shared<const CubicKernel>()}, {"space_time", std::make_shared<const SpaceTimeKernel>()},
        {"plucker", std::make_shared<const PluckerKernel>()},
#endif
  };
  return table;
}

const Table<SearchMethod>& broad_phases() {
  static const Table<SearchMethod> table {
    {"tree", nullptr},
#if PLANNER_CCD_HAVE_PAPERS
        {"sweep_and_prune", std::make_shared<const BroadPhaseMethod>(std::make_shared<const SweepAndPruneFactory>())},
        {"box_tree", std::make_shared<const BroadPhaseMethod>(nullptr)},
#endif
  };
  return table;
}

template <class Strategy>
std::vector<std::string> names(const Table<Strategy>& table) {
  std::vector<std::string> out;
  for (const auto& [name, strategy] : table) out.push_back(name);
  return out;
}

template <class Strategy>
std::shared_ptr<const Strategy> find(const Table<Strategy>& table, const char* what, std::string_view wanted) {
  std::string all;
  for (const auto& [name, strategy] : table) {
    if (name == wanted) return strategy;
    all += (all.empty() ? "" : ", ") + name;
  }
  throw InputError(std::string(what) + ": there is no '" + std::string(wanted) + "'; there are " + all);
}

}  // namespace

const std::vector<std::string>& leaf_kernel_names() {
  static const std::vector<std::string> all = names(leaf_kernels());
  return all;
}

const std::vector<std::string>& search_method_names() {
  static const std::vector<std::string> all = names(search_methods());
  return all;
}

const std::vector<std::string>& box_index_names() {
  static const std::vector<std::string> all = names(broad_phases());
  return all;
}

std::shared_ptr<const SearchMethod> search_method_named(std::string_view name) {
  return find(search_methods(), "method", name);
}

std::shared_ptr<const SearchMethod> box_index_named(std::string_view name) {
  return find(broad_phases(), "broad_phase", name);
}

std::shared_ptr<const LeafKernel> leaf_kernel_named(std::string_view name) {
  return find(leaf_kernels(), "leaf", name);
}

}  // namespace planner_ccd
