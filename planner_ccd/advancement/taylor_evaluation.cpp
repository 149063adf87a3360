// The evaluations of TaylorSearch: what one evaluation of a pair of nodes or primitives proves.
#include <algorithm>
#include <cmath>

#include "planner_ccd/advancement/leaf_solver.hpp"
#include "planner_ccd/advancement/posed_nodes.hpp"
#include "planner_ccd/advancement/taylor_search.hpp"
#include "planner_ccd/hierarchy/traversal.hpp"

namespace planner_ccd {

SpanRequest TaylorSearch::request_for(const SearchPair& pair, const Task& task, double m) {
  return {pair.margin + edge_->pads().position, edge_->pads(), std::max(m - task.t0, task.t1 - m), 0.0,
          edge_->tube(pair, m)};
}

TaylorSearch::Outcome TaylorSearch::evaluate_nodes(const Task& task, double m) {
  ++result_.counters.node_evaluations;
  const SearchPair& pair = pair_of(task.pair);
  result_.counters.self_evaluations += problem_->chains[pair.chain].body_b != 0;
  const PairState& state = edge_->pair_state(m, pair.chain);
  const PosedGap posed = posed_nodes(pair, task.a, task.b, state);
  const SeparatingGap& gap = posed.gap;
  Outcome outcome;
  outcome.gap = gap.gap;
  CertifiedSpan span{-1.0, -1.0};
  if (gap.gap > pair.margin + edge_->pads().position) {
    span = posed.certify(state, edge_->pair_motion(pair.chain, task.t0, task.t1), request_for(pair, task, m));
  }
  if (span.back < 0.0) {
    if (task.a == 0 && task.b == 0) overlapping_roots_.push_back(task.pair);
    return outcome;
  }
  outcome = {true, gap.gap, m - span.back, m + span.forward};
  if (proof_) record(task, m, gap.normal, outcome);
  return outcome;
}

TaylorSearch::Outcome TaylorSearch::evaluate_primitives(const Task& task, double m) {
  ++result_.counters.primitive_evaluations;
  const SearchPair& pair = pair_of(task.pair);
  result_.counters.self_evaluations += problem_->chains[pair.chain].body_b != 0;
  const PairState& state = edge_->pair_state(m, pair.chain);
  const Primitive a = placed(state, pair.tree_a->primitive(task.a));
  const PrimitiveDistance d = primitive_distance(a, pair.tree_b->primitive(task.b));
  const PosedGap posed = posed_primitive(a, {d.lower, d.normal});
  const PairMotion& motion = edge_->pair_motion(pair.chain, task.t0, task.t1);
  const SpanRequest request = request_for(pair, task, m);
  const double nearer = request.tube == nullptr ? 0.0 : posed.nearer(motion, request);
  Outcome outcome;
  // Half the tolerance is left as slack, so that every step is long enough to end; the other half pays for the witness.
  if (!(d.lower > request.margin + nearer + 0.5 * limits_.tolerance)) {
    outcome.blurred = d.upper + edge_->pads().position > pair.margin + nearer + limits_.tolerance;
    outcome.contact = !outcome.blurred;
    if (outcome.contact) record_contact(task, m, d, nearer);
    return outcome;
  }
  const CertifiedSpan span = posed.certify(state, motion, request);
  if (span.back < 0.0) {
    outcome.blurred = true;  // by rounding alone
    return outcome;
  }
  outcome = {true, d.lower, m - span.back, m + span.forward};
  if (proof_) record(task, m, d.normal, outcome);
  return outcome;
}

bool TaylorSearch::probe(int pair, double t) {
  // Of four node pairs. Measured on the edges of RRT-Connect: with 12, hits take up to a third more, free edges up to 3
  // % less.
  constexpr int kBatches = 60;
  if (!budget_left(SpanBatch::kLanes)) return false;
  const SearchPair& p = pair_of(pair);
  const bool self = problem_->chains[p.chain].body_b != 0;
  const PairState& state = edge_->pair_state(t, p.chain);
  int batches = 0;
  bool found = false;
  PairTraversal traversal(*p.tree_a, *p.tree_b, state.R_BA, state.p_BA, edge_->pads().position);
  const auto count = [&](std::int64_t& counter, int evaluations) {
    counter += evaluations;
    if (self) result_.counters.self_evaluations += evaluations;
  };
  traversal.run(
      [&] {
        ++batches;
        count(result_.counters.node_evaluations, SpanBatch::kLanes);
        return p.margin;
      },
      [&](const NodePair& nodes) {
        return nodes.gap > p.margin || batches >= kBatches || !budget_left(SpanBatch::kLanes);
      },
      [&](const NodePair& nodes) {
        Task task{pair, 0, 0, true, false, false, 0, 0.0f, t, t};
        const int end_a = p.tree_a->first_primitive(nodes.a) + p.tree_a->primitive_count(nodes.a);
        const int end_b = p.tree_b->first_primitive(nodes.b) + p.tree_b->primitive_count(nodes.b);
        for (task.a = p.tree_a->first_primitive(nodes.a); task.a < end_a && !found; ++task.a) {
          for (task.b = p.tree_b->first_primitive(nodes.b); task.b < end_b && !found && budget_left(); ++task.b) {
            const SearchContact before = result_.contact;
            found = evaluate_primitives(task, t).contact &&
                    result_.contact.distance <= p.margin + result_.contact.nearer + edge_->pads().position;
            if (!found) result_.contact = before;
          }
        }
        return !found;
      });
  return found;
}

/// Asks exact triangle CCD about a primitive pair that Taylor steps did not settle. The part it proves becomes the
/// outcome on [task.t0, t1]; `contact` is a time of contact, infinite for none. False when it proves nothing.
bool TaylorSearch::exact_leaf(Task& task, double t1, Outcome& outcome, double& contact) {
  ++result_.counters.exact_leaves;
  task.tries = 0;
  const LeafStep step = solve_leaf(*edge_, pair_of(task.pair), task.a, task.b, task.t0, t1, limits_);
  contact = step.t_contact;
  outcome = {step.t_free > task.t0, 0.0, task.t0, step.t_free};
  return outcome.apart || std::isfinite(contact);
}

void TaylorSearch::record(const Task& task, double m, const Eigen::Vector3d& n, const Outcome& outcome) {
  proof_->push_back(
      {task.pair, task.a, task.b, task.primitives, m, std::max(task.t0, outcome.lo), std::min(task.t1, outcome.hi), n});
}

void TaylorSearch::record_contact(const Task& task, double m, const PrimitiveDistance& d, double nearer) {
  SearchContact& c = result_.contact;
  c.pair = task.pair;
  c.primitive_a = task.a;
  c.primitive_b = task.b;
  c.t = m;
  c.distance = d.upper;
  c.nearer = nearer;
  c.point_a = d.point_a;
  c.point_b = d.point_b;
  c.normal = d.normal;
}

}  // namespace planner_ccd
