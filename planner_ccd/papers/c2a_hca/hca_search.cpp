#include "planner_ccd/papers/c2a_hca/hca_search.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/advancement/posed_nodes.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/papers/c2a_hca/methods.hpp"

namespace planner_ccd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

int depth_of(const SsvTree& tree) {
  int deepest = 0;
  std::vector<std::pair<int, int>> stack{{0, 0}};
  while (!stack.empty()) {
    const auto [node, depth] = stack.back();
    stack.pop_back();
    deepest = std::max(deepest, depth);
    if (tree.is_leaf(node)) continue;
    stack.emplace_back(tree.left(node), depth + 1);
    stack.emplace_back(tree.right(node), depth + 1);
  }
  return deepest;
}

/// The same number for the same pair, edge after edge (splitmix64).
std::uint64_t scramble(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

}  // namespace

HcaMethod::HcaMethod(const HcaOptions& options) : options_(options) {
  if (options.grid_level < 0 || options.grid_level > 20) throw InputError("HcaOptions: grid_level must lie in 0..20");
  if (!(options.depth_share >= 0.0 && options.depth_share <= 1.0)) {
    throw InputError("HcaOptions: depth_share must lie in 0..1");
  }
  validate(options.bounds);
}

HcaSearch::HcaSearch(const SearchProblem& problem, const HcaOptions& options)
    : problem_(&problem), options_(options), stepper_(problem, options.bound, options.bounds), bvh_(problem) {
  const auto add = [&](const SsvTree& tree) {
    int& depth = sub_depth_[&tree];
    if (depth == 0) depth = std::max(1, static_cast<int>(std::lround(options.depth_share * depth_of(tree))));
  };
  for (std::size_t p = 0; p < problem.pairs.size(); ++p) {
    const SearchPair pair = problem.pairs[p];
    add(*pair.tree_a);
    add(*pair.tree_b);
  }
}

void HcaSearch::select(int pair) {
  pair_index_ = pair;
  pair_ = problem_->pairs[pair];
  limit_a_ = sub_depth_.at(pair_.tree_a);
  limit_b_ = sub_depth_.at(&*pair_.tree_b);
}

double HcaSearch::grid_time(double t) const {
  return std::ldexp(std::floor(std::ldexp(t, options_.grid_level)), -options_.grid_level);
}

/// Time before which the nodes are proved apart, at least t_min; infinite when they are as far as the horizon.
double HcaSearch::node_toc(int a, int b, double t_min) {
  double toc = t_min;
  while (stepper_.budget_left()) {
    const double t = grid_time(toc);
    const DirectedGap c = stepper_.nodes(pair_, a, b, stepper_.shared_state(t, pair_.chain));
    const double h = stepper_.node_step(pair_, a, c);
    if (h <= 0.0) return toc;
    if (t + h >= horizon_) return kInfinity;
    toc = std::max(toc, next_down(t + h));
    if (grid_time(toc) <= t) return toc;  // shorter than the grid
  }
  failed_ = true;
  return toc;
}

/// Advances two primitives from t_min to contact, which becomes the horizon, or to the horizon.
void HcaSearch::primitive_toc(int a, int b, double t_min) {
  double t = t_min;
  while (stepper_.budget_left()) {
    const DirectedGap c = stepper_.primitives(pair_, a, b, stepper_.own_state(t, pair_.chain));
    if (!(c.value > stepper_.contact_clearance())) {
      horizon_ = t;
      found_ = true;
      contact_ = stepper_.contact(pair_index_, a, b, t);
      return;
    }
    const double h = stepper_.primitive_step(pair_, a, c);
    if (t + h >= horizon_) return;
    const double next = next_down(t + h);
    if (!(next > t)) break;  // below the resolution of time
    t = next;
  }
  failed_ = true;
}

void HcaSearch::leaves(int a, int b, double t_min) {
  const SsvTree& tree_a = *pair_.tree_a;
  const SsvTree& tree_b = *pair_.tree_b;
  for (int i = 0; i < tree_a.primitive_count(a); ++i) {
    for (int j = 0; j < tree_b.primitive_count(b); ++j) {
      if (stop() || t_min >= horizon_) return;
      primitive_toc(tree_a.first_primitive(a) + i, tree_b.first_primitive(b) + j, t_min);
    }
  }
}

