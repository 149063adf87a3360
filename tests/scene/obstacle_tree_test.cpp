#include "planner_ccd/scene/obstacle_tree.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/scene/scene.hpp"
#include "support/random_robot.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;
using Owned = std::shared_ptr<const Obstacle>;

Owned ball(Draw& draw, double spread) {
  SceneObject out;
  out.name = "ball";
  out.geometry = {testing::ball(draw.uniform(0.01, 0.5))};
  out.pose.translation() = spread * draw.uniform(0.0, 1.0) * draw.direction();
  if (draw.integer(0, 4) == 0) out.pose_error.position = 0.01;
  return make_obstacle(0, 0, std::make_shared<const SceneObject>(out), true);
}

std::set<const Obstacle*> met(const ObstacleTree& tree, const Eigen::AlignedBox3d& box) {
  std::set<const Obstacle*> out;
  tree.meet(box, [&](const Obstacle& o) { EXPECT_TRUE(out.insert(&o).second) << "met twice"; });
  return out;
}

/// What every node must be: boxes of children hold theirs, the lanes that are not used meet nothing. Returns the number of obstacles.
std::size_t expect_sound(const ObstacleTree::Node& node, int& depth) {
  std::size_t count = 0;
  int below = 0;
  EXPECT_GT(node.count, 0);
  for (int i = 0; i < look::Boxes::kCount; ++i) {
    if (i >= node.count) {
      EXPECT_GT(node.boxes.lower[0][i], node.boxes.upper[0][i]);
      continue;
    }
    if (node.leaf) {
      ++count;
      for (int k = 0; k < 3; ++k) {
        EXPECT_LE(static_cast<double>(node.boxes.lower[k][i]), node.obstacle[i]->bounds().min()[k]);
        EXPECT_GE(static_cast<double>(node.boxes.upper[k][i]), node.obstacle[i]->bounds().max()[k]);
      }
      continue;
    }
    const ObstacleTree::Node& child = *node.child[i];
    for (int j = 0; j < child.count; ++j) {
      for (int k = 0; k < 3; ++k) {
        EXPECT_LE(node.boxes.lower[k][i], child.boxes.lower[k][j]);
        EXPECT_GE(node.boxes.upper[k][i], child.boxes.upper[k][j]);
      }
    }
    count += expect_sound(child, below);
  }
  depth = std::max(depth, below + 1);
  return count;
}

/// Near the origin, in one place, and far away. Trees that change obstacle by obstacle, in batches, and copies of before.
TEST(ObstacleTree, MeetsWhatGoingThroughAllMeets) {
  Draw draw(5);
  ObstacleTree tree;
  std::map<int, Owned> model;
  std::vector<std::pair<ObstacleTree, std::map<int, Owned>>> copies;
  std::size_t total = 0;
  const auto expect_same = [&](const ObstacleTree& now, const std::map<int, Owned>& was) {
    ASSERT_EQ(now.size(), was.size());
    if (was.empty()) return;
    int depth = 0;
    ASSERT_EQ(expect_sound(*now.root(), depth), was.size());
    ASSERT_LE(depth, 4);
    const Eigen::Vector3d p = 3.0 * draw.direction();
    const Eigen::AlignedBox3d box(p - Eigen::Vector3d::Constant(1.0), p + Eigen::Vector3d::Constant(1.0));
    std::set<const Obstacle*> expected;
    for (const auto& [key, o] : was) {
      bool apart = false;
      for (int k = 0; k < 3; ++k) {
        apart = apart || static_cast<double>(o->lower()[k]) > box.max()[k] ||
                static_cast<double>(o->upper()[k]) < box.min()[k];
      }
      if (!apart) expected.insert(o.get());
      ASSERT_TRUE(!apart || !o->bounds().intersects(box));
    }
    ASSERT_EQ(met(now, box), expected);
    total += expected.size();
  };
  for (int step = 0; step < 3000; ++step) {
    std::vector<const Obstacle*> gone, come;
    std::vector<Owned> kept;  // what is gone, until the tree has changed
    for (int n = step % 50 == 0 ? 40 : 1; n > 0; --n) {
      const int key = draw.integer(0, 300);
      const auto found = model.find(key);
      if (found != model.end() && std::find(come.begin(), come.end(), found->second.get()) != come.end()) continue;
      if (found != model.end()) {
        gone.push_back(found->second.get());
        kept.push_back(found->second);
        model.erase(found);
      }
      if (draw.integer(0, 3) == 0) continue;
      const double spread = step % 100 == 0 ? 1e6 : step % 3 == 0 ? 0.01 : 4.0;
      come.push_back((model[key] = ball(draw, spread)).get());
    }
    tree = tree.with(gone, come);
    if (step % 20 == 0) expect_same(tree, model);
    if (step % 500 == 0) copies.emplace_back(tree, model);
  }
  for (const auto& [copy, was] : copies) expect_same(copy, was);
  EXPECT_GT(total, 500u);
  for (const auto& [key, o] : model) tree = tree.with({o.get()}, {});
  EXPECT_EQ(tree.size(), 0u);
  EXPECT_EQ(tree.root(), nullptr);
}

