// What a roadmap may keep without a check, with walls where each bound is used up: a ball of 10 cm slides along x from
// 0 to 1.
#include <gtest/gtest.h>

#include "planner_ccd/roadmap/roadmap.hpp"
#include "planner_ccd/roadmap/scene_change.hpp"
#include "support/random_robot.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using testing::ball;
using testing::ChainSpec;
using testing::Draw;
using testing::shift;
using testing::wall;

constexpr double kSpare = 0.02;

/// Oblique, so that its box contains the whole way: only the spare clearance distinguishes it from a contact.
SceneObject oblique_wall(double distance) {
  const Vector3d n = Vector3d(1.0, 1.0, 0.5).normalized();
  return {"wall", {wall((n.x() + 0.1) * n, n, 3.0)}, shift(distance * n)};
}

/// Beside the way, its sides along the axes.
SceneObject block(double distance) {
  return {"block", {{Box{{0.2, 0.2, 0.2}}, Eigen::Isometry3d::Identity(), "box"}}, shift({0.5, 0.2 + distance, 0.0})};
}

struct Slider {
  std::shared_ptr<const RobotModel> robot =
      std::make_shared<const RobotModel>(ChainSpec().slide(Vector3d::UnitX()).with(ball(0.1)).spec);
  Scene scene;

  Roadmap roadmap() const {
    RoadmapOptions options;
    options.spare = kSpare;
    options.threads = 1;
    options.edge.tolerance = 1e-6;
    return Roadmap(robot, scene, CollisionMatrix(), options);
  }
};

const std::vector<Edge> kEdge{{Eigen::VectorXd::Constant(1, 0.0), Eigen::VectorXd::Constant(1, 1.0)}};

/// The object approaches by `step` until it is within its margin; each time the verdict must match its distance.
RoadmapUpdate creep(Roadmap& roadmap, Scene scene, SceneObject (*make)(double), double distance, double step,
                    double margin) {
  RoadmapUpdate sum;
  const std::string name = make(0.0).name;
  for (int i = 0; i < 40 && distance > margin - 3.0 * step; ++i) {
    distance -= step;
    scene.objects.replace(make(distance));
    const RoadmapUpdate update = roadmap.change_scene(scene);
    sum.kept_spare += update.kept_spare;
    sum.kept_far += update.kept_far;
    EXPECT_EQ(roadmap.verdict(0), distance > margin ? Verdict::Free : Verdict::Contact)
        << name << " at " << distance << ", by steps of " << step;
  }
  return sum;
}

TEST(RoadmapBounds, RoomToSpareIsUsedUpByAllOfTheWay) {
  for (const double step : {0.0019, 0.006, 0.011, 0.019}) {
    Slider s;
    s.scene.objects = {oblique_wall(0.0205)};
    Roadmap roadmap = s.roadmap();
    roadmap.add(kEdge);
    EXPECT_EQ(roadmap.verdict(0), Verdict::Free);
    EXPECT_GT(creep(roadmap, s.scene, oblique_wall, 0.0205, step, 0.0).kept_spare, 0u) << "vacuous";
  }
}

/// A small ball arrives anywhere on the way, at its ends too.
TEST(RoadmapBounds, AnArrivalOnAnyPartOfTheWayIsAsked) {
  Slider s;
  for (int part = 0; part <= 64; ++part) {
    Roadmap roadmap = s.roadmap();
    roadmap.add(kEdge);
    Scene scene;
    const double x = -0.099 + 1.198 * part / 64.0;  // the ball's own radius before and behind the way
    scene.objects.push_back({"crumb", {ball(0.002)}, shift({x, 0.0, 0.0})});
    roadmap.change_scene(scene);
    EXPECT_EQ(roadmap.verdict(0), Verdict::Contact) << x;
  }
}

/// An arrival nearer than the spare clearance reduces it to its distance: where it enters the boxes, and beside them.
TEST(RoadmapBounds, AnArrivalWithinTheRoomToSpareTakesItAway) {
  for (const auto make : {oblique_wall, block}) {
    for (const double distance : {0.003, 0.0105, 0.0195}) {
      Slider s;
      Roadmap roadmap = s.roadmap();
      roadmap.add(kEdge);
      s.scene.objects = {make(distance)};
      roadmap.change_scene(s.scene);
      EXPECT_EQ(roadmap.verdict(0), Verdict::Free);
      creep(roadmap, s.scene, make, distance, 0.0019, 0.0);
    }
  }
}

