#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "planner_ccd/io/collision_rules.hpp"
#include "support/scenarios.hpp"
#include "support/verdict_check.hpp"

/// Changes that must not affect a verdict. Each test changes a problem in a way that preserves every clearance (or
/// scales it), and compares. The witness of either contact must also be one in the original problem, and verdicts may
/// differ only where the clearance over the edge is above 0 and within the tolerance: such borderline edges are
/// counted.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;

const unsigned kSeed = testing::seeded(97);
constexpr double kTolerance = 1e-4;  ///< EdgeOptions' default.

struct Count {
  int edges = 0, free = 0, contact = 0, borderline = 0;

  void print(const char* name) const {
    std::printf("  %s: %d edges, %d free, %d contact, %d borderline\n", name, edges, free, contact, borderline);
    EXPECT_GE(free, 0.3 * edges);
    EXPECT_GE(contact, 0.25 * edges);
    EXPECT_LE(borderline, 0.05 * edges + 1);
  }
};

struct Problem {
  Scenario scenario;
  std::unique_ptr<PathChecker> checker;
  std::unique_ptr<Workspace> workspace;
  truth::Oracle oracle;

  explicit Problem(Scenario s)
      : scenario(std::move(s)),
        oracle(scenario.spec, scenario.scene, scenario.matrix, scenario.options.margin, scenario.options.self_margin) {
    checker = std::make_unique<PathChecker>(scenario.robot, scenario.scene, scenario.matrix, scenario.options);
    workspace = std::make_unique<Workspace>(*checker);
  }
  EdgeResult first(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, const EdgeOptions& o = {}) const {
    return checker->first_contact(q0, q1, *workspace, o);
  }
};

struct Drawn {
  Eigen::VectorXd q0, q1;
};

/// Draws `edges` edges per scenario and calls `compare` with their results.
void for_edges(Draw& draw, const Problem& problem, int edges,
               const std::function<void(const Drawn&, const EdgeResult&)>& compare) {
  static double length = 3.0;  // kept from scenario to scenario
  testing::EdgeDraw edge_draw(*problem.scenario.robot, length);
  for (int i = 0; i < edges && !::testing::Test::HasFailure(); ++i) {
    Drawn e{edge_draw.configuration(draw), {}};
    for (int k = 0; k < 40 && problem.checker->in_contact(e.q0, *problem.workspace); ++k) {
      e.q0 = edge_draw.configuration(draw);
    }
    e.q1 = edge_draw.beyond(draw, e.q0);
    const EdgeResult r = problem.first(e.q0, e.q1);
    edge_draw.learn(r.verdict);
    compare(e, r);
  }
  length = edge_draw.length();
}

/// [m] Rounding error of a position when a problem is changed in one of these ways and back: positions are within 64 m,
/// and there are fewer than 64 roundings.
constexpr double kRounding = 64.0 * 64.0 * 0x1p-53;

/// A contact's witness, at t on the original edge, must be within the tolerance of the margin. The oracle's cylinders
/// are prisms inside the true ones.
void expect_witness(const truth::Oracle& oracle, const truth::Edge& edge, const Contact& c, double t,
                    double tolerance) {
  const int pair = oracle.find_pair(c.a, c.b);
  ASSERT_GE(pair, 0) << c.a << ", " << c.b;
  if (c.inside || oracle.nested_at(edge, pair, t)) return;
  const truth::Oracle::Pair& p = oracle.pairs()[static_cast<std::size_t>(pair)];
  const truth::Real inscribed = oracle.bodies()[static_cast<std::size_t>(p.a)].cylinder_error +
                                oracle.bodies()[static_cast<std::size_t>(p.b)].cylinder_error;
  EXPECT_LE(oracle.distance(edge, pair, t), p.margin + tolerance + inscribed + kRounding)
      << c.a << ", " << c.b << " at " << t << ", " << testing::describe(edge);
}

/// `time` maps times of the second result to the first's.
void compare(
    const Problem& problem, const Drawn& e, const EdgeResult& a, const EdgeResult& b, Count& count,
    const std::function<double(double)>& time = [](double t) { return t; }) {
  ++count.edges;
  count.free += a.verdict == Verdict::Free;
  count.contact += a.verdict == Verdict::Contact;
  ASSERT_NE(a.verdict, Verdict::Undecided);
  ASSERT_NE(b.verdict, Verdict::Undecided);
  const truth::Edge edge{e.q0, e.q1};
  if (a.contact) expect_witness(problem.oracle, edge, *a.contact, a.contact->t, kTolerance);
  if (b.contact) expect_witness(problem.oracle, edge, *b.contact, time(b.contact->t), kTolerance);
  if (a.verdict == b.verdict) return;
  ++count.borderline;
  for (std::size_t p = 0; p < problem.oracle.pairs().size(); ++p) {
    EXPECT_FALSE(problem.oracle.scan(edge, static_cast<int>(p), 0, 1).hit)
        << "a Free that is wrong; " << testing::describe(edge);
  }
}

