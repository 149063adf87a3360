#include "planner_ccd/moving_pairs/moving_pairs.hpp"

#include <algorithm>

#include "planner_ccd/advancement/certified_span.hpp"
#include "planner_ccd/advancement/time_grid.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// Most evaluations for new cells of a pair with a held object: ten times as many save a query less than 1 % of its
/// evaluations, and things should be picked up quickly.
constexpr std::int64_t kHeldEvaluations = 1000;

}  // namespace

MovingPairs::MovingPairs(const CollisionWorld& world, const RobotCells& prepared, std::int64_t cell_evaluations,
                         const KnownCells& known)
    : problem_(&world.problem()), bodies_of_chain_(problem_->chains.size(), -1) {
  const SearchPairs& pairs = problem_->pairs;
  const auto take = [&](int p, bool both_move) {
    const SearchPair pair = pairs[p];
    const Collider& a = world.colliders()[world.collider_a(p)];
    const Collider& b = world.colliders()[world.collider_b(p)];
    const bool links = a.is_link && b.is_link;
    if (!both_move && !links) return;
    std::shared_ptr<const PairCells> cells = links ? prepared.find(a.name, b.name, pair.margin) : nullptr;
    if (!cells && known) cells = known(a.name, b.name, pair.margin);
    const std::int64_t most = links ? cell_evaluations : std::min(cell_evaluations, kHeldEvaluations);
    if (!cells) cells = std::make_shared<const PairCells>(PairCells::build(*problem_, p, most));
    // A link that never moves is in the tree of boxes like any obstacle, unless it has cells.
    if (!both_move && cells->empty()) return;
    if (!both_move) resting_.push_back(p);
    if (!cells->empty()) known_[p] = static_cast<int>(pairs_.size());
    pairs_.push_back({p, std::move(cells)});
  };
  for (int row = 0; row < static_cast<int>(pairs.rows().size()); ++row) {
    for (std::size_t i = 0; i < world.resting().size(); ++i) {
      if (!world.colliders()[world.resting()[i]].is_link) continue;
      const int pair = pairs.find(row, static_cast<int>(i));
      if (pair >= 0) take(pair, false);
    }
  }
  for (std::size_t p = pairs.resting_pairs(); p < pairs.size(); ++p) take(static_cast<int>(p), true);
  cover_bodies();
}

void MovingPairs::cover_bodies() {
  // The mean of the trees' centres is no farther from the body's origin than the farthest of them, so within its reach.
  const auto cover = [](const std::vector<const SsvTree*>& trees, Eigen::Vector3d& center, double& radius) {
    for (const SsvTree* tree : trees) center += tree->bounding_center() / static_cast<double>(trees.size());
    for (const SsvTree* tree : trees) {
      radius = std::max(radius, (tree->bounding_center() - center).norm() + tree->bounding_radius());
    }
    radius *= kRoundUp;
  };
  for (std::size_t i = 0; i < pairs_.size();) {
    Bodies& bodies = bodies_.emplace_back();
    bodies.chain = problem_->pairs[pairs_[i].pair].chain;
    bodies_of_chain_[bodies.chain] = static_cast<int>(bodies_.size()) - 1;
    std::vector<const SsvTree*> a, b;
    for (; i < pairs_.size() && problem_->pairs[pairs_[i].pair].chain == bodies.chain; ++i) {
      const SearchPair& pair = problem_->pairs[pairs_[i].pair];
      a.push_back(pair.tree_a);
      b.push_back(&*pair.tree_b);
      bodies.margin = std::max(bodies.margin, pair.margin);
      bodies.links.emplace_back(pair.link_a, pair.link_b);
    }
    cover(a, bodies.center_a, bodies.radius_a);
    cover(b, bodies.center_b, bodies.radius_b);
  }
}

