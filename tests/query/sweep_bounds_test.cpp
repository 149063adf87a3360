// The broad phase may lose nothing, with objects placed just within its boxes, spheres and margins. Balls on slides:
// all distances are known.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "planner_ccd/moving_pairs/moving_pairs.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/scene/swept_box.hpp"
#include "support/random_robot.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using testing::ball;
using testing::ChainSpec;
using testing::Draw;
using testing::shift;

SceneObject object(const std::string& name, const Vector3d& at, double radius = 0.1) {
  return {name, {ball(radius)}, shift(at)};
}

/// The times covered by candidates of the pair of these two colliders.
std::vector<std::pair<double, double>> covered(const RobotModel& robot, const Scene& scene, const Eigen::VectorXd& q0,
                                               const Eigen::VectorXd& q1, const std::string& a, const std::string& b) {
  const PathChecker checker(std::make_shared<const RobotModel>(robot), scene, CollisionMatrix(),
                            {.cell_evaluations = 0});
  const CheckerSnapshot& snapshot = snapshot_of(checker);
  const RobotParts& parts = *snapshot.base();
  MovingPairsScratch scratch;
  EdgeState edge(parts.world.problem());
  edge.allow_for(snapshot.extent());
  EdgeMotion motion(robot);
  motion.set_linear(q0, q1, AnglePolicy::Literal);
  EXPECT_TRUE(edge.start(motion));
  std::vector<Candidate> candidates;
  snapshot.sweep(edge, candidates);
  parts.moving_pairs.ask_cells(motion, scratch);
  parts.moving_pairs.collect(edge, scratch, 1.0, candidates);
  std::vector<std::pair<double, double>> times;
  for (const Candidate& c : candidates) {
    const auto [x, y] = snapshot.names(c.pair);
    if ((x == a && y == b) || (x == b && y == a)) times.emplace_back(c.t0, c.t1);
  }
  return times;
}

bool covers(const std::vector<std::pair<double, double>>& times, double t) {
  return std::any_of(times.begin(), times.end(), [&](const auto& part) { return part.first <= t && t <= part.second; });
}

Eigen::VectorXd values(double x) { return Eigen::VectorXd::Constant(1, x); }
Eigen::VectorXd values(double x, double y) { return Eigen::Vector2d(x, y); }

/// A ball of 10 cm slides along x from 0 to 1.
ChainSpec slider() { return ChainSpec().slide(Vector3d::UnitX()).with(ball(0.1)); }

/// Three balls beside the way, each with its own margin, in all orders of the objects and of the margins: each distance
/// is slightly less than its margin.
TEST(Sweep, KeepsEveryPairsOwnMargin) {
  const RobotModel robot(slider().spec);
  const double margins[3] = {0.3, 0.0, 0.05};
  int order[3] = {0, 1, 2};
  do {
    int later[3] = {0, 1, 2};
    do {
      Scene scene;
      for (const int i : order) {
        const double away = 0.2 + 0.999 * margins[i] - (i == 1 ? 1e-3 : 0.0), angle = 2.0 * i;
        scene.objects.push_back(object("o" + std::to_string(i), {0.5, away * std::cos(angle), away * std::sin(angle)}));
      }
      for (const int i : later) scene.margins.push_back({"l1", "o" + std::to_string(i), margins[i]});
      for (int i = 0; i < 3; ++i) {
        EXPECT_TRUE(covers(covered(robot, scene, values(0.0), values(1.0), "l1", "o" + std::to_string(i)), 0.5)) << i;
      }
    } while (std::next_permutation(later, later + 3));
  } while (std::next_permutation(order, order + 3));
}

