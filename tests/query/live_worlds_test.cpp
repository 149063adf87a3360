// A checker that follows its scene (PathChecker::with_scene) answers like a newly built one, whatever was edited.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <thread>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/query/prepared_robot.hpp"
#include "support/scale.hpp"
#include "support/scenarios.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

Eigen::Isometry3d pose(Draw& draw, double reach) {
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.linear() = Eigen::AngleAxisd(draw.uniform(-3.0, 3.0), draw.direction()).toRotationMatrix();
  X.translation() = reach * draw.uniform(0.1, 1.0) * draw.direction();
  return X;
}

SceneObject object(Draw& draw, const std::string& name) {
  SceneObject out;
  out.name = name;
  const Eigen::Isometry3d here = Eigen::Isometry3d::Identity();
  switch (draw.integer(0, 4)) {
    case 0: out.geometry.push_back({Box{{draw.uniform(0.05, 0.4), 0.2, draw.uniform(0.05, 0.4)}}, here, "box"}); break;
    case 1: out.geometry.push_back({Sphere{draw.uniform(0.05, 0.3)}, here, "ball"}); break;
    case 2: {
      std::vector<Eigen::Vector3d> points;
      for (int i = draw.integer(1, 60); i > 0; --i) points.push_back(draw.vector(0.2));
      out.geometry.push_back(
          {std::make_shared<const PointCloud>(std::span<const Eigen::Vector3d>(points), 0.02, name), here, "cloud"});
      break;
    }
    case 3: {
      std::vector<OctreeCell> cells;
      const auto key = [&] { return static_cast<std::uint16_t>(CellMap::kMiddle + draw.integer(-5, 5)); };
      for (int i = draw.integer(1, 40); i > 0; --i) cells.push_back({{key(), key(), key()}, 0, false});
      out.geometry.push_back({std::make_shared<const CellMap>(std::move(cells), 0.05, name), here, "map"});
      break;
    }
    default: out.geometry.push_back(testing::wall({0.0, 0.0, 0.0}, draw.direction(), 0.2)); break;
  }
  out.pose = pose(draw, 1.2);
  return out;
}

bool is_named(const Scene& scene, const std::string& name) {
  const auto names = [&](const auto& rule) { return rule.a == name || rule.b == name; };
  return std::any_of(scene.allow.begin(), scene.allow.end(), names) ||
         std::any_of(scene.margins.begin(), scene.margins.end(), names);
}

/// One edit of rules or held objects. Rules that name an object are removed before the object.
void edit_rules(Draw& draw, const RobotModel& robot, Scene& scene) {
  const std::string link = robot.links().back().name;
  const auto any = [&] {
    if (scene.objects.empty()) return std::string("*");
    return scene.objects[static_cast<std::size_t>(draw.integer(0, static_cast<int>(scene.objects.size()) - 1))].name;
  };
  const auto held_or_link = [&] {
    return scene.attached.empty() || draw.integer(0, 1) == 0 ? link : scene.attached[0].object.name;
  };
  switch (draw.integer(0, 8)) {
    case 0: scene.allow.push_back({held_or_link(), draw.integer(0, 5) == 0 ? "*" : any()}); break;
    case 1: scene.allow.push_back({any(), "*"}); break;
    case 2: scene.margins.push_back({any(), held_or_link(), draw.uniform(0.0, 0.1)}); break;
    case 3: scene.margins.push_back({"*", draw.integer(0, 2) == 0 ? link : any(), draw.uniform(0.0, 0.1)}); break;
    case 4: scene.padding = {{link, draw.uniform(0.0, 0.05)}}; break;
    case 5: {
      const std::string name = any();
      if (scene.attached.empty() && name != "*") scene.attach(name, link, pose(draw, 0.2), {});
      break;
    }
    case 6:
      if (!scene.attached.empty()) scene.detach(scene.attached[0].object.name, pose(draw, 1.2));
      break;
    case 7: draw.integer(0, 1) == 0 ? scene.allow.clear() : scene.margins.clear(); break;
    default:
      scene.allow.clear();
      scene.margins.clear();
      scene.padding.clear();
  }
}

/// One edit of any kind.
void edit(Draw& draw, const RobotModel& robot, Scene& scene, int& next) {
  const auto any = [&] {
    return scene.objects[static_cast<std::size_t>(draw.integer(0, static_cast<int>(scene.objects.size()) - 1))].name;
  };
  const int what = draw.integer(0, 99);
  if (what < 15) return edit_rules(draw, robot, scene);
  if (what < 25 || scene.objects.empty()) {
    scene.objects.push_back(object(draw, "o" + std::to_string(next++)));
  } else if (what < 36) {
    const std::string name = any();
    if (scene.objects.size() > 2 && !is_named(scene, name)) scene.objects.erase(name);
  } else if (what < 45) {
    scene.objects.replace(object(draw, any()));
  } else if (what == 45) {  // every object replaced: no longer a changed copy
    SceneObjects fresh;
    for (const SceneObject& o : scene.objects) fresh.push_back(o);
    scene.objects = fresh;
  } else if (what == 46) {  // its name returns for something else
    const SceneObject again = object(draw, any());
    scene.objects.erase(again.name);
    scene.objects.push_back(again);
  } else {
    scene.objects.move(any(), pose(draw, 1.2));
  }
}

