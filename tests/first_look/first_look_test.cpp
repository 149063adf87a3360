#include "planner_ccd/first_look/first_look.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numbers>

#include "support/oracle.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using look::Until;
using testing::Draw;
using testing::Scenario;
using truth::Real;
using truth::Vec;

constexpr unsigned kSeed = 1307;

Scenario draw_scenario(Draw& draw) {
  testing::RandomScenario what;
  what.links = draw.integer(1, 6);
  what.objects = draw.integer(0, 6);
  what.attached = draw.integer(0, 2) == 0;
  what.margin = draw.integer(0, 1) == 0 ? 0.0 : 0.02;
  what.cell_evaluations = 0;
  what.material = draw.integer(0, 1) == 0 ? testing::Material::Primitives : testing::Material::Anything;
  what.all_joint_types = draw.integer(0, 1) == 0;
  Scenario s = testing::random_scenario(draw, what);
  // The look skips robots with floating joints: use the same robot with a planar joint instead.
  RobotSpec spec = s.spec;
  for (JointSpec& joint : spec.joints) {
    if (joint.type == JointType::Floating) joint.type = JointType::Planar;
  }
  s.set_robot(std::move(spec));
  return s;
}

truth::Edge draw_edge(Draw& draw, const RobotModel& robot) {
  const testing::EdgeDraw edges(robot, std::exp(draw.uniform(-3.0, 1.5)));
  truth::Edge edge;
  edge.q0 = edges.configuration(draw);
  edge.q1 = edges.beyond(draw, edge.q0);
  return edge;
}

void expect_same(const look::Findings& a, const look::Findings& b) {
  EXPECT_EQ(a.opened, b.opened);
  EXPECT_EQ(a.unsure_within, b.unsure_within);
  EXPECT_EQ(a.hit_pair, b.hit_pair);
  EXPECT_EQ(a.hit_instant, b.hit_instant);
  ASSERT_EQ(a.overlaps.size(), b.overlaps.size());
  for (std::size_t i = 0; i < a.overlaps.size(); ++i) {
    EXPECT_EQ(a.overlaps[i].pair, b.overlaps[i].pair);
    EXPECT_EQ(a.overlaps[i].instant, b.overlaps[i].instant);
    EXPECT_EQ(a.overlaps[i].depth, b.overlaps[i].depth);
  }
}

