#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "planner_ccd/motion/trajectory.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "support/scenarios.hpp"

/// Exact touches, zero-length edges, concentric shapes, triangles that are points and lines: cases that random draws
/// never give, and where normals and distances are 0 / 0.
namespace planner_ccd {
namespace {

const Eigen::Isometry3d kHere = Eigen::Isometry3d::Identity();

Geometry placed(Geometry g, double x, double y, double z) {
  g.pose.translation() = Eigen::Vector3d(x, y, z);
  return g;
}

Geometry triangles(std::vector<Eigen::Vector3d> vertices) {
  auto mesh = std::make_shared<TriangleMesh>();
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    if (i % 3 == 0) mesh->triangles.emplace_back(static_cast<int>(i), static_cast<int>(i) + 1, static_cast<int>(i) + 2);
  }
  mesh->vertices = std::move(vertices);
  return {MeshPtr(mesh), kHere, "triangles"};
}

/// One link behind one joint, or two, at the origin; an obstacle, or a second link behind its own joint.
struct Pair {
  std::shared_ptr<const RobotModel> robot;
  Scene scene;

  Pair(JointType type, Geometry a, Geometry b, bool both_move) {
    RobotSpec spec;
    spec.name = "pair";
    spec.links = {{"base", {}, {}}, {"a", {a}, {}}};
    const auto joint = [&](const char* child) {
      JointSpec j;
      j.name = std::string("to_") + child;
      j.type = type;
      j.parent = "base";
      j.child = child;
      j.axis = type == JointType::Prismatic ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitZ();
      if (type == JointType::Prismatic) j.lower = -100.0, j.upper = 100.0;
      spec.joints.push_back(j);
    };
    joint("a");
    if (both_move) {
      spec.links.push_back({"b", {b}, {}});
      joint("b");
    } else {
      scene.objects.push_back({"b", {b}, kHere});
    }
    robot = std::make_shared<const RobotModel>(std::move(spec));
  }

