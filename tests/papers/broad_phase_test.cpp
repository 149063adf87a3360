#include "planner_ccd/papers/broad_phase/broad_phase.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <memory>

#include "planner_ccd/moving_pairs/moving_pairs.hpp"
#include "planner_ccd/papers/broad_phase/box_tree.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/papers/sap_gjk_lecture/sweep_and_prune.hpp"
#include "support/oracle.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;
using truth::Real;
using truth::Vec;

constexpr unsigned kSeed = 555;

testing::Scenario draw_scenario(Draw& draw) {
  testing::RandomScenario what;
  what.links = draw.integer(2, 7);
  what.objects = 8;
  what.attached = draw.integer(0, 2) == 0;
  what.margin = draw.integer(0, 1) == 0 ? 0.0 : 0.02;
  return testing::random_scenario(draw, what);
}

/// An edge of any length: from tiny to many turns.
Eigen::VectorXd far_end(Draw& draw, const RobotModel& robot, const Eigen::VectorXd& q0) {
  Eigen::VectorXd q1 = q0;
  const double size = std::pow(10.0, draw.uniform(-3.0, 1.5));
  for (int i = 0; i < q0.size(); ++i) q1[i] += draw.uniform(-size, size);
  for (const Joint& j : robot.joints()) {
    if (j.type == JointType::Floating) q1.segment<4>(j.q_index + 3).normalize();
  }
  return q1;
}

/// Every primitive below a node, at dense times within the interval, is in the swept box of the node's volume. Prints
/// how much larger the box is than the samples' bounds.
TEST(SweptBox, ContainsEveryPointAtAllTimes) {
  Draw draw(kSeed);
  long checks = 0;
  double loose = 0.0;
  for (int i = 0; i < testing::scaled(120) && !HasFailure(); ++i) {
    const testing::Scenario s = draw_scenario(draw);
    const CollisionWorld world(*s.robot, s.scene, s.matrix, 0.0);
    const truth::Oracle oracle(s.spec, s.scene, s.matrix, 0.0);
    const SearchProblem& problem = world.problem();
    if (problem.pairs.empty()) continue;
    const Eigen::VectorXd q0 = draw.configuration(*s.robot, 3.0);
    const Eigen::VectorXd q1 = far_end(draw, *s.robot, q0);
    EdgeMotion motion(*s.robot);
    motion.set_linear(q0, q1, AnglePolicy::Literal);
    EdgeState state(problem);
    ASSERT_TRUE(state.start(motion));
    for (int p = 0; p < static_cast<int>(problem.pairs.size()); p += draw.integer(1, 5)) {
      const SearchPair& pair = problem.pairs[p];
      const int truth_pair =
          oracle.find_pair(world.colliders()[world.collider_a(p)].name, world.colliders()[world.collider_b(p)].name);
      const double width = std::pow(2.0, -draw.integer(0, 6));
      const double t0 = width * draw.integer(0, static_cast<int>(1.0 / width) - 1);
      const double middle = t0 + 0.5 * width;
      const int node = draw.integer(0, 1) == 0 ? 0 : draw.integer(0, std::max(0, pair.tree_a->node_count() - 1));
      const double pad = state.pads().position + 0.5 * width * state.pads().speed;
      const Eigen::AlignedBox3d box = swept_box(pair.tree_a->volume(node), state.pair_state(middle, pair.chain),
                                                state.pair_motion(pair.chain), 0.5 * width, pad);
      Eigen::AlignedBox3d seen;
      const truth::Oracle::Pair& tp = oracle.pairs()[truth_pair];
      const bool same_order = oracle.bodies()[tp.a].name == world.colliders()[world.collider_a(p)].name;
      // X_BA relates the links; the checker's trees are in the frames of the bodies that carry them.
      const auto carried = [&](const truth::Body& b) {
        return b.link < 0 ? truth::Mat4{} : truth::from(s.robot->links()[b.link].X_BodyLink);
      };
      const truth::Body &a = oracle.bodies()[same_order ? tp.a : tp.b], &b = oracle.bodies()[same_order ? tp.b : tp.a];
      std::vector<int> primitives;
      std::vector<int> stack{node};
      while (!stack.empty()) {
        const int n = stack.back();
        stack.pop_back();
        if (pair.tree_a->is_leaf(n)) {
          for (int k = 0; k < pair.tree_a->primitive_count(n); ++k) {
            primitives.push_back(pair.tree_a->first_primitive(n) + k);
          }
        } else {
          stack.insert(stack.end(), {pair.tree_a->left(n), pair.tree_a->right(n)});
        }
      }
      for (int k = 0; k <= 24; ++k) {
        const Real t = t0 + Real(width) * k / 24;
        const auto poses = oracle.poses({q0, q1}, t);
        const auto place = [&](const truth::Body& x) { return x.link < 0 ? truth::Mat4{} : poses[x.link]; };
        const truth::Mat4 X = carried(b) * truth::inverse(place(b)) * place(a) * truth::inverse(carried(a));
        for (const int index : primitives) {
          const Primitive primitive = pair.tree_a->primitive(index);
          const double radius = primitive.kind == PrimitiveKind::Cylinder ? 0.0 : primitive.radius;
          for (const Eigen::Vector3d& c : primitive.corners) {
            const Vec at = X * truth::from(c);
            const Eigen::Vector3d point = truth::to_eigen(at);
            const bool inside = at.x - radius >= box.min().x() && at.x + radius <= box.max().x() &&
                                at.y - radius >= box.min().y() && at.y + radius <= box.max().y() &&
                                at.z - radius >= box.min().z() && at.z + radius <= box.max().z();
            EXPECT_TRUE(inside) << "scenario " << i << ", pair " << p << ", time " << static_cast<double>(t);
            seen.extend(Eigen::Vector3d(point.array() - radius)).extend(Eigen::Vector3d(point.array() + radius));
          }
        }
        if (HasFailure()) return;
      }
      ++checks;
      loose += std::min(100.0, box.diagonal().norm() / seen.diagonal().norm());
    }
  }
  std::printf("  %ld boxes; on average %.2f times as long as what was seen in them\n", checks,
              loose / static_cast<double>(checks));
  EXPECT_GT(checks, testing::scaled(200));
}

