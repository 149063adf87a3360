#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "planner_ccd/advancement/search_method.hpp"
#include "planner_ccd/advancement/taylor_search.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd {

/// The kind of query.
enum class Wanted { Verdict, AnyContact, FirstContact };

/// Those of the first look that are probed: between movers and obstacles, before links are looked at, or all.
enum class Overlaps { Obstacles, All };

/// Memory for the queries of one thread, and how one motion is searched.
struct Workspace::Impl {
  std::shared_ptr<const CheckerSnapshot> snapshot;
  const std::shared_ptr<const CheckerParts> parts;  ///< The base; declared before everything that points into it.
  EdgeMotion motion;
  EdgeState edge;
  TaylorSearch search;
  std::shared_ptr<const SearchMethod> other_method;  ///< The last one requested, and
  std::unique_ptr<EdgeSearch> other_search;          ///< its search.
  CandidateScratch scratch;
  FirstLook::Scratch look;
  ArrivalScratch arrivals;
  std::vector<Candidate> candidates;
  std::vector<std::pair<int, int>> probed;  ///< Pairs and instants of the look, by this query.
  bool started = false;                     ///< The search, by this query.

  explicit Impl(const std::shared_ptr<const CheckerSnapshot>& of)
      : parts(of->base()), motion(*parts->robot), edge(parts->world.problem()), search(parts->world.problem()) {
    follow(of);
  }

  /// Switches to a snapshot of the same base. Data kept from edge to edge depend on the base alone, except for the
  /// search's last pair.
  void follow(const std::shared_ptr<const CheckerSnapshot>& now) {
    snapshot = now;
    search.also_use(snapshot.get());
    edge.allow_for(snapshot->extent());
  }
  void drop_gone();

  EdgeSearch& search_by(const std::shared_ptr<const SearchMethod>& method);
  SearchResult search_motion(const EdgeOptions& options, Wanted wanted);
  double probe_and_collect(bool any);
  bool start_search(const SearchLimits& limits);
  double look_and_probe(const SearchLimits& limits, bool first);
  double probe_overlaps(bool first, Overlaps of, double horizon);
  double collect_after_look(bool first);
  void find_containment(const std::vector<int>& overlapping_roots, SearchResult& result);
  EdgeResult describe(const SearchResult& found);
};

}  // namespace planner_ccd