  /// Moves the joint of `a` from one value to the other; the other joint, if any, stays at 0. All methods, both
  /// questions.
  void expect_not_free(double from, double to, double latest, const std::string& what) const {
    const PathChecker checker(robot, scene, CollisionMatrix());
    Workspace w(checker);
    Eigen::VectorXd q0 = Eigen::VectorXd::Zero(robot->dof()), q1 = q0;
    q0[0] = from;
    q1[0] = to;
    for (const std::string& method : search_method_names()) {
      EdgeOptions options;
      options.method = search_method_named(method);
      const EdgeResult r = checker.first_contact(q0, q1, w, options);
      EXPECT_NE(r.verdict, Verdict::Free) << what << ", " << method;
      EXPECT_LE(r.t_free, latest) << what << ", " << method;
      if (r.contact) {
        EXPECT_TRUE(r.contact->point_a.allFinite() && r.contact->point_b.allFinite() && r.contact->normal.allFinite())
            << what;
        EXPECT_TRUE(r.contact->distance >= 0.0 && r.contact->distance <= options.tolerance) << what;
      }
      EXPECT_FALSE(checker.is_free(q0, q1, w, options)) << what << ", " << method;
    }
  }
};

std::vector<std::pair<std::string, Geometry>> cubes() {
  return {{"box", {Box{{1, 1, 1}}, kHere, "box"}},
          {"mesh", testing::plate_mesh(1, 1, 1)},
          {"sphere", {Sphere{0.5}, kHere, "sphere"}},
          {"cylinder", {Cylinder{0.5, 1.0}, kHere, "cylinder"}},
          {"capsule", {Capsule{0.5, 0.5}, kHere, "capsule"}}};
}

TEST(ExactTouch, IsNeverFree) {
  for (const auto& [name_a, a] : cubes()) {
    for (const auto& [name_b, b] : cubes()) {
      for (const bool both : {false, true}) {
        const std::string what = name_a + " and " + name_b + (both ? ", both move" : "");
        const Pair pair(JointType::Prismatic, a, placed(b, 1.0, 0, 0), both);  // they touch at 0
        pair.expect_not_free(0.0, -1.0, 0.0, what + ", touch at the start");
        pair.expect_not_free(-1.0, 0.0, 1.0, what + ", touch at the end");
        pair.expect_not_free(0.0, 0.0, 0.0, what + ", touch at rest");
        const Pair beside(JointType::Prismatic, a, placed(b, 0, 1.0, 0), both);
        beside.expect_not_free(-4.0, 3.0, 4.5 / 7.0, what + ", slide along each other");
        beside.expect_not_free(3.0, -4.0, 3.5 / 7.0, what + ", slide back");
      }
    }
  }
}

TEST(ExactTouch, OfAPointOnAPathIsNeverFree) {
  // A ball's lowest point passes exactly through the tip of a needle, the corner of a sheet, a point, a segment.
  const Geometry ball{Sphere{0.25}, kHere, "sphere"};
  const Geometry box = placed({Box{{0.5, 0.5, 0.5}}, kHere, "box"}, 0, 0, 0);
  const Eigen::Vector3d tip(0.3125, 0, -0.25);
  const std::vector<std::pair<std::string, Geometry>> things = {
      {"needle", triangles({tip, {0.3, 0.01, -1}, {0.32, 0.01, -1}, tip, {0.3, -0.01, -1}, {0.3, 0.01, -1}})},
      {"corner", triangles({tip, {0.5, 0.5, -0.5}, {0.1, 0.7, -0.6}})},
      {"point", triangles({tip, tip, tip})},
      {"segment", triangles({tip, {0.3, 0.1, -1}, {0.3, 0.1, -1}})},
      {"line", triangles({tip, tip + Eigen::Vector3d(0, 0, -1), tip + Eigen::Vector3d(0, 0, -2)})}};
  for (const auto& [name, thing] : things) {
    for (const bool both : {false, true}) {
      Pair(JointType::Prismatic, ball, thing, both).expect_not_free(-1.0, 1.5, 0.525, "ball over " + name);
      Pair(JointType::Prismatic, box, thing, both).expect_not_free(-1.0, 1.5, 0.625, "box over " + name);
    }
  }
}

TEST(Degenerate, ShapesAboutOneCentre) {
  for (const auto& [name_a, a] : cubes()) {
    for (const auto& [name_b, b] : cubes()) {
      for (const bool both : {false, true}) {
        const std::string what = name_a + " in " + name_b + (both ? ", both move" : "");
        const Pair pair(JointType::Continuous, a, b, both);
        pair.expect_not_free(0.0, 1.0, 0.0, what);
        pair.expect_not_free(0.0, 0.0, 0.0, what + ", at rest");
      }
    }
  }
}

TEST(Degenerate, EdgesOfNoLength) {
  testing::Draw draw(17);
  int free = 0;
  for (int i = 0; i < testing::scaled(20, 5); ++i) {
    const testing::Scenario s = testing::random_scenario(draw, {});
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    Workspace w(checker);
    const testing::EdgeDraw edges(*s.robot, 1.0);
    for (int k = 0; k < 10; ++k) {
      const Eigen::VectorXd q = edges.configuration(draw);
      const EdgeResult here = checker.first_contact(q, q, w);
      const bool in_contact = checker.in_contact(q, w);
      EXPECT_EQ(here.verdict == Verdict::Free, !in_contact);
      if (here.verdict != Verdict::Free) {
        EXPECT_EQ(here.t_free, 0.0);
      }
      free += here.verdict == Verdict::Free;
      Eigen::VectorXd next = q;
      for (double& x : next) x = std::nextafter(x, draw.integer(0, 1) == 0 ? 10.0 : -10.0);
      EXPECT_EQ(checker.first_contact(q, next, w).verdict, here.verdict);
      Eigen::VectorXd tiny = Eigen::VectorXd::Constant(q.size(), std::numeric_limits<double>::denorm_min());
      EXPECT_NE(checker.first_contact(q, q + tiny, w).verdict, Verdict::Undecided);
    }
  }
  EXPECT_GT(free, 0);
}

/// The intended motion of a trajectory segment may differ from its polynomial by `error`: a proof must cover all of
/// that, also where certified cells prove the polynomial's own motion free.
TEST(SegmentError, IsPartOfWhatIsProved) {
  Geometry bar{Box{{0.5, 0.02, 0.02}}, kHere, "bar"};
  bar.pose.translation().x() = 0.25;
  RobotSpec spec;
  spec.name = "two bars";
  spec.links = {{"base", {}, {}}, {"a", {bar}, {}}, {"b", {bar}, {}}};
  for (const char* link : {"a", "b"}) {
    JointSpec j;
    j.name = std::string("to_") + link;
    j.type = JointType::Revolute;
    j.parent = "base";
    j.child = link;
    j.axis = Eigen::Vector3d::UnitZ();
    j.lower = -1.5, j.upper = 1.5;
    if (link[0] == 'b') j.origin.translation().y() = 0.05;
    spec.joints.push_back(j);
  }
  const auto robot = std::make_shared<const RobotModel>(std::move(spec));
  for (const std::int64_t cells : {0, 100'000}) {
    CheckerOptions options;
    options.cell_evaluations = cells;
    const PathChecker checker(robot, {}, CollisionMatrix(), options);
    Workspace w(checker);
    TrajectorySegment segment;
    segment.t1 = 1.0;
    segment.value.resize(2);
    segment.value[0] = {{-0.5, 0.5}, 1};  // until parallel, 3 cm apart
    segment.value[1] = {{0.0}, 0};
    segment.error = {0.0, 0.0};
    EXPECT_TRUE(checker.is_free(segment, w));
    segment.error = {0.03, 0.04};  // up to 3.5 cm at the tips
    EXPECT_FALSE(checker.is_free(segment, w)) << "with " << cells << " evaluations for cells";
    segment.value[0].degree = 2;
    EXPECT_FALSE(checker.is_free(segment, w)) << "with " << cells << " evaluations for cells, as a curve";
  }
}

}  // namespace
}  // namespace planner_ccd
