#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cstdio>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "support/scenarios.hpp"
#include "support/small_robots.hpp"
#include "support/verdict_check.hpp"

/// Budgets, extreme numbers, grazing, containment.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Judge;
using testing::Scenario;

const Eigen::Isometry3d kHere = Eigen::Isometry3d::Identity();

Eigen::Isometry3d at(double x, double y, double z) {
  Eigen::Isometry3d X = kHere;
  X.translation() = Eigen::Vector3d(x, y, z);
  return X;
}

Geometry box(double x, double y, double z) { return {Box{{x, y, z}}, kHere, "box"}; }

/// One link behind one joint at the origin.
Scenario single(JointType type, const Eigen::Vector3d& axis, std::vector<Geometry> link, std::vector<Geometry> object) {
  RobotSpec spec;
  spec.name = "single";
  spec.links = {{"base", {}, {}}, {"link", std::move(link), {}}};
  JointSpec joint;
  joint.name = "joint";
  joint.type = type;
  joint.parent = "base";
  joint.child = "link";
  joint.axis = axis;
  spec.joints = {joint};
  Scenario s;
  s.name = "single";
  s.set_robot(std::move(spec));
  if (!object.empty()) s.scene.objects.push_back({"object", std::move(object), kHere});
  return s;
}

Eigen::VectorXd value(double x) { return Eigen::VectorXd::Constant(1, x); }

TEST(Budget, AnUndecidedEdgeStillHasATrueProvedPrefix) {
  Draw draw(testing::seeded(3));
  int undecided = 0, with_prefix = 0;
  const int scenarios = testing::scaled(6, 3);
  for (int i = 0; i < scenarios; ++i) {
    testing::RandomScenario what;
    what.cell_evaluations = 200;
    const Scenario s = testing::random_scenario(draw, what);
    Judge judge(s);
    testing::EdgeDraw edges(*s.robot, 2.0);
    for (int k = 0; k < 15; ++k) {
      const Eigen::VectorXd q0 = edges.configuration(draw);
      const Eigen::VectorXd q1 = edges.beyond(draw, q0);
      EdgeOptions options;
      options.max_evaluations = draw.integer(1, 80);
      const EdgeResult r = judge.checker().first_contact(q0, q1, judge.workspace(), options);
      const EdgeResult any = judge.checker().any_contact(q0, q1, judge.workspace(), options);
      judge.check_claims({q0, q1}, r, options, true, "small budget");
      judge.check_claims({q0, q1}, any, options, false, "small budget, any");
      EXPECT_LE(r.counters.evaluations(), options.max_evaluations);
      EXPECT_LE(any.counters.evaluations(), options.max_evaluations);
      undecided += r.verdict == Verdict::Undecided;
      with_prefix += r.verdict == Verdict::Undecided && r.t_free > 0.0;
      const EdgeResult whole = judge.checker().first_contact(q0, q1, judge.workspace());
      EXPECT_FALSE(r.verdict == Verdict::Free && whole.verdict != Verdict::Free);
      edges.learn(whole.verdict);
    }
  }
  std::printf("  %d undecided, %d of them with a proved prefix\n", undecided, with_prefix);
  EXPECT_GT(undecided, 0.1 * 15 * scenarios);
  if (scenarios >= 6) {
    EXPECT_GT(with_prefix, 0);
  }
}