/// The same for two bodies that both move: a link with a held object, against another link; the spheres enclose all of
/// them.
TEST(Sweep, KeepsEveryPairsOwnMarginBetweenMovingBodies) {
  RobotSpec spec = slider().spec;
  spec.joints.push_back(spec.joints[0]);
  spec.joints[1].name = "j2", spec.joints[1].parent = "base", spec.joints[1].child = "other";
  spec.links.push_back({"other", {ball(0.1)}, {}});
  const RobotModel robot(spec);
  // At t = 0.5 both are at the same x.
  const Eigen::VectorXd q0 = values(0.0, 1.0), q1 = values(1.0, 0.0);
  for (const double first : {0.3, 0.0}) {
    for (const bool link_is_near : {true, false}) {
      for (const bool other_holds : {true, false}) {
        Scene scene;
        scene.objects = {object("held", Vector3d::Zero())};
        const double of_link = first, of_held = 0.3 - first;
        const double link_away = 0.2 + 0.99 * of_link - 1e-3, held_away = 0.2 + 0.99 * of_held - 1e-3;
        // Near objects are within their margin; the others are 3 m away.
        const std::string holder = other_holds ? "other" : "l1", free_one = other_holds ? "l1" : "other";
        RobotSpec placed = spec;
        placed.joints[other_holds ? 1 : 0].origin = shift({0.0, link_is_near ? link_away : 3.0, 0.0});
        const RobotModel model(placed);
        const double offset = link_is_near ? 3.0 : held_away - 3.0;
        scene.attach("held", holder, shift({0.0, offset, 0.0}), {holder});
        for (const bool turned : {false, true}) {
          scene.margins = {{holder, free_one, of_link}, {"held", free_one, of_held}};
          if (turned) std::swap(scene.margins[0], scene.margins[1]);
          EXPECT_TRUE(covers(covered(model, scene, q0, q1, link_is_near ? holder : "held", free_one), 0.5))
              << first << link_is_near << other_holds << turned;
        }
      }
    }
  }
}

/// Contacts within one 32nd of the edge each, the first and the last among them.
TEST(Sweep, LosesNoPartOfAnEdge) {
  ChainSpec chain;
  const RobotModel robot(chain.slide(Vector3d::UnitX()).with(ball(0.001)).spec);
  for (int part = 0; part < 32; ++part) {
    for (const double within : {0.1, 0.9}) {
      const double t = (part + within) / 32.0;
      Scene scene;
      scene.objects = {object("o", {10.0 * t, 0.002, 0.0}, 0.0015)};
      EXPECT_TRUE(covers(covered(robot, scene, values(0.0), values(10.0), "l1", "o"), t)) << t;
    }
  }
}

/// An object that may be elsewhere, by its pose's error: on all parts of a motion.
TEST(Sweep, KeepsWhatErrorsOfPosesAdd) {
  const RobotModel robot(slider().spec);
  for (const double x : {0.5, 5.0, 9.5}) {
    Scene scene;
    SceneObject loose = object("o", {x, 0.2 + 0.29, 0.0});
    loose.pose_error.position = 0.3;
    scene.objects.push_back(loose);
    EXPECT_TRUE(covers(covered(robot, scene, values(0.0), values(10.0), "l1", "o"), x / 10.0)) << x;
  }
}

/// An arm turns by more than the first look takes: swept boxes find what it meets, an object or a link that moves too.
TEST(Sweep, IsForMotionsThatTheLookDoesNotTake) {
  for (const bool link : {false, true}) {
    for (const bool meets : {true, false}) {
      ChainSpec chain;
      RobotSpec spec = chain.turn(Vector3d::UnitZ(), 1000.0).with(ball(0.1, {1.0, 0.0, 0.0})).spec;
      Scene scene;
      const Vector3d at(0.0, meets ? 1.15 : 5.0, 0.0);
      spec.joints.push_back(slider().spec.joints[0]);
      spec.joints[1].name = "j2", spec.joints[1].parent = "base", spec.joints[1].child = "other";
      spec.links.push_back({"other", {ball(0.1, link ? at : Vector3d(0.0, -9.0, 0.0))}, {}});
      if (!link) scene.objects = {object("o", at)};
      const PathChecker checker(std::make_shared<const RobotModel>(spec), scene, CollisionMatrix(),
                                {.cell_evaluations = 0});
      Workspace w;
      for (const double turn : {10.0, 300.0}) {
        const EdgeResult r = checker.first_contact(values(0.0, 0.0), values(turn, 0.01), w);
        EXPECT_EQ(r.verdict, meets ? Verdict::Contact : Verdict::Free) << link << ", " << turn;
      }
    }
  }
}

