#include "planner_ccd/validation/suggest_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {
namespace {

/// In [0, 1), from the generator's bits: the standard library's distributions differ between implementations.
double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * kUnitRoundoff; }

JointVector draw(const RobotModel& robot, std::mt19937_64& random) {
  JointVector q(robot.dof());
  for (int i = 0; i < robot.dof(); ++i) {
    const Coordinate& c = robot.coordinates()[i];
    const double unlimited = c.continuous ? std::numbers::pi : 1.0;
    const double lower = std::isfinite(c.lower) ? c.lower : -unlimited;
    const double upper = std::isfinite(c.upper) ? c.upper : unlimited;
    q[i] = lower + (upper - lower) * unit(random);
  }
  for (const Joint& joint : robot.joints()) {
    if (joint.type != JointType::Floating || joint.is_mimic) continue;
    // Shoemake: even over all orientations.
    const double u = unit(random), v = 2.0 * std::numbers::pi * unit(random), w = 2.0 * std::numbers::pi * unit(random);
    const double s = std::sqrt(1.0 - u), r = std::sqrt(u);
    q.segment<4>(joint.q_index + 3) << s * std::sin(v), s * std::cos(v), r * std::sin(w), r * std::cos(w);
  }
  return q;
}

class Contacts {
 public:
  explicit Contacts(const PathChecker& checker)
      : problem_(parts_of(checker).world.problem()), motion_(checker.robot()), last_(problem_.pairs.size()) {
    kinematics_.resize(problem_.moves);
  }

  void place(const JointVectorRef& q) {
    motion_.set_linear(q, q, AnglePolicy::Literal);
    // The directions of a floating joint's moves are the motion's own: its chain, not the problem's.
    motion_.kinematics(0.0, kinematics_);
  }

  bool touch(int p) {
    const SearchPair& pair = problem_.pairs[p];
    const PairChain& chain = problem_.chains[pair.chain];
    const Eigen::Isometry3d X_WA = kinematics_.bodies[chain.body_a].pose();
    const Eigen::Isometry3d X_WB = kinematics_.bodies[chain.body_b].pose();
    const Eigen::Vector3d between = X_WB * pair.tree_b->bounding_center() - X_WA * pair.tree_a->bounding_center();
    const double near = pair.tree_a->bounding_radius() + pair.tree_b->bounding_radius() + pair.margin;
    if (between.norm() > near * (1.0 + 1e-9)) return false;
    const CollideResult result =
        collide(*pair.tree_a, X_WA, *pair.tree_b, X_WB, {.margin = pair.margin, .start = last_[p]});
    if (result.witness.valid()) last_[p] = result.witness;
    return result.collide;
  }

 private:
  const SearchProblem& problem_;
  EdgeMotion motion_;
  Kinematics kinematics_;
  std::vector<PrimitivePair> last_;  ///< By pair: what touched last, tried first.
};

}  // namespace

const char* to_string(SuggestedReason reason) {
  switch (reason) {
    case SuggestedReason::Never: return "Never";
    case SuggestedReason::Always: return "Always";
    case SuggestedReason::Default: return "Default";
  }
  return "Never";
}

PairSuggestions suggest_pairs(const PathChecker& checker, const SuggestOptions& options) {
  if (options.samples < 1) throw InputError("the number of random configurations must be at least 1");
  const CollisionWorld& world = parts_of(checker).world;
  struct CountedPair {
    int pair;
    bool proved;
    bool by_default = false;
    int contacts = 0;
  };
  PairSuggestions result;
  const std::vector<LinkPair> proved = checker.proved_apart();
  std::vector<CountedPair> counted;
  for (int p = 0; p < static_cast<int>(world.problem().pairs.size()); ++p) {
    const Collider& a = world.colliders()[world.collider_a(p)];
    const Collider& b = world.colliders()[world.collider_b(p)];
    if (!a.is_link || !b.is_link) continue;
    ++result.pairs_asked;
    const bool by_proof = std::any_of(proved.begin(), proved.end(),
                                      [&](const LinkPair& pair) { return pair.a == a.name && pair.b == b.name; });
    counted.push_back({p, by_proof});
  }
  Contacts contacts(checker);
  contacts.place(checker.robot().neutral());
  for (CountedPair& a : counted) a.by_default = !a.proved && contacts.touch(a.pair);
  std::mt19937_64 random(options.seed);
  for (int i = 0; i < options.samples; ++i) {
    contacts.place(draw(checker.robot(), random));
    for (CountedPair& a : counted) a.contacts += !a.proved && contacts.touch(a.pair) ? 1 : 0;
  }
  // Colliders of links come in the order of the links.
  const auto order = [&](const CountedPair& one) -> std::pair<int, int> {
    const int a = world.collider_a(one.pair), b = world.collider_b(one.pair);
    return {std::min(a, b), std::max(a, b)};
  };
  std::sort(counted.begin(), counted.end(),
            [&](const CountedPair& a, const CountedPair& b) { return order(a) < order(b); });
  for (const CountedPair& a : counted) {
    SuggestedReason reason = SuggestedReason::Never;
    if (a.contacts == options.samples) {
      reason = SuggestedReason::Always;
    } else if (a.by_default) {
      reason = SuggestedReason::Default;
    } else if (a.contacts > 0) {
      continue;
    }
    const auto [first, second] = order(a);
    result.pairs.push_back(
        {world.colliders()[first].name, world.colliders()[second].name, reason, a.contacts, a.proved});
  }
  return result;
}

}  // namespace planner_ccd
