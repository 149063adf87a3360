#include "planner_ccd/papers/c2a_hca/ca_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/advancement/posed_nodes.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// [1] Share of a proved step that is taken. A step h is at most a quotient and a root of bounds that are rounded
/// outwards already; adding it to a time t <= 1 rounds by u <= 2^-53, which 2^-40 h covers for every step h >= 2^-13.
/// Shorter steps are added with add_down. Errs towards shorter steps.
constexpr double kStepShare = kRoundDown;

}  // namespace

CaStepper::CaStepper(const SearchProblem& problem, BoundKind kind, const DirectedBoundOptions& options)
    : problem_(&problem), kind_(kind), bound_(&problem.chains, problem.moves, options) {
  kinematics_.resize(problem.moves);
}

void CaStepper::start(EdgeState& edge, const SearchLimits& limits) {
  edge_ = &edge;
  limits_ = limits;
  counters_ = QueryCounters{};
  bound_.start(edge.motion());
}

const PairState& CaStepper::own_state(double t, int chain) {
  ++counters_.kinematics;
  edge_->motion().kinematics(t, kinematics_);
  state_.set(problem_->chains[chain], kinematics_);
  return state_;
}

DirectedGap CaStepper::nodes(const SearchPair& pair, int a, int b, const PairState& state) {
  ++counters_.node_evaluations;
  counters_.self_evaluations += problem_->chains[pair.chain].body_b != 0;
  const SeparatingGap gap = ssv_gap_quick(state.place(pair.tree_a->volume(a)), pair.tree_b->volume(b));
  return {gap.gap - (pair.margin + position_pad()), gap.normal};
}

DirectedGap CaStepper::primitives(const SearchPair& pair, int a, int b, const PairState& state) {
  ++counters_.primitive_evaluations;
  counters_.self_evaluations += problem_->chains[pair.chain].body_b != 0;
  last_ = primitive_distance(placed(state, pair.tree_a->primitive(a)), pair.tree_b->primitive(b));
  return {last_.lower - (pair.margin + position_pad()), last_.normal};
}

SearchContact CaStepper::contact(int pair, int a, int b, double t) const {
  SearchContact c;
  c.pair = pair;
  c.primitive_a = a;
  c.primitive_b = b;
  c.t = t;
  c.distance = last_.upper;
  c.point_a = last_.point_a;
  c.point_b = last_.point_b;
  c.normal = last_.normal;
  return c;
}

double CaStepper::step(const SearchPair& pair, const DirectedGap& clearance, const BodyPoints& points) {
  if (!(clearance.value > 0.0)) return 0.0;
  const double speed = bound_.speed(kind_, pair.chain, clearance.normal, points);
  if (speed <= 0.0) return std::numeric_limits<double>::infinity();
  const double h = clearance.value / speed * kStepShare;
  return h > 0.0 ? h : 0.0;  // not a number: no step
}

double CaStepper::node_step(const SearchPair& pair, int a, const DirectedGap& clearance) {
  const Ssv volume = pair.tree_a->volume(a);
  Eigen::Vector3d corners[4];
  const int count = volume.corner_count();
  for (int j = 0; j < count; ++j) corners[j] = volume.corner(j);
  return step(pair, clearance, {corners, count, volume.radius});
}

double CaStepper::primitive_step(const SearchPair& pair, int a, const DirectedGap& clearance) {
  const Primitive p = pair.tree_a->primitive(a);  // a cylinder lies within its radius of its axis
  if (p.kind == PrimitiveKind::Cube) return step(pair, clearance, {p.corners.data(), 1, reach_of_cube(p)});
  return step(pair, clearance, {p.corners.data(), p.kind == PrimitiveKind::Cylinder ? 2 : 3, p.radius});
}

QueryCounters CaStepper::counters() const {
  QueryCounters sum = counters_;
  sum.kinematics += edge_->kinematics_count();
  return sum;
}

}  // namespace planner_ccd
