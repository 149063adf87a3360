#include <gtest/gtest.h>

#include "regressions/doors.hpp"
#ifdef PLANNER_CCD_HAVE_BATCH
#include "planner_ccd/roadmap/roadmap.hpp"
#endif

/// Poses are accepted if their rotation is orthonormal to 1e-6, because files and programs round. The kinematics used
/// such a matrix unchanged, and no pad covered the difference: a joint origin scaled down by 5e-7 moved a link 1 m away
/// by 0.5 um, and where it overlapped an obstacle by less than that the motion was Free. Poses are now made rigid on
/// input.
namespace planner_ccd::test {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

constexpr double kOff = 4.9e-7;  ///< Scale error of the matrices, just within the accepted range.
constexpr double kDepth = 3e-7;  ///< [m] The true overlap, or the true gap.
constexpr double kTolerance = 1e-8;

/// A needle whose tip is 1 m from the origin of its frame.
Geometry needle() {
  return {ConvexHull{{{1.0, 0, 0}, {0.5, 0.01, 0}, {0.5, -0.01, 0.01}, {0.5, 0, -0.01}}}, Isometry3d::Identity(),
          "needle"};
}

Isometry3d scaled(double by) {
  Isometry3d X = Isometry3d::Identity();
  X.linear() *= 1.0 + by;
  return X;
}

/// Where the pose that is not quite rigid is given.
enum class Place { JointOrigin, FixedJoint, Base, LinkGeometry, Object, ObjectGeometry, Attached, AttachedGeometry };
constexpr Place kPlaces[] = {Place::JointOrigin, Place::FixedJoint,     Place::Base,     Place::LinkGeometry,
                             Place::Object,      Place::ObjectGeometry, Place::Attached, Place::AttachedGeometry};

struct World {
  std::shared_ptr<const RobotModel> robot;
  Scene scene;
};

/// An unrotated needle along x, and a wall whose face is `gap` beyond its tip; or, as an object, a needle in front of a
/// link.
World world(Place place, const Isometry3d& off, double gap) {
  RobotSpec spec;
  spec.name = "needle";
  spec.links = {{"base", {}, {}}, {"arm", {}, {}}, {"hand", {}, {}}};
  const auto joint = [&](const char* name, JointType type, const Isometry3d& origin) {
    JointSpec j;
    j.name = name;
    j.type = type;
    j.parent = spec.links[spec.joints.size()].name;
    j.child = spec.links[spec.joints.size() + 1].name;
    j.axis = Vector3d::UnitX();
    j.origin = origin;
    spec.joints.push_back(j);
  };
  joint("turn", JointType::Continuous, place == Place::JointOrigin ? off : Isometry3d::Identity());
  joint("fixed", JointType::Fixed, place == Place::FixedJoint ? off : Isometry3d::Identity());
  Geometry tip = needle();
  Scene scene;
  Geometry wall{Box{{1.0, 1.0, 1.0}}, Isometry3d::Identity(), "wall"};
  wall.pose.translation().x() = 1.5 + gap;
  const SceneObject obstacle{"wall", {wall}, Isometry3d::Identity()};
  if (place == Place::Object || place == Place::ObjectGeometry) {
    // The link is the wall here.
    spec.links[2].collision = {wall};
    if (place == Place::ObjectGeometry) tip.pose = off;
    scene.objects = {{"needle", {tip}, place == Place::Object ? off : Isometry3d::Identity()}};
  } else if (place == Place::Attached || place == Place::AttachedGeometry) {
    if (place == Place::AttachedGeometry) tip.pose = off;
    scene.objects = {obstacle};
    scene.attached = {{{"needle", {tip}, place == Place::Attached ? off : Isometry3d::Identity()}, "hand", {}}};
  } else {
    if (place == Place::LinkGeometry) tip.pose = off;
    spec.links[2].collision = {tip};
    scene.objects = {obstacle};
  }
  if (place == Place::Base) spec = combine({{spec, "", off}});
  return {std::make_shared<const RobotModel>(spec), scene};
}

Verdict ask(const World& w, const std::string& method = "taylor") {
  const PathChecker checker(w.robot, w.scene, {});
  Workspace workspace(checker);
  EdgeOptions options;
  options.tolerance = kTolerance;
  options.method = search_method_named(method);
  return checker.first_contact(Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, 1e-3), workspace, options)
      .verdict;
}

