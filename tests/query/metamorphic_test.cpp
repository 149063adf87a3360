#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>

#include "planner_ccd/io/collision_rules.hpp"
#include "support/scenarios.hpp"
#include "support/verdict_check.hpp"

/// What must not change a verdict. Each test changes a problem in a way that leaves every clearance as it is (or scales
/// it), and compares. Verdicts may differ only where the clearance over the edge is within `tolerance` of the margin;
/// such borderline edges are told by sampling, and counted.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;

const unsigned kSeed = testing::seeded(97);

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

  explicit Problem(Scenario s) : scenario(std::move(s)) {
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

/// `edges` edges per scenario with their results, then handed to `compare`.
void for_edges(Draw& draw, const Problem& problem, int edges,
               const std::function<void(const Drawn&, const EdgeResult&)>& compare) {
  static double length = 3.0;  // goes on from scenario to scenario
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

/// Verdicts must agree, or the edge must be borderline; times of contact must agree within what `tolerance` allows: at
/// the earlier of them the clearance is at most the tolerance already. `time` maps the second's times to the first's.
void compare(
    const Problem& problem, const Drawn& e, const EdgeResult& a, const EdgeResult& b, double tolerance, Count& count,
    const std::function<double(double)>& time = [](double t) { return t; }) {
  ++count.edges;
  count.free += a.verdict == Verdict::Free;
  count.contact += a.verdict == Verdict::Contact;
  ASSERT_NE(a.verdict, Verdict::Undecided);
  ASSERT_NE(b.verdict, Verdict::Undecided);
  const Scenario& s = problem.scenario;
  const truth::Edge edge{e.q0, e.q1};
  if (a.verdict != b.verdict) {
    const truth::Oracle oracle(*s.robot, s.scene, s.matrix, s.options.margin);
    double least = 1.0;
    for (std::size_t p = 0; p < oracle.pairs().size(); ++p) {
      const truth::Scan scan = oracle.scan(edge, static_cast<int>(p), 0, 1);
      least = std::min(least, static_cast<double>(scan.least - oracle.pairs()[p].margin));
    }
    ++count.borderline;
    EXPECT_GT(least, 0.0) << "a Free that is wrong; " << testing::describe(edge);
    EXPECT_LE(least, tolerance + 1e-6) << testing::describe(edge);
    return;
  }
  if (a.verdict == Verdict::Free) return;
  const double ta = a.contact->t, tb = time(b.contact->t);
  if (std::abs(ta - tb) < 1e-6 || a.contact->inside || b.contact->inside) return;
  const truth::Oracle oracle(*s.robot, s.scene, s.matrix, s.options.margin);
  const double earlier = std::min(ta, tb);
  EXPECT_LE(oracle.clearance(edge, earlier), tolerance + 2e-5) << ta << " " << tb << " " << testing::describe(edge);
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
constexpr double kTolerance = 1e-4;

TEST(Metamorphic, Reversal) {
  Draw draw(kSeed);
  Count count;
  for (int i = 0; i < scenarios(); ++i) {
    const Problem p(draw_scenario(draw));
    for_edges(draw, p, kEdges, [&](const Drawn& e, const EdgeResult& r) {
      const EdgeResult back = p.first(e.q1, e.q0);
      // The last contact is not the first: only the verdicts compare; what is proved free must not meet the contact.
      EdgeResult same = back;
      if (r.contact && back.contact) {
        const double turned = 1.0 - back.contact->t;
        EXPECT_GE(turned, r.t_free - 1e-3) << testing::describe({e.q0, e.q1});
        same.contact = r.contact;
      }
      compare(p, e, r, same, kTolerance, count);
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
    if (floating) continue;  // the middle of a turn is not the middle of the quaternions
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
      compare(p, e, r, parts, kTolerance, count, [&](double t) { return second ? cut + (1.0 - cut) * t : cut * t; });
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
    moved.robot = std::make_shared<const RobotModel>(combine({{testing::spec_of(*p.scenario.robot), "", X}}));
    for (SceneObject& o : moved.scene.objects) o.pose = X * o.pose;
    const Problem m(std::move(moved));
    for_edges(draw, p, kEdges,
              [&](const Drawn& e, const EdgeResult& r) { compare(p, e, r, m.first(e.q0, e.q1), kTolerance, count); });
  }
  count.print("moved world");
}

TEST(Metamorphic, OrderOfJointsLinksAndObjects) {
  Draw draw(kSeed + 3);
  Count count;
  for (int i = 0; i < scenarios(); ++i) {
    const Problem p(draw_scenario(draw));
    const RobotModel& robot = *p.scenario.robot;
    RobotSpec spec = testing::spec_of(robot);
    std::reverse(spec.joints.begin(), spec.joints.end());
    std::reverse(spec.links.begin() + 1, spec.links.end());
    Scenario turned = p.scenario;
    turned.robot = std::make_shared<const RobotModel>(spec);
    std::reverse(turned.scene.objects.begin(), turned.scene.objects.end());
    const Problem t(std::move(turned));
    const auto permuted = [&](const Eigen::VectorXd& q) {
      Eigen::VectorXd out(q.size());
      for (int k = 0; k < q.size(); ++k) {
        out[t.scenario.robot->find_coordinate(robot.coordinates()[k].name)] = q[k];
      }
      return out;
    };
    for_edges(draw, p, kEdges, [&](const Drawn& e, const EdgeResult& r) {
      compare(p, e, r, t.first(permuted(e.q0), permuted(e.q1)), kTolerance, count);
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
    for (SceneObject& o : more.scene.objects) {
      std::vector<Geometry> twice = o.geometry;
      for (const Geometry& g : o.geometry) {
        if (std::holds_alternative<MeshPtr>(g.shape)) twice.push_back(g);
      }
      o.geometry = twice;
    }
    Eigen::Isometry3d far = Eigen::Isometry3d::Identity();
    far.translation() = Eigen::Vector3d(900.0, -500.0, 70.0);
    more.scene.objects.push_back({"distant", {testing::blob_mesh(draw, 3.0)}, far});
    const Problem m(std::move(more));
    for_edges(draw, p, kEdges,
              [&](const Drawn& e, const EdgeResult& r) { compare(p, e, r, m.first(e.q0, e.q1), kTolerance, count); });
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

/// Metres to something else: everything that is a length grows by s, joint values of lengths too.
TEST(Metamorphic, ScalingTheWorld) {
  Draw draw(kSeed + 5);
  Count count;
  for (int i = 0; i < scenarios(); ++i) {
    const Problem p(draw_scenario(draw));
    const double s = draw.integer(0, 1) == 0 ? 0.001 : 64.0;
    RobotSpec spec = testing::spec_of(*p.scenario.robot);
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
    larger.robot = std::make_shared<const RobotModel>(spec);
    larger.options.margin *= s;
    for (PairMargin& m : larger.scene.margins) m.margin *= s;
    for (SceneObject& o : larger.scene.objects) {
      o.pose.translation() *= s;
      o.geometry = scaled_geometry(o.geometry, s);
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
      compare(p, e, r, l.first(grown(e.q0), grown(e.q1), options), kTolerance, count);
    });
  }
  count.print("scaled world");
}

}  // namespace
}  // namespace planner_ccd
