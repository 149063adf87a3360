// The proved motion is the one that OMPL interpolates.
#include <gtest/gtest.h>
#include <ompl/base/spaces/DubinsStateSpace.h>
#include <ompl/base/spaces/RealVectorStateSpace.h>
#include <ompl/base/spaces/SE2StateSpace.h>
#include <ompl/base/spaces/SE3StateSpace.h>

#include "adapters/ompl/ompl_support.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/robot/kinematics.hpp"

namespace planner_ccd::testing {
namespace {

/// [m] Greatest distance of any link from OMPL's position of it over the motion, for points within 1 m of the links'
/// origins.
double worst_gap(const RobotModel& robot, const OmplStateMap& map, const ob::State* from, const ob::State* to) {
  JointVector q0, q1, q;
  EXPECT_TRUE(map.read_motion(from, to, q0, q1));
  EdgeMotion motion(robot);
  motion.set_linear(q0, q1, AnglePolicy::Literal);
  Kinematics proved;
  proved.resize(motion.chain());
  ob::ScopedState<> between(map.space());
  double worst = 0.0;
  for (int i = 0; i <= 40; ++i) {
    map.space()->interpolate(from, to, i / 40.0, between.get());
    map.read(between.get(), q);
    const Kinematics meant = kinematics(robot, q);
    motion.kinematics(i / 40.0, proved);
    for (std::size_t b = 0; b < meant.bodies.size(); ++b) {
      worst = std::max(worst, (meant.bodies[b].p_WB - proved.bodies[b].p_WB).norm());
      worst = std::max(worst, (meant.bodies[b].R_WB - proved.bodies[b].R_WB).norm());
    }
  }
  return worst;
}

RobotModel single(JointType type) {
  RobotSpec spec;
  spec.name = "single";
  spec.links = {{"base", {}, {}}, {"part", {}, {}}};
  JointSpec joint;
  joint.name = "j";
  joint.type = type;
  joint.parent = "base";
  joint.child = "part";
  joint.axis = Eigen::Vector3d::UnitZ();
  if (type == JointType::Revolute) joint.lower = -2.0, joint.upper = 2.0;
  spec.joints = {joint};
  return RobotModel(spec);
}

TEST(OmplStateMap, ProvedMotionIsTheOneOmplInterpolates) {
  Draw draw(20261);
  int turns = 0, floating = 0, planar = 0, motions = 0;
  for (int i = 0; i < std::max(30, scaled(150)); ++i) {
    const RobotModel robot(draw.robot(draw.integer(2, 7)));
    if (robot.dof() == 0) continue;
    for (const Joint& joint : robot.joints()) {
      turns += joint.type == JointType::Continuous;
      floating += joint.type == JointType::Floating;
      planar += joint.type == JointType::Planar;
    }
    const OmplStateMap map(robot, ompl_state_space(robot));
    ob::ScopedState<> from(map.space()), to(map.space());
    for (int k = 0; k < 8; ++k) {
      draw_state(draw, robot, map, 1.5, from.get());
      draw_state(draw, robot, map, 1.5, to.get());
      EXPECT_LT(worst_gap(robot, map, from.get(), to.get()), 1e-10);
      ++motions;
    }
  }
  EXPECT_GT(motions, 100);
  EXPECT_GT(turns, 5);
  EXPECT_GT(floating, 5);
  EXPECT_GT(planar, 5);
}

TEST(OmplStateMap, WritesWhatItReads) {
  Draw draw(20262);
  for (int i = 0; i < 30; ++i) {
    const RobotModel robot(draw.robot(5));
    if (robot.dof() == 0) continue;
    const OmplStateMap map(robot, ompl_state_space(robot));
    ob::ScopedState<> a(map.space()), b(map.space());
    draw_state(draw, robot, map, 1.5, a.get());
    JointVector q, again;
    map.read(a.get(), q);
    map.write(q, b.get());
    map.read(b.get(), again);
    EXPECT_LT((q - again).norm(), 1e-14);
  }
}

TEST(OmplStateMap, AnglesTurnAcrossPiInSo2AndNeverInRealVectors) {
  const RobotModel robot = single(JointType::Continuous);
  const auto so2 = std::make_shared<ob::SO2StateSpace>();
  so2->setName("j");
  const auto real = std::make_shared<ob::RealVectorStateSpace>();
  real->addDimension("j", -4.0, 4.0);
  const std::vector<std::pair<double, double>> ends = {{3.0, -3.0},
                                                       {-3.0, 3.0},
                                                       {3.0, -0.1416},
                                                       {0.0, std::numbers::pi},
                                                       {-std::numbers::pi / 2, std::numbers::pi / 2},
                                                       {std::numbers::pi, -3.14},
                                                       {std::nextafter(-std::numbers::pi, 0.0), std::numbers::pi}};
  for (const ob::StateSpacePtr& space : {ob::StateSpacePtr(so2), ob::StateSpacePtr(real)}) {
    const OmplStateMap map(robot, space);
    ob::ScopedState<> from(space), to(space);
    for (const auto& [a, b] : ends) {
      from.reals() = {};
      from[0] = a;
      to[0] = b;
      EXPECT_LT(worst_gap(robot, map, from.get(), to.get()), 1e-12) << a << " to " << b << " in " << space->getName();
    }
  }
}

TEST(OmplStateMap, HalfATurnOfAFloatingJointIsLeftToItsHalves) {
  const RobotModel robot = single(JointType::Floating);
  const OmplStateMap map(robot, ompl_state_space(robot));
  ob::ScopedState<ob::SE3StateSpace> from(map.space()), to(map.space()), middle(map.space());
  Draw draw(20263);
  for (int i = 0; i < 50; ++i) {
    const Eigen::Quaterniond r(draw.pose(1.0).linear());
    const Eigen::Quaterniond turned = r * Eigen::Quaterniond(Eigen::AngleAxisd(std::numbers::pi, draw.direction()));
    JointVector q(7);
    q << draw.vector(1.0), r.coeffs();
    map.write(q, from.get());
    q << draw.vector(1.0), turned.coeffs();
    map.write(q, to.get());
    JointVector q0, q1;
    EXPECT_FALSE(map.read_motion(from.get(), to.get(), q0, q1));
    map.space()->interpolate(from.get(), to.get(), 0.5, middle.get());
    EXPECT_LT(worst_gap(robot, map, from.get(), middle.get()), 1e-10);
    EXPECT_LT(worst_gap(robot, map, middle.get(), to.get()), 1e-10);
  }
}

void expect_refused(const RobotModel& robot, const ob::StateSpacePtr& space, const std::string& part,
                    const OmplMapOptions& options = {}) {
  try {
    const OmplStateMap map(robot, space, options);
    ADD_FAILURE() << "was accepted, but should name " << part;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(OmplStateMap, RefusesWhatItCannotMap) {
  const RobotModel limited = single(JointType::Revolute), planar = single(JointType::Planar);
  const auto unnamed = std::make_shared<ob::RealVectorStateSpace>(1);
  unnamed->setBounds(-1.0, 1.0);
  expect_refused(limited, unnamed, "setDimensionName");
  const auto other = std::make_shared<ob::RealVectorStateSpace>();
  other->addDimension("k", -1.0, 1.0);
  expect_refused(limited, other, "'k'");
  const auto twice = std::make_shared<ob::RealVectorStateSpace>();
  twice->addDimension("j", -1.0, 1.0);
  twice->addDimension("j", -1.0, 1.0);
  expect_refused(limited, twice, "twice");
  const auto so2 = std::make_shared<ob::SO2StateSpace>();
  so2->setName("j");
  expect_refused(limited, so2, "without limits");
  const auto dubins = std::make_shared<ob::DubinsStateSpace>();
  dubins->setName("j");
  expect_refused(planar, dubins, "straight line");
  expect_refused(limited, unnamed, "2 names", {{"j", "k"}, {}});
  Draw draw(20264);
  const RobotModel robot(draw.robot(6));
  expect_refused(robot, unnamed, "lacks", {{robot.coordinates()[0].name}, {}});
}

TEST(OmplStateMap, TakesNamesFromTheCallerAndLeavesOtherJointsWhereTheyAre) {
  Draw draw(20265);
  RobotSpec spec = draw.robot(6);
  for (JointSpec& joint : spec.joints) {
    joint.type = JointType::Prismatic;
    joint.mimic.reset();
  }
  const RobotModel robot(spec);
  const auto space = std::make_shared<ob::RealVectorStateSpace>(2);
  space->setBounds(-1.0, 1.0);
  OmplMapOptions options;
  options.joints = {robot.coordinates()[4].name, robot.coordinates()[1].name};
  options.elsewhere = JointVector::LinSpaced(6, 1.0, 6.0);
  const OmplStateMap map(robot, space, options);
  ob::ScopedState<ob::RealVectorStateSpace> state(map.space());
  state[0] = 0.25;
  state[1] = -0.5;
  JointVector q, expected(6);
  map.read(state.get(), q);
  expected << 1.0, -0.5, 3.0, 4.0, 0.25, 6.0;
  EXPECT_EQ(q, expected);
}

}  // namespace
}  // namespace planner_ccd::testing
