#include <gtest/gtest.h>

#include "planner_ccd/advancement/taylor_search.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/papers/c2a_hca/methods.hpp"
#include "planner_ccd/scene/collision_world.hpp"
#include "support/oracle.hpp"
#include "support/random_robot.hpp"

namespace planner_ccd {
namespace {

using truth::Real;

constexpr unsigned kSeed = 20240120;
constexpr double kTolerance = 1e-3;

Geometry soup(testing::Draw& draw, int triangles, double size) {
  auto mesh = std::make_shared<TriangleMesh>();
  for (int i = 0; i < triangles; ++i) {
    const Eigen::Vector3d center = draw.vector(size);
    for (int k = 0; k < 3; ++k) mesh->vertices.push_back(center + draw.vector(0.5 * size));
    mesh->triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
  }
  return {MeshPtr(mesh), Eigen::Isometry3d::Identity(), "soup"};
}

std::vector<Geometry> body(testing::Draw& draw, double size) {
  std::vector<Geometry> geometry{soup(draw, draw.integer(1, 6), size)};
  if (draw.integer(0, 2) == 0) geometry.push_back({Capsule{0.2 * size, size}, draw.pose(0.3 * size), "capsule"});
  if (draw.integer(0, 4) == 0) geometry.push_back({Sphere{0.4 * size}, draw.pose(size), "sphere"});
  return geometry;
}

/// A random robot with geometry on every link among random obstacles.
struct World {
  RobotSpec spec;
  RobotModel model;
  Scene scene;
  CollisionMatrix matrix;
  std::unique_ptr<CollisionWorld> world;
  std::unique_ptr<truth::Oracle> oracle;
  double margin;

  static RobotSpec robot(testing::Draw& draw) {
    RobotSpec spec = draw.robot(draw.integer(1, 5));
    for (LinkSpec& link : spec.links) link.collision = body(draw, 0.15);
    return spec;
  }

  explicit World(testing::Draw& draw) : spec(robot(draw)), model(spec) {
    const int obstacles = draw.integer(1, 6);
    for (int i = 0; i < obstacles; ++i) {
      const Eigen::Isometry3d pose = draw.pose(0.4);
      scene.objects.push_back({"object" + std::to_string(i), body(draw, 0.2), pose});
    }
    for (const JointSpec& j : spec.joints) matrix.exclude(j.parent, j.child, ExclusionReason::Adjacent);
    margin = draw.integer(0, 1) == 0 ? 0.0 : draw.uniform(0.0, 0.02);
    world = std::make_unique<CollisionWorld>(model, scene, matrix, margin);
    oracle = std::make_unique<truth::Oracle>(spec, scene, matrix, margin);
  }

