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

/// A method chosen by the user, over all pairs of a scene built in full.
struct MethodSearch {
  std::shared_ptr<const SearchMethod> method;
  std::shared_ptr<const CheckerSnapshot> snapshot;  ///< Owns the parts.
  const CheckerParts& parts;
  EdgeState edge;
  std::unique_ptr<EdgeSearch> search;

  MethodSearch(const std::shared_ptr<const SearchMethod>& chosen, const std::shared_ptr<const CheckerSnapshot>& of)
      : method(chosen),
        snapshot(of),
        parts(of->in_full()),
        edge(parts.world.problem()),
        search(method->make(parts.world.problem())) {}
};

/// Memory for the queries of one thread, and how one motion is checked:
///
///   check          by a method that the user has chosen, or
///     look         at all pairs, sixteen instants at once: most motions are proved or in contact here;
///     probe        where volumes overlap, for contacts;
///     collect      what is open: pairs, each with parts of the motion;
///     search       that.
struct Workspace::Impl {
  std::shared_ptr<const CheckerSnapshot> snapshot;
  const std::shared_ptr<const RobotParts> parts;  ///< The base; declared before everything that points into it.
  EdgeMotion motion;

  explicit Impl(const std::shared_ptr<const CheckerSnapshot>& of)
      : parts(of->base()), motion(*parts->robot), edge(parts->world.problem()), search(parts->world.problem()) {
    follow(of);
  }

  /// Switches to a snapshot of the same base. Data kept from edge to edge depend on the base alone, except for the
  /// search's last pair.
  void follow(const std::shared_ptr<const CheckerSnapshot>& now);

  /// Of the current motion.
  Verdict verdict(const EdgeOptions& options) { return check(options, Wanted::Verdict).verdict; }
  EdgeResult contact(const EdgeOptions& options, Wanted wanted);

  EdgeState edge;

 private:
  TaylorSearch search;
  std::unique_ptr<MethodSearch> by_method;  ///< The last one requested.
  MovingPairsScratch scratch;
  look::Around objects;
  FirstLook::Scratch look;
  std::vector<Candidate> candidates;
  std::vector<std::pair<int, int>> probed;  ///< Pairs and instants of the look, by this query.
  bool started = false;                     ///< The search, by this query.

  /// Null: the search below.
  const std::shared_ptr<const SearchMethod>& chosen(const EdgeOptions& options) const {
    return options.method ? options.method : parts->options.broad_phase;
  }
  SearchResult check(const EdgeOptions& options, Wanted wanted);
  SearchResult check_by_method(const std::shared_ptr<const SearchMethod>& method, const SearchLimits& limits,
                               bool first);
  SearchResult check_by_boxes(const SearchLimits& limits, bool first);
  bool start_search(const SearchLimits& limits);
  double look_and_probe(const SearchLimits& limits, bool first);
  double probe_overlaps(bool first, Overlaps of, double horizon);
  double collect_after_look(bool first);
  double collect_by_boxes(bool any);
  SearchResult search_candidates(double horizon, bool first);
  template <typename PairOf>
  void find_containment(const std::vector<int>& pairs, EdgeState& of, const PairOf& pair_of, SearchResult& result);
};

}  // namespace planner_ccd