/// Every verdict equals that of a newly built checker. PLANNER_CCD_TEST_SCALE=40 makes 10^5 edits.
TEST(LiveWorlds, VerdictsAreThoseOfACheckerBuiltAnew) {
  const unsigned seed = testing::seeded(20260);
  std::printf("  seed %u\n", seed);
  Draw draw(seed);
  long edits = 0, free = 0, contact = 0, other = 0, grazing = 0;
  for (int world = 0; world < 10 && !HasFailure(); ++world) {
    testing::RandomScenario what;
    what.margin = world % 2 == 0 ? 0.0 : 0.01;
    what.all_joint_types = world % 3 == 0;
    what.cell_evaluations = 50;
    what.objects = 6;
    const testing::Scenario s = testing::random_scenario(draw, what);
    const PreparedRobot prepared(s.robot, s.matrix, {s.options.margin, 50, s.options.self_margin});
    Scene scene = s.scene;
    PathChecker live(prepared, scene, s.options);
    Workspace w;
    testing::EdgeDraw edges(*s.robot, 1.0);
    std::vector<Scene> earlier;
    int next = 0;
    for (int i = 0; i < testing::scaled(100, 20) && !HasFailure(); ++i) {
      for (int k = draw.integer(1, 4); k > 0; --k, ++edits) edit(draw, *s.robot, scene, next);
      if (draw.integer(0, 19) == 0) earlier.push_back(scene);
      if (draw.integer(0, 19) == 0 && !earlier.empty())
        scene = earlier[draw.integer(0, static_cast<int>(earlier.size()) - 1)];
      live = live.with_scene(scene);
      const PathChecker anew(prepared, scene, s.options);
      Workspace own;
      Workspace& v = draw.integer(0, 3) == 0 ? w : own;  // alternates between the two
      for (int e = 0; e < 4; ++e) {
        const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
        EdgeOptions options;
        EdgeResult truth = anew.first_contact(q0, q1, v, options), first = live.first_contact(q0, q1, w, options);
        Verdict any = live.any_contact(q0, q1, w, options).verdict;
        const bool apart = first.contact && truth.contact && std::abs(first.contact->t - truth.contact->t) > 0.02;
        if (first.verdict != truth.verdict || any != truth.verdict || apart) {  // within the tolerance both are right
          ++grazing;
          options.tolerance = 1e-9;
          truth = anew.first_contact(q0, q1, v, options);
          first = live.first_contact(q0, q1, w, options);
          any = live.any_contact(q0, q1, w, options).verdict;
        }
        edges.learn(truth.verdict);
        (truth.verdict == Verdict::Free ? free : contact) += 1;
        ASSERT_EQ(first.verdict, truth.verdict) << "world " << world << ", step " << i;
        ASSERT_EQ(any, truth.verdict) << "world " << world << ", step " << i;
        ASSERT_EQ(live.is_free(q0, q1, w, options), any == Verdict::Free) << "world " << world << ", step " << i;
        if (truth.verdict != Verdict::Contact) continue;
        ASSERT_NEAR(first.contact->t, truth.contact->t, 0.02) << "world " << world << ", step " << i;
        other += first.contact->b != truth.contact->b;
        if (first.contact->distance <= first.contact->margin) {  // not only within the tolerance
          ASSERT_GE(first.contact->t, truth.t_free) << "world " << world << ", step " << i;
        }
        if (truth.contact->distance <= truth.contact->margin) {
          ASSERT_GE(truth.contact->t, first.t_free) << "world " << world << ", step " << i;
        }
      }
      const Eigen::VectorXd q = edges.configuration(draw);
      const NearestPair near = live.clearance(q, w), truth = anew.clearance(q, v);
      ASSERT_EQ(near.a.empty(), truth.a.empty()) << "world " << world << ", step " << i;
      if (truth.a.empty()) continue;
      ASSERT_NEAR(near.lower, truth.lower, 1e-9) << "world " << world << ", step " << i;
      ASSERT_NEAR(near.upper, truth.upper, 1e-9) << "world " << world << ", step " << i;
    }
  }
  std::printf("  %ld edits; %ld edges free, %ld in contact, %ld of these with another pair; %ld within the tolerance\n",
              edits, free, contact, other, grazing);
  EXPECT_GT(free, (free + contact) / 10);
  EXPECT_GT(contact, (free + contact) / 10);
}

