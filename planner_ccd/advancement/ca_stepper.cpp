#include "planner_ccd/advancement/ca_stepper.hpp"

#include <algorithm>
#include <cmath>

#include "planner_ccd/geometry/ssv_gap_quick.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

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

CaStepper::CaStepper(const SearchProblem& problem, BoundKind kind, const DirectedBoundOptions& options)
    : problem_(&problem), kind_(kind), bound_(&problem.chains, problem.moves, options) {
  kinematics_.resize(problem.moves);
}

void CaStepper::start(EdgeState& edge, const SearchLimits& limits) {
  edge_ = &edge;
  limits_ = limits;
  counters_ = SearchCounters{};
  last_pair_ = nullptr;
  bound_.start(edge.motion());
}

const PairState& CaStepper::own_state(double t, int chain) {
  ++counters_.kinematics;
  edge_->motion().kinematics(t, kinematics_);
  state_.set(problem_->chains[chain], no_motion_, kinematics_);
  return state_;
}

Clearance CaStepper::nodes(const SearchPair& pair, int a, int b, const PairState& state) {
  ++counters_.node_evaluations;
  const SeparatingGap gap = ssv_gap_quick(placed(pair.tree_a->volume(a), state), pair.tree_b->volume(b));
  return {gap.gap - (pair.margin + position_pad()), gap.normal};
}

Clearance CaStepper::primitives(const SearchPair& pair, int a, int b, const PairState& state) {
  ++counters_.primitive_evaluations;
  const Primitive first = pair.tree_a->primitive(a);
  const Primitive second = pair.tree_b->primitive(b);
  Triangle corners;
  for (int j = 0; j < 3; ++j) corners[j].noalias() = state.R * first.corners[j] + state.o;
  if (last_pair_ == &pair && last_a_ == a && last_b_ == b) {  // a moment later: the same features, most often
    last_ = triangle_distance(corners, second.corners, last_.feature_a, last_.feature_b);
  } else {
    last_ = triangle_distance(corners, second.corners);
  }
  last_pair_ = &pair;
  last_a_ = a;
  last_b_ = b;
  last_radii_ = first.radius + second.radius;
  return {last_.distance - last_radii_ - (pair.margin + position_pad()), last_.normal};
}

SearchContact CaStepper::contact(int pair, int a, int b, double t) const {
  SearchContact c;
  c.pair = pair;
  c.primitive_a = a;
  c.primitive_b = b;
  c.t = t;
  c.distance = std::max(0.0, last_.upper - last_radii_);
  c.point_a = last_.point_a;
  c.point_b = last_.point_b;
  c.normal = last_.normal;
  return c;
}

double CaStepper::step(const SearchPair& pair, const Clearance& clearance, const BodyPoints& points) {
  if (!(clearance.value > 0.0)) return 0.0;
  const double speed = bound_.speed(kind_, pair.chain, clearance.normal, points);
  if (speed <= 0.0) return std::numeric_limits<double>::infinity();
  const double h = clearance.value / speed * kStepShare;
  return h > 0.0 ? h : 0.0;  // not a number: no step
}

double CaStepper::node_step(const SearchPair& pair, int a, const Clearance& clearance) {
  const Ssv volume = pair.tree_a->volume(a);
  Eigen::Vector3d corners[4];
  const int count = volume.corner_count();
  for (int j = 0; j < count; ++j) corners[j] = volume.corner(j);
  return step(pair, clearance, {corners, count, volume.radius});
}

double CaStepper::primitive_step(const SearchPair& pair, int a, const Clearance& clearance) {
  const Primitive p = pair.tree_a->primitive(a);
  return step(pair, clearance, {p.corners.data(), 3, p.radius});
}

SearchCounters CaStepper::counters() const {
  SearchCounters sum = counters_;
  sum.kinematics += edge_->kinematics_count();
  return sum;
}

}  // namespace planner_ccd
