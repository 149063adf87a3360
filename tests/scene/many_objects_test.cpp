// Scenes with more objects than get their trees built at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <thread>

#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {
namespace {

constexpr unsigned kSeed = 22;
constexpr int kMany = 7000;  // of 12 triangles: 84,000 primitives, more than are built at once

/// Three bars on a post.
std::shared_ptr<const RobotModel> arm() {
  RobotSpec spec;
  spec.name = "arm";
  spec.links.push_back({"base", {}, {}});
  for (int i = 0; i < 3; ++i) {
    const std::string name = "bar" + std::to_string(i);
    Geometry bar{Box{{0.05, 0.05, 0.3}}, Eigen::Isometry3d(Eigen::Translation3d(0, 0, 0.15)), "box"};
    spec.links.push_back({name, {bar}, {}});
    JointSpec joint;
    joint.name = "joint" + std::to_string(i);
    joint.type = JointType::Revolute;
    joint.parent = spec.links[spec.links.size() - 2].name;
    joint.child = name;
    joint.origin.translation().z() = i == 0 ? 0.0 : 0.35;
    joint.axis = i % 2 == 0 ? Eigen::Vector3d::UnitX() : Eigen::Vector3d::UnitY();
    joint.lower = -2.0;
    joint.upper = 2.0;
    spec.joints.push_back(joint);
  }
  return std::make_shared<const RobotModel>(std::move(spec));
}

/// Two triangles that enclose nothing, or a tetrahedron.
MeshPtr mesh(bool open) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0.2, 0, 0}, {0, 0.2, 0}, {0, 0, 0.2}, {9, 9, 9}};  // no triangle uses the last one
  mesh.triangles = {{0, 2, 1}, {0, 1, 3}};
  if (!open) mesh.triangles.insert(mesh.triangles.end(), {{1, 2, 3}, {0, 3, 2}});
  return std::make_shared<const TriangleMesh>(std::move(mesh));
}

class Maker {
 public:
  explicit Maker(std::mt19937& random) : random_(random) {}

