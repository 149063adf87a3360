#include "planner_ccd/validation/least_distance.hpp"

#include <algorithm>

#include "planner_ccd/advancement/posed_nodes.hpp"
#include "planner_ccd/advancement/time_grid.hpp"

namespace planner_ccd {
namespace {

/// A cut of at least this share of the interval is worth another evaluation of the same nodes, as in TaylorSearch.
constexpr double kIterateShare = 0.5;

}  // namespace

LeastDistance LeastDistanceSearch::measured(EdgeState& edge, int pair, PrimitivePair primitives, double t,
                                            const LeastDistance& best) {
  const SearchPair& p = problem_->pairs[static_cast<std::size_t>(pair)];
  const PairState& state = edge.pair_state(t, p.chain);
  const Primitive a = placed(state, p.tree_a->primitive(primitives.a));
  const PrimitiveDistance d = primitive_distance(a, p.tree_b->primitive(primitives.b));
  const double upper = d.upper + edge.pads().position;
  return upper < best.upper ? LeastDistance{upper, t, primitives.a, primitives.b, d.point_a, d.point_b} : best;
}

/// One evaluation. The remaining parts of the task's interval go to fresh_: to be tried again, or to the children.
/// False when rounding prevents the distance of a primitive pair from being compared with the level.
bool LeastDistanceSearch::step(const Task& task, LeastDistance& best) {
  const SearchPair& pair = problem_->pairs[static_cast<std::size_t>(pair_)];
  const double m = sample_time(task.t0, task.t1);
  const PairState& state = edge_->pair_state(m, pair.chain);
  const PairMotion& motion = edge_->pair_motion(pair.chain, task.t0, task.t1);
  SpanRequest request{0.0, edge_->pads(), std::max(m - task.t0, task.t1 - m)};
  PosedGap posed;
  if (task.primitives) {
    best = measured(*edge_, pair_, {task.a, task.b}, m, best);
    const Primitive a = placed(state, pair.tree_a->primitive(task.a));
    const PrimitiveDistance d = primitive_distance(a, pair.tree_b->primitive(task.b));
    posed = posed_primitive(a, {d.lower, d.normal});
  } else {
    posed = posed_nodes(pair, task.a, task.b, state);
  }
  request.margin = level(best) + edge_->pads().position;
  Task left = task;
  left.gap = posed.gap.gap;
  if (!(posed.gap.gap > request.margin)) {
    if (task.primitives) return level(best) == 0.0;
    children(left);
    return true;
  }
  const CertifiedSpan span = posed.certify(state, motion, request);
  const double lo = std::max(task.t0, m - span.back), hi = std::min(task.t1, m + span.forward);
  const bool again = task.primitives || hi - lo >= kIterateShare * (task.t1 - task.t0);
  for (const auto& [from, to] : {std::pair(task.t0, lo), std::pair(hi, task.t1)}) {
    if (!(from < to)) continue;
    left.t0 = from;
    left.t1 = to;
    if (again) {
      fresh_.push_back(left);
    } else {
      children(left);
    }
  }
  return true;
}

void LeastDistanceSearch::children(const Task& task) {
  open_nodes(problem_->pairs[static_cast<std::size_t>(pair_)], task.a, task.b, [&](int a, int b, bool primitives) {
    Task child = task;
    child.a = a;
    child.b = b;
    child.primitives = primitives;
    fresh_.push_back(child);
  });
}

LeastDistanceResult LeastDistanceSearch::refine(EdgeState& edge, const LeastDistanceRequest& request,
                                                const LeastDistance& best) {
  LeastDistanceResult out{best, false, {}};
  edge_ = &edge;
  pair_ = request.pair;
  accuracy_ = request.accuracy;
  tasks_.clear();
  tasks_.push_back({0, 0, false, 0.0, request.t0, request.t1});
  bool is_settled = true;
  while (!tasks_.empty() && level(out.best) > 0.0) {
    const Task task = tasks_.back();
    tasks_.pop_back();
    if (out.counters.evaluations() >= request.max_evaluations) return out;
    ++(task.primitives ? out.counters.primitive_evaluations : out.counters.node_evaluations);
    fresh_.clear();
    is_settled = step(task, out.best) && is_settled;
    // Depth first, so the stack stays small; among new tasks the nearest on top, so the level sinks early.
    std::stable_sort(fresh_.begin(), fresh_.end(), [](const Task& x, const Task& y) { return x.gap > y.gap; });
    tasks_.insert(tasks_.end(), fresh_.begin(), fresh_.end());
  }
  out.is_proved = is_settled;
  return out;
}

}  // namespace planner_ccd