/// A plate slides along another, 1e-7 m above it, over its whole length; turns above it; does both. Everything is
/// tilted, so that axis-aligned boxes cannot decide.
TEST(Budget, GrazingAtATenthOfAMicrometreEndsWithinTheBudget) {
  const Eigen::AngleAxisd tilt(0.7, Eigen::Vector3d(1.0, 2.0, -0.5).normalized());
  Geometry floor = testing::plate_mesh(2, 2, 0.01), plate = testing::plate_mesh(0.5, 0.5, 0.01);
  floor.pose.linear() = plate.pose.linear() = tilt.toRotationMatrix();
  plate.pose.translation() = tilt * Eigen::Vector3d(0, 0, 0.01 + 1e-7);
  const auto run = [&](JointType type, const Eigen::Vector3d& axis, const Eigen::VectorXd& from,
                       const Eigen::VectorXd& to, double tolerance) {
    const Scenario s = single(type, tilt * axis, {plate}, {floor});
    Judge judge(s);
    EdgeOptions options;
    options.tolerance = tolerance;
    options.max_evaluations = 200'000;
    const EdgeResult r = judge.checker().first_contact(from, to, judge.workspace(), options);
    const std::int64_t cost = r.counters.evaluations();
    std::printf("  joint type %d, tolerance %.0e: %s until %.3f, %ld evaluations\n", static_cast<int>(type), tolerance,
                to_string(r.verdict), r.t_free, static_cast<long>(cost));
    EXPECT_LE(cost, options.max_evaluations);
    return r.verdict;
  };
  const Eigen::Vector3d x = Eigen::Vector3d::UnitX(), z = Eigen::Vector3d::UnitZ();
  EXPECT_EQ(run(JointType::Prismatic, x, value(-0.7), value(0.7), 1e-8), Verdict::Free);
  EXPECT_NE(run(JointType::Continuous, z, value(0.0), value(6.0), 1e-8), Verdict::Contact);
  EXPECT_NE(run(JointType::Planar, z, Eigen::Vector3d(-0.5, 0.4, 0.0), Eigen::Vector3d(0.6, -0.3, 2.0), 1e-8),
            Verdict::Contact);
  Eigen::VectorXd here(7), there(7);
  here << tilt * Eigen::Vector3d(-0.5, 0.4, 0.0), 0, 0, 0, 1;
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(2.0, tilt * z));
  there << tilt * Eigen::Vector3d(0.6, -0.3, 0.0), turn.x(), turn.y(), turn.z(), turn.w();
  EXPECT_NE(run(JointType::Floating, z, here, there, 1e-8), Verdict::Contact);
  EXPECT_EQ(run(JointType::Prismatic, x, value(-0.7), value(0.7), 1e-4), Verdict::Contact);
  EXPECT_EQ(run(JointType::Continuous, z, value(0.0), value(6.0), 1e-4), Verdict::Contact);
  EXPECT_EQ(run(JointType::Floating, z, here, there, 1e-4), Verdict::Contact);
}

TEST(BadInput, IsAnError) {
  const Scenario s = testing::own_scenario("puma", "puma", "puma_car");
  const PathChecker checker(s.robot, s.scene, s.matrix);
  Workspace w(checker);
  const Eigen::VectorXd q = s.robot->neutral();
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  for (const double bad : {nan, inf, -inf}) {
    for (int i = 0; i < q.size(); ++i) {
      Eigen::VectorXd b = q;
      b[i] = bad;
      EXPECT_THROW((void)checker.is_free(b, q, w), InputError);
      EXPECT_THROW((void)checker.first_contact(q, b, w), InputError);
      EXPECT_THROW((void)checker.in_contact(b, w), InputError);
    }
  }
  for (const int size : {0, 5, 7}) {
    EXPECT_THROW((void)checker.is_free(Eigen::VectorXd::Zero(size), q, w), InputError);
    EXPECT_THROW((void)checker.any_contact(q, Eigen::VectorXd::Zero(size), w), InputError);
  }
  for (const double tolerance : {0.0, -1.0, nan}) {
    EdgeOptions o;
    o.tolerance = tolerance;
    EXPECT_THROW((void)checker.is_free(q, q, w, o), InputError) << tolerance;
  }
  EdgeOptions o;
  o.max_evaluations = 0;
  EXPECT_THROW((void)checker.is_free(q, q, w, o), InputError);
  for (const double margin : {-1e-9, nan, inf}) {
    EXPECT_THROW(PathChecker(s.robot, s.scene, s.matrix, {margin}), InputError) << margin;
  }
  const Scenario rigid = testing::rigid_bodies("ball", "hammer");
  const PathChecker floating(rigid.robot, rigid.scene, rigid.matrix);
  Workspace f(floating);
  EXPECT_THROW((void)floating.is_free(Eigen::VectorXd::Zero(7), rigid.robot->neutral(), f),
               InputError);  // zero quaternion
}

