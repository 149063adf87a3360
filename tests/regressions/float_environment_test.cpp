#include <gtest/gtest.h>

#include <cfenv>
#if defined(__SSE2__)
#include <pmmintrin.h>
#endif

#include "planner_ccd/hierarchy/ssv_tree.hpp"
#include "planner_ccd/query/check_path.hpp"
#include "planner_ccd/validation/path_clearance.hpp"
#include "regressions/doors.hpp"
#ifdef PLANNER_CCD_HAVE_BATCH
#include "planner_ccd/query/batch/check_edges.hpp"
#endif

/// All bounds assume rounding to nearest and subnormal numbers; a caller who set FE_UPWARD for his own intervals, or
/// whose program was linked with -ffast-math, got unproved verdicts without a warning.
namespace planner_ccd::test {
namespace {

/// Sets a state of this thread, and restores the default at the end.
class Rounding {
 public:
  explicit Rounding(int mode) { std::fesetround(mode); }
  ~Rounding() { std::fesetround(FE_TONEAREST); }
};

#if defined(__SSE2__)
class Control {
 public:
  explicit Control(unsigned bits) : before_(_mm_getcsr()) { _mm_setcsr(before_ | bits); }
  ~Control() { _mm_setcsr(before_); }

 private:
  unsigned before_;
};
#endif

Doors slide() {
  return {
      "<robot name='slide'><link name='base'/><link name='ball'><collision><geometry><sphere "
      "radius='0.1'/></geometry></collision>"
      "</link><joint name='j' type='prismatic'><parent link='base'/><child link='ball'/><axis xyz='1 0 0'/>"
      "<limit lower='-2' upper='2' velocity='1' effort='1'/></joint></robot>",
      "objects: [{name: wall, box: {size: [0.1, 1, 1]}, pose: {xyz: [1, 0, 0]}}]\n"};
}

const Eigen::VectorXd kFrom = Eigen::VectorXd::Zero(1), kTo = Eigen::VectorXd::Constant(1, 0.5);

/// `spoil` makes an object that spoils the environment while it lives; every way to a proof must report it.
template <class Spoil>
void expect_refused(const Spoil& spoil, const std::string& word) {
  const Doors doors = slide();
  const auto robot = doors.robot();
  const Scene scene = doors.scene();
  const PathChecker checker(robot, scene, {});
  Workspace used(checker);
  EXPECT_TRUE(checker.is_free(kFrom, kTo, used));
  const Trajectory trajectory = make_trajectory(*robot, JointPath{{kFrom, kTo}, {}});
  const auto refused = [&](const char* what, const auto& use) {
    std::string message;
    {
      const auto spoilt = spoil();
      try {
        use();
      } catch (const InputError& error) {
        message = error.what();
      }
    }
    EXPECT_NE(message.find(word), std::string::npos) << what << ": " << message;
  };
  refused("checker", [&] { const PathChecker c(robot, scene, {}); });
  refused("workspace", [&] { const Workspace w(checker); });
  refused("workspace of before", [&] { (void)checker.is_free(kFrom, kTo, used); });
  refused("clearance", [&] { (void)checker.clearance(kFrom, used); });
  refused("path", [&] { (void)check_path(checker, {{kFrom, kTo}, {}}, used); });
  refused("trajectory", [&] { (void)check_trajectory(checker, trajectory, used); });
  refused("clearance of a path", [&] { const PathClearance c(checker, trajectory); });
  refused("body", [&] { (void)SsvTree::build(scene.objects[0].geometry, "wall"); });
#ifdef PLANNER_CCD_HAVE_BATCH
  const Edge edge{kFrom, kTo};
  refused("batch", [&] { (void)check_edges(checker, {&edge, 1}); });
#endif
  EXPECT_TRUE(checker.is_free(kFrom, kTo, used));
}

TEST(FloatEnvironment, OfAnotherRoundingIsRefused) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    expect_refused([mode] { return Rounding(mode); }, "not rounded to nearest");
  }
}

#if defined(__SSE2__)
TEST(FloatEnvironment, WithoutSubnormalsIsRefused) {
  for (const unsigned bits : {_MM_FLUSH_ZERO_ON, _MM_DENORMALS_ZERO_ON, _MM_FLUSH_ZERO_ON | _MM_DENORMALS_ZERO_ON}) {
    expect_refused([bits] { return Control(bits); }, "subnormal");
  }
  const Control exceptions(_MM_EXCEPT_INEXACT);  // exception flags raised before must not matter
  const Doors doors = slide();
  EXPECT_NO_THROW(PathChecker(doors.robot(), doors.scene(), {}));
}
#endif

#if defined(__x86_64__) && defined(__linux__)
TEST(FloatEnvironment, IsLookedAtInPython) {
  const Doors doors = slide();
  expect_python(
      "import ctypes, planner_ccd\n"
      "libm = ctypes.CDLL('libm.so.6')\n"
      "robot = planner_ccd.Robot('" +
      doors.path("robot.urdf") + "')\nscene = planner_ccd.Scene.load('" + doors.path("scene.yaml") +
      "', robot)\nchecker = planner_ccd.PathChecker(robot, scene)\n"
      "assert checker.is_free([0.0], [0.5])\n"
      "for use in [lambda: checker.is_free([0.0], [0.5]), lambda: planner_ccd.PathChecker(robot, scene)]:\n"
      "  libm.fesetround(0x800)\n"
      "  try:\n"
      "    use()\n"
      "    refused = False\n"
      "  except planner_ccd.InputError:\n"
      "    refused = True\n"
      "  libm.fesetround(0)\n"
      "  assert refused\n"
      "assert checker.is_free([0.0], [0.5])\n");
}
#endif

}  // namespace
}  // namespace planner_ccd::test
