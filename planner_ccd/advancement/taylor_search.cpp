#include "planner_ccd/advancement/taylor_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/advancement/leaf_solver.hpp"
#include "planner_ccd/advancement/posed_nodes.hpp"
#include "planner_ccd/advancement/time_grid.hpp"
#include "planner_ccd/hierarchy/traversal.hpp"

namespace planner_ccd {
namespace {

/// A cut of at least this share of the interval is worth another evaluation of the same nodes. Measured, see
/// bench/results.md.
constexpr double kIterateShare = 0.5;

/// Taylor steps of one primitive pair before exact triangle CCD is tried on the rest. It costs as much as ten steps or
/// more, so it is for pairs that graze.
constexpr int kTaylorTries = 8;

/// Evaluations that a pair may take before other pairs get their turn.
constexpr std::int64_t kFirstShare = 96;

}  // namespace

void TaylorSearch::begin(EdgeState& edge, const SearchLimits& limits) {
  edge_ = &edge;
  limits_ = limits;
  result_ = SearchResult{};
  batch_pair_ = -1;
  tasks_.clear();
  overlapping_roots_.clear();
}

SearchResult TaylorSearch::finish(Verdict verdict, double t_free) {
  result_.verdict = verdict;
  result_.t_free = t_free;
  result_.counters.kinematics = edge_->kinematics_count();
  return result_;
}

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

bool TaylorSearch::both_leaves(const Task& task) {
  const SearchPair& pair = pair_of(task.pair);
  return pair.tree_a->is_leaf(task.a) && pair.tree_b->is_leaf(task.b);
}

int TaylorSearch::cost_of_step(const Task& task) {
  return !task.primitives && task.descend && !both_leaves(task) ? SpanBatch::kLanes : 1;
}

/// The initial tasks of a candidate. A curve is fast in its middle and slow at its ends, or bends: one step of third
/// order cannot follow all of it, and the rest would go to the children. So it starts with its halves, which have their
/// own bounds: for a quintic at rest at both ends that saves 40 % of the evaluations
/// (tests/query/spline_cost_test.cpp).
template <typename Take>
void TaylorSearch::seeds(const Candidate& c, Take&& take) const {
  Task task{c.pair, 0, 0, false, false, false, 0, 0.0f, c.t0, c.t1};
  const bool curve = edge_->motion().part_of(0.0, 0.5) != 0;
  if (curve && c.t0 < 0.5 && c.t1 > 0.5) {
    task.t1 = 0.5;
    take(task);
    task.t0 = 0.5;
    task.t1 = c.t1;
  }
  take(task);
}

/// Passes the task's whole interval to the children of the larger node, or to the primitives of two leaves.
template <typename Take>
void TaylorSearch::children(const Task& task, Take&& take) {
  Task child = task;
  child.try_start = child.descend = false;
  child.tries = 0;
  open_nodes(pair_of(task.pair), task.a, task.b, [&](int a, int b, bool primitives) {
    child.a = a;
    child.b = b;
    child.primitives = primitives;
    take(child);
  });
}

/// The part of the task's interval left by an outcome: nothing, one part or two.
template <typename Take>
void TaylorSearch::rest(const Task& task, const Outcome& outcome, Take&& take) {
  Task left = task;
  if (!outcome.apart) return take(left);
  if (outcome.lo > task.t0) {
    left.t1 = std::min(task.t1, outcome.lo);
    take(left);
  }
  if (outcome.hi < task.t1) {
    left.t0 = std::max(task.t0, outcome.hi);
    left.t1 = task.t1;
    take(left);
  }
}

/// Evaluates the node pairs two levels below a task, four at most, all at once at the sample time of [task.t0, t1].
/// Passes on the parts left, and whether the cut was large enough to repeat at the same nodes.
template <typename Take>
void TaylorSearch::evaluate_descendants(const Task& task, double t1, Take&& take) {
  Task below[SpanBatch::kLanes];
  int count = 0;
  children(task, [&](const Task& child) {
    if (both_leaves(child)) {
      below[count++] = child;
    } else {
      children(child, [&](const Task& grandchild) { below[count++] = grandchild; });
    }
  });
  int a[SpanBatch::kLanes], b[SpanBatch::kLanes];
  for (int i = 0; i < SpanBatch::kLanes; ++i) {
    a[i] = below[std::min(i, count - 1)].a;
    b[i] = below[std::min(i, count - 1)].b;
  }
  const SearchPair& pair = pair_of(task.pair);
  result_.counters.node_evaluations += count;
  if (problem_->chains[pair.chain].body_b != 0) result_.counters.self_evaluations += count;
  const double m = sample_time(task.t0, t1);
  const PairMotion& motion = edge_->pair_motion(pair.chain, task.t0, t1);
  if (batch_pair_ != task.pair || batch_m_ != m || batch_motion_ != &motion) {
    PairTube* tube = edge_->tube(pair, m);
    if (tube != nullptr) batch_tube_ = *tube;
    batch_.emplace(pair, edge_->pair_state(m, pair.chain), motion, edge_->pads(),
                   tube == nullptr ? nullptr : &batch_tube_);
    batch_pair_ = task.pair;
    batch_m_ = m;
    batch_motion_ = &motion;
  }
  const SpanBatch::Spans spans = batch_->evaluate(a, b, std::max(m - task.t0, t1 - m));
  for (int i = 0; i < count; ++i) {
    Outcome outcome;
    outcome.gap = spans.gaps.gap[i];
    if (spans.back[i] >= 0.0f && spans.forward[i] >= 0.0f) {
      // The bounds are those of [task.t0, t1]: a task that extends beyond t1 waits there.
      outcome = {true, outcome.gap, m - spans.back[i], std::min(m + spans.forward[i], t1)};
    }
    const double cut = std::min(outcome.hi, t1) - std::max(outcome.lo, task.t0);
    const bool again = outcome.apart && cut >= kIterateShare * (t1 - task.t0);
    rest(below[i], outcome, [&](Task left) {
      left.gap = spans.gaps.gap[i];
      take(left, again);
    });
  }
}

/// Evaluates a node pair until its interval is proved, except for parts that its children must settle: these go to
/// unsettled_. False when the budget is spent.
bool TaylorSearch::settle_nodes(const Task& first) {
  const std::size_t base = tasks_.size();  // the stack's top serves as scratch
  tasks_.push_back(first);
  while (tasks_.size() > base) {
    if (!budget_left()) return false;
    const Task task = tasks_.back();
    tasks_.pop_back();
    const Outcome outcome = evaluate_nodes(task, sample_time(task.t0, task.t1));
    const double cut = std::min(outcome.hi, task.t1) - std::max(outcome.lo, task.t0);
    const bool again = outcome.apart && cut >= kIterateShare * (task.t1 - task.t0);
    rest(task, outcome, [&](Task left) {
      left.gap = static_cast<float>(outcome.gap);
      (again ? tasks_ : unsettled_).push_back(left);
    });
  }
  return true;
}

/// Advances a primitive pair over its whole interval. False when it found a contact, could not decide, or spent the
/// budget.
bool TaylorSearch::settle_primitives(const Task& first) {
  const std::size_t base = tasks_.size();
  tasks_.push_back(first);
  while (tasks_.size() > base) {
    if (!budget_left()) return false;
    Task task = tasks_.back();
    tasks_.pop_back();
    double m = sample_time(task.t0, task.t1);
    if (task.tries >= kTaylorTries) {
      Outcome exact;
      double contact;
      if (exact_leaf(task, task.t1, exact, contact)) {
        if (std::isinf(contact)) {
          rest(task, exact, [&](const Task& left) { tasks_.push_back(left); });
          continue;
        }
        m = std::clamp(contact, task.t0, task.t1);
      }
    }
    const Outcome outcome = evaluate_primitives(task, m);
    if (!outcome.apart) return false;
    ++task.tries;
    rest(task, outcome, [&](const Task& left) { tasks_.push_back(left); });
  }
  return true;
}

/// False when a contact or an undecidable pair was found.
///
/// The deepest overlap first, but no pair may hold up the others: once it has used its share of evaluations, it waits
/// until the others have used theirs. Links that are always near each other overlap most and take longest to prove.
bool TaylorSearch::settle_all(std::span<const Candidate> candidates) {
  // The stack holds evaluated node pairs whose children are next, the deepest overlap on top.
  const auto stack = [&](std::vector<Task>& more) {
    std::sort(more.begin(), more.end(), [](const Task& x, const Task& y) { return x.gap > y.gap; });
    tasks_.insert(tasks_.end(), more.begin(), more.end());
    more.clear();
  };
  tasks_.clear();
  deferred_.clear();
  spent_.clear();
  for (const Candidate& c : candidates) {
    if (spent_.empty() || spent_.back().first != c.pair) spent_.emplace_back(c.pair, 0);
  }
  unsettled_.clear();
  for (const Candidate& c : candidates) {
    bool seeded = true;
    seeds(c, [&](const Task& task) { seeded = seeded && settle_nodes(task); });
    if (!seeded) return false;
  }
  stack(unsettled_);
  bool settled = true;
  for (std::int64_t share = kFirstShare; !tasks_.empty() || !deferred_.empty();) {
    if (tasks_.empty()) {
      share *= 4;
      stack(deferred_);
    }
    const Task task = tasks_.back();
    tasks_.pop_back();
    std::int64_t& spent =
        std::find_if(spent_.begin(), spent_.end(), [&](const auto& s) { return s.first == task.pair; })->second;
    if (spent >= share) {
      deferred_.push_back(task);
      continue;
    }
    const std::int64_t before = result_.counters.evaluations();
    if (!budget_left(both_leaves(task) ? 1 : SpanBatch::kLanes)) return false;
    if (both_leaves(task)) {
      children(task, [&](const Task& child) { settled = settled && settle_primitives(child); });
    } else {
      evaluate_descendants(task, task.t1, [&](const Task& left, bool again) {
        if (again) {
          settled = settled && settle_nodes(left);
        } else {
          unsettled_.push_back(left);
        }
      });
    }
    if (!settled) return false;
    spent += result_.counters.evaluations() - before;
    stack(unsettled_);
  }
  return true;
}

SearchResult TaylorSearch::settle(std::span<const Candidate> candidates) {
  if (settle_all(candidates)) return finish(Verdict::Free, 1.0);
  return finish(result_.contact.pair >= 0 ? Verdict::Contact : Verdict::Undecided, 0.0);
}

SearchResult TaylorSearch::any_contact(EdgeState& edge, std::span<const Candidate> candidates,
                                       const SearchLimits& limits) {
  begin(edge, limits);
  return settle(candidates);
}

SearchResult TaylorSearch::first_contact(EdgeState& edge, std::span<const Candidate> candidates,
                                         const SearchLimits& limits) {
  begin(edge, limits);
  return advance(candidates, std::numeric_limits<double>::infinity());
}

void TaylorSearch::push_by_time(const Task& task) {
  tasks_.push_back(task);
  std::push_heap(tasks_.begin(), tasks_.end(), [](const Task& x, const Task& y) { return x.t0 > y.t0; });
}

/// One step of a node pair in order of time: evaluates it at the middle of its interval up to `horizon`, or its
/// children. The parts left return to the heap.
void TaylorSearch::advance_nodes_by_time(const Task& task, double horizon) {
  const double t1 = std::min(task.t1, horizon);
  if (task.descend) {
    if (both_leaves(task)) {
      children(task, [&](const Task& child) { push_by_time(child); });
    } else {
      evaluate_descendants(task, t1, [&](Task left, bool again) {
        left.descend = !again;
        push_by_time(left);
      });
    }
    return;
  }
  const Outcome outcome = evaluate_nodes(task, sample_time(task.t0, t1));
  const double cut = std::min(outcome.hi, t1) - std::max(outcome.lo, task.t0);
  const bool again = outcome.apart && cut >= kIterateShare * (t1 - task.t0);
  rest(task, outcome, [&](Task left) {
    left.descend = !again;
    push_by_time(left);
  });
}

/// The value reported as t_free: by (I1) everything not covered by a task is proved apart, so it is the least t0 of all
/// tasks, the current one included. The heap's front is the least of the waiting ones. A contact at the horizon is
/// reported when the front has reached it: every task is then later. Broad phases cut candidates at the horizon, never
/// before.
SearchResult TaylorSearch::advance(std::span<const Candidate> candidates, double horizon) {
  for (const Candidate& c : candidates) seeds(c, [&](const Task& task) { push_by_time(task); });
  // A pair nested at 0 meets its surface later: being apart at some time does not make it apart from the start.
  const auto stop = [&](Verdict verdict, double t_free, int unsettled) {
    overlapping_roots_.clear();
    for (const Candidate& c : candidates) {
      if (c.t0 == 0.0) overlapping_roots_.push_back(c.pair);
    }
    SearchResult result = finish(verdict, t_free);
    if (verdict == Verdict::Undecided) result.contact.pair = unsettled;
    return result;
  };
  while (!tasks_.empty() && tasks_.front().t0 < horizon) {
    if (!budget_left(cost_of_step(tasks_.front()))) {
      return stop(Verdict::Undecided, tasks_.front().t0, tasks_.front().pair);
    }
    std::pop_heap(tasks_.begin(), tasks_.end(), [](const Task& x, const Task& y) { return x.t0 > y.t0; });
    Task task = tasks_.back();
    tasks_.pop_back();
    if (!task.primitives) {
      advance_nodes_by_time(task, horizon);
      continue;
    }
    const double t1 = std::min(task.t1, horizon);
    double m = task.try_start ? task.t0 : sample_time(task.t0, t1);
    if (task.tries >= kTaylorTries) {
      Outcome exact;
      double contact;
      if (exact_leaf(task, t1, exact, contact)) {
        if (exact.apart) task.t0 = std::min(exact.hi, t1);
        if (exact.apart && exact.hi >= t1) {
          if (t1 < task.t1) push_by_time(task);  // beyond the horizon: the rest waits
          continue;
        }
        m = std::isinf(contact) ? task.t0 : std::clamp(contact, task.t0, t1);
      }
    }
    ++task.tries;
    const Outcome outcome = evaluate_primitives(task, m);
    // Exact leaves may have moved this task on while others wait at earlier times.
    if (outcome.blurred) {
      return stop(Verdict::Undecided, tasks_.empty() ? task.t0 : std::min(task.t0, tasks_.front().t0), task.pair);
    }
    if (!outcome.apart) {
      horizon = m;
      if (m <= task.t0) continue;
      task.t1 = m;
      task.try_start = true;
      push_by_time(task);
      continue;
    }
    const double cut = std::min(outcome.hi, t1) - std::max(outcome.lo, task.t0);
    task.try_start = !task.try_start && cut < 0.5 * (t1 - task.t0);
    rest(task, outcome, [&](const Task& left) { push_by_time(left); });
  }
  if (std::isinf(horizon)) return finish(Verdict::Free, 1.0);
  return stop(Verdict::Contact, horizon, -1);
}

}  // namespace planner_ccd