/// P1: where neither balls nor certified cells leave a part of a pair open, the oracle finds the pair apart by more
/// than its margin at every time drawn, and not nested. P2: every reported contact is real. P3: lanes and scalar code
/// give the same. P4: not vacuous.
TEST(FirstLook, ProvesWhatIsApartAndMeetsWhatTouches) {
  Draw draw(testing::seeded(kSeed));
  long proved = 0, open = 0, hits = 0, looks = 0, asked = 0;
  for (int i = 0; i < testing::scaled(150, 150) && !HasFailure(); ++i) {
    const Scenario s = draw_scenario(draw);
    const CollisionWorld world(*s.robot, s.scene, s.matrix, {s.options.margin, s.options.self_margin});
    const SearchProblem& problem = world.problem();
    if (problem.pairs.empty() || s.robot->dof() == 0) continue;
    const MovingPairs moving(world, RobotCells(), draw.integer(0, 1) == 0 ? 0 : 1000);
    const FirstLook first(world, {}, &moving);
    const truth::Oracle oracle(s.spec, s.scene, s.matrix, s.options.margin, s.options.self_margin);
    FirstLook::Scratch scratch, other;
    EdgeMotion motion(*s.robot);
    for (int k = 0; k < 4 && !HasFailure(); ++k) {
      SCOPED_TRACE("scenario " + std::to_string(i) + ", edge " + std::to_string(k));
      const truth::Edge edge = draw_edge(draw, *s.robot);
      motion.set_linear(edge.q0, edge.q1, AnglePolicy::Literal);
      const auto truth_pair = [&](int p) {
        return oracle.find_pair(world.colliders()[world.collider_a(p)].name,
                                world.colliders()[world.collider_b(p)].name);
      };
      for (const Until until : {Until::AnyContact, Until::FirstContact, Until::End}) {
        ASSERT_TRUE(first.look(motion, until, scratch));
        ASSERT_TRUE(first.look_one_by_one(motion, until, other));
        expect_same(scratch.findings, other.findings);
        const look::Findings& found = scratch.findings;
        if (found.hit_pair >= 0) {
          ++hits;
          const int pair = truth_pair(found.hit_pair);
          const truth::Oracle::Pair& of = oracle.pairs()[pair];
          const Real t = look::instant(found.hit_instant);
          const Real prisms = oracle.bodies()[of.a].cylinder_error + oracle.bodies()[of.b].cylinder_error;
          EXPECT_TRUE(oracle.distance(edge, pair, t) <= of.margin + prisms || oracle.nested_at(edge, pair, t))
              << world.colliders()[world.collider_a(found.hit_pair)].name << " and "
              << world.colliders()[world.collider_b(found.hit_pair)].name << ": "
              << static_cast<double>(oracle.distance(edge, pair, t)) << "; margin " << static_cast<double>(of.margin)
              << ", searched with " << problem.pairs[found.hit_pair].margin;
        }
      }
      ++looks;
      asked += static_cast<long>(scratch.cells.uncertain.size());
      const std::vector<int> unsure_pairs = scratch.findings.unsure_within;
      std::vector<Candidate> left_open;
      first.take_candidates(motion, scratch, 2.0, left_open);
      EXPECT_TRUE(scratch.findings.opened.empty());
      for (std::size_t p = 0; p < problem.pairs.size(); ++p) {
        const int pair = truth_pair(static_cast<int>(p));
        for (int piece = 0; piece < look::kPieces; ++piece) {
          const double t0 = look::instant(piece), t1 = look::instant(piece + 1);
          const double t = std::min(t1, t0 + (t1 - t0) * (draw.integer(0, 2) == 0 ? 0.5 : draw.uniform(0.0, 1.0)));
          const auto covers = [&](const Candidate& c, double at) {
            return c.pair == static_cast<int>(p) && c.t0 <= at && at <= c.t1;
          };
          const auto is_open = [&](double at) {
            return std::any_of(left_open.begin(), left_open.end(), [&](const Candidate& c) { return covers(c, at); });
          };
          const bool left = is_open(t);
          ++(left ? open : proved);
          if (left || draw.integer(0, 3) != 0) continue;
          const Real margin = oracle.pairs()[pair].margin;
          EXPECT_GT(oracle.distance(edge, pair, t, margin + 0.01L), margin)
              << world.colliders()[world.collider_a(static_cast<int>(p))].name << " and "
              << world.colliders()[world.collider_b(static_cast<int>(p))].name << " at " << t;
          const bool unsure =
              std::find(unsure_pairs.begin(), unsure_pairs.end(), static_cast<int>(p)) != unsure_pairs.end();
          if (!is_open(0.0) && !unsure) {
            EXPECT_FALSE(oracle.nested_at(edge, pair, 0));
          }
        }
      }
    }
  }
  std::printf("  %ld looks: %ld pieces proved, %ld open; %ld contacts; %ld parts that cells left\n", looks, proved,
              open, hits, asked);
  EXPECT_GT(asked, looks / 50);
  EXPECT_GT(proved, open / 2);
  EXPECT_GT(open, proved / 50);
  EXPECT_GT(hits, looks / 15);
}

/// Positions of points of links agree with the oracle's within the kinematics' pad; prints how much of the pad is used.
TEST(FirstLook, AllowsForTheRoundingOfPoses) {
  Draw draw(testing::seeded(kSeed + 1));
  double used = 0.0;
  for (int i = 0; i < testing::scaled(150, 150); ++i) {
    const Scenario s = draw_scenario(draw);
    const CollisionWorld world(*s.robot, s.scene, s.matrix, 0.0);
    const FirstLook first(world);
    const truth::Oracle oracle(s.spec, s.scene, s.matrix, 0.0);
    truth::Edge edge = draw_edge(draw, *s.robot);
    const double turns = draw.integer(0, 1) == 0 ? 0.0 : draw.uniform(-80.0, 80.0);
    for (int k = 0; k < s.robot->dof(); ++k) {
      if (!s.robot->coordinates()[k].continuous) continue;
      edge.q0[k] += turns;
      edge.q1[k] += turns;
    }
    EdgeMotion motion(*s.robot);
    edge.angles = draw.integer(0, 1) == 0 ? AnglePolicy::Literal : AnglePolicy::Wrap;
    motion.set_linear(edge.q0, edge.q1, edge.angles);
    FirstLook::Scratch scratch;
    if (!first.look(motion, Until::End, scratch)) continue;
    for (int lane = 0; lane < look::kInstants; ++lane) {
      const std::vector<truth::Mat4> poses = oracle.poses(edge, look::instant(lane));
      for (const Collider& c : world.colliders()) {
        if (c.body == 0 || !c.is_link) continue;
        const int l = s.robot->find_link(c.name);
        const Eigen::Isometry3d X_LinkBody = s.robot->links()[l].X_BodyLink.inverse();
        const Eigen::Vector3d p = c.tree->bounding_center() + c.tree->bounding_radius() * draw.direction();
        const Eigen::Vector3d truly = truth::to_eigen(poses[l] * truth::from(Eigen::Vector3d(X_LinkBody * p)));
        Eigen::Vector3d found;
        for (int k = 0; k < 3; ++k) {
          const auto number = [&](int column) {
            return static_cast<double>(
                scratch.findings
                    .poses[static_cast<std::size_t>(c.body * 12 + column * 3 + k) * look::kInstants + lane]);
          };
          found[k] = number(0) * p[0] + number(1) * p[1] + number(2) * p[2] + number(3);
        }
        const double error = (found - truly).norm();
        ASSERT_LE(error, scratch.edge.place) << "scenario " << i << ", " << c.name << " at instant " << lane;
        used = std::max(used, error / scratch.edge.place);
      }
    }
  }
  std::printf("  at most %.3f of what is allowed\n", used);
  EXPECT_GT(used, 0.005);
}

