#include <algorithm>
#include <limits>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/describe_contact.hpp"
#include "planner_ccd/query/detail/workspace_impl.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {
namespace {

constexpr double kNone = std::numeric_limits<double>::infinity();  ///< The time of no contact.

/// Probes before a proof is tried, at a time: when any contact will do, at the end of the edge and at the deepest
/// overlaps of volumes; else at the latter only. Measured on hits of the Puma, a hand and a mannequin.
constexpr std::size_t kProbesAtEnd = 4;
constexpr std::size_t kProbesOfAny = 2;
constexpr std::size_t kProbesOfFirst = 4;

SearchLimits limits_of(const EdgeOptions& options) {
  if (!(options.tolerance > 0.0)) throw InputError("the tolerance must be > 0 metres");
  if (options.max_evaluations <= 0) throw InputError("max_evaluations must be > 0");
  if (options.method && options.leaf) {
    throw InputError("method " + std::string(options.method->name()) + " asks no leaf kernel; leave out leaf " +
                     std::string(options.leaf->name()));
  }
  if (options.method && options.errors.any()) {
    throw InputError("method " + std::string(options.method->name()) +
                     " knows no errors of the motion; leave out one or the other");
  }
  return {options.tolerance, options.max_evaluations, options.leaf.get()};
}

}  // namespace

/// Surfaces that are apart on [0, t_free) keep one body inside or outside of another all that time: one look at t = 0
/// settles it. On an edge that is free, a pair whose root volumes were once found apart cannot be nested. (MATHS.md T6)
template <typename PairOf>
void Workspace::Impl::find_containment(const std::vector<int>& pairs, EdgeState& of, const PairOf& pair_of,
                                       SearchResult& result) {
  if (result.verdict == Verdict::Contact && result.t_free == 0.0) return;
  for (const int p : pairs) {
    const SearchPair pair = pair_of(p);
    const PairChain& chain = of.problem().chains[pair.chain];
    const Kinematics& k = of.kinematics(0.0);
    const PairFrame frame(*pair.tree_a, k.bodies[chain.body_a].pose(), *pair.tree_b, k.bodies[chain.body_b].pose());
    if (!one_contains_other(*pair.tree_a, *pair.tree_b, frame)) continue;
    result.verdict = Verdict::Contact;
    result.t_free = 0.0;
    result.contact = SearchContact{};
    result.contact.pair = p;
    return;
  }
}

void Workspace::Impl::follow(const std::shared_ptr<const CheckerSnapshot>& now) {
  snapshot = now;
  search.also_use(snapshot.get());
  edge.allow_for(snapshot->extent());
  objects = {&snapshot->tree(),
             &snapshot->rules(),
             static_cast<int>(parts->world.problem().pairs.size()),
             static_cast<int>(parts->world.problem().pairs.rows().size()),
             snapshot->extent(),
             snapshot->displaced()};
}

EdgeResult Workspace::Impl::contact(const EdgeOptions& options, Wanted wanted) {
  const SearchResult found = check(options, wanted);
  EdgeResult result;
  result.verdict = found.verdict;
  result.t_free = found.t_free;
  result.counters = found.counters;
  if (found.verdict == Verdict::Free && found.counters.evaluations() == 0) {
    result.nothing_checked = snapshot->checks_nothing();
  }
  if (found.contact.pair < 0) return result;
  if (chosen(options)) {
    const CollisionWorld& world = by_method->parts.world;
    const auto name = [&](int collider) { return world.colliders()[static_cast<std::size_t>(collider)].name; };
    if (found.verdict == Verdict::Contact) result.contact = describe_contact(world, by_method->edge, found.contact);
    if (found.verdict == Verdict::Undecided) {
      result.undecided_pair =
          LinkPair{name(world.collider_a(found.contact.pair)), name(world.collider_b(found.contact.pair))};
      result.open = *result.undecided_pair;
    }
    return result;
  }
  const auto [a, b] = snapshot->names(found.contact.pair);
  if (found.verdict == Verdict::Contact) {
    result.contact = describe_contact(snapshot->pair(found.contact.pair), a, b, edge, found.contact);
  }
  if (found.verdict == Verdict::Undecided) {
    result.undecided_pair = LinkPair{a, b};
    result.open = *result.undecided_pair;
  }
  return result;
}