/// Boxes that have but a face, an edge or a corner in common.
TEST(ObstacleTree, WhatTouchesMeets) {
  Draw draw(8);
  const Owned one = ball(draw, 1.0);
  const ObstacleTree tree({one.get()});
  for (int sides = 0; sides < 27; ++sides) {
    Eigen::Vector3d low, high;
    for (int k = 0, left = sides; k < 3; ++k, left /= 3) {
      const double lower = one->lower()[k], upper = one->upper()[k];
      low[k] = left % 3 == 0 ? lower - 1.0 : left % 3 == 1 ? lower : upper;
      high[k] = left % 3 == 0 ? lower : left % 3 == 1 ? upper : upper + 1.0;
    }
    EXPECT_EQ(met(tree, {low, high}).size(), 1u) << sides;
  }
}

/// Built at once: leaves are nearly full, so that a hundred thousand boxes need few nodes.
TEST(ObstacleTree, FillsItsNodes) {
  Draw draw(7);
  for (const int count : {1, 16, 17, 100, 257, 5000}) {
    std::vector<Owned> owned;
    std::vector<const Obstacle*> all;
    for (int i = 0; i < count; ++i) all.push_back(owned.emplace_back(ball(draw, 10.0)).get());
    const ObstacleTree tree(all);
    int depth = 0, leaves = 0;
    ASSERT_EQ(expect_sound(*tree.root(), depth), all.size());
    const auto count_leaves = [&](const auto& self, const ObstacleTree::Node& node) -> void {
      if (node.leaf) ++leaves;
      for (int i = 0; !node.leaf && i < node.count; ++i) self(self, *node.child[i]);
    };
    count_leaves(count_leaves, *tree.root());
    EXPECT_GE(leaves, (count + 15) / 16) << count;
    EXPECT_LE(leaves, (count + 15) / 16 * 1.1) << count;
    EXPECT_EQ(met(tree, Eigen::AlignedBox3d(Eigen::Vector3d::Constant(-20), Eigen::Vector3d::Constant(20))).size(),
              all.size());
  }
}

/// Its box reaches as far beyond its geometry as it may be displaced.
TEST(Obstacle, ItsBoxHoldsWhereItMayBe) {
  SceneObject one;
  one.name = "ball";
  one.geometry = {testing::ball(0.3)};
  one.pose_error.position = 0.02;
  const Owned loose = make_obstacle(1, 0, std::make_shared<const SceneObject>(one), true);
  for (int k = 0; k < 3; ++k) {
    EXPECT_LE(static_cast<double>(loose->lower()[k]), -0.32);
    EXPECT_GE(static_cast<double>(loose->upper()[k]), 0.32);
  }
}

/// Objects with known shapes get their tree on first use; the bounds equal the later tree's.
TEST(Obstacle, WhatIsKnownToMakeATreeWaits) {
  Draw draw(6);
  SceneObject one;
  one.name = "ball";
  one.geometry = {testing::ball(0.3)};
  one.pose.translation() = draw.direction();
  const auto object = std::make_shared<const SceneObject>(one);
  const Owned built = make_obstacle(1, 0, object, false), waits = make_obstacle(1, 0, object, true);
  EXPECT_TRUE(built->tree().is_built());
  EXPECT_FALSE(waits->tree().is_built());
  EXPECT_EQ(built->content().bounds.min(), waits->content().bounds.min());
  EXPECT_EQ(built->content().bounds.max(), waits->content().bounds.max());
  EXPECT_EQ(built->content().radius, waits->content().radius);
  EXPECT_EQ(built->content().extent, waits->content().extent);
  EXPECT_EQ(waits->volumes().volumes.size(), 1u);
  EXPECT_TRUE(waits->tree().is_built());
}

}  // namespace
}  // namespace planner_ccd
