#include "planner_ccd/papers/c2a_hca/c2a_search.hpp"

#include <algorithm>

#include "planner_ccd/advancement/posed_nodes.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/papers/c2a_hca/methods.hpp"

namespace planner_ccd {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

C2aMethod::C2aMethod(const C2aOptions& options) : options_(options) {
  if (!(options.w > 0.0 && options.w <= 1.0)) throw InputError("C2aOptions: w must be > 0 and <= 1");
  if (!(options.controlled_distance >= 0.0)) throw InputError("C2aOptions: controlled_distance must be >= 0 metres");
  validate(options.bounds);
}

C2aSearch::C2aSearch(const SearchProblem& problem, const C2aOptions& options)
    : problem_(&problem), options_(options), stepper_(problem, options.bound, options.bounds), bvh_(problem) {}

C2aSearch::Child C2aSearch::evaluate(int a, int b) {
  const DirectedGap c = stepper_.nodes(pair_, a, b, *state_);
  const double step = stepper_.node_step(pair_, a, c);
  return {a, b, c.value, step, tau_ + step < horizon_};
}

void C2aSearch::visit(const Child& child) {
  if (!child.wanted || touching_) return;
  if (child.clearance < w_ * nearest_ || !(child.step > 0.0)) {
    open(child.a, child.b);
  } else {
    step_ = std::min(step_, child.step);
  }
}

void C2aSearch::open_primitives(int a, int b) {
  const SsvTree& tree_a = *pair_.tree_a;
  const SsvTree& tree_b = *pair_.tree_b;
  for (int i = 0; i < tree_a.primitive_count(a); ++i) {
    for (int j = 0; j < tree_b.primitive_count(b); ++j) {
      const int pa = tree_a.first_primitive(a) + i;
      const int pb = tree_b.first_primitive(b) + j;
      const DirectedGap c = stepper_.primitives(pair_, pa, pb, *state_);
      if (!(c.value > stepper_.contact_clearance())) {
        touching_ = true;
        contact_ = stepper_.contact(pair_index_, pa, pb, tau_);
        return;
      }
      nearest_ = std::min(nearest_, c.value);
      step_ = std::min(step_, stepper_.primitive_step(pair_, pa, c));
    }
  }
}

/// Alg. 2, lines 8 to 38; of two inner nodes the larger one is split, as in PQP.
void C2aSearch::open(int a, int b) {
  if (!stepper_.budget_left()) return;
  const SsvTree& tree_a = *pair_.tree_a;
  const SsvTree& tree_b = *pair_.tree_b;
  if (tree_a.is_leaf(a) && tree_b.is_leaf(b)) return open_primitives(a, b);
  const bool split_a = opens_a(pair_, a, b);
  Child near = split_a ? evaluate(tree_a.left(a), b) : evaluate(a, tree_b.left(b));
  Child far = split_a ? evaluate(tree_a.right(a), b) : evaluate(a, tree_b.right(b));
  if (far.clearance < near.clearance) std::swap(near, far);
  visit(near);
  visit(far);
}

/// Alg. 1.
Verdict C2aSearch::advance_pair(int index) {
  pair_index_ = index;
  pair_ = problem_->pairs[index];
  tau_ = 0.0;
  double last_distance = kInfinity;
  const double exact_below = std::max(options_.controlled_distance, 2.0 * stepper_.contact_clearance() / options_.w);
  for (int iteration = 0; iteration < options_.max_iterations; ++iteration) {
    w_ = iteration >= options_.controlled_iterations || last_distance < exact_below ? 1.0 : options_.w;
    nearest_ = kInfinity;
    step_ = kInfinity;
    touching_ = false;
    state_ = &stepper_.own_state(tau_, pair_.chain);
    const Child root = evaluate(0, 0);
    if (iteration == 0 && root.clearance <= 0.0) overlapping_roots_.push_back(index);
    visit(root);
    if (touching_) return Verdict::Contact;
    if (!stepper_.budget_left()) return Verdict::Undecided;
    if (tau_ + step_ >= horizon_) return Verdict::Free;
    const double next = next_down(tau_ + step_);
    if (!(next > tau_)) return Verdict::Undecided;  // below the resolution of time
    tau_ = next;
    last_distance = nearest_;
  }
  return Verdict::Undecided;
}

SearchResult C2aSearch::search(EdgeState& edge, const SearchLimits& limits, bool first) {
  overlapping_roots_.clear();
  horizon_ = next_up(1.0);  // free before it means free on [0, 1]
  bool found = false;
  SearchContact earliest;
  double open_from = kInfinity;  // nothing is known of some pair from then on
  stepper_.start(edge, limits);
  const std::vector<int>& pairs =
      bvh_.candidates(edge.motion(), stepper_.pieces(), options_.bounds.models.order, stepper_.position_pad());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Verdict outcome = advance_pair(pairs[i]);
    if (outcome == Verdict::Contact) {
      found = true;
      horizon_ = tau_;
      earliest = contact_;
      if (!first || tau_ == 0.0) break;
    }
    if (outcome == Verdict::Undecided) open_from = std::min(open_from, tau_);
    if (!stepper_.budget_left()) {
      if (i + 1 < pairs.size()) open_from = 0.0;  // the pairs after it were not looked at
      break;
    }
  }
  SearchResult result;
  result.counters = stepper_.counters();
  if (found && (!first || horizon_ <= open_from)) {
    result.verdict = Verdict::Contact;
    result.contact = earliest;
    result.t_free = first ? horizon_ : 0.0;
  } else if (open_from < kInfinity) {
    result.verdict = Verdict::Undecided;
    result.t_free = first ? std::min(open_from, horizon_) : 0.0;
  } else {
    result.verdict = Verdict::Free;
    result.t_free = 1.0;
  }
  return result;
}

}  // namespace planner_ccd
