// Serialised proofs: restored ones prove the same, and nothing else can be restored.
#include "planner_ccd/moving_pairs/robot_cells.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/sha256.hpp"
#include "planner_ccd/math/stored_versions.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;

Geometry box(double size) { return {Box{Eigen::Vector3d::Constant(size)}, Eigen::Isometry3d::Identity(), "box"}; }

/// A box that slides and turns beside another.
RobotSpec slider(double lower) {
  RobotSpec spec;
  spec.name = "slider";
  spec.links = {{"base", {box(0.2)}, {}}, {"shift", {}, {}}, {"tip", {box(0.2)}, {}}};
  JointSpec x;
  x.name = "x";
  x.type = JointType::Prismatic;
  x.parent = "base";
  x.child = "shift";
  x.lower = lower;
  x.upper = 1.0;
  JointSpec turn = x;
  turn.name = "turn";
  turn.type = JointType::Revolute;
  turn.parent = "shift";
  turn.child = "tip";
  turn.axis = Eigen::Vector3d::UnitZ();
  turn.lower = -1.0;
  turn.upper = 1.0;
  spec.joints = {x, turn};
  return spec;
}

const std::string kFile = "kept.cells";

TEST(RobotCells, ComeBackFromBytesAsTheyWere) {
  Draw draw(testing::seeded(321));
  int pairs = 0, with_cells = 0;
  for (const char* name : {"puma", "arm7"}) {
    const testing::Scenario s = testing::own_scenario(name, name, "");
    const CollisionWorld world(*s.robot, {}, s.matrix, 0.01);
    const RobotCells cells(world, 2000);
    const RobotCells again = RobotCells::parse(cells.format(world), world, kFile);
    EXPECT_EQ(again.evaluations(), 2000);
    EXPECT_EQ(again.memory(), cells.memory());
    ASSERT_EQ(again.entries().size(), cells.entries().size());
    EdgeMotion motion(*s.robot);
    for (const RobotCells::Entry& e : cells.entries()) {
      const auto kept = again.find(e.b, e.a, 0.005);
      ASSERT_NE(kept, nullptr);
      EXPECT_EQ(kept->nodes(), e.cells->nodes());
      EXPECT_EQ(again.find(e.a, e.b, 0.02), nullptr) << "asked for more than was proved";
      ++pairs;
      with_cells += !kept->empty();
      for (int i = 0; i < 20; ++i) {
        motion.set_linear(draw.configuration(*s.robot, 3.0), draw.configuration(*s.robot, 3.0), AnglePolicy::Literal);
        PairCells::Intervals before, after;
        e.cells->unknown(motion, before);
        kept->unknown(motion, after);
        EXPECT_EQ(before, after);
      }
    }
  }
  EXPECT_GT(with_cells, 10);
  EXPECT_LT(with_cells, pairs) << "some have too many joints";
}

TEST(RobotCells, AreRefusedWhenAnyByteIsAnotherOrMissing) {
  const RobotModel robot(slider(0.1));
  const CollisionWorld world(robot, {}, {}, 0.0);
  const std::string bytes = RobotCells(world, 5000).format(world);
  ASSERT_GT(bytes.size(), 200u);
  ASSERT_LT(bytes.size(), 20'000u);
  (void)RobotCells::parse(bytes, world, kFile);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int bit : {0, 3, 7}) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
      EXPECT_THROW(RobotCells::parse(damaged, world, kFile), InputError) << "byte " << i;
    }
    EXPECT_THROW(RobotCells::parse(std::string_view(bytes).substr(0, i), world, kFile), InputError) << i << " bytes";
  }
  EXPECT_THROW(RobotCells::parse(bytes + '\0', world, kFile), InputError);
  try {
    (void)RobotCells::parse("", world, kFile);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(kFile), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("prepare"), std::string::npos) << error.what();
  }
}

/// Levers of bodies became corners, and proofs of before were believed: the version had stayed 1.
TEST(RobotCells, AreRefusedWhenAnotherVersionOfTheProofMadeThem) {
  const RobotModel robot(slider(0.1));
  const CollisionWorld world(robot, {}, {}, 0.0);
  const std::string bytes = RobotCells(world, 300).format(world);
  const std::string version = "planner_ccd certified cells, " + std::to_string(stored::kCells) + "\n";
  ASSERT_TRUE(bytes.starts_with(version));
  for (const std::string& other : {std::string("planner_ccd certified cells, 1\n"),
                                   "planner_ccd certified cells, " + std::to_string(stored::kCells + 1) + "\n"}) {
    std::string old = other + bytes.substr(version.size(), bytes.size() - version.size() - sizeof(Sha256::Digest));
    const Sha256::Digest sum = Sha256::of(old.data(), old.size());
    old.append(sum.begin(), sum.end());  // whole, but for the version
    try {
      (void)RobotCells::parse(old, world, kFile);
      ADD_FAILURE() << other;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("is no file of proofs of this version"), std::string::npos)
          << error.what();
    }
  }
}