/// The current motion. Pairs proved by the first look are no candidates; where it does not apply, swept boxes find them.
SearchResult Workspace::Impl::check(const EdgeOptions& options, Wanted wanted) {
  const SearchLimits limits = limits_of(options);
  motion.set_errors(options.errors);
  const bool first = wanted == Wanted::FirstContact;
  if (const auto& method = chosen(options)) return check_by_method(method, limits, first);
  started = false;
  if (!parts->first_look.start(motion, &objects, look)) return check_by_boxes(limits, first);
  SearchResult result;
  double horizon = look_and_probe(limits, first);
  if (wanted == Wanted::Verdict && (look.findings.hit_pair >= 0 || horizon <= 1.0)) {
    result.verdict = Verdict::Contact;
    return result;
  }
  if (wanted == Wanted::Verdict && look.findings.opened.empty() && look.findings.unsure_within.empty()) {
    result.verdict = Verdict::Free;
    result.t_free = 1.0;
    return result;
  }
  if (!start_search(limits)) return result;
  if (horizon > 1.0) horizon = collect_after_look(first);
  result = search_candidates(horizon, first);
  find_containment(
      look.findings.unsure_within, edge, [this](int p) { return snapshot->pair(p); }, result);
  return result;
}

/// Methods are compared by address: the last one is owned here, so no other one can be at its.
SearchResult Workspace::Impl::check_by_method(const std::shared_ptr<const SearchMethod>& method,
                                              const SearchLimits& limits, bool first) {
  if (by_method == nullptr || by_method->method != method || by_method->snapshot != snapshot) {
    by_method = std::make_unique<MethodSearch>(method, snapshot);
  }
  SearchResult result;
  if (!by_method->edge.start(motion)) return result;
  result = by_method->search->search(by_method->edge, limits, first);
  const SearchPairs& pairs = by_method->parts.world.problem().pairs;
  find_containment(
      by_method->search->overlapping_roots(), by_method->edge,
      [&](int p) { return pairs[static_cast<std::size_t>(p)]; }, result);
  return result;
}

/// A motion that the look does not take.
SearchResult Workspace::Impl::check_by_boxes(const SearchLimits& limits, bool first) {
  if (!start_search(limits)) return {};
  return search_candidates(collect_by_boxes(!first), first);
}

SearchResult Workspace::Impl::search_candidates(double horizon, bool first) {
  SearchResult result = first            ? search.advance(candidates, horizon)
                        : horizon <= 1.0 ? search.contact_of_probe()
                                         : search.settle(candidates);
  find_containment(
      search.overlapping_roots(), edge, [this](int p) { return snapshot->pair(p); }, result);
  return result;
}

/// Once for each query; false when the motion is too large for bounds.
bool Workspace::Impl::start_search(const SearchLimits& limits) {
  if (started) return true;
  started = edge.start(motion);
  if (started) search.begin(edge, limits);
  return started;
}

/// The first look. When any contact will do, overlaps are probed before the look goes on; returns the time of a contact
/// found by that, which ends the look, or infinity.
double Workspace::Impl::look_and_probe(const SearchLimits& limits, bool first) {
  const FirstLook& first_look = parts->first_look;
  const look::Until until = first ? look::Until::FirstContact : look::Until::AnyContact;
  const auto done = [&] { return !first && look.findings.hit_pair >= 0; };
  probed.clear();
  while (look.findings.movers_left > 0 && !done()) {
    first_look.look_at_obstacles(until, look);
    if (first || done() || look.findings.overlaps.empty() || !start_search(limits)) continue;
    const double t = probe_overlaps(first, Overlaps::Obstacles, kNone);
    if (t <= 1.0) return t;
  }
  if (!done()) first_look.look_at_links(motion, until, look);
  return kNone;
}