  /// Distance of one pair of the search. Exact below `near`.
  Real distance(int p, const truth::Edge& edge, Real t, Real near) const {
    const int pair =
        oracle->find_pair(world->colliders()[world->collider_a(p)].name, world->colliders()[world->collider_b(p)].name);
    return oracle->distance(edge, pair, t, near);
  }
  /// Distance of the nearest pair.
  Real distance(const truth::Edge& edge, Real t, Real near) const {
    Real least = std::numeric_limits<Real>::infinity();
    for (std::size_t p = 0; p < oracle->pairs().size(); ++p) {
      least = std::min(least, oracle->distance(edge, static_cast<int>(p), t, near));
    }
    return least;
  }
};

struct Sample {
  Real t, distance;
};

/// Uniform samples, then more of them near the least distance.
std::vector<Sample> sample(const World& w, const truth::Edge& edge, testing::Draw& draw) {
  std::vector<Sample> samples;
  const auto at = [&](Real t) { samples.push_back({t, w.distance(edge, t, w.margin + 0.05L)}); };
  for (int k = 0; k <= 40; ++k) at(k / 40.0L);
  for (Real width = 1 / 40.0L; width > 1e-4L; width /= 3) {
    const Real near = std::min_element(samples.begin(), samples.end(), [](const Sample& x, const Sample& y) {
                        return x.distance < y.distance;
                      })->t;
    for (int k = 0; k < 4; ++k) at(std::min<Real>(1, std::max<Real>(0, near + width * draw.uniform(-1, 1))));
  }
  return samples;
}

void check(const World& w, const truth::Edge& edge, const std::vector<Sample>& samples, const SearchResult& r,
           bool first) {
  ASSERT_NE(r.verdict, Verdict::Undecided);
  const double free_until = r.verdict == Verdict::Free ? 2.0 : r.t_free;
  for (const Sample& s : samples) {
    if (s.t < free_until) {
      ASSERT_GT(s.distance, w.margin) << "free until " << free_until << " but hit at " << s.t;
    }
  }
  if (r.verdict == Verdict::Free) return;
  ASSERT_LE(w.distance(edge, r.contact.t, w.margin + 1.0L), w.margin + kTolerance);
  ASSERT_LE(r.contact.distance, w.margin + kTolerance);
  if (first) {
    ASSERT_LE(r.t_free, r.contact.t);
  }
}

TEST(Methods, AgreeWithDenseSamplingAndWithEachOther) {
  testing::Draw draw(kSeed);
  const int worlds = testing::scaled(300);
  int free = 0, hits = 0, differ = 0;
  std::int64_t cost[5] = {0, 0, 0, 0, 0};
  for (int i = 0; i < worlds; ++i) {
    const World w(draw);
    if (w.world->problem().pairs.empty()) continue;
    EdgeState state(w.world->problem());
    TaylorSearch taylor(w.world->problem());
    C2aSearch c2a(w.world->problem());
    HcaSearch hca(w.world->problem());
    HcaOptions catch_options, plain_options;
    catch_options.bound = BoundKind::RootDirected;
    plain_options.bound = BoundKind::Undirected;
    HcaSearch catch_bound(w.world->problem(), catch_options), plain(w.world->problem(), plain_options);
    EdgeMotion motion(w.model);
    for (int edge = 0; edge < 4; ++edge) {
      const Eigen::VectorXd q0 = draw.configuration(w.model, edge % 2 == 0 ? 2.0 : 0.6);
      const Eigen::VectorXd q1 =
          q0 + (edge < 2 ? 0.2 : 1.0) * (draw.configuration(w.model, edge % 2 == 0 ? 2.0 : 0.6) - q0);
      motion.set_linear(q0, q1, AnglePolicy::Literal);
      const std::vector<Sample> samples = sample(w, {q0, q1}, draw);
      const SearchLimits limits{kTolerance, 10'000'000};
      ASSERT_TRUE(state.start(motion));
      std::vector<Candidate> candidates;  // everything: only the searches are tested
      for (int p = 0; p < static_cast<int>(w.world->problem().pairs.size()); ++p) candidates.push_back({p, 0.0, 1.0});
      const SearchResult results[] = {taylor.first_contact(state, candidates, limits), c2a.search(state, limits, true),
                                      hca.search(state, limits, true), catch_bound.search(state, limits, true),
                                      plain.search(state, limits, true)};
      const SearchResult any[] = {taylor.any_contact(state, candidates, limits), c2a.search(state, limits, false),
                                  hca.search(state, limits, false)};
      int contacts = 0;
      for (int m = 0; m < 5; ++m) {
        check(w, {q0, q1}, samples, results[m], true);
        if (HasFatalFailure()) FAIL() << "world " << i << " edge " << edge << " method " << m;
        contacts += results[m].verdict == Verdict::Contact;
        cost[m] += results[m].counters.evaluations();
      }
      for (int m = 0; m < 3; ++m) {
        check(w, {q0, q1}, samples, any[m], false);
        if (HasFatalFailure()) FAIL() << "world " << i << " edge " << edge << " any contact, method " << m;
      }
      // Verdicts may differ only where the clearance is within the tolerance of the margin.
      if (contacts != 0 && contacts != 5) {
        ++differ;
        for (const Sample& s : samples) ASSERT_GT(s.distance, w.margin);
      }
      (contacts > 0 ? hits : free) += 1;
      // All first contacts lie within the tolerance of each other: each method proves free up to before the earliest
      // witness.
      if (contacts == 5) {
        for (const SearchResult& r : results) {
          ASSERT_LE(w.distance({q0, q1}, r.t_free, w.margin + 1.0L), w.margin + kTolerance);
        }
      }
    }
  }
  std::printf(
      "  %d free, %d hits, %d borderline; evaluations per edge: Taylor %.0f, C2A %.0f, HCA %.0f, HCA with CATCH's "
      "bound "
      "%.0f, with the undirected bound %.0f\n",
      free, hits, differ, cost[0] / double(free + hits), cost[1] / double(free + hits), cost[2] / double(free + hits),
      cost[3] / double(free + hits), cost[4] / double(free + hits));
  EXPECT_GT(free, 0.3 * (free + hits));
  EXPECT_GT(hits, 0.3 * (free + hits));
  EXPECT_LT(differ, 0.05 * (free + hits));
}

/// One search for each of the papers' methods.
struct Searches {
  std::map<std::string, std::unique_ptr<EdgeSearch>> all;