TEST(RobotCells, AreRefusedForAnotherRobotOrOtherPairsOrMargins) {
  const RobotModel robot(slider(0.1));
  const CollisionWorld world(robot, {}, {}, 0.0);
  const std::string bytes = RobotCells(world, 300).format(world);
  const auto refused = [&](const RobotSpec& spec, double margin, const CollisionMatrix& matrix) {
    const RobotModel other(spec);
    const CollisionWorld there(other, {}, matrix, margin);
    EXPECT_NE(RobotCells::key(there), RobotCells::key(world));
    EXPECT_THROW(RobotCells::parse(bytes, there, kFile), InputError);
  };
  const RobotModel same(slider(0.1));
  (void)RobotCells::parse(bytes, CollisionWorld(same, {}, {}, 0.0), kFile);
  refused(slider(std::nextafter(0.1, 0.0)), 0.0, {});
  refused(slider(0.1), 1e-9, {});
  CollisionMatrix without;
  without.exclude("base", "tip", ExclusionReason::User);
  refused(slider(0.1), 0.0, without);
  RobotSpec spec = slider(0.1);
  spec.links[2].collision = {box(std::nextafter(0.2, 1.0))};
  refused(spec, 0.0, {});
  spec = slider(0.1);
  spec.joints[1].origin.translation().x() = 1e-9;
  refused(spec, 0.0, {});
  spec = slider(0.1);
  spec.joints[1].axis = Eigen::Vector3d::UnitY();
  refused(spec, 0.0, {});
}

/// An attacker can write a matching checksum: non-trees are rejected nevertheless, and no walk can leave a tree.
TEST(PairCells, AreBuiltFromTreesAlone) {
  const std::vector<PairCells::Axis> axes{{0, 0.0, 1.0, false}, {1, 0.0, 1.0, false}};
  const auto inner = [](std::uint32_t child, std::uint32_t axis) { return 4 * child + axis; };
  EXPECT_TRUE(PairCells(axes, {1}).always_free());
  EXPECT_DOUBLE_EQ(PairCells(axes, {inner(1, 1), inner(3, 0), 1, 0, 1}).free_share(), 0.75);
  const std::vector<std::vector<std::uint32_t>> hostile = {
      {},                                             // axes without nodes
      {3},                                            // no such leaf
      {inner(0, 0), 1, 1},                            // its own child
      {inner(1, 0), 1},                               // a child is missing
      {inner(1, 2), 1, 1},                            // no such axis
      {inner(1, 0), inner(1, 0), 1},                  // a loop
      {inner(1, 0), inner(3, 0), inner(3, 1), 1, 1},  // two parents
      {1, 1},                                         // nobody's child
      {inner(0x3FFFFFFFu, 0), 1, 1},
  };
  for (const auto& nodes : hostile) EXPECT_THROW(PairCells(axes, nodes), InputError) << nodes.size();
  EXPECT_THROW(PairCells({}, {1}), InputError);
  EXPECT_THROW(PairCells(std::vector<PairCells::Axis>(4), {1}), InputError);
  // Deeper than the stack of any walk.
  std::vector<std::uint32_t> deep;
  for (std::uint32_t i = 0; i < 60; ++i) {
    deep.push_back(inner(2 * i + 1, 0));
    if (i > 0) deep.push_back(1);
  }
  deep.push_back(1);
  deep.push_back(1);
  EXPECT_THROW(PairCells(axes, deep), InputError);
}

/// A vertex that moves by one rounding is another shape, even where every volume about it stays the same.
TEST(RobotCells, HaveTheNameOfTheirVertices) {
  const auto key = [](double x) {
    TriangleMesh mesh;
    mesh.vertices = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {x, 0.3, 0.0}};
    mesh.triangles = {{0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    RobotSpec spec = slider(0.1);
    spec.links[2].collision = {{std::make_shared<const TriangleMesh>(mesh), Eigen::Isometry3d::Identity(), "flat"}};
    const RobotModel robot(spec);
    return RobotCells::key(CollisionWorld(robot, {}, {}, 0.0));
  };
  EXPECT_EQ(key(0.3), key(0.3));
  EXPECT_NE(key(0.3), key(std::nextafter(0.3, 1.0)));
}

}  // namespace
}  // namespace planner_ccd