/// Fills `candidates` with what swept boxes leave open up to the earliest contact found by a probe, and returns that time, infinite for none.
/// With `any` the first contact found is the answer, and the candidates are incomplete.
double Workspace::Impl::collect_by_boxes(bool any) {
  candidates.clear();
  parts->moving_pairs.ask_cells(motion, scratch);
  double horizon = kNone;
  for (const Probe& likely : scratch.looks) {
    if (!(likely.t < horizon) || !search.probe(likely.pair, likely.t)) continue;
    horizon = likely.t;
    if (any) return horizon;
  }
  snapshot->sweep(edge, candidates);
  parts->moving_pairs.collect(edge, scratch, horizon, candidates);
  // At instants whose poses exist already.
  for (const double t : {1.0, 0.5}) {
    for (const Candidate& c : candidates) {
      if (t < c.t0 || t > c.t1 || !(t < horizon) || !search.probe(c.pair, t)) continue;
      horizon = t;
      if (any) return horizon;
    }
  }
  return horizon;
}

/// Probes where volumes of the first look overlap before `horizon`, at the end of the edge and where they overlap most,
/// and returns the time of the earliest contact found, or `horizon`. Once for each pair and instant: obstacles are
/// several volumes.
double Workspace::Impl::probe_overlaps(bool first, Overlaps of, double horizon) {
  look::Findings& found = look.findings;
  std::sort(found.overlaps.begin(), found.overlaps.end(),
            [](const look::Overlap& x, const look::Overlap& y) { return x.depth > y.depth; });
  const auto try_at = [&](int pair, int instant) {
    const double t = look::instant(instant);
    const std::uint32_t pieces = found.open(pair);
    if (((pieces | pieces << 1) >> instant & 1u) == 0 || !(t < horizon)) return false;
    if (std::find(probed.begin(), probed.end(), std::pair(pair, instant)) != probed.end()) return false;
    // A link at rest is among the obstacles, but its cells are asked later.
    if (of == Overlaps::Obstacles && parts->moving_pairs.find(pair) >= 0) return false;
    probed.emplace_back(pair, instant);
    if (search.probe(pair, t)) horizon = t;
    return horizon == t;
  };
  std::size_t most = probed.size() + kProbesAtEnd;
  constexpr int kEnd = look::kInstants - 1;  // of edges that collide, most do there
  for (const look::Overlap& overlap : found.overlaps) {
    if (first || probed.size() == most) break;
    if ((overlap.instants >> kEnd & 1u) != 0 && try_at(overlap.pair, kEnd)) return horizon;
  }
  most = probed.size() + (first ? kProbesOfFirst : kProbesOfAny);
  for (const look::Overlap& overlap : found.overlaps) {
    if (probed.size() == most) break;
    if (try_at(overlap.pair, overlap.instant) && !first) return horizon;
  }
  return horizon;
}

/// Contacts seen by the first look are left to the search, since the answer names triangles and points. Fills
/// `candidates`, unless any contact will do and one was found; returns the earliest time of a contact, infinite for
/// none.
double Workspace::Impl::collect_after_look(bool first) {
  look::Findings& found = look.findings;
  double horizon = kNone;
  if (found.hit_pair >= 0) {
    const double t = look::instant(found.hit_instant);
    if (search.probe(found.hit_pair, t)) {
      horizon = t;
      if (!first) return horizon;
    } else {
      parts->first_look.look(motion, look::Until::End, look, &objects);
    }
  }
  horizon = probe_overlaps(first, Overlaps::All, horizon);
  if (!first && horizon <= 1.0) return horizon;
  candidates.clear();
  parts->first_look.take_candidates(motion, look, horizon, candidates);
  return horizon;
}

}  // namespace planner_ccd
