#include <gtest/gtest.h>

#include "planner_ccd/query/path_checker.hpp"
#include "support/small_robots.hpp"

/// A ball of 1 um went straight through a sheet of some metres, and the answer was Free. The first look takes the square of the distance
/// between two instants from the distances at both and the length of the step, MATHS.md (21). Distances were those of places in the sheet's
/// frame, rounded relative to the sheet; the step was that of the places in the world. With both ends rounded away from the sheet
/// the step seemed too short to reach it. True of a few of a million directions: these.
namespace planner_ccd::test {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

/// A right-angled triangle with legs of `size` from `corner`, along the columns of `turn`; the ball comes along its normal.
struct Sheet {
  Quaterniond turn;  ///< w x y z
  Vector3d middle;
  double size, way;
};

const Sheet kSheets[] = {
    {{0.77174460998106853, -0.066801509401537063, 0.48456948952807294, -0.40637448877279131},
     {1.0496160914181092, 0.90189437096245506, -1.1119159088311517},
     4.0,
     0.15},
    {{0.13833674288875644, 0.67739813238004754, 0.64478090819932898, -0.32596364250726212},
     {0.52733849139292022, 1.01284766269451, -1.0068895509601539},
     4.0,
     0.15},
    {{0.49736145106938595, -0.063989945619994965, -0.33200294496438409, -0.79894362653736783},
     {0.60441437258449748, -1.8117407629650795, 1.5741881943630113},
     4.0,
     0.2},
    {{-0.33732802731140371, -0.868082947379202, 0.30377050546601314, -0.20091112081852899},
     {-0.21488934144697569, -2.3920586304045575, 2.4027974066667932},
     6.0,
     0.1},
    {{0.28501643611473454, -0.27744196267660898, -0.84127478129595101, -0.36612611330804606},
     {0.0062252424399611428, 2.1125639039598649, 2.8691203823047786},
     6.0,
     0.2},
    {{0.8379008976719321, -0.11019461823604293, 0.48874804130190153, -0.21657466129706401},
     {2.5087440051362702, 1.657257416314091, -4.2768297279909557},
     9.0,
     0.15},
};

TEST(ThinSheets, StopABallHoweverSmall) {
  for (const Sheet& sheet : kSheets) {
    const Eigen::Matrix3d R = sheet.turn.toRotationMatrix();
    const Vector3d u = R.col(0) * sheet.size / 2, v = R.col(1) * sheet.size / 2;
    auto mesh = std::make_shared<TriangleMesh>();
    mesh->vertices = {sheet.middle - u - v, sheet.middle + u - v, sheet.middle - u + v};
    mesh->triangles.emplace_back(0, 1, 2);
    Scene scene;
    scene.objects = {{"sheet", {{MeshPtr(mesh), Eigen::Isometry3d::Identity(), "sheet"}}}};
    testing::ChainSpec robot;
    robot.slide(R.col(2));
    robot.spec.links.back().collision = {testing::ball(1e-6)};
    const PathChecker checker(std::make_shared<const RobotModel>(robot.spec), scene, {});
    Workspace workspace(checker);
    const auto at = [](double x) { return Eigen::VectorXd::Constant(1, x); };
    EXPECT_FALSE(checker.is_free(at(-0.5 * sheet.way), at(0.5 * sheet.way), workspace));
    EXPECT_EQ(checker.first_contact(at(-0.5 * sheet.way), at(0.5 * sheet.way), workspace).verdict, Verdict::Contact);
  }
}

}  // namespace
}  // namespace planner_ccd::test