/// An open shell contains nothing; a closed one does, even when none of its surfaces comes near.
TEST(FirstLook, DoesNotForgetWhatIsInside) {
  Geometry box, ball;
  box.shape = Box{{1.0, 1.0, 1.0}};
  ball.shape = Sphere{0.02};
  RobotSpec spec;
  spec.name = "slider";
  spec.links = {{"base", {}, {}}, {"slider", {box}, {}}};
  JointSpec joint;
  joint.name = "joint";
  joint.type = JointType::Prismatic;
  joint.parent = "base";
  joint.child = "slider";
  joint.lower = -1.0;
  joint.upper = 1.0;
  spec.joints = {joint};
  const auto robot = std::make_shared<const RobotModel>(spec);
  Scene scene;
  scene.objects.push_back({"ball", {ball}, Eigen::Isometry3d::Identity()});
  const PathChecker checker(robot, scene, CollisionMatrix());
  Workspace workspace(checker);
  const Eigen::VectorXd q0 = Eigen::VectorXd::Constant(1, -0.05), q1 = Eigen::VectorXd::Constant(1, 0.05);
  EXPECT_FALSE(checker.is_free(q0, q1, workspace));
  EXPECT_EQ(checker.any_contact(q0, q1, workspace).verdict, Verdict::Contact);
  const EdgeResult first = checker.first_contact(q0, q1, workspace);
  EXPECT_EQ(first.verdict, Verdict::Contact);
  EXPECT_EQ(first.t_free, 0.0);
}

/// A closed surface of `around` x `rows` quadrilaterals and two caps: radius and height at row i of `rows` + 1.
Geometry turned(int around, int rows, const std::function<Eigen::Vector2d(int)>& profile) {
  auto mesh = std::make_shared<TriangleMesh>();
  for (int i = 0; i <= rows; ++i) {
    const Eigen::Vector2d p = profile(i);
    for (int k = 0; k < around; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / around;
      mesh->vertices.emplace_back(p[0] * std::cos(angle), p[0] * std::sin(angle), p[1]);
    }
  }
  const auto at = [&](int i, int k) { return i * around + k % around; };
  for (int i = 0; i < rows; ++i) {
    for (int k = 0; k < around; ++k) {
      mesh->triangles.emplace_back(at(i, k), at(i, k + 1), at(i + 1, k + 1));
      mesh->triangles.emplace_back(at(i, k), at(i + 1, k + 1), at(i + 1, k));
    }
  }
  for (int k = 1; k + 1 < around; ++k) {
    mesh->triangles.emplace_back(0, k + 1, k);
    mesh->triangles.emplace_back(at(rows, 0), at(rows, k), at(rows, k + 1));
  }
  return {MeshPtr(mesh), Eigen::Isometry3d::Identity(), "turned"};
}

Geometry sphere_mesh(double radius) {
  return turned(24, 12, [&](int i) {
    const double angle = std::numbers::pi * (i + 0.5) / 13.0;
    return Eigen::Vector2d(radius * std::sin(angle), -radius * std::cos(angle));
  });
}

Geometry ball_at(double radius, const Eigen::Vector3d& at) {
  Geometry g;
  g.shape = Sphere{radius};
  g.pose.translation() = at;
  return g;
}

/// A link that slides along x, for each list of shapes.
RobotSpec sliders(const std::vector<std::vector<Geometry>>& shapes) {
  RobotSpec spec;
  spec.name = "sliders";
  spec.links = {{"base", {}, {}}};
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const std::string name = "slider" + std::to_string(i);
    spec.links.push_back({name, shapes[i], {}});
    JointSpec joint;
    joint.name = name;
    joint.type = JointType::Prismatic;
    joint.parent = "base";
    joint.child = name;
    joint.axis = Eigen::Vector3d::UnitX();
    joint.lower = -1.0;
    joint.upper = 1.0;
    spec.joints.push_back(joint);
  }
  return spec;
}