/// The spare clearance is added to a pair's own margin, whichever of several entries sets that.
TEST(RoadmapBounds, RoomToSpareComesOnTopOfThePairsMargin) {
  for (const bool from_the_start : {true, false}) {
    for (const double beyond : {0.0105, 0.0205}) {
      Slider s;
      s.scene.objects = {oblique_wall(0.05 + beyond), {"other", {ball(0.1)}, shift({0.0, 9.0, 0.0})}};
      s.scene.margins = {{"l1", "wall", 0.3}, {"wall", "l1", 0.05}, {"l1", "other", 0.0}};
      Scene before = s.scene;
      if (!from_the_start) before.objects = {oblique_wall(3.0), s.scene.objects[1]};
      Slider first = s;
      first.scene = before;
      Roadmap roadmap = first.roadmap();
      roadmap.add(kEdge);
      if (!from_the_start) roadmap.change_scene(s.scene);
      EXPECT_EQ(roadmap.verdict(0), Verdict::Free);
      const RoadmapUpdate update = creep(roadmap, s.scene, oblique_wall, 0.05 + beyond, 0.0019, 0.05);
      EXPECT_EQ(update.kept_spare > 0, beyond > kSpare);
    }
  }
}

/// Boxes of arrivals include the greatest margin of their pairs.
TEST(RoadmapBounds, AnArrivalWithinItsMarginIsAsked) {
  for (const bool exact : {true, false}) {
    Slider s;
    s.scene.objects = {block(5.0), {"other", {ball(0.1)}, shift({0.0, 9.0, 0.0})}};
    s.scene.margins = {{exact ? "l1" : "*", "block", 0.05}, {"l1", "other", 0.0}};
    Roadmap roadmap = s.roadmap();
    roadmap.add(kEdge);
    EXPECT_EQ(roadmap.verdict(0), Verdict::Free);
    s.scene.objects.replace(block(0.0495));
    roadmap.change_scene(s.scene);
    EXPECT_EQ(roadmap.verdict(0), Verdict::Contact);
    s.scene.objects.replace(block(0.0505));
    roadmap.change_scene(s.scene);
    EXPECT_EQ(roadmap.verdict(0), Verdict::Free);
  }
}

/// A bar along the way that turns about its own middle, or about a distant point: its end comes nearer than its origin.
TEST(RoadmapBounds, ABarThatTurnsUsesUpRoomByItsEnds) {
  for (const double pivot : {0.0, 5.0}) {
    const auto bar = [&](double angle) {
      SceneObject o{"bar",
                    {{Box{{1.0, 0.02, 0.02}}, shift({-pivot, 0.0, 0.0}), "box"}},
                    shift({0.5 + pivot, 0.1 + 0.01 + 0.021, 0.0})};
      o.pose.linear() = Eigen::AngleAxisd(angle, Vector3d::UnitZ()).toRotationMatrix();
      return o;
    };
    Slider s;
    s.scene.objects = {bar(0.0)};
    Roadmap roadmap = s.roadmap();
    roadmap.add(kEdge);
    ASSERT_EQ(roadmap.verdict(0), Verdict::Free);
    double angle = 0.0;
    for (int i = 0; i < 12; ++i) {
      angle += (pivot > 0.0 ? 0.0006 : 0.006);
      s.scene.objects = {bar(angle)};
      roadmap.change_scene(s.scene);
      // The lower side of the bar descends by the sine of the angle at its far end, which is over the way.
      const double end = 0.5 + pivot;
      const double lowest = 0.021 - end * std::sin(angle) + 0.01 * (1.0 - std::cos(angle));
      if (std::abs(lowest) < 1e-4) continue;
      EXPECT_EQ(roadmap.verdict(0), lowest > 0.0 ? Verdict::Free : Verdict::Contact) << pivot << " " << angle;
    }
    EXPECT_EQ(roadmap.verdict(0), Verdict::Contact);
  }
}

/// Of several margins of a pair the last counts, so another order is a change of the scene.
TEST(RoadmapBounds, AnotherOrderOfMarginsIsAskedAgain) {
  Slider s;
  s.scene.objects = {block(0.03)};
  s.scene.margins = {{"l1", "block", 0.05}, {"block", "l1", 0.0}};
  Roadmap roadmap = s.roadmap();
  roadmap.add(kEdge);
  EXPECT_EQ(roadmap.verdict(0), Verdict::Free);
  std::swap(s.scene.margins[0], s.scene.margins[1]);
  roadmap.change_scene(s.scene);
  EXPECT_EQ(roadmap.verdict(0), Verdict::Contact);
}