  double uniform(double from, double to) { return from + (to - from) * 0x1p-32 * static_cast<double>(random_()); }
  Eigen::Isometry3d pose(double half) {
    const Eigen::Vector3d axis(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    return Eigen::Translation3d(uniform(-half, half), uniform(-half, half), uniform(-half, half)) *
           Eigen::AngleAxisd(uniform(-3, 3), axis.normalized());
  }
  SceneObject object(const std::string& name) {
    const double size = uniform(0.02, 0.1);
    Geometry g{Sphere{size}, pose(0.05), "shape"};
    switch (random_() % 6) {
      case 0: g.shape = Box{{size, 2 * size, size}}; break;
      case 1: g.shape = Cylinder{size, 2 * size}; break;
      case 2: g.shape = Capsule{size, 2 * size}; break;
      case 3: g.shape = closed_; break;
      case 4: g.shape = open_; break;
      default: break;
    }
    SceneObject object{name, {g}, pose(0.9)};
    if (random_() % 4 == 0) object.geometry.push_back({Box{{size, size, size}}, pose(0.05), "box"});
    return object;
  }

 private:
  std::mt19937& random_;
  MeshPtr open_ = mesh(true), closed_ = mesh(false);
};

SceneObject far_box(int i) {
  return {"far" + std::to_string(i),
          {{Box{{0.1, 0.1, 0.1}}, Eigen::Isometry3d::Identity(), "box"}},
          Eigen::Isometry3d(Eigen::Translation3d(3.0 + 0.2 * (i % 100), 0.2 * (i / 100), 0.0))};
}

const Eigen::AlignedBox3d kEverywhere(Eigen::Vector3d::Constant(-1e9), Eigen::Vector3d::Constant(1e9));

int built(const PathChecker& checker) {
  int count = 0;
  snapshot_of(checker).tree().meet(kEverywhere, [&](const Obstacle& o) { count += o.tree().is_built() ? 1 : 0; });
  return count;
}

/// One checker has all its trees from the start, the other builds what it meets.
TEST(ManyObjects, TreesThatWaitGiveTheSameAnswersToTheLastBit) {
  std::printf("seed %u\n", kSeed);
  std::mt19937 random(kSeed);
  Maker make(random);
  const auto robot = arm();
  std::vector<SceneObject> near;
  for (int i = 0; i < 12; ++i) near.push_back(make.object("near" + std::to_string(i)));
  Scene first, last;
  for (const SceneObject& o : near) first.objects.push_back(o);
  for (int i = 0; i < kMany; ++i) first.objects.push_back(far_box(i)), last.objects.push_back(far_box(i));
  for (const SceneObject& o : near) last.objects.push_back(o);
  const PathChecker ahead(robot, first, {}), waiting(robot, last, {});
  snapshot_of(ahead).tree().meet(kEverywhere, [](const Obstacle& o) { EXPECT_GT(o.tree()->node_count(), 0); });
  const int before = built(waiting);
  EXPECT_EQ(built(ahead), kMany + 12);
  EXPECT_LE(before, 2) << "of two meshes";
  Workspace a(ahead), w(waiting);
  int contacts = 0, free = 0;
  for (int k = 0; k < 300; ++k) {
    const Eigen::VectorXd q0 = Eigen::VectorXd::NullaryExpr(3, [&] { return make.uniform(-2, 2); });
    const Eigen::VectorXd q1 = Eigen::VectorXd::NullaryExpr(3, [&] { return make.uniform(-2, 2); });
    const EdgeResult x = ahead.first_contact(q0, q1, a), y = waiting.first_contact(q0, q1, w);
    ASSERT_EQ(x.verdict, y.verdict);
    ASSERT_EQ(x.t_free, y.t_free);
    ASSERT_EQ(x.counters.node_evaluations, y.counters.node_evaluations);
    ASSERT_EQ(x.counters.primitive_evaluations, y.counters.primitive_evaluations);
    ASSERT_EQ(x.contact.has_value(), y.contact.has_value());
    (x.contact ? contacts : free) += 1;
    if (x.contact) {
      ASSERT_EQ(x.contact->b, y.contact->b);
      ASSERT_EQ(x.contact->t, y.contact->t);
      ASSERT_EQ(x.contact->point_a, y.contact->point_a);
    }
    const NearestPair n = ahead.clearance(q0, a), m = waiting.clearance(q0, w);
    ASSERT_EQ(n.upper, m.upper);
    ASSERT_EQ(n.lower, m.lower);
  }
  EXPECT_GT(contacts, 20);
  EXPECT_GT(free, 20);
  EXPECT_GT(built(waiting), before) << "vacuous: nothing that waited was met";
  EXPECT_LE(built(waiting), before + 12 + 30) << "trees of what is far away";
}

/// Boxes, radii and open surfaces are known without the tree and equal the tree's.
TEST(ManyObjects, WhatIsKnownOfATreeThatWaitsIsWhatItWillBe) {
  std::mt19937 random(kSeed);
  Maker make(random);
  Scene scene;
  for (int i = 0; i < 16'000; ++i) scene.objects.push_back(make.object("object" + std::to_string(i)));
  const CollisionWorld world(*arm(), scene, {}, 0.0);
  int waited = 0;
  std::vector<int> open;
  for (std::size_t i = 0; i < world.colliders().size(); ++i) {
    const Collider& c = world.colliders()[i];
    waited += c.tree.is_built() ? 0 : 1;
    ASSERT_EQ(c.bounds.min(), c.tree->bounds().min()) << c.name;
    ASSERT_EQ(c.bounds.max(), c.tree->bounds().max()) << c.name;
    ASSERT_EQ(c.radius, c.tree->bounding_radius()) << c.name;
    if (c.tree->open_parts() > 0) open.push_back(static_cast<int>(i));
  }
  EXPECT_GT(waited, 1000);
  ASSERT_EQ(world.open_bodies().size(), open.size());
  EXPECT_GT(open.size(), 1000u);
  for (std::size_t k = 0; k < open.size(); ++k) {
    const OpenBody& body = world.open_bodies()[k];
    const PrimitiveSoup& soup = world.colliders()[static_cast<std::size_t>(open[k])].tree->soup();
    ASSERT_EQ(body.collider, open[k]);
    ASSERT_EQ(body.geometries, std::vector<int>{0});
    ASSERT_EQ(body.has_inside, !soup.shells.empty() || soup.sources.size() > 1);
  }
}

TEST(ManyObjects, ThreadsThatMeetATreeAtOnceGetTheSameOne) {
  Scene scene;
  for (int i = 0; i < kMany; ++i) scene.objects.push_back(far_box(i));
  const CollisionWorld world(*arm(), scene, {}, 0.0);
  std::vector<const SsvTree*> seen[4];
  std::vector<std::thread> threads;
  for (auto& mine : seen) {
    threads.emplace_back([&] {
      for (const Collider& c : world.colliders()) mine.push_back(&*c.tree);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : seen) EXPECT_EQ(mine, seen[0]);
}

}  // namespace
}  // namespace planner_ccd