TEST(PosesNearlyRigid, DoNotDrawInWhatTheyPlace) {
  for (const Place place : kPlaces) {
    for (const std::string& method : search_method_names()) {
      EXPECT_EQ(ask(world(place, scaled(-kOff), -kDepth), method), Verdict::Contact)
          << static_cast<int>(place) << method;
      EXPECT_EQ(ask(world(place, scaled(kOff), kDepth), method), Verdict::Free) << static_cast<int>(place) << method;
    }
  }
}

#ifdef PLANNER_CCD_HAVE_BATCH
/// A roadmap compares scenes by the given poses and checks by the rigid ones.
TEST(PosesNearlyRigid, NorInARoadmap) {
  const World clear = world(Place::Object, scaled(-kOff), 1.0), met = world(Place::Object, scaled(-kOff), -kDepth);
  RoadmapOptions options;
  options.edge.tolerance = kTolerance;
  Scene scene = clear.scene;
  Eigen::Isometry3d away = scene.objects[0].pose;
  away.translation().x() = -1.0;
  scene.objects.move(scene.objects[0].name, away);
  Roadmap roadmap(met.robot, scene, {}, options);
  const Edge edge{Eigen::VectorXd::Zero(1), Eigen::VectorXd::Constant(1, 1e-3)};
  roadmap.add({&edge, 1});
  EXPECT_EQ(roadmap.verdict(0), Verdict::Free);
  (void)roadmap.change_scene(met.scene);
  EXPECT_EQ(roadmap.verdict(0), Verdict::Contact);
}

#endif

/// Rounding errors alone change nothing, to the bit; matrices farther from a rotation are rejected as before.
TEST(PosesNearlyRigid, AreTheNearestRotations) {
  const Eigen::Matrix3d R = Eigen::AngleAxisd(0.7, Vector3d(1, 2, 3).normalized()).toRotationMatrix();
  Isometry3d X(Eigen::Translation3d(1, 2, 3));
  X.linear() = R;
  EXPECT_EQ(rigid(X, "X").matrix(), X.matrix());
  Eigen::Matrix3d strain;  // symmetric: the rotation nearest to R (I + strain) is R
  strain << 1, -2, 1.5, -2, 0.5, 1, 1.5, 1, -1;
  X.linear() = R * (Eigen::Matrix3d::Identity() + 1.2e-7 * strain);
  EXPECT_LT((rigid(X, "X").linear() - R).cwiseAbs().maxCoeff(), 1e-13);
  X.linear() = R * (1.0 + 1e-6);
  EXPECT_THROW((void)rigid(X, "X"), InputError);
}

TEST(PosesNearlyRigid, DoNotDrawInWhatPythonPlaces) {
  const Doors doors(
      "<robot name='r'><link name='base'/><link name='arm'><collision><origin xyz='1.4999997 0 0'/><geometry>"
      "<box size='1 1 1'/></geometry></collision></link><joint name='j' type='continuous'><parent link='base'/>"
      "<child link='arm'/><axis xyz='1 0 0'/></joint></robot>",
      "objects: [{name: far, sphere: {radius: 0.1}, pose: {xyz: [0, 0, 9]}}]\n");
  expect_python(
      "import numpy, planner_ccd\n"
      "robot = planner_ccd.Robot('" +
      doors.path("robot.urdf") +
      "')\npose = numpy.eye(4)\npose[:3, :3] *= 1 - 4.9e-7\nscene = planner_ccd.Scene()\n"
      "scene.add_mesh('needle', [[1, 0, 0], [.5, .01, 0], [.5, -.01, .01], [.5, 0, -.01]],\n"
      "               [[0, 2, 1], [0, 3, 2], [0, 1, 3], [1, 2, 3]], pose)\n"
      "for name in ['placed', 'moved']:\n"
      "  checker = planner_ccd.PathChecker(robot, scene)\n"
      "  result = checker.first_contact([0.0], [1e-3], planner_ccd.EdgeOptions(tolerance=1e-8))\n"
      "  assert result.verdict.name.lower() == 'contact', (name, result)\n"
      "  scene.move('needle', pose)\n");
}

}  // namespace
}  // namespace planner_ccd::test