/// A ball slides by a cubic along x without rotation: velocity, acceleration and jerk point the same way, and the box
/// reaches exactly that far.
TEST(SweptBox, IsAttained) {
  const RobotModel robot(slider().spec);
  EdgeMotion motion(robot);
  const PairChain chain = pair_chain(motion.chain(), 1, 0);
  Draw draw(941);
  for (int i = 0; i < 100; ++i) {
    Polynomial value;
    value.degree = 3;
    const double sign = draw.integer(0, 1) == 0 ? 1.0 : -1.0;
    for (int k = 1; k <= 3; ++k) value.c[k] = sign * draw.integer(0, 3) * draw.uniform(0.1, 1.0);
    motion.set_moves(std::vector<Polynomial>{value});
    PairMotion bounds;
    bounds.set(chain, motion, 0.1);
    Kinematics k;
    k.resize(motion.chain());
    motion.kinematics(0.0, k);
    PairState state;
    state.set(chain, k);
    Ssv volume;
    volume.origin = volume.edge0 = volume.edge1 = Vector3d::Zero();
    volume.radius = 0.1;
    volume.type = SsvType::Point;
    const double h = draw.uniform(0.1, 1.0), pad = draw.uniform(0.0, 0.1);
    const Eigen::AlignedBox3d box = swept_box(volume, state, bounds, h, pad);
    const double way = value.c[1] * h + value.c[2] * h * h + value.c[3] * h * h * h;
    const double end = sign > 0.0 ? box.max().x() : -box.min().x();
    ASSERT_GE(end, std::abs(way) + 0.1 + pad - 1e-15) << i;
    ASSERT_LE(end, std::abs(way) + 0.1 + pad + 1e-9) << i << ": tight";
    ASSERT_GE(box.max().y(), 0.1 + pad);
  }
}

/// A ball turns about z at a constant rate: its acceleration is all of B_2, and the third order would allow for more. At
/// the end of the part it has fallen back by nearly B_2 h^2 / 2.
TEST(SweptBox, IsAttainedByATurn) {
  const RobotModel robot(ChainSpec().turn(Vector3d::UnitZ()).with(ball(0.1)).spec);
  EdgeMotion motion(robot);
  const PairChain chain = pair_chain(motion.chain(), 1, 0);
  for (const double rate : {0.2, 1.0, 3.0}) {
    for (const double rho : {0.3, 2.0}) {
      motion.set_linear(values(0.0), values(rate), AnglePolicy::Literal);
      PairMotion bounds;
      bounds.set(chain, motion, rho);
      Kinematics k;
      k.resize(motion.chain());
      motion.kinematics(0.0, k);
      PairState state;
      state.set(chain, k);
      Ssv volume;
      volume.origin = {rho, 0.0, 0.0};
      volume.edge0 = volume.edge1 = Vector3d::Zero();
      volume.radius = 0.0;
      volume.type = SsvType::Point;
      const double h = 0.1, fallen = rho * (1.0 - std::cos(rate * h)), bound = 0.5 * rho * rate * rate * h * h;
      const Eigen::AlignedBox3d box = swept_box(volume, state, bounds, h, 0.0);
      EXPECT_LE(box.min().x(), rho - fallen) << rate << ", " << rho;
      EXPECT_GE(box.min().x(), rho - bound * (1.0 + 1e-6) - 1e-12) << "tight";
    }
  }
}