/// A change of a single number gives another shape.
TEST(SceneChange, AnotherShapeIsAnArrival) {
  const std::vector<std::pair<Shape, Shape>> pairs{
      {Sphere{0.1}, Sphere{0.2}},
      {Box{{0.1, 0.1, 0.1}}, Box{{0.1, 0.1, 0.3}}},
      {Capsule{0.1, 0.2}, Capsule{0.1, 0.3}},
      {Capsule{0.1, 0.2}, Capsule{0.2, 0.2}},
      {Cylinder{0.1, 0.2}, Cylinder{0.1, 0.3}},
      {ConvexHull{{Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitY(), Vector3d::UnitZ()}},
       ConvexHull{{Vector3d::Zero(), Vector3d::UnitX(), Vector3d::UnitY(), 2.0 * Vector3d::UnitZ()}}},
      {wall(Vector3d::Zero(), Vector3d::UnitX()).shape, wall(Vector3d::Zero(), Vector3d::UnitY()).shape},
      {Sphere{0.1}, Capsule{0.1, 0.0}}};
  for (const auto& [a, b] : pairs) {
    Scene before, after;
    before.objects = {{"o", {{a, Eigen::Isometry3d::Identity(), "o"}}, Eigen::Isometry3d::Identity()}};
    after.objects = {{"o", {{b, Eigen::Isometry3d::Identity(), "o"}}, Eigen::Isometry3d::Identity()}};
    EXPECT_EQ(compare(before, before, 0.0).arrivals.size(), 0u);
    EXPECT_EQ(compare(before, after, 0.0).arrivals.size(), 1u) << a.index();
  }
}

/// Points of the shape's surface, from the documented meaning of the shapes.
std::vector<Vector3d> points_of(Draw& draw, const Shape& shape) {
  std::vector<Vector3d> out;
  for (int i = 0; i < 60; ++i) {
    const Vector3d d = draw.direction(), u = draw.vector(1.0);
    if (const auto* sphere = std::get_if<Sphere>(&shape)) out.push_back(sphere->radius * d);
    if (const auto* box = std::get_if<Box>(&shape)) {
      out.push_back(0.5 * box->size.cwiseProduct(Vector3d(u.array().sign())));
    }
    if (const auto* capsule = std::get_if<Capsule>(&shape)) {
      out.push_back(capsule->radius * d + Vector3d(0.0, 0.0, std::copysign(0.5 * capsule->length, u.z())));
    }
    if (const auto* cylinder = std::get_if<Cylinder>(&shape)) {
      const Vector3d rim = cylinder->radius * Vector3d(d.x(), d.y(), 0.0).normalized();
      out.push_back(rim + Vector3d(0.0, 0.0, std::copysign(0.5 * cylinder->length, u.z())));
    }
    if (const auto* mesh = std::get_if<MeshPtr>(&shape)) out.push_back((*mesh)->vertices[i % 3]);
  }
  return out;
}

TEST(SceneChange, BoxesHoldWhatArrivesAndNoPointMovesFarther) {
  Draw draw(931);
  double tightest = 0.0;
  for (int i = 0; i < 400; ++i) {
    Shape shape;
    switch (draw.integer(0, 4)) {
      case 0: shape = Sphere{draw.uniform(0.01, 0.5)}; break;
      case 1: shape = Box{{draw.uniform(0.01, 1.0), draw.uniform(0.01, 1.0), draw.uniform(0.01, 1.0)}}; break;
      case 2: shape = Capsule{draw.uniform(0.01, 0.3), draw.uniform(0.01, 1.0)}; break;
      case 3: shape = Cylinder{draw.uniform(0.01, 0.3), draw.uniform(0.01, 1.0)}; break;
      default: shape = wall(draw.vector(1.0), draw.direction(), 0.3).shape;
    }
    SceneObject object{"o", {{shape, draw.pose(1.0), "o"}}, draw.pose(2.0)};
    Scene before, after;
    before.objects = {object};
    const double angle = std::pow(10.0, draw.uniform(-4.0, 0.3));
    object.pose.linear() = object.pose.linear() * Eigen::AngleAxisd(angle, draw.direction()).toRotationMatrix();
    object.pose.translation() += draw.integer(0, 1) * draw.vector(0.3);
    after.objects = {object};
    after.margins = {{"o", "*", 0.0}};
    const double margin = draw.uniform(0.0, 0.2), of_pair = draw.integer(0, 1) * draw.uniform(0.0, 0.2);
    before.margins = after.margins = {{"x", "o", of_pair}, {"o", "x", 0.0}};
    const SceneChange change = compare(before, after, margin);
    ASSERT_EQ(change.arrivals.size(), 1u);
    const SceneChange::Arrival& arrival = change.arrivals[0];
    double way = 0.0;
    for (const Vector3d& p : points_of(draw, shape)) {
      const Vector3d on_object = object.geometry[0].pose * p;
      const Vector3d now = object.pose * on_object, then = before.objects[0].pose * on_object;
      way = std::max(way, (now - then).norm());
      const double around = std::max(margin, of_pair) * (1.0 - 1e-12);
      for (int k = 0; k < 3; ++k) {
        ASSERT_LE(arrival.box.min()[k], now[k] - around) << i;
        ASSERT_GE(arrival.box.max()[k], now[k] + around) << i;
      }
    }
    ASSERT_GE(arrival.moved, way) << i;
    tightest = std::max(tightest, way / arrival.moved);
  }
  EXPECT_GT(tightest, 0.99);
}

}  // namespace
}  // namespace planner_ccd
