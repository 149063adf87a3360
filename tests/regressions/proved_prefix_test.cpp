#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "planner_ccd/query/path_checker.hpp"

/// A robot 10 km from the origin, with a tolerance near its rounding errors there. Its turntable approaches a floor
/// that it nearly touches, in steps that rounding keeps short, until exact triangle CCD proves all of that pair up to
/// where the floor is within the tolerance and nothing can be decided: Undecided. Another part of the turntable hits a
/// wall before; that pair was still in the queue. Everything before the floor was reported as proved free: t_free
/// 0.52908, with the wall hit at 0.50772.
namespace planner_ccd {
namespace {

using Eigen::Vector3d;

Geometry triangles(const std::vector<Vector3d>& corners) {
  auto mesh = std::make_shared<TriangleMesh>();
  mesh->vertices = corners;
  for (int i = 0; i + 2 < static_cast<int>(corners.size()); i += 3) mesh->triangles.emplace_back(i, i + 1, i + 2);
  return {mesh, Eigen::Isometry3d::Identity(), "triangles"};
}

/// Position of the turntable.
const Vector3d kBase(1e4, 3e3, 0.0);

SceneObject standing(const std::string& name, std::vector<Vector3d> corners) {
  for (Vector3d& c : corners) c += kBase;
  return {name, {triangles(corners)}, Eigen::Isometry3d::Identity()};
}

std::shared_ptr<const RobotModel> turntable() {
  RobotSpec spec;
  spec.name = "turntable";
  spec.links = {{"base", {}, {}}, {"table", {}, {}}};
  spec.links[1].collision = {
      triangles({{0.1, 0, 0}, {0.3, 0.05, 0}, {0.3, -0.05, 0}, {0.5, 0, 0.2}, {0.7, 0, 0.2}, {0.6, 0, 0.3}})};
  JointSpec joint;
  joint.name = "turn";
  joint.type = JointType::Continuous;
  joint.parent = "base";
  joint.child = "table";
  joint.axis = Vector3d::UnitZ();
  joint.origin.translation() = kBase;
  spec.joints.push_back(joint);
  return std::make_shared<const RobotModel>(spec);
}

TEST(ProvedPrefix, OfWhatIsUndecidedEndsBeforePairsThatWait) {
  std::mt19937 random(11);
  const auto draw = [&](double lower, double upper) {
    return lower + (upper - lower) * static_cast<double>(random()) / 4294967296.0;
  };
  int undecided = 0, proved = 0, waiting = 0;
  for (int i = 0; i < 1000; ++i) {
    const double turn = draw(3.3, 7.3), wall = turn * draw(0.45, 0.7), lowest = wall + draw(0.38, 0.55);
    const double gap = draw(1.3e-9, 2.1e-9), slope = draw(1.45e-7, 3.2e-7);
    // The floor is nearest to the table's outer edge at the angle `lowest`, and there `gap` below it.
    const auto floor = [&](double x, double y) {
      return Vector3d(x, y, -(gap + slope) + slope / 0.3 * (x * std::cos(lowest) + y * std::sin(lowest)));
    };
    const auto upright = [&](double radius, double z) {
      return Vector3d(radius * std::cos(wall), radius * std::sin(wall), z);
    };
    Scene scene;
    scene.objects = {standing("floor", {floor(-2, -1), floor(2, -1), floor(0, 2)}),
                     standing("wall", {upright(0.45, 0.22), upright(0.8, 0.22), upright(0.6, 0.6)})};
    const PathChecker checker(turntable(), scene, {});
    Workspace workspace(checker);
    EdgeOptions options;
    options.tolerance = draw(3.1e-9, 3.5e-9);
    const EdgeResult r =
        checker.first_contact(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, turn), workspace, options);
    ASSERT_NE(r.verdict, Verdict::Free) << i;
    EXPECT_LE(r.t_free, wall / turn + 1e-9) << i;
    undecided += r.verdict == Verdict::Undecided;
    proved += r.t_free > 0.2 * wall / turn;
    waiting += r.verdict == Verdict::Undecided && r.t_free > 0.95 * wall / turn && r.undecided_pair &&
               r.undecided_pair->b == "floor";
  }
  EXPECT_GT(undecided, 500);
  EXPECT_GT(proved, 300);
  EXPECT_GT(waiting, 50);  // the floor ended the search while the wall waited
}

}  // namespace
}  // namespace planner_ccd