/// Values so large that rounding hides the pose: nothing may be proved about them, and no false contact reported.
TEST(HugeValues, AreNeverFreeNorAContactThatIsNone) {
  for (const JointType type : {JointType::Continuous, JointType::Prismatic, JointType::Planar, JointType::Floating}) {
    Geometry bar = box(1.0, 0.1, 0.1);
    bar.pose = at(0.5, 0, 0);
    Geometry post = box(0.1, 0.1, 1.0);
    post.pose = at(-0.8, 0.3, 0);  // clear of the bar at 0, hit by a full turn
    const Scenario s = single(type, Eigen::Vector3d::UnitZ(), {bar}, {post});
    const PathChecker checker(s.robot, s.scene, s.matrix);
    Workspace w(checker);
    const Eigen::VectorXd q0 = s.robot->neutral();
    EdgeOptions options;
    options.max_evaluations = 5000;
    for (double size = 1.0; size < 1e308; size *= 10.0) {
      for (const bool first : {true, false}) {
        Eigen::VectorXd q1 = q0;
        q1[s.robot->dof() >= 3 && type == JointType::Planar ? 2 : 0] = size * 7.0 < 1e308 ? size * 7.0 : size;
        const EdgeResult r =
            first ? checker.first_contact(q0, q1, w, options) : checker.any_contact(q0, q1, w, options);
        if (r.contact) {
          EXPECT_LE(r.contact->distance, 1e-4) << "size " << size << " type " << static_cast<int>(type);
        }
        const bool turns = type == JointType::Continuous || type == JointType::Planar;
        if (turns) {
          EXPECT_NE(r.verdict, Verdict::Free) << size;
        }
      }
    }
  }
}

/// A tolerance below double precision: Undecided at worst, never a contact beyond margin + tolerance.
TEST(TinyTolerance, IsHonouredOrUndecided) {
  Geometry ball{Sphere{0.1}, at(1.0, 0, 0), "sphere"};
  Geometry wall = box(0.2, 2.0, 2.0);
  wall.pose = at(1.2 + 1e-13, 0, 0);  // the ball's surface is at 1.1
  const Scenario s = single(JointType::Continuous, Eigen::Vector3d::UnitX(), {ball}, {wall});
  const PathChecker checker(s.robot, s.scene, s.matrix);
  Workspace w(checker);
  for (const double tolerance : {1e-13, 1e-15, 1e-18, 1e-30, 1e-300}) {
    EdgeOptions options;
    options.tolerance = tolerance;
    options.max_evaluations = 10'000;
    const EdgeResult r = checker.first_contact(value(0), value(1), w, options);
    if (r.verdict == Verdict::Contact) {
      EXPECT_LE(r.contact->distance, tolerance) << tolerance;
    }
  }
}

Geometry closed_box(double size) { return testing::plate_mesh(size, size, size); }

Geometry open_box(double size) {
  TriangleMesh mesh = *std::get<MeshPtr>(closed_box(size).shape);
  mesh.triangles.resize(mesh.triangles.size() - 2);
  return {std::make_shared<const TriangleMesh>(mesh), kHere, "open box"};
}

/// Solid from `inner` to `outer`, hollow within: the inner surface faces inwards.
Geometry hollow_box(double outer, double inner) {
  TriangleMesh mesh = *std::get<MeshPtr>(closed_box(outer).shape);
  const TriangleMesh hole = *std::get<MeshPtr>(closed_box(inner).shape);
  const int offset = static_cast<int>(mesh.vertices.size());
  for (const Eigen::Vector3d& v : hole.vertices) mesh.vertices.push_back(v);
  for (const Eigen::Vector3i& t : hole.triangles)
    mesh.triangles.emplace_back(t[0] + offset, t[2] + offset, t[1] + offset);
  return {std::make_shared<const TriangleMesh>(mesh), kHere, "hollow box"};
}