Scenario draw_scenario(Draw& draw, int links = 4) {
  testing::RandomScenario what;
  what.links = links;
  what.objects = 8;
  what.size = 0.2;
  what.cell_evaluations = 300;
  if (draw.integer(0, 1) == 1) what.margin = 0.01;
  return testing::random_scenario(draw, what);
}

int scenarios() { return testing::scaled(20, 8); }  // fewer may all end the same way
constexpr int kEdges = 10;

TEST(Metamorphic, Reversal) {
  Draw draw(kSeed);
  Count count;
  for (int i = 0; i < scenarios(); ++i) {
    const Problem p(draw_scenario(draw));
    for_edges(draw, p, kEdges, [&](const Drawn& e, const EdgeResult& r) {
      const EdgeResult back = p.first(e.q1, e.q0);
      // The last contact is later than the part proved free by the first result, or within the tolerance of a graze.
      if (r.contact && back.contact && 1.0 - back.contact->t < r.t_free) ++count.borderline;
      compare(p, e, r, back, count, [](double t) { return 1.0 - t; });
    });
  }
  count.print("reversal");
}

TEST(Metamorphic, SplittingAtAnyTime) {
  Draw draw(kSeed + 1);
  Count count;
  for (int used = 0; used < scenarios();) {
    Scenario s = draw_scenario(draw);
    const Problem p(std::move(s));
    bool floating = false;
    for (const Joint& j : p.scenario.robot->joints()) floating = floating || j.type == JointType::Floating;
    if (floating) continue;  // the middle of a rotation is not the mean of the quaternions
    ++used;
    for_edges(draw, p, kEdges, [&](const Drawn& e, const EdgeResult& r) {
      const double cut = draw.uniform(0.05, 0.95);
      const Eigen::VectorXd middle = e.q0 + cut * (e.q1 - e.q0);
      EdgeResult parts = p.first(e.q0, middle);
      bool second = false;
      if (parts.verdict == Verdict::Free) {
        parts = p.first(middle, e.q1);
        second = true;
      }
      compare(p, e, r, parts, count, [&](double t) { return second ? cut + (1.0 - cut) * t : cut * t; });
    });
  }
  count.print("splitting");
}

TEST(Metamorphic, MovingTheWholeWorld) {
  Draw draw(kSeed + 2);
  Count count;
  for (int i = 0; i < scenarios(); ++i) {
    const Problem p(draw_scenario(draw));
    const Eigen::Isometry3d X = draw.pose(3.0);
    Scenario moved = p.scenario;
    moved.set_robot(combine({{p.scenario.spec, "", X}}));
    for (const SceneObject& o : p.scenario.scene.objects) moved.scene.objects.move(o.name, X * o.pose);
    const Problem m(std::move(moved));
    for_edges(draw, p, kEdges,
              [&](const Drawn& e, const EdgeResult& r) { compare(p, e, r, m.first(e.q0, e.q1), count); });
  }
  count.print("moved world");
}

TEST(Metamorphic, OrderOfJointsLinksAndObjects) {
  Draw draw(kSeed + 3);
  Count count;
  for (int i = 0; i < scenarios(); ++i) {
    const Problem p(draw_scenario(draw));
    const RobotModel& robot = *p.scenario.robot;
    RobotSpec spec = p.scenario.spec;
    std::reverse(spec.joints.begin(), spec.joints.end());
    std::reverse(spec.links.begin() + 1, spec.links.end());
    Scenario turned = p.scenario;
    turned.set_robot(std::move(spec));
    turned.scene.objects = {};
    for (std::size_t k = p.scenario.scene.objects.size(); k-- > 0;) {
      turned.scene.objects.push_back(p.scenario.scene.objects[k]);
    }
    const Problem t(std::move(turned));
    const auto permuted = [&](const Eigen::VectorXd& q) {
      Eigen::VectorXd out(q.size());
      for (int k = 0; k < q.size(); ++k) {
        out[t.scenario.robot->find_coordinate(robot.coordinates()[k].name)] = q[k];
      }
      return out;
    };
    for_edges(draw, p, kEdges, [&](const Drawn& e, const EdgeResult& r) {
      compare(p, e, r, t.first(permuted(e.q0), permuted(e.q1)), count);
    });
  }
  count.print("order");
}

