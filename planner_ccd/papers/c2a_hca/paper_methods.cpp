#include "planner_ccd/papers/c2a_hca/paper_methods.hpp"

namespace planner_ccd {

const char* to_string(Method method) {
  switch (method) {
    case Method::Taylor: return "taylor";
    case Method::C2a: return "c2a";
    case Method::Hca: return "hca";
    case Method::Catch: return "catch";
    case Method::Undirected: return "undirected";
  }
  return "taylor";
}

bool parse_method(std::string_view name, Method& method) {
  for (const Method candidate : kMethods) {
    if (name != to_string(candidate)) continue;
    method = candidate;
    return true;
  }
  return false;
}

HcaSearch& PaperMethods::hca(BoundKind bound) {
  std::unique_ptr<HcaSearch>& search = hca_[static_cast<int>(bound)];
  if (!search) {
    HcaOptions options;
    options.bound = bound;
    search = std::make_unique<HcaSearch>(*problem_, options);
  }
  return *search;
}

SearchResult PaperMethods::search(Method method, EdgeState& edge, const SearchLimits& limits, bool first) {
  const auto run = [&](auto& search) {
    const SearchResult result = first ? search.first_contact(edge, limits) : search.any_contact(edge, limits);
    overlapping_roots_ = search.overlapping_roots();
    return result;
  };
  switch (method) {
    case Method::C2a:
      if (!c2a_) c2a_ = std::make_unique<C2aSearch>(*problem_);
      return run(*c2a_);
    case Method::Catch: return run(hca(BoundKind::RootDirected));
    case Method::Undirected: return run(hca(BoundKind::Undirected));
    case Method::Taylor:
    case Method::Hca: break;
  }
  return run(hca(BoundKind::Directed));
}

}  // namespace planner_ccd