/// The margin of a pair is set by the last entry that names both, else the last one with a "*", else the checker; the
/// verdict follows.
TEST(PathChecker, DemandsThePairsOwnMargin) {
  const auto robot = std::make_shared<const RobotModel>(slider().spec);
  Draw draw(942);
  int free = 0, contact = 0;
  for (int i = 0; i < 300; ++i) {
    Scene scene;
    const int count = draw.integer(1, 4);
    std::vector<double> away;
    for (int k = 0; k < count; ++k) {
      away.push_back(draw.uniform(0.005, 0.6));
      const double angle = 1.5 * k;
      scene.objects.push_back(
          object("o" + std::to_string(k),
                 {draw.uniform(0.0, 1.0), (0.2 + away[k]) * std::cos(angle), (0.2 + away[k]) * std::sin(angle)}));
    }
    for (int m = draw.integer(0, 5); m > 0; --m) {
      const std::string o = "o" + std::to_string(draw.integer(0, count - 1)), l = draw.integer(0, 2) ? "l1" : "*";
      PairMargin rule{l, draw.integer(0, 3) ? o : "*", draw.uniform(0.0, 0.4)};
      if (draw.integer(0, 1)) std::swap(rule.a, rule.b);
      scene.margins.push_back(rule);
    }
    CheckerOptions options;
    options.margin = draw.integer(0, 1) * 0.1;
    // Computed again, independently.
    double room = 1.0;
    for (int k = 0; k < count; ++k) {
      const std::string o = "o" + std::to_string(k);
      double margin = options.margin;
      for (const bool exact : {false, true}) {
        for (const PairMargin& m : scene.margins) {
          const bool star = m.a == "*" || m.b == "*";
          const bool link = m.a == "l1" || m.b == "l1" || star, thing = m.a == o || m.b == o || star;
          const bool both_star = m.a == "*" && m.b == "*";
          const bool other = !both_star && star && m.a != "l1" && m.b != "l1" && m.a != o && m.b != o;
          if (star != exact && link && thing && !other) margin = m.margin;
        }
      }
      room = std::min(room, away[k] - margin);
    }
    if (std::abs(room) < 1e-3) continue;
    const PathChecker checker(robot, scene, CollisionMatrix(), options);
    Workspace w(checker);
    const EdgeResult r = checker.first_contact(values(-0.5), values(1.5), w);
    EXPECT_EQ(r.verdict, room > 0.0 ? Verdict::Free : Verdict::Contact) << i << ": " << room;
    (room > 0.0 ? free : contact) += 1;
  }
  EXPECT_GT(free, 30);
  EXPECT_GT(contact, 30);
}

/// Two bodies of which each has two balls, a large and a small one in either order: the sphere about a body holds both.
TEST(MovingPairs, SpheresOfBodiesHoldAllOfTheirColliders) {
  for (const bool first_is_large : {false, true}) {
    for (const bool meets_first : {false, true}) {
      ChainSpec chain;
      const auto fixed = [&](double radius, const Vector3d& at) {
        chain.joint(JointType::Fixed, Vector3d::UnitX(), 0.0, 0.0, at).with(ball(radius));
      };
      const double first = first_is_large ? 0.4 : 0.05, second = first_is_large ? 0.05 : 0.4;
      chain.slide(Vector3d::UnitX()).with(ball(first));
      fixed(second, {0.0, 2.0, 0.0});
      RobotSpec spec = chain.spec;
      JointSpec other = spec.joints[0];
      other.name = "other";
      other.child = "runner";
      spec.joints.push_back(other);
      // Passes the ball at 0.01 m less than touching.
      const double side = meets_first ? -(first + 0.1 - 0.01) : 2.0 + second + 0.1 - 0.01;
      spec.links.push_back({"runner", {ball(0.1, {0.0, side, 0.0})}, {}});
      const auto times =
          covered(RobotModel(spec), Scene(), values(0.0, -1.5), values(0.1, 1.5), meets_first ? "l1" : "l2", "runner");
      EXPECT_TRUE(covers(times, 1.5 / 2.9)) << first_is_large << meets_first;
    }
  }
}

}  // namespace
}  // namespace planner_ccd
