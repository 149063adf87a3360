// A roadmap kept up to date while its scene changes: kept verdicts must equal those of a full check.
#include "planner_ccd/roadmap/roadmap.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/planner_ccd.hpp"
#include "support/oracle.hpp"
#include "support/random_robot.hpp"
#include "support/scale.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd {
namespace {

constexpr unsigned kSeed = 1118;
const std::string kRoot = testing::source_dir();

struct World {
  RobotSpec spec;
  std::shared_ptr<const RobotModel> robot;
  CollisionMatrix matrix;
  Scene scene;
};

SceneObject random_object(testing::Draw& draw, const std::string& name) {
  Shape shape;
  switch (draw.integer(0, 2)) {
    case 0: shape = Box{{draw.uniform(0.05, 0.4), draw.uniform(0.05, 0.4), draw.uniform(0.001, 0.4)}}; break;
    case 1: shape = Sphere{draw.uniform(0.03, 0.2)}; break;
    default: shape = Capsule{draw.uniform(0.02, 0.1), draw.uniform(0.1, 0.4)};
  }
  SceneObject object{name, {{shape, Eigen::Isometry3d::Identity(), name}}, draw.pose(1.0)};
  // Not at the arm's base: everything would always be in contact.
  const double angle = draw.uniform(-3.1, 3.1), away = draw.uniform(0.45, 1.0);
  object.pose.translation() = Eigen::Vector3d(away * std::cos(angle), away * std::sin(angle), draw.uniform(0.0, 1.3));
  return object;
}

/// Our 7R arm among random objects.
World arm_world(testing::Draw& draw, int objects) {
  World world;
  world.spec = load_urdf(kRoot + "/urdf/arm7.urdf").value;
  world.robot = std::make_shared<const RobotModel>(world.spec);
  world.matrix = build_collision_matrix(*world.robot, load_srdf(kRoot + "/urdf/arm7.srdf", *world.robot).value);
  for (int i = 0; i < objects; ++i) world.scene.objects.push_back(random_object(draw, "o" + std::to_string(i)));
  return world;
}

std::vector<Edge> random_edges(testing::Draw& draw, const RobotModel& robot, int count) {
  std::vector<Edge> edges;
  for (int i = 0; i < count; ++i) {
    Eigen::VectorXd q0(robot.dof()), q1(robot.dof());
    for (int k = 0; k < robot.dof(); ++k) {
      const Coordinate& c = robot.coordinates()[k];
      q0[k] = draw.uniform(c.lower, c.upper);
      q1[k] = std::clamp(q0[k] + draw.uniform(-0.4, 0.4), c.lower, c.upper);
    }
    edges.push_back({q0, q1});
  }
  return edges;
}

/// Adds, removes, moves far, nudges or replaces an object, or changes its rules.
void change(testing::Draw& draw, Scene& scene, int& names) {
  const auto any = [&]() -> std::size_t { return draw.integer(0, static_cast<int>(scene.objects.size()) - 1); };
  const std::size_t count = scene.objects.size();
  switch (count < 4 ? 0 : (count > 10 ? 1 : draw.integer(0, 15))) {
    case 0: scene.objects.push_back(random_object(draw, "n" + std::to_string(names++))); break;
    case 1: {
      const std::string name = scene.objects[any()].name;
      std::erase_if(scene.allow, [&](const AllowedPair& p) { return p.b == name; });
      std::erase_if(scene.margins, [&](const PairMargin& m) { return m.b == name; });
      scene.objects.erase(name);
      break;
    }
    case 2: scene.objects.move(scene.objects[any()].name, random_object(draw, "x").pose); break;
    case 3: {
      const SceneObject& old = scene.objects[any()];
      scene.objects.replace({old.name, random_object(draw, "x").geometry, old.pose});
      break;
    }
    case 4: scene.allow.push_back({"link7", scene.objects[any()].name}); break;
    case 5: scene.margins.push_back({"link6", scene.objects[any()].name, draw.uniform(0.0, 0.05)}); break;
    default: {  // a table that was measured again
      const SceneObject& table = scene.objects[any()];
      Pose pose = table.pose;
      pose.translation() += draw.vector(0.004);
      pose.linear() = pose.linear() * Eigen::AngleAxisd(draw.uniform(-0.01, 0.01), draw.direction()).toRotationMatrix();
      scene.objects.move(table.name, pose);
    }
  }
}

/// Compares with a checker that knows nothing of earlier scenes. Verdicts may differ within the tolerance alone: where
/// it says contact and the roadmap Free, the pair must be farther apart than its own margin at all samples of the
/// oracle, which steps by distance and speed.
void expect_true(const Roadmap& roadmap, const World& world, const RoadmapOptions& options) {
  const PathChecker fresh(world.robot, world.scene, world.matrix, options.checker);
  Workspace workspace(fresh);
  std::optional<truth::Oracle> oracle;
  for (std::size_t i = 0; i < roadmap.size(); ++i) {
    const Edge& edge = roadmap.edge(i);
    const EdgeResult full = fresh.any_contact(edge.q0, edge.q1, workspace, options.edge);
    if (full.verdict == roadmap.verdict(i)) continue;
    SCOPED_TRACE("edge " + std::to_string(i) + ": " + to_string(roadmap.verdict(i)) + ", but " +
                 to_string(full.verdict));
    ASSERT_TRUE(full.verdict == Verdict::Contact && roadmap.verdict(i) == Verdict::Free);
    if (!oracle)
      oracle.emplace(world.spec, world.scene, world.matrix, options.checker.margin, options.checker.self_margin);
    const int pair = oracle->find_pair(full.contact->a, full.contact->b);
    ASSERT_GE(pair, 0);
    const truth::Edge motion{edge.q0, edge.q1};
    EXPECT_FALSE(oracle->nested_at(motion, pair, full.contact->t));
    const truth::Scan near_witness = oracle->scan(motion, pair, std::max(0.0, full.contact->t - 1e-3),
                                                  std::min(1.0, full.contact->t + 1e-3), {1e-6L, 1e-6L, 1e-4L, 20000});
    const truth::Scan all = oracle->scan(motion, pair, 0, 1);
    EXPECT_FALSE(near_witness.hit || all.hit) << full.contact->a << " and " << full.contact->b;
  }
}

TEST(Roadmap, IsTrueAfterAnyChangeOfTheScene) {
  std::printf("seed %u\n", kSeed);
  std::size_t kept_far = 0, kept_spare = 0, kept_contact = 0, checked = 0, turned = 0, all = 0;
  for (const double spare : {0.0, 0.02}) {
    testing::Draw draw(kSeed), edge_draw(kSeed + 1);  // the same changes for any number of edges
    World world = arm_world(draw, 8);
    // Margins of many sizes, some of a pair twice, so that their order counts.
    for (int i = 0; i < 12; ++i) {
      const std::string link = i % 4 == 0 ? "*" : "link" + std::to_string(draw.integer(1, 7));
      world.scene.margins.push_back({link, "o" + std::to_string(draw.integer(0, 7)), draw.uniform(0.0, 0.05)});
    }
    RoadmapOptions options;
    options.spare = spare;
    options.checker.margin = spare / 10;
    options.checker.cell_evaluations = 500;
    Roadmap roadmap(world.robot, world.scene, world.matrix, options);
    EXPECT_EQ(roadmap.add(random_edges(edge_draw, *world.robot, 40)), 0u);
    EXPECT_EQ(roadmap.add(random_edges(edge_draw, *world.robot, testing::scaled(120, 60))), 40u);
    expect_true(roadmap, world, options);
    int names = 0;
    const int rounds = testing::scaled(40, 30);
    for (int round = 0; round < rounds; ++round) {
      SCOPED_TRACE("round " + std::to_string(round));
      const int changes = draw.integer(1, 3);
      for (int i = 0; i < changes; ++i) change(draw, world.scene, names);
      const RoadmapUpdate update = roadmap.change_scene(world.scene);
      EXPECT_EQ(update.checked + update.kept_far + update.kept_spare + update.kept_contact, roadmap.size());
      expect_true(roadmap, world, options);
      kept_far += update.kept_far;
      kept_spare += update.kept_spare;
      kept_contact += update.kept_contact;
      checked += update.checked;
      turned += update.turned.size();
      all += roadmap.size();
    }
  }
  std::printf("of %zu edges: asked again %zu, kept far %zu, with room to spare %zu, in contact %zu; turned %zu\n", all,
              checked, kept_far, kept_spare, kept_contact, turned);
  EXPECT_GT(kept_far * 10, all) << "vacuous";
  EXPECT_GT(kept_contact * 20, all) << "vacuous";
  EXPECT_GT(kept_spare * 50, all) << "vacuous";
  EXPECT_GT(turned, 10u) << "vacuous";
  EXPECT_LT(checked * 2, all) << "nothing is saved";
}

TEST(Roadmap, AnObjectThatCreepsUsesUpTheRoomToSpare) {
  testing::Draw draw(kSeed);
  World world = arm_world(draw, 0);
  world.scene.objects.push_back(
      {"wall", {{Box{{0.02, 2.0, 2.0}}, Eigen::Isometry3d::Identity(), "wall"}}, Eigen::Isometry3d::Identity()});
  // Oblique: its box is much larger than itself, so that only the spare clearance distinguishes edges beside it.
  const auto put = [&](double x) {
    world.scene.objects.move("wall", Eigen::Translation3d(x, 0, 0) * Eigen::AngleAxisd(0.6, Eigen::Vector3d::UnitZ()));
  };
  put(0.9);
  RoadmapOptions options;
  options.checker.cell_evaluations = 0;
  Roadmap roadmap(world.robot, world.scene, world.matrix, options);
  roadmap.add(random_edges(draw, *world.robot, 60));
  std::size_t kept_spare = 0;
  for (int step = 0; step < 40; ++step) {
    put(0.9 - 0.006 * (step + 1));
    kept_spare += roadmap.change_scene(world.scene).kept_spare;
    expect_true(roadmap, world, options);
  }
  EXPECT_GT(kept_spare, 0u);
}

TEST(Roadmap, WhatIsHeldAndRulesForAllMakeEverythingBeAskedAgain) {
  testing::Draw draw(kSeed);
  World world = arm_world(draw, 6);
  RoadmapOptions options;
  options.checker.cell_evaluations = 0;
  Roadmap roadmap(world.robot, world.scene, world.matrix, options);
  roadmap.add(random_edges(draw, *world.robot, 40));
  EXPECT_EQ(roadmap.change_scene(world.scene).checked, 0u) << "nothing changed";
  world.scene.attach("o0", "link7", Eigen::Isometry3d::Identity(), {"link6"});
  EXPECT_EQ(roadmap.change_scene(world.scene).checked, 40u);
  expect_true(roadmap, world, options);
  world.scene.margins.push_back({"*", "*", 0.03});
  EXPECT_EQ(roadmap.change_scene(world.scene).checked, 40u);
  expect_true(roadmap, world, options);
  world.scene.objects.push_back({"bad", {}, Eigen::Isometry3d::Identity()});
  EXPECT_THROW(roadmap.change_scene(world.scene), InputError) << "an object without geometry";
  world.scene.objects.erase("bad");
  expect_true(roadmap, world, options);
  EXPECT_EQ(roadmap.change_scene(world.scene).checked, 0u) << "the scene that was refused left no trace";
  options.spare = -1.0;
  EXPECT_THROW(Roadmap(world.robot, world.scene, world.matrix, options), InputError);
}

}  // namespace
}  // namespace planner_ccd