/// Whenever the oracle finds a pair within its margin, some candidate of the pair covers that time.
TEST(BroadPhase, LosesNoPair) {
  Draw draw(kSeed + 1);
  long hits = 0, candidates_seen = 0, all_pairs = 0;
  for (int i = 0; i < testing::scaled(60) && !HasFailure(); ++i) {
    const testing::Scenario s = draw_scenario(draw);
    const CollisionWorld world(*s.robot, s.scene, s.matrix, {s.options.margin, s.options.self_margin});
    const truth::Oracle oracle(s.spec, s.scene, s.matrix, s.options.margin, s.options.self_margin);
    const std::unique_ptr<const BoxIndexFactory> index =
        i % 2 == 0 ? std::make_unique<SweepAndPruneFactory>() : nullptr;
    const MovingPairs moving_pairs(world, {}, 300);
    const BroadPhase broad_phase(world.problem(), moving_pairs.resting(), index.get());
    BroadPhaseScratch scratch;
    MovingPairsScratch moving_scratch;
    EdgeState state(world.problem());
    EdgeMotion motion(*s.robot);
    ASSERT_EQ(oracle.pairs().size(), world.problem().pairs.size());
    for (int e = 0; e < 6; ++e) {
      const Eigen::VectorXd q0 = draw.configuration(*s.robot, 2.0);
      const Eigen::VectorXd q1 = far_end(draw, *s.robot, q0);
      motion.set_linear(q0, q1, AnglePolicy::Literal);
      ASSERT_TRUE(state.start(motion));
      std::vector<Candidate> candidates;
      broad_phase.collect(state, scratch, candidates);
      moving_pairs.ask_cells(motion, moving_scratch);
      moving_pairs.collect(state, moving_scratch, 1.0, candidates);
      std::vector<bool> met(world.problem().pairs.size(), false);
      for (const Candidate& c : candidates) met[c.pair] = true;
      all_pairs += static_cast<long>(met.size());
      candidates_seen += std::count(met.begin(), met.end(), true);
      for (int k = 0; k <= 30; ++k) {
        const double t = k < 30 ? draw.uniform(0.0, 1.0) : 1.0;
        for (int p = 0; p < static_cast<int>(met.size()); ++p) {
          const int truth_pair = oracle.find_pair(world.colliders()[world.collider_a(p)].name,
                                                  world.colliders()[world.collider_b(p)].name);
          const truth::Oracle::Pair& tp = oracle.pairs()[truth_pair];
          truth::Hint hint;
          const truth::Mat4 X = oracle.relative(tp, {q0, q1}, t);
          const Real d = truth::distance(oracle.bodies()[tp.a], oracle.bodies()[tp.b], X, tp.margin + 1e-6L, hint);
          const bool hit = tp.margin > 0 ? d < tp.margin - 1e-12L : d <= 0;
          if (!hit && !truth::nested(oracle.bodies()[tp.a], oracle.bodies()[tp.b], X)) continue;
          ++hits;
          bool covered = false;
          for (const Candidate& c : candidates) covered = covered || (c.pair == p && c.t0 <= t && t <= c.t1);
          EXPECT_TRUE(covered) << "scenario " << i << ", edge " << e << ", pair " << p << " at " << t
                               << (hit ? "" : " nested");
        }
      }
    }
  }
  std::printf("  %ld times in contact; %.0f %% of the pairs were candidates\n", hits,
              100.0 * static_cast<double>(candidates_seen) / static_cast<double>(all_pairs));
  EXPECT_GT(hits, testing::scaled(500));
  EXPECT_LT(candidates_seen, 0.8 * static_cast<double>(all_pairs));
}