/// Alg. 3.
void HcaSearch::hca(int a, int b, double t_min) {
  const SsvTree& tree_a = *pair_.tree_a;
  const SsvTree& tree_b = *pair_.tree_b;
  if (tree_a.is_leaf(a) && tree_b.is_leaf(b)) return leaves(a, b, t_min);
  const bool split_a = opens_a(pair_, a, b);
  Child near{split_a ? tree_a.left(a) : a, split_a ? b : tree_b.left(b), 0.0};
  Child far{split_a ? tree_a.right(a) : a, split_a ? b : tree_b.right(b), 0.0};
  near.toc = node_toc(near.a, near.b, t_min);
  far.toc = node_toc(far.a, far.b, t_min);
  if (far.toc < near.toc) std::swap(near, far);
  if (near.toc < horizon_ && !stop()) hca(near.a, near.b, near.toc);
  if (far.toc < horizon_ && !stop()) hca(far.a, far.b, far.toc);
}

/// Alg. 3 cut at T_depth: lowers least_ to the bound of every pair it meets there.
void HcaSearch::hca_sub(int a, int b, double t_min, int depth_a, int depth_b) {
  const SsvTree& tree_a = *pair_.tree_a;
  const SsvTree& tree_b = *pair_.tree_b;
  const bool end_a = depth_a >= limit_a_ || tree_a.is_leaf(a);
  const bool end_b = depth_b >= limit_b_ || tree_b.is_leaf(b);
  if (end_a && end_b) {
    least_ = std::min(least_, t_min);
    return;
  }
  const bool split_a = end_b || (!end_a && tree_a.size(a) >= tree_b.size(b));
  Child near{split_a ? tree_a.left(a) : a, split_a ? b : tree_b.left(b), 0.0};
  Child far{split_a ? tree_a.right(a) : a, split_a ? b : tree_b.right(b), 0.0};
  near.toc = node_toc(near.a, near.b, t_min);
  far.toc = node_toc(far.a, far.b, t_min);
  if (far.toc < near.toc) std::swap(near, far);
  const int next_a = depth_a + (split_a ? 1 : 0), next_b = depth_b + (split_a ? 0 : 1);
  if (near.toc < least_ && !failed_) hca_sub(near.a, near.b, near.toc, next_a, next_b);
  if (far.toc < least_ && !failed_) hca_sub(far.a, far.b, far.toc, next_a, next_b);
}

/// Alg. 4, first step.
void HcaSearch::bound_pairs(const std::vector<int>& pairs) {
  waiting_.clear();
  overlapping_roots_.clear();
  for (const int pair : pairs) waiting_.push_back({pair, 0.0});
  for (Waiting& w : waiting_) {
    select(w.pair);
    const std::uint64_t random = scramble(static_cast<std::uint64_t>(w.pair));
    primitive_toc(static_cast<int>((random & 0xffffffffu) % pair_.tree_a->primitive_count()),
                  static_cast<int>((random >> 32) % pair_.tree_b->primitive_count()), 0.0);
    if (stop() || horizon_ == 0.0) return;
    if (!(stepper_.nodes(pair_, 0, 0, stepper_.shared_state(0.0, pair_.chain)).value > 0.0)) {
      overlapping_roots_.push_back(w.pair);
    }
    least_ = kInfinity;
    hca_sub(0, 0, 0.0, 0, 0);
    if (stop()) return;
    w.from = least_;
  }
}

/// Alg. 4, second step. Pairs that are done leave the list, so that on failure it holds what is open.
void HcaSearch::search_pairs() {
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [](const Waiting& x, const Waiting& y) { return x.from > y.from; });
  while (!waiting_.empty()) {
    const Waiting w = waiting_.back();
    if (w.from >= horizon_) return;
    select(w.pair);
    hca(0, 0, w.from);
    if (stop()) return;
    waiting_.pop_back();
  }
}

SearchResult HcaSearch::search(EdgeState& edge, const SearchLimits& limits, bool first) {
  any_ = !first;
  horizon_ = next_up(1.0);  // free before it means free on [0, 1]
  found_ = failed_ = false;
  contact_ = SearchContact{};
  stepper_.start(edge, limits);
  bound_pairs(bvh_.candidates(edge.motion(), stepper_.pieces(), options_.bounds.models.order, stepper_.position_pad()));
  if (!stop() && horizon_ > 0.0) search_pairs();
  SearchResult result;
  result.counters = stepper_.counters();
  if (failed_) {
    result.verdict = Verdict::Undecided;
    double open_from = horizon_;  // nothing is known of some pair from then on
    for (const Waiting& w : waiting_) open_from = std::min(open_from, w.from);
    result.t_free = first ? open_from : 0.0;
  } else if (found_) {
    result.verdict = Verdict::Contact;
    result.contact = contact_;
    result.t_free = first ? horizon_ : 0.0;
  } else {
    result.verdict = Verdict::Free;
    result.t_free = 1.0;
  }
  return result;
}

}  // namespace planner_ccd