/// Objects of a base that are gone or moved, and many more than a base has, under changing rules: contacts are found
/// among all of them.
TEST(LiveWorlds, AllOfAManyMayMove) {
  Draw draw(testing::seeded(20261));
  testing::RandomScenario what;
  what.objects = 3;
  what.cell_evaluations = 50;
  const testing::Scenario s = testing::random_scenario(draw, what);
  const PreparedRobot prepared(s.robot, s.matrix, {0.0, 50, 0.0});
  Scene scene = s.scene;
  for (int i = 0; i < 600; ++i) scene.objects.push_back(object(draw, "o" + std::to_string(i)));
  const auto scatter = [&](const std::string& name) {
    Eigen::Isometry3d X = pose(draw, 1.0);
    X.translation() = Eigen::Vector3d(draw.uniform(-6.0, 6.0), draw.uniform(-6.0, 6.0), draw.uniform(-6.0, 6.0));
    if (scene.objects.find(name) != nullptr) scene.objects.move(name, X);
  };
  for (int i = 0; i < 600; ++i) scatter("o" + std::to_string(i));
  PathChecker live(prepared, scene, s.options);
  Workspace w;
  testing::EdgeDraw edges(*s.robot, 1.0);
  int counts[3] = {};
  for (int i = 0; i < 1800; ++i) {
    scatter("o" + std::to_string(i % 600));
    live = live.with_scene(scene);
    if (i % 50 != 49) continue;
    edit_rules(draw, *s.robot, scene);
    live = live.with_scene(scene);
    const PathChecker anew(prepared, scene, s.options);
    Workspace v;
    for (int e = 0; e < 10; ++e) {
      const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
      const EdgeResult truth = anew.first_contact(q0, q1, v), found = live.first_contact(q0, q1, w);
      edges.learn(truth.verdict);
      ASSERT_EQ(found.verdict, truth.verdict) << "step " << i;
      ASSERT_EQ(live.is_free(q0, q1, w), truth.verdict == Verdict::Free) << "step " << i;
      ++counts[static_cast<int>(truth.verdict)];
      if (truth.verdict != Verdict::Contact) continue;
      ASSERT_NEAR(found.contact->t, truth.contact->t, 0.02) << "step " << i;
    }
  }
  EXPECT_GT(counts[static_cast<int>(Verdict::Free)], 20);
  EXPECT_GT(counts[static_cast<int>(Verdict::Contact)], 20);
}

/// Readers keep their snapshot while the world changes.
TEST(LiveWorlds, ReadersOnOtherThreadsKeepAConsistentSnapshot) {
  testing::ChainSpec chain;
  chain.base(testing::ball(0.05, {0.0, 0.0, 5.0})).slide(Eigen::Vector3d::UnitX()).with(testing::ball(0.1));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  Scene scene;
  for (const char* name : {"left", "right"}) {
    scene.objects.push_back({name, {testing::ball(0.1)}, testing::shift({0.0, 0.0, 3.0})});
  }
  // One of the two is always in the way.
  const auto with = [&](bool left) {
    Scene now = scene;
    now.objects.move(left ? "left" : "right", testing::shift({1.0, 0.0, 0.0}));
    return now;
  };
  const PathChecker first(PreparedRobot(robot, {}), with(true));
  std::atomic<bool> stop = false;
  std::atomic<long> asked = 0;
  std::vector<std::thread> readers;
  std::mutex mutex;
  PathChecker shared = first;
  const JointVector q0 = JointVector::Constant(1, 0.0), q1 = JointVector::Constant(1, 2.0);
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      Workspace w;
      while (!stop) {
        PathChecker mine = first;
        {
          const std::lock_guard lock(mutex);
          mine = shared;
        }
        const EdgeResult r = mine.first_contact(q0, q1, w);
        EXPECT_EQ(r.verdict, Verdict::Contact);
        ++asked;
      }
    });
  }
  for (int i = 0; i < 2000 || asked < 2000; ++i) {
    PathChecker next = shared.with_scene(with(i % 2 == 0));
    const std::lock_guard lock(mutex);
    shared = next;
  }
  stop = true;
  for (std::thread& reader : readers) reader.join();
}