/// The parts of [0, 1] on which Taylor steps of the two spheres do not prove all pairs of the bodies apart.
void MovingPairs::open_parts(const Bodies& bodies, EdgeState& edge,
                             std::vector<std::pair<double, double>>& open) const {
  const MotionTube& tube = edge.motion().tube();
  std::uint64_t loose = 0;  // what displaces some pair
  for (const auto& [a, b] : bodies.links) loose |= tube.above(a) ^ tube.above(b);
  constexpr double kWorthwhile = 0.25;  // share of an interval that a step must prove for another one to be tried
  const auto advance = [&](const auto& self, double t0, double t1) -> void {
    const double m = sample_time(t0, t1);
    const PairState& state = edge.pair_state(m, bodies.chain);
    const Eigen::Vector3d center = state.R_BA * bodies.center_a + state.p_BA;
    const Eigen::Vector3d between = bodies.center_b - center;
    const double distance = between.norm();
    // The normal may be longer than 1 by rounding only: (1 - 2^-40) pays for it.
    const SeparatingGap gap{distance * kRoundDown - bodies.radius_a - bodies.radius_b, between / distance};
    const SpanRequest request{bodies.margin + edge.pads().position, edge.pads(), std::max(m - t0, t1 - m), 0.0,
                              tube.any() ? edge.tube(bodies.chain, loose, m) : nullptr};
    if (!(gap.gap > request.margin)) return void(open.emplace_back(t0, t1));
    const CertifiedSpan span = certified_span(gap, &center, 1, state, edge.pair_motion(bodies.chain, t0, t1), request);
    if (span.back < 0.0) return void(open.emplace_back(t0, t1));
    const double lo = std::max(t0, m - span.back);
    const double hi = std::min(t1, m + span.forward);
    const bool again = hi - lo >= kWorthwhile * (t1 - t0);
    for (const auto& [from, to] : {std::pair(t0, lo), std::pair(hi, t1)}) {
      if (!(from < to)) continue;
      if (again) {
        self(self, from, to);
      } else {
        open.emplace_back(from, to);
      }
    }
  };
  advance(advance, 0.0, 1.0);
}

int MovingPairs::find(int pair) const {
  const auto found = known_.find(pair);
  return found == known_.end() ? -1 : found->second;
}

void MovingPairs::ask_cells(int index, const EdgeMotion& motion, MovingPairsScratch& scratch) const {
  const Pair& p = pairs_[index];
  scratch.unknown.clear();
  scratch.touching.clear();
  bool loose = false;
  if (!motion.tube().loose().empty()) {
    const SearchPair pair = problem_->pairs[static_cast<std::size_t>(p.pair)];
    loose = motion.tube().above(pair.link_a) != motion.tube().above(pair.link_b);
  }
  if (loose) {
    scratch.unknown.emplace_back(0.0, 1.0);  // cells know of joints alone
  } else {
    p.cells->unknown(motion, scratch.unknown, &scratch.touching);
  }
  for (const auto& [t0, t1] : scratch.unknown) scratch.uncertain.push_back({p.pair, t0, t1});
  if (scratch.touching.empty()) return;
  const auto longest =
      std::max_element(scratch.touching.begin(), scratch.touching.end(),
                       [](const auto& x, const auto& y) { return x.second - x.first < y.second - y.first; });
  scratch.looks.push_back({p.pair, sample_time(longest->first, longest->second)});
}

void MovingPairs::ask_cells(const EdgeMotion& motion, MovingPairsScratch& scratch) const {
  scratch.clear();
  for (std::size_t i = 0; i < pairs_.size(); ++i) ask_cells(static_cast<int>(i), motion, scratch);
}

void MovingPairs::collect(EdgeState& edge, MovingPairsScratch& scratch, double horizon,
                          std::vector<Candidate>& out) const {
  int chain = -1;
  for (const Candidate& c : scratch.uncertain) {
    if (problem_->pairs[c.pair].chain != chain) {
      chain = problem_->pairs[c.pair].chain;
      scratch.parts.clear();
      open_parts(bodies_[bodies_of_chain_[chain]], edge, scratch.parts);
    }
    for (const auto& [t0, t1] : scratch.parts) {
      const double from = std::max(c.t0, t0), to = std::min({c.t1, t1, horizon});
      if (from <= to) out.push_back({c.pair, from, to});
    }
  }
}

}  // namespace planner_ccd