TEST(Metamorphic, TrianglesTwiceAndADistantObject) {
  Draw draw(kSeed + 4);
  Count count;
  for (int i = 0; i < scenarios(); ++i) {
    const Problem p(draw_scenario(draw));
    Scenario more = p.scenario;
    for (const SceneObject& o : p.scenario.scene.objects) {
      std::vector<Geometry> twice = o.geometry;
      for (const Geometry& g : o.geometry) {
        if (std::holds_alternative<MeshPtr>(g.shape)) twice.push_back(g);
      }
      more.scene.objects.replace({o.name, twice, o.pose});
    }
    Eigen::Isometry3d far = Eigen::Isometry3d::Identity();
    far.translation() = Eigen::Vector3d(900.0, -500.0, 70.0);
    more.scene.objects.push_back({"distant", {testing::blob_mesh(draw, 3.0)}, far});
    const Problem m(std::move(more));
    for_edges(draw, p, kEdges,
              [&](const Drawn& e, const EdgeResult& r) { compare(p, e, r, m.first(e.q0, e.q1), count); });
  }
  count.print("doubled triangles, distant object");
}

std::vector<Geometry> scaled_geometry(std::vector<Geometry> geometry, double s) {
  for (Geometry& g : geometry) {
    g.pose.translation() *= s;
    if (const MeshPtr* mesh = std::get_if<MeshPtr>(&g.shape)) {
      TriangleMesh larger = **mesh;
      for (Eigen::Vector3d& v : larger.vertices) v *= s;
      g.shape = std::make_shared<const TriangleMesh>(std::move(larger));
    } else if (ConvexHull* hull = std::get_if<ConvexHull>(&g.shape)) {
      for (Eigen::Vector3d& p : hull->points) p *= s;
    } else if (Sphere* sphere = std::get_if<Sphere>(&g.shape)) {
      sphere->radius *= s;
    } else if (Box* box = std::get_if<Box>(&g.shape)) {
      box->size *= s;
    } else if (Capsule* capsule = std::get_if<Capsule>(&g.shape)) {
      capsule->radius *= s, capsule->length *= s;
    } else if (Cylinder* cylinder = std::get_if<Cylinder>(&g.shape)) {
      cylinder->radius *= s, cylinder->length *= s;
    }
  }
  return geometry;
}

/// Another unit of length: all lengths scale by s, including joint values that are lengths.
TEST(Metamorphic, ScalingTheWorld) {
  Draw draw(kSeed + 5);
  Count count;
  for (int i = 0; i < scenarios(); ++i) {
    const Problem p(draw_scenario(draw));
    const double s = draw.integer(0, 1) == 0 ? 0.001 : 64.0;
    RobotSpec spec = p.scenario.spec;
    for (LinkSpec& l : spec.links) l.collision = scaled_geometry(l.collision, s);
    for (JointSpec& j : spec.joints) {
      j.origin.translation() *= s;
      if (j.type != JointType::Prismatic && !j.mimic) continue;
      if (j.type == JointType::Prismatic) j.lower = *j.lower * s, j.upper = *j.upper * s;
      if (!j.mimic) continue;
      const auto master = std::find_if(spec.joints.begin(), spec.joints.end(),
                                       [&](const JointSpec& m) { return m.name == j.mimic->joint; });
      const double mine = j.type == JointType::Prismatic ? s : 1.0;
      j.mimic->offset *= mine;
      j.mimic->multiplier *= mine / (master->type == JointType::Prismatic ? s : 1.0);
    }
    Scenario larger = p.scenario;
    larger.set_robot(std::move(spec));
    larger.options.margin *= s;
    larger.options.self_margin *= s;
    for (Padding& padded : larger.scene.padding) padded.padding *= s;
    for (PairMargin& m : larger.scene.margins) m.margin *= s;
    for (SceneObject o : p.scenario.scene.objects) {
      o.pose.translation() *= s;
      o.geometry = scaled_geometry(o.geometry, s);
      larger.scene.objects.replace(std::move(o));
    }
    const Problem l(std::move(larger));
    const auto grown = [&](Eigen::VectorXd q) {
      for (int k = 0; k < q.size(); ++k) {
        const Joint& j = p.scenario.robot->joints()[p.scenario.robot->coordinates()[k].joint];
        const int entry = k - j.q_index;
        const bool length = j.type == JointType::Prismatic || (j.type == JointType::Planar && entry < 2) ||
                            (j.type == JointType::Floating && entry < 3);
        if (length) q[k] *= s;
      }
      return q;
    };
    EdgeOptions options;
    options.tolerance = kTolerance * s;
    for_edges(draw, p, kEdges, [&](const Drawn& e, const EdgeResult& r) {
      compare(p, e, r, l.first(grown(e.q0), grown(e.q1), options), count);
    });
  }
  count.print("scaled world");
}

}  // namespace
}  // namespace planner_ccd
