#include "planner_ccd/advancement/taylor_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/advancement/time_grid.hpp"
#include "planner_ccd/geometry/ssv_gap_quick.hpp"

namespace planner_ccd {
namespace {

/// A cut of at least this share of the interval is worth another evaluation of the same nodes. Measured, see
/// bench/README.md.
constexpr double kIterateShare = 0.5;

Ssv placed(const Ssv& s, const PairState& state) {
  Ssv out;
  out.origin.noalias() = state.R * s.origin + state.o;
  out.edge0.noalias() = state.R * s.edge0;
  out.edge1.noalias() = state.R * s.edge1;
  out.radius = s.radius;
  out.type = s.type;
  return out;
}

}  // namespace

TaylorSearch::TaylorSearch(const SearchProblem& problem)
    : problem_(&problem), pair_motions_(problem.chains.size()), cache_(&problem.chains, problem.moves) {}

bool TaylorSearch::start(EdgeMotion& motion, const SearchLimits& limits, std::vector<ProofEntry>* proof) {
  limits_ = limits;
  result_ = SearchResult{};
  proof_ = proof;
  tasks_.clear();
  bool finite = true;
  for (std::size_t i = 0; i < pair_motions_.size(); ++i) {
    pair_motions_[i].set(problem_->chains[i], motion, problem_->chain_reach[i]);
    finite =
        finite && std::isfinite(pair_motions_[i].acceleration_bound()) && std::isfinite(pair_motions_[i].speed_bound());
  }
  const RoundingPads pads = motion.rounding_pads(problem_->extent);
  position_pad_ = pads.position;
  speed_pad_ = pads.speed;
  cache_.start(&motion, &pair_motions_);
  return finite && std::isfinite(position_pad_) && std::isfinite(speed_pad_);
}

double TaylorSearch::margin(const Task& task) const {
  const SearchPair& pair = problem_->pairs[task.pair];
  return task.b.tree == ForestNode::kTop ? pair.max_margin : pair.margin_by_tree[task.b.tree];
}

void TaylorSearch::push(const Task& task, bool by_time) {
  tasks_.push_back(task);
  if (by_time) std::push_heap(tasks_.begin(), tasks_.end(), [](const Task& x, const Task& y) { return x.t0 > y.t0; });
}

TaylorSearch::Task TaylorSearch::pop(bool by_time) {
  if (by_time) std::pop_heap(tasks_.begin(), tasks_.end(), [](const Task& x, const Task& y) { return x.t0 > y.t0; });
  const Task task = tasks_.back();
  tasks_.pop_back();
  return task;
}

void TaylorSearch::push_roots(bool by_time) {
  for (std::size_t i = problem_->pairs.size(); i-- > 0;) {
    const SearchPair& pair = problem_->pairs[i];
    if (pair.max_margin < 0.0) continue;
    push({static_cast<std::int32_t>(i), 0, pair.forest_b->root(), false, false, 0.0, 1.0}, by_time);
  }
}

TaylorSearch::Outcome TaylorSearch::evaluate_nodes(const Task& task, double m) {
  ++result_.counters.node_evaluations;
  const SearchPair& pair = problem_->pairs[task.pair];
  const PairState& state = cache_.pair_state(m, pair.chain);
  const Ssv a = placed(pair.tree_a->volume(task.a), state);
  const SeparatingGap gap = ssv_gap_quick(a, pair.forest_b->volume(task.b));
  Outcome outcome;
  const SpanRequest request{margin(task) + position_pad_, speed_pad_, std::max(m - task.t0, task.t1 - m)};
  if (!(gap.gap > request.margin)) return outcome;
  Eigen::Vector3d corners[4];
  const int count = a.corner_count();
  for (int j = 0; j < count; ++j) corners[j] = a.corner(j);
  const CertifiedSpan span = certified_span(gap, corners, count, state, pair_motions_[pair.chain], request);
  outcome = {true, m - span.back, m + span.forward};
  if (proof_) record(task, m, gap.normal, outcome);
  return outcome;
}

TaylorSearch::Outcome TaylorSearch::evaluate_primitives(const Task& task, double m) {
  ++result_.counters.primitive_evaluations;
  const SearchPair& pair = problem_->pairs[task.pair];
  const PairState& state = cache_.pair_state(m, pair.chain);
  const Primitive a = pair.tree_a->primitive(task.a);
  const Primitive b = pair.forest_b->tree(task.b.tree).primitive(task.b.node);
  Triangle corners;
  for (int j = 0; j < 3; ++j) corners[j].noalias() = state.R * a.corners[j] + state.o;
  const TriangleDistance d = triangle_distance(corners, b.corners);
  const double radii = a.radius + b.radius;
  const SpanRequest request{margin(task) + position_pad_, speed_pad_, std::max(m - task.t0, task.t1 - m)};
  Outcome outcome;
  // Half the tolerance is left as slack, so that every step is long enough to end; the other half pays for the witness.
  if (!(d.distance - radii > request.margin + 0.5 * limits_.tolerance)) {
    record_contact(task, m, d, radii);
    return outcome;
  }
  const CertifiedSpan span =
      certified_span({d.distance - radii, d.normal}, corners.data(), 3, state, pair_motions_[pair.chain], request);
  outcome = {true, m - span.back, m + span.forward};
  if (proof_) record(task, m, d.normal, outcome);
  return outcome;
}

void TaylorSearch::record(const Task& task, double m, const Eigen::Vector3d& n, const Outcome& outcome) {
  proof_->push_back(
      {task.pair, task.a, task.b, task.primitives, m, std::max(task.t0, outcome.lo), std::min(task.t1, outcome.hi), n});
}

void TaylorSearch::record_contact(const Task& task, double m, const TriangleDistance& d, double radii) {
  SearchContact& c = result_.contact;
  c.pair = task.pair;
  c.primitive_a = task.a;
  c.tree_b = task.b.tree;
  c.primitive_b = task.b.node;
  c.t = m;
  c.distance = std::max(0.0, d.upper - radii);
  c.point_a = d.point_a;
  c.point_b = d.point_b;
  c.normal = d.normal;
}

void TaylorSearch::push_rest(Task task, const Outcome& outcome, bool by_time) {
  if (!outcome.apart) return push(task, by_time);
  const double t0 = task.t0;
  const double t1 = task.t1;
  if (outcome.hi < t1) {
    task.t0 = std::max(t0, outcome.hi);
    push(task, by_time);
  }
  if (outcome.lo > t0) {
    task.t0 = t0;
    task.t1 = std::min(t1, outcome.lo);
    push(task, by_time);
  }
}

void TaylorSearch::push_primitives(const Task& task, bool by_time) {
  const SsvTree& tree_a = *problem_->pairs[task.pair].tree_a;
  const SsvTree& tree_b = problem_->pairs[task.pair].forest_b->tree(task.b.tree);
  const int first_a = tree_a.first_primitive(task.a);
  const int first_b = tree_b.first_primitive(task.b.node);
  for (int i = 0; i < tree_a.primitive_count(task.a); ++i) {
    for (int j = 0; j < tree_b.primitive_count(task.b.node); ++j) {
      push({task.pair, first_a + i, {task.b.tree, first_b + j}, true, false, task.t0, task.t1}, by_time);
    }
  }
}

/// Hands the task's whole interval to the children of the larger node.
void TaylorSearch::expand(const Task& task, bool by_time) {
  const SearchPair& pair = problem_->pairs[task.pair];
  const SsvForest& forest = *pair.forest_b;
  const bool leaf_a = pair.tree_a->is_leaf(task.a);
  const bool leaf_b = forest.is_leaf(task.b);
  if (leaf_a && leaf_b) return push_primitives(task, by_time);
  Task child = task;
  if (leaf_b || (!leaf_a && pair.tree_a->size(task.a) >= forest.size(task.b))) {
    for (const int a : {pair.tree_a->right(task.a), pair.tree_a->left(task.a)}) {
      child.a = a;
      push(child, by_time);
    }
    return;
  }
  for (const ForestNode b : {forest.right(task.b), forest.left(task.b)}) {
    if (b.tree != ForestNode::kTop && pair.margin_by_tree[b.tree] < 0.0) continue;
    child.b = b;
    push(child, by_time);
  }
}

/// One evaluation of a node pair at the middle of its interval, as far as `horizon`; what is left goes back to the
/// tasks.
bool TaylorSearch::advance_nodes(const Task& task, double horizon, bool by_time) {
  const double t1 = std::min(task.t1, horizon);
  Task rest = task;
  const double m = sample_time(task.t0, t1);
  Outcome outcome = evaluate_nodes(task, m);
  const double lo = std::max(outcome.lo, task.t0);
  const double hi = std::min(outcome.hi, t1);
  if (!outcome.apart) {
    expand(task, by_time);
    return true;
  }
  if (lo <= task.t0 && outcome.hi >= task.t1) return true;
  if (hi - lo >= kIterateShare * (t1 - task.t0)) {
    push_rest(task, outcome, by_time);
    return true;
  }
  if (outcome.hi < task.t1) {
    rest.t0 = std::max(task.t0, outcome.hi);
    expand(rest, by_time);
  }
  if (outcome.lo > task.t0) {
    rest.t0 = task.t0;
    rest.t1 = std::min(task.t1, outcome.lo);
    expand(rest, by_time);
  }
  return true;
}

SearchResult TaylorSearch::finish(SearchVerdict verdict, double t_free) {
  result_.verdict = verdict;
  result_.t_free = t_free;
  result_.counters.kinematics = cache_.kinematics_count();
  return result_;
}

SearchResult TaylorSearch::any_contact(EdgeMotion& motion, const SearchLimits& limits, std::vector<ProofEntry>* proof) {
  if (!start(motion, limits, proof)) return finish(SearchVerdict::Undecided, 0.0);
  push_roots(false);
  while (!tasks_.empty()) {
    if (!budget_left()) return finish(SearchVerdict::Undecided, 0.0);
    const Task task = pop(false);
    if (!task.primitives) {
      advance_nodes(task, task.t1, false);
      continue;
    }
    const Outcome outcome = evaluate_primitives(task, sample_time(task.t0, task.t1));
    if (!outcome.apart) return finish(SearchVerdict::Contact, 0.0);
    push_rest(task, outcome, false);
  }
  return finish(SearchVerdict::Free, 1.0);
}

SearchResult TaylorSearch::first_contact(EdgeMotion& motion, const SearchLimits& limits,
                                         std::vector<ProofEntry>* proof) {
  if (!start(motion, limits, proof)) return finish(SearchVerdict::Undecided, 0.0);
  push_roots(true);
  double horizon = std::numeric_limits<double>::infinity();  // time of the earliest contact so far
  while (!tasks_.empty()) {
    if (tasks_.front().t0 >= horizon) break;
    if (!budget_left()) return finish(SearchVerdict::Undecided, tasks_.front().t0);
    Task task = pop(true);
    if (!task.primitives) {
      advance_nodes(task, horizon, true);
      continue;
    }
    const double t1 = std::min(task.t1, horizon);
    const double m = task.try_start ? task.t0 : sample_time(task.t0, t1);
    const Outcome outcome = evaluate_primitives(task, m);
    if (!outcome.apart) {
      horizon = m;
      if (m <= task.t0) continue;
      task.t1 = m;
      task.try_start = true;
      push(task, true);
      continue;
    }
    task.try_start =
        !task.try_start && outcome.lo > task.t0 && std::min(outcome.hi, t1) - outcome.lo < 0.5 * (t1 - task.t0);
    push_rest(task, outcome, true);
  }
  if (std::isinf(horizon)) return finish(SearchVerdict::Free, 1.0);
  return finish(SearchVerdict::Contact, horizon);
}

}  // namespace planner_ccd
