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

/// Compared by address: the last method is owned here, so no other one can be at its.
EdgeSearch& Workspace::Impl::search_by(const std::shared_ptr<const SearchMethod>& method) {
  if (method != other_method) {
    other_search = method->make(parts->world.problem());
    other_method = method;
  }
  return *other_search;
}

/// For the current motion. Pairs proved by the first look are no candidates; where it does not apply, the broad phase
/// finds them.
SearchResult Workspace::Impl::search_motion(const EdgeOptions& options, Wanted wanted) {
  const SearchLimits limits = limits_of(options);
  motion.set_errors(options.errors);
  const bool first = wanted == Wanted::FirstContact;
  SearchResult result;
  if (options.method) {
    if (!edge.start(motion)) return result;
    EdgeSearch& other = search_by(options.method);
    result = other.search(edge, limits, first);
    find_containment(other.overlapping_roots(), result);
    return result;
  }
  started = false;
  const bool looked = parts->first_look.start(motion, look);
  double horizon = kNone;
  if (looked) {
    horizon = look_and_probe(limits, first);
    if (wanted == Wanted::Verdict && (look.findings.hit_pair >= 0 || horizon <= 1.0)) {
      result.verdict = Verdict::Contact;
      return result;
    }
    if (wanted == Wanted::Verdict && look.findings.opened.empty() && look.findings.unsure_within.empty() &&
        !snapshot->is_changed()) {
      result.verdict = Verdict::Free;
      result.t_free = 1.0;
      return result;
    }
  }
  if (!start_search(limits)) return result;
  if (horizon > 1.0) horizon = looked ? collect_after_look(first) : probe_and_collect(!first);
  if (first) {
    result = search.advance(candidates, horizon);
  } else {
    result = horizon <= 1.0 ? search.contact_of_probe() : search.settle(candidates);
  }
  find_containment(search.overlapping_roots(), result);
  if (looked) find_containment(look.findings.unsure_within, result);
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
  if (look.findings.hit_pair >= 0 && snapshot->gone(look.findings.hit_pair)) {
    first_look.look(motion, look::Until::End, look);  // the obstacle that ended the look is gone
  }
  return kNone;
}

/// Removes from `candidates` what is not in the scene.
void Workspace::Impl::drop_gone() {
  if (snapshot->is_changed()) std::erase_if(candidates, [&](const Candidate& c) { return snapshot->gone(c.pair); });
}

/// Probes before proofs: most edges that collide do so visibly. Fills `candidates` with what remains to be proved up to
/// the earliest contact found by a probe, and returns that time, infinite for none. With `any` the first contact found
/// is the answer, and the candidates are incomplete.
double Workspace::Impl::probe_and_collect(bool any) {
  candidates.clear();
  parts->moving_pairs.ask_cells(motion, scratch.moving);
  double seen = kNone;
  for (const Probe& likely : scratch.moving.looks) {
    if (!(likely.t < seen) || !search.probe(likely.pair, likely.t)) continue;
    seen = likely.t;
    if (any) return seen;
  }
  parts->broad_phase.start(edge, scratch.boxes, true);
  double& horizon = scratch.boxes.horizon;
  horizon = seen;
  while (const std::optional<Probe> probe = parts->broad_phase.next(edge, scratch.boxes)) {
    if (snapshot->gone(probe->pair) || !search.probe(probe->pair, probe->t)) continue;
    horizon = probe->t;
    if (any) return horizon;
  }
  parts->broad_phase.finish(scratch.boxes, candidates);
  drop_gone();
  const std::size_t moving = candidates.size();
  parts->moving_pairs.collect(edge, scratch.moving, horizon, candidates);
  snapshot->collect(edge, nullptr, arrivals, candidates);
  // At instants whose poses exist already.
  for (const double t : {1.0, 0.5}) {
    for (std::size_t i = moving; i < candidates.size(); ++i) {
      const Candidate& c = candidates[i];
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
    const std::uint32_t pieces = found.open[pair];
    if (((pieces | pieces << 1) >> instant & 1u) == 0 || !(t < horizon) || snapshot->gone(pair)) return false;
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
      parts->first_look.look(motion, look::Until::End, look);
    }
  }
  horizon = probe_overlaps(first, Overlaps::All, horizon);
  if (!first && horizon <= 1.0) return horizon;
  candidates.clear();
  parts->first_look.take_candidates(motion, look, horizon, candidates);
  drop_gone();
  snapshot->collect(edge, &look, arrivals, candidates);
  const auto probe_arrival = [&](int pair, double t) {
    if (t < horizon && search.probe(pair, t)) horizon = t;
    return horizon == t;
  };
  for (const Probe& likely : arrivals.likely) {
    if (probe_arrival(likely.pair, likely.t) && !first) return horizon;
  }
  const int own = static_cast<int>(parts->world.problem().pairs.size());
  for (const double t : {1.0, 0.5}) {
    for (const Candidate& c : candidates) {
      if (c.pair < own || t < c.t0 || t > c.t1) continue;
      if (probe_arrival(c.pair, t) && !first) return horizon;
    }
  }
  std::erase_if(candidates, [&](const Candidate& c) { return c.t0 >= horizon; });
  for (Candidate& c : candidates) c.t1 = std::min(c.t1, horizon);
  return horizon;
}

/// Surfaces that are apart on [0, t_free) keep one body inside or outside of another all that time: one look at t = 0
/// settles it. On an edge that is free, a pair whose root volumes were once found apart cannot be nested. (MATHS.md T6)
void Workspace::Impl::find_containment(const std::vector<int>& overlapping_roots, SearchResult& result) {
  if (result.verdict == Verdict::Contact && result.t_free == 0.0) return;
  const SearchProblem& problem = parts->world.problem();
  for (const int p : overlapping_roots) {
    if (snapshot->gone(p)) continue;
    const SearchPair pair = snapshot->pair(p);
    const PairChain& chain = problem.chains[pair.chain];
    const Kinematics& k = edge.kinematics(0.0);
    const PairFrame frame(*pair.tree_a, k.bodies[chain.body_a].pose(), *pair.tree_b, k.bodies[chain.body_b].pose());
    if (!one_contains_other(*pair.tree_a, *pair.tree_b, frame)) continue;
    result.verdict = Verdict::Contact;
    result.t_free = 0.0;
    result.contact = SearchContact{};
    result.contact.pair = p;
    return;
  }
}

EdgeResult Workspace::Impl::describe(const SearchResult& found) {
  EdgeResult result;
  result.verdict = found.verdict;
  result.t_free = found.t_free;
  result.counters = found.counters;
  if (found.verdict == Verdict::Free && found.counters.evaluations() == 0) {
    result.nothing_checked = snapshot->checks_nothing();
  }
  if (found.verdict == Verdict::Contact) {
    const auto [a, b] = snapshot->names(found.contact.pair);
    result.contact = describe_contact(snapshot->pair(found.contact.pair), a, b, edge, found.contact);
  }
  if (found.verdict == Verdict::Undecided && found.contact.pair >= 0) {
    const auto [a, b] = snapshot->names(found.contact.pair);
    result.undecided_pair = LinkPair{a, b};
    result.open = LinkPair{a, b};
  }
  return result;
}

}  // namespace planner_ccd