TEST(BoxIndex, EveryOneFindsEveryBoxThatIsMet) {
  Draw draw(kSeed + 2);
  std::map<std::string, std::unique_ptr<BoxIndex::Trace>>
      traces;  // one for all indices of a kind: traces left by another index must not matter
  for (int i = 0; i < testing::scaled(200); ++i) {
    std::vector<Eigen::AlignedBox3d> boxes;
    const int count = draw.integer(0, 40);
    for (int k = 0; k < count; ++k) {
      const Eigen::Vector3d c = draw.vector(1.0);
      boxes.emplace_back(c, Eigen::Vector3d(c + (draw.integer(0, 3) == 0 ? 0.0 : 0.3) * draw.vector(1.0).cwiseAbs()));
    }
    std::map<std::string, std::unique_ptr<BoxIndex>> indices;
    indices["sweep_and_prune"] = SweepAndPruneFactory().make(boxes);
    indices["box_tree"] = std::make_unique<BoxTree>(boxes);
    Eigen::Vector3d c = draw.vector(1.0);
    for (int k = 0; k < 20; ++k) {
      c = draw.integer(0, 1) == 0 ? draw.vector(1.0) : Eigen::Vector3d(c + draw.vector(0.05));
      if (count > 0 && draw.integer(0, 2) == 0) c = boxes[draw.integer(0, count - 1)].max();  // touches in a corner
      const Eigen::Vector3d size = 0.4 * draw.vector(1.0).cwiseAbs();
      Eigen::AlignedBox3d query(c, Eigen::Vector3d(c + size));
      if (count > 0 && draw.integer(0, 3) == 0) {  // touches from the other side
        const Eigen::Vector3d corner = boxes[draw.integer(0, count - 1)].min();
        query = Eigen::AlignedBox3d(Eigen::Vector3d(corner - size), corner);
      }
      std::vector<int> expected;
      for (int b = 0; b < count; ++b) {
        bool apart = false;
        for (int x = 0; x < 3; ++x) {
          apart = apart || boxes[b].min()[x] > query.max()[x] || query.min()[x] > boxes[b].max()[x];
        }
        if (!apart) expected.push_back(b);
      }
      for (const auto& [name, index] : indices) {
        std::vector<int> met;
        index->meet(query, traces[name], met);
        ASSERT_EQ(met, expected) << name;
      }
    }
  }
}

/// Bounds of accelerations are asked for corners of volumes, which stand out of their bodies: those of a disc by 1.4 times its radius.
TEST(CollisionWorld, LeversReachToTheCornersOfVolumes) {
  testing::Draw draw(31);
  double farthest = 0.0;
  for (int i = 0; i < 60; ++i) {
    const Geometry g = i % 3 == 0   ? testing::plate_mesh(draw.uniform(0.1, 1.0), draw.uniform(0.1, 1.0), 0.01)
                       : i % 3 == 1 ? testing::blob_mesh(draw, 0.5)
                                    : testing::soup_mesh(draw, 30, 0.4);
    const SsvTree tree = SsvTree::build({g}, "body");
    const double lever = tree.lever();
    EXPECT_GE(lever, tree.reach());
    EXPECT_LE(lever, 2.5 * tree.reach());
    for (int node = 0; node < tree.node_count(); ++node) {
      const Ssv volume = tree.volume(node);
      for (int k = 0; k < volume.corner_count(); ++k) {
        ASSERT_LE(volume.corner(k).norm(), lever) << "body " << i << ", node " << node;
        farthest = std::max(farthest, volume.corner(k).norm() / tree.reach());
      }
    }
  }
  EXPECT_GT(farthest, 1.03) << "no corner stands out";
}

}  // namespace
}  // namespace planner_ccd