/// Resting links and held objects precede and follow the objects of a scene; each object must still be identified
/// correctly.
TEST(LiveWorlds, WhatRestsBesidesObjectsStays) {
  testing::ChainSpec chain;
  chain.base(testing::ball(0.05, {0.0, 0.0, 5.0})).slide(Eigen::Vector3d::UnitX()).with(testing::ball(0.1));
  Scene scene;
  const auto put = [&](const char* name, double x) {
    scene.objects.push_back({name, {testing::ball(0.1)}, testing::shift({x, 0.0, 0.0})});
  };
  put("first", 1.0);
  put("second", 2.0);
  put("third", 3.0);
  scene.attached.push_back({{"held", {testing::ball(0.1)}, testing::shift({4.0, 0.0, 0.0})}, "base", {}});
  scene.margins = {{"l1", "second", 0.3}};
  PathChecker live(PreparedRobot(std::make_shared<const RobotModel>(chain.spec), {}), scene);
  Workspace w;
  const auto met = [&](double from, double to) {
    const EdgeResult r = live.first_contact(JointVector::Constant(1, from), JointVector::Constant(1, to), w);
    return r.contact ? r.contact->b : std::string();
  };
  const auto move = [&](const char* name, double z) {
    const double x = scene.objects.find(name)->pose.translation().x();
    scene.objects.move(name, testing::shift({x, 0.0, z}));
    live = live.with_scene(scene);
  };
  EXPECT_EQ(met(0.0, 1.4), "first");
  move("first", 2.0);
  EXPECT_EQ(met(0.0, 1.4), "");
  EXPECT_EQ(met(0.0, 5.0), "second");
  move("second", 0.4);  // with its own margin
  EXPECT_EQ(met(0.0, 2.4), "second");
  move("second", 0.6);
  EXPECT_EQ(met(0.0, 2.4), "");
  EXPECT_EQ(met(0.0, 5.0), "third");
  move("third", 2.0);
  EXPECT_EQ(met(0.0, 5.0), "held");
  EXPECT_EQ(live.clearance(JointVector::Constant(1, 3.0), w).b, "held");
  move("third", 0.0);
  EXPECT_EQ(met(0.0, 5.0), "third");
}

/// Bounds of errors are those of the greatest of the objects, wherever it is among them, and no longer when it has gone.
TEST(LiveWorlds, AllowForTheGreatestOfTheObjects) {
  testing::ChainSpec chain;
  chain.slide(Eigen::Vector3d::UnitX()).with(testing::ball(0.1));
  const auto robot = std::make_shared<const RobotModel>(chain.spec);
  for (int which = 0; which < 9; ++which) {
    Scene scene;
    for (int i = 0; i < 9; ++i) {
      scene.objects.push_back({"o" + std::to_string(i), {testing::ball(0.1)}, testing::shift({0.5 * i, 3.0, 0.0})});
    }
    const PathChecker before(robot, scene, {});
    Scene other = scene;
    SceneObject far = *scene.objects.find("o" + std::to_string(which));
    far.pose = testing::shift({0.0, 50.0, 0.0});
    far.pose_error.xyz = 0.02;
    other.objects.replace(far);
    for (const PathChecker& now : {before.with_scene(other), PathChecker(robot, other, {})}) {
      EXPECT_GE(snapshot_of(now).extent(), 50.0) << which;
      EXPECT_GE(snapshot_of(now).displaced(), 0.02) << which;
      EXPECT_LT(snapshot_of(now.with_scene(scene)).extent(), 10.0) << which;
      EXPECT_EQ(snapshot_of(now.with_scene(scene)).displaced(), 0.0) << which;
    }
  }
}

/// Unusable scenes are rejected as by a newly built checker, and the current checker stays valid.
TEST(LiveWorlds, RefuseWhatIsNone) {
  testing::ChainSpec chain;
  chain.base(testing::ball(0.05, {0.0, 0.0, 5.0})).slide(Eigen::Vector3d::UnitX()).with(testing::ball(0.1));
  Scene scene;
  scene.objects.push_back({"wall", {testing::ball(0.1)}, testing::shift({1.0, 0.0, 0.0})});
  scene.margins = {{"l1", "wall", 0.1}};
  const PathChecker checker(PreparedRobot(std::make_shared<const RobotModel>(chain.spec), {}), scene);
  Scene named_like_a_link = scene;
  named_like_a_link.objects.push_back({"l1", {testing::ball(0.1)}, Pose::Identity()});
  EXPECT_THROW((void)checker.with_scene(named_like_a_link), InputError);
  Scene without = scene;
  without.objects.erase("wall");
  EXPECT_THROW((void)checker.with_scene(without), InputError) << "a margin names it";
  Scene nowhere = scene;
  Pose nan = Pose::Identity();
  nan.translation().x() = std::numeric_limits<double>::quiet_NaN();
  nowhere.objects.move("wall", nan);
  EXPECT_THROW((void)checker.with_scene(nowhere), InputError);
  Workspace w;
  EXPECT_FALSE(checker.is_free(JointVector::Zero(1), JointVector::Ones(1), w));
}

}  // namespace
}  // namespace planner_ccd