TEST(Containment, OfALinkInAnObstacleAndOfAnObstacleInALink) {
  const auto verdict = [](std::vector<Geometry> link, std::vector<Geometry> object, const EdgeOptions& o) {
    const Scenario s = single(JointType::Prismatic, Eigen::Vector3d::UnitX(), std::move(link), std::move(object));
    Judge judge(s);
    EdgeOptions options = o;
    const EdgeResult r = judge.check(value(-0.1), value(0.1), options, "nested");
    EXPECT_EQ(judge.checker().in_contact(value(0), judge.workspace(), options), r.verdict != Verdict::Free);
    return r.verdict;
  };
  for (const std::string& name : search_method_names()) {
    EdgeOptions o;
    o.method = search_method_named(name);
    const Geometry ball{Sphere{0.05}, kHere, "sphere"}, rod{Capsule{0.02, 0.1}, kHere, "capsule"};
    const Geometry can{Cylinder{0.5, 1.0}, kHere, "cylinder"};
    EXPECT_EQ(verdict({closed_box(0.1)}, {closed_box(1.0)}, o), Verdict::Contact) << name;
    EXPECT_EQ(verdict({closed_box(1.0)}, {closed_box(0.1)}, o), Verdict::Contact) << name;
    EXPECT_EQ(verdict({ball}, {closed_box(1.0)}, o), Verdict::Contact) << name;
    EXPECT_EQ(verdict({rod}, {box(1, 1, 1)}, o), Verdict::Contact) << name;
    EXPECT_EQ(verdict({box(1, 1, 1)}, {rod}, o), Verdict::Contact) << name;
    EXPECT_EQ(verdict({closed_box(0.1)}, {can}, o), Verdict::Contact) << name;
    EXPECT_EQ(verdict({Geometry{Sphere{0.5}, kHere, "sphere"}}, {closed_box(0.1)}, o), Verdict::Contact) << name;
    EXPECT_EQ(verdict({closed_box(0.1)}, {open_box(1.0)}, o), Verdict::Free) << name;
    EXPECT_EQ(verdict({closed_box(0.1)}, {hollow_box(1.2, 1.0)}, o), Verdict::Free) << name;
    EXPECT_EQ(verdict({hollow_box(1.2, 1.0)}, {closed_box(0.1)}, o), Verdict::Free) << name;
    EXPECT_EQ(verdict({closed_box(0.1)}, {hollow_box(1.0, 0.05)}, o), Verdict::Contact) << name;
    EXPECT_EQ(verdict({testing::sheet_mesh(0.1, 0.1)}, {closed_box(1.0)}, o), Verdict::Contact) << name;
  }
}

/// A corner 100 km out on an arm passes a wall there by less than its place is rounded, with a tolerance of that size.
TEST(Rounding, OfPlacesFarOutIsAllowedFor) {
  using Real = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
  using Vec = Eigen::Matrix<Real, 3, 1>;
  Draw draw(testing::seeded(1871));
  constexpr double kReach = 1e5;
  auto tip = std::make_shared<TriangleMesh>();
  tip->vertices = {{kReach, 0.0, 0.0}, {kReach - 1.0, 0.3, 0.2}, {kReach - 1.0, -0.3, 0.1}};
  tip->triangles.emplace_back(0, 1, 2);
  int meeting = 0, free = 0;
  const int draws = testing::scaled(400, 200);
  for (int i = 0; i < draws; ++i) {
    const double q = draw.uniform(-3.0, 3.0), apart = i % 2 == 0 ? 0.0 : 1e-4;
    const Eigen::Vector3d n(std::cos(q), std::sin(q), 0.0);
    const Geometry wall = testing::wall((kReach + apart) * n, n, 10.0);
    const Scenario s = single(JointType::Continuous, Eigen::Vector3d::UnitZ(),
                              {{MeshPtr(tip), Eigen::Isometry3d::Identity(), "tip"}}, {wall});
    // The gap between the wall's plane and the corner, from the doubles themselves.
    const std::vector<Eigen::Vector3d>& v = std::get<MeshPtr>(wall.shape)->vertices;
    const Vec v0 = v[0].cast<Real>();
    const Vec normal = (v[1].cast<Real>() - v0).cross(v[2].cast<Real>() - v0);
    const Vec corner(kReach * cos(Real(q)), kReach * sin(Real(q)), 0);
    const bool meets = normal.dot(v0 - corner) * normal.dot(n.cast<Real>()) <= 0;
    const PathChecker checker(s.robot, s.scene, s.matrix);
    Workspace w(checker);
    EdgeOptions options;
    options.tolerance = 1e-13;
    const bool is_free = checker.is_free(value(q), value(q), w, options);
    if (meets) {
      ++meeting;
      ASSERT_FALSE(is_free) << "draw " << i << ", q " << q;
    }
    free += is_free;
  }
  std::printf("%d of %d meet, %d free\n", meeting, draws, free);
  EXPECT_GT(meeting, draws / 8);
  EXPECT_GT(free, draws / 4);
}

}  // namespace
}  // namespace planner_ccd
