// Memory allocated for a scene change does not grow with the scene, nor with earlier changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <new>

#include "planner_ccd/query/path_checker.hpp"
#include "planner_ccd/query/prepared_robot.hpp"
#include "support/small_robots.hpp"

namespace {
std::size_t allocated = 0;  // [bytes] Since it was last reset; the test has one thread.
}

// NOLINTBEGIN(cppcoreguidelines-no-malloc)
// Not inlined: otherwise gcc reports mismatched new and delete.
[[gnu::noinline]] void* operator new(std::size_t size) {
  allocated += size;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  allocated += size;
  return std::malloc(size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc)

namespace planner_ccd {
namespace {

Scene field(int objects) {
  Scene scene;
  for (int i = 0; i < objects; ++i) {
    scene.objects.push_back({"o" + std::to_string(i), {testing::ball(0.1)}, testing::shift({0.3 * i, 5.0, 0.0})});
  }
  return scene;
}

TEST(LiveCost, AllocationsDoNotGrowWithTheScene) {
  testing::ChainSpec chain;
  chain.base(testing::ball(0.05, {0.0, 0.0, 5.0})).slide(Eigen::Vector3d::UnitX()).with(testing::ball(0.1));
  const PreparedRobot robot(std::make_shared<const RobotModel>(chain.spec), {});
  const JointVector q0 = JointVector::Constant(1, 0.0), q1 = JointVector::Constant(1, 2.0);
  for (const int objects : {100, 10'000}) {
    Scene scene = field(objects);
    PathChecker checker(robot, scene);
    Workspace w(checker);
    (void)checker.first_contact(q0, q1, w);
    std::size_t greatest = 0;
    std::vector<double> us;  // [us] Of the changes.
    us.reserve(static_cast<std::size_t>(2 * objects));
    for (int i = 0; i < 2 * objects; ++i) {
      const std::string name = "o" + std::to_string(i % objects);
      const bool in_the_way = i % 50 == 0;
      allocated = 0;
      const auto start = std::chrono::steady_clock::now();
      scene.objects.move(name, testing::shift({in_the_way ? 1.0 : 0.1 * i, in_the_way ? 0.0 : 7.0, 0.0}));
      checker = checker.with_scene(scene);
      us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
      const EdgeResult result = checker.first_contact(q0, q1, w);
      greatest = std::max(greatest, allocated);
      ASSERT_EQ(result.verdict, in_the_way ? Verdict::Contact : Verdict::Free) << i;
      if (in_the_way) scene.objects.move(name, testing::shift({0.1 * i, 7.0, 0.0}));
    }
    std::nth_element(us.begin(), us.begin() + objects, us.end());
    std::printf("  %d objects: at most %zu bytes for a change and an edge, %.1f us for a change\n", objects, greatest,
                us[static_cast<std::size_t>(objects)]);
    EXPECT_LT(greatest, 60'000u);
  }
}

}  // namespace
}  // namespace planner_ccd
