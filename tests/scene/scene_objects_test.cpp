#include "planner_ccd/scene/scene_objects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/scene/persistent_map.hpp"

namespace planner_ccd {
namespace {

constexpr unsigned kSeed = 20;

SceneObject box(const std::string& name, double size, double x) {
  return {name,
          {{Box{Eigen::Vector3d::Constant(size)}, Eigen::Isometry3d::Identity(), "box"}},
          Eigen::Isometry3d(Eigen::Translation3d(x, 0, 0))};
}

bool same(const SceneObject& a, const SceneObject& b) {
  return a.name == b.name && a.pose.matrix() == b.pose.matrix() &&
         std::get<Box>(a.geometry[0].shape).size == std::get<Box>(b.geometry[0].shape).size;
}

void expect_same(const SceneObjects& objects, const std::vector<SceneObject>& model) {
  ASSERT_EQ(objects.size(), model.size());
  std::size_t i = 0;
  for (const SceneObject& object : objects) {
    ASSERT_TRUE(same(object, model[i])) << i;
    ASSERT_TRUE(same(objects[i], model[i])) << i;
    ASSERT_EQ(objects.index_of(model[i].name), i);
    ASSERT_EQ(objects.find(model[i].name), &objects[i]);
    ++i;
  }
  ASSERT_EQ(i, model.size());
}

/// Compared with a vector searched linearly. Copies taken in between must not change.
TEST(SceneObjects, ARandomSequenceOfChangesIsThatOfAPlainVector) {
  std::printf("seed %u\n", kSeed);
  std::mt19937 random(kSeed);
  const auto draw = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  SceneObjects objects;
  std::vector<SceneObject> model;
  std::vector<std::pair<SceneObjects, std::vector<SceneObject>>> copies;
  int refused = 0, removed = 0;
  for (int step = 0; step < 4000; ++step) {
    const std::string name = "box" + std::to_string(draw(60));
    const auto at = std::find_if(model.begin(), model.end(), [&](const SceneObject& o) { return o.name == name; });
    const SceneObject object = box(name, 1.0 + draw(5), draw(100));
    const int what = draw(4);
    const bool refuse = (what == 0) == (at != model.end());
    const auto change = [&] {
      if (what == 0) objects.push_back(object);
      if (what == 1) objects.move(name, object.pose);
      if (what == 2) objects.replace(object);
      if (what == 3) objects.erase(name);
    };
    if (refuse) {
      ASSERT_THROW(change(), InputError);
      ++refused;
    } else {
      change();
      if (what == 0) model.push_back(object);
      if (what == 1) at->pose = object.pose;
      if (what == 2) *at = object;
      if (what == 3) model.erase(at), ++removed;
    }
    ASSERT_EQ(objects.find("nobody"), nullptr);
    if (step % 50 != 0) continue;
    expect_same(objects, model);
    copies.emplace_back(objects, model);
  }
  for (const auto& [copy, was] : copies) expect_same(copy, was);
  EXPECT_GT(refused, 100);
  EXPECT_GT(removed, 100);
}

/// Sorted names are the worst case of a plain search tree.
TEST(SceneObjects, NoObjectIsFarFromTheRoot) {
  PersistentMap<std::string, int> map;
  constexpr int kCount = 20'000;
  for (int i = 0; i < kCount; ++i) map.set(std::to_string(100'000 + i), i);
  for (int i = 0; i < kCount; i += 2) map.erase(std::to_string(100'000 + i));
  ASSERT_EQ(map.size(), static_cast<std::size_t>(kCount / 2));
  EXPECT_LT(map.depth(), 60u);  // minimum 13.3; a random treap is nearly always below 4.3 log2 n = 57
  for (int i = 1; i < kCount; i += 2) ASSERT_EQ(*map.find(std::to_string(100'000 + i)), i);
}

/// A change shares all nodes but O(log n), and every object but one, with the copy before it.
TEST(SceneObjects, AChangeLeavesTheOtherObjectsWhereTheyAre) {
  SceneObjects objects;
  for (int i = 0; i < 1000; ++i) objects.push_back(box("box" + std::to_string(i), 1.0, i));
  const SceneObjects before = objects;
  objects.move("box500", Eigen::Isometry3d::Identity());
  objects.erase("box7");
  objects.push_back(box("new", 1.0, 0.0));
  int shared = 0;
  for (const SceneObject& object : objects) shared += before.find(object.name) == &object ? 1 : 0;
  EXPECT_EQ(shared, 998);
  EXPECT_EQ(before.size(), 1000u);
}

}  // namespace
}  // namespace planner_ccd