  explicit Searches(const SearchProblem& problem) {
    for (const std::string& name : search_method_names()) {
      if (const auto method = search_method_named(name)) all[name] = method->make(problem);
    }
  }
};

/// A budget that ends in the middle leaves a proved prefix.
TEST(Methods, ThatRunOutOfBudgetAreUndecidedWithAValidPrefix) {
  testing::Draw draw(kSeed + 1);
  int undecided = 0, positive = 0;
  for (int i = 0; i < testing::scaled(60); ++i) {
    const World w(draw);
    if (w.world->problem().pairs.empty()) continue;
    EdgeState state(w.world->problem());
    Searches papers(w.world->problem());
    EdgeMotion motion(w.model);
    const Eigen::VectorXd q0 = draw.configuration(w.model, 2.0);
    const Eigen::VectorXd q1 = draw.configuration(w.model, 2.0);
    motion.set_linear(q0, q1, AnglePolicy::Literal);
    const std::vector<Sample> samples = sample(w, {q0, q1}, draw);
    for (const std::int64_t budget : {1, 10, 40, 150}) {
      for (const auto& [method, search] : papers.all) {
        ASSERT_TRUE(state.start(motion));
        const SearchResult r = search->search(state, {kTolerance, budget}, true);
        if (r.verdict != Verdict::Undecided) {
          check(w, {q0, q1}, samples, r, true);
        } else {
          ++undecided;
          positive += r.t_free > 0.0;
          ASSERT_GT(r.counters.evaluations(), budget - 1);
          for (const Sample& s : samples) {
            if (s.t < r.t_free) {
              ASSERT_GT(s.distance, w.margin);
            }
          }
        }
        if (HasFatalFailure()) FAIL() << "world " << i << " method " << method << " budget " << budget;
      }
    }
  }
  std::printf("  %d undecided, %d of them with a proved prefix\n", undecided, positive);
  EXPECT_GT(undecided, testing::scaled(60));
}

bool same(const SearchResult& x, const SearchResult& y) {
  return x.verdict == y.verdict && x.t_free == y.t_free && x.contact.pair == y.contact.pair &&
         x.contact.primitive_a == y.contact.primitive_a && x.contact.primitive_b == y.contact.primitive_b &&
         x.contact.t == y.contact.t && x.contact.distance == y.contact.distance &&
         x.contact.point_a == y.contact.point_a && x.counters.node_evaluations == y.counters.node_evaluations &&
         x.counters.primitive_evaluations == y.counters.primitive_evaluations;
}

/// Bit for bit, look-up tables included: earlier edges of a search have no effect.
TEST(Methods, DoNotDependOnTheEdgesBefore) {
  testing::Draw draw(kSeed + 2);
  for (int i = 0; i < testing::scaled(40); ++i) {
    const World w(draw);
    if (w.world->problem().pairs.empty()) continue;
    EdgeState used_state(w.world->problem());
    Searches used(w.world->problem());
    EdgeMotion motion(w.model);
    for (int edge = 0; edge < 3; ++edge) {
      motion.set_linear(draw.configuration(w.model, 2.0), draw.configuration(w.model, 2.0), AnglePolicy::Literal);
      EdgeState fresh_state(w.world->problem());
      Searches fresh(w.world->problem());
      for (const auto& [method, search] : used.all) {
        ASSERT_TRUE(used_state.start(motion));
        ASSERT_TRUE(fresh_state.start(motion));
        const SearchLimits limits{kTolerance, 1'000'000};
        const bool first = edge != 1;
        ASSERT_TRUE(
            same(search->search(used_state, limits, first), fresh.all.at(method)->search(fresh_state, limits, first)))
            << "world " << i << " edge " << edge << " method " << method;
      }
    }
  }
}

TEST(DynamicBvh, LeavesOutOnlyPairsThatStayApart) {
  testing::Draw draw(kSeed + 3);
  std::size_t pairs = 0, left_out = 0;
  for (int i = 0; i < testing::scaled(200); ++i) {
    const World w(draw);
    const SearchProblem& problem = w.world->problem();
    if (problem.pairs.empty()) continue;
    DynamicBvh bvh(problem);
    EdgeMotion motion(w.model);
    const Eigen::VectorXd q0 = draw.configuration(w.model, 1.0);
    const Eigen::VectorXd q1 = q0 + draw.uniform(0.05, 1.0) * (draw.configuration(w.model, 1.0) - q0);
    motion.set_linear(q0, q1, AnglePolicy::Literal);
    const TaylorChainOptions options;
    const std::vector<int> kept = bvh.candidates(motion, taylor_pieces(motion, options), options.order, 1e-12);
    pairs += problem.pairs.size();
    left_out += problem.pairs.size() - kept.size();
    for (int p = 0; p < static_cast<int>(problem.pairs.size()); ++p) {
      if (std::find(kept.begin(), kept.end(), p) != kept.end()) continue;
      for (int k = 0; k <= 20; ++k) {
        ASSERT_GT(w.distance(p, {q0, q1}, k / 20.0L, w.margin + 0.01L), w.margin) << "world " << i;
      }
    }
  }
  std::printf("  %.0f %% of the pairs left out\n", 100.0 * left_out / pairs);
  EXPECT_GT(left_out, pairs / 5);
}

}  // namespace
}  // namespace planner_ccd