/// The findings of a look without cells.
look::Findings look_at(const RobotModel& robot, const Scene& scene, const Eigen::VectorXd& q0,
                       const Eigen::VectorXd& q1, const LinkCovers& covers = {}) {
  const CollisionWorld world(robot, scene, CollisionMatrix(), 0.0);
  const FirstLook first(world, covers, nullptr);
  EdgeMotion motion(robot);
  motion.set_linear(q0, q1, AnglePolicy::Literal);
  FirstLook::Scratch scratch;
  EXPECT_TRUE(first.look(motion, Until::AnyContact, scratch));
  return scratch.findings;
}

/// Volumes prove a small ball apart from the surface of a large sphere that contains it.
TEST(FirstLook, LeavesTheInsideOfObstaclesToTheSearch) {
  const auto robot = std::make_shared<const RobotModel>(sliders({{ball_at(0.02, Eigen::Vector3d::Zero())}}));
  Scene scene;
  scene.objects.push_back({"sphere", {sphere_mesh(1.0)}, Eigen::Isometry3d::Identity()});
  const Eigen::VectorXd q0 = Eigen::VectorXd::Constant(1, -0.05), q1 = Eigen::VectorXd::Constant(1, 0.05);
  const look::Findings found = look_at(*robot, scene, q0, q1);
  EXPECT_TRUE(found.opened.empty()) << "the volumes are too coarse for this test";
  EXPECT_EQ(found.unsure_within, std::vector<int>{0});
  const PathChecker checker(robot, scene, CollisionMatrix());
  Workspace workspace(checker);
  EXPECT_FALSE(checker.is_free(q0, q1, workspace));
}

/// Four balls about the corners of a tetrahedron meet in threes and leave a hole in the middle. A closed surface around
/// the hole, within the four balls, encloses a smaller link there, from which all balls of the cover are apart.
TEST(FirstLook, LeavesTheHolesOfCoversToTheSearch) {
  const RobotModel robot(sliders({{sphere_mesh(0.1)}, {ball_at(0.005, Eigen::Vector3d::Zero())}}));
  BodyCover cover;
  const float corner = std::sqrt(0.125f);  // edges of length 1
  for (const auto& [x, y, z] :
       {std::array{1, 1, 1}, std::array{1, -1, -1}, std::array{-1, 1, -1}, std::array{-1, -1, 1}}) {
    cover.balls.push_back({corner * Eigen::Vector3i(x, y, z).cast<float>(), 0.59f});
  }
  cover.around = {Eigen::Vector3f::Zero(), 0.11f};
  const MeshPtr& mesh = std::get<MeshPtr>(robot.links()[1].collision[0].shape);
  for (const Eigen::Vector3d& v : mesh->vertices) {
    cover.points.push_back(v.cast<float>());
    EXPECT_TRUE(std::any_of(cover.balls.begin(), cover.balls.end(),
                            [&](const CoverBall& b) { return (b.center.cast<double>() - v).norm() < b.radius; }));
  }
  const LinkCovers covers{nullptr, std::make_shared<const BodyCover>(cover), nullptr};
  const look::Findings found = look_at(robot, {}, Eigen::Vector2d(-0.002, 0.0), Eigen::Vector2d(0.002, 0.0), covers);
  EXPECT_TRUE(found.opened.empty()) << "the cover has no hole";
  EXPECT_EQ(found.unsure_within, std::vector<int>{0});
}

/// The volume of a prism of 24 sides is the cylinder around it. A ball that enters the cylinder beside a face, and not
/// the prism, is no contact.
TEST(FirstLook, TakesNoRindForTheObstacle) {
  const Geometry prism = turned(24, 1, [](int i) { return Eigen::Vector2d(0.2, i == 0 ? -0.3 : 0.3); });
  Scene scene;
  scene.objects.push_back({"prism", {prism}, Eigen::Isometry3d::Identity()});
  const double middle = std::numbers::pi / 24.0, face = 0.2 * std::cos(middle), r = 0.05;
  for (const double share : {0.2, 0.5, 0.8, -0.5}) {  // of the way from the face to the cylinder
    const double at = face + share * (0.2 - face) + r;
    const auto robot = std::make_shared<const RobotModel>(
        sliders({{ball_at(r, at * Eigen::Vector3d(std::cos(middle), std::sin(middle), 0.0))}}));
    const PathChecker checker(robot, scene, CollisionMatrix());
    Workspace workspace(checker);
    const Eigen::VectorXd q = Eigen::VectorXd::Zero(1);
    EXPECT_EQ(checker.is_free(q, q, workspace), share > 0.0) << share;
  }
}

}  // namespace
}  // namespace planner_ccd
