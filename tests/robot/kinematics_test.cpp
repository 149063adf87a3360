#include "planner_ccd/robot/kinematics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/motion/pair_motion.hpp"
#include "planner_ccd/robot/detail/angles.hpp"
#include "support/oracle.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;
using truth::Mat4;
using truth::Real;
using truth::Vec;

constexpr unsigned kSeed = 77;

Scene no_scene() { return {}; }

/// Oracle poses of bodies: those of any of their links, converted to the body.
Mat4 body_pose(const RobotModel& robot, const std::vector<Mat4>& links, int body) {
  for (std::size_t l = 0; l < links.size(); ++l) {
    if (robot.links()[l].body == body) return links[l] * truth::inverse(truth::from(robot.links()[l].X_BodyLink));
  }
  return {};
}

void expect_pose(const BodyState& state, const Mat4& pose, const std::string& what) {
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(state.p_WB[i], static_cast<double>(pose.m[i][3]), 2e-14) << what;
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(state.R_WB(i, j), static_cast<double>(pose.m[i][j]), 5e-15) << what;
  }
}

TEST(Kinematics, PosesAreThoseOfMatricesMultipliedInExtendedPrecision) {
  Draw draw(kSeed);
  for (int i = 0; i < testing::scaled(400) && !HasFailure(); ++i) {
    const RobotSpec spec = draw.robot(draw.integer(1, 9));
    const RobotModel robot(spec);
    const truth::Oracle oracle(spec, no_scene(), {}, 0.0);
    const Eigen::VectorXd q = draw.configuration(robot, 2.5);
    const Kinematics k = kinematics(robot, q);
    const std::vector<Mat4> links = oracle.poses({q, q}, 0);
    for (std::size_t b = 1; b < robot.bodies().size(); ++b) {
      expect_pose(k.bodies[b], body_pose(robot, links, static_cast<int>(b)), "seed " + std::to_string(i));
    }
  }
}

/// Along an edge: the motion's own poses and twists at t, for every joint type, floating ones included.
TEST(Kinematics, TwistsOnAnEdgeAreFiniteDifferencesOfPoses) {
  Draw draw(kSeed + 1);
  const Real h = 1e-6L;
  double worst = 0.0;
  for (int i = 0; i < testing::scaled(300) && !HasFailure(); ++i) {
    const RobotSpec spec = draw.robot(draw.integer(1, 8));
    const RobotModel robot(spec);
    const truth::Oracle oracle(spec, no_scene(), {}, 0.0);
    const Eigen::VectorXd q0 = draw.configuration(robot, 2.0), q1 = draw.configuration(robot, 2.0);
    const AnglePolicy policy = draw.integer(0, 1) == 0 ? AnglePolicy::Literal : AnglePolicy::Wrap;
    EdgeMotion motion(robot);
    motion.set_linear(q0, q1, policy);
    Kinematics k;
    k.resize(motion.chain());
    const double t = draw.uniform(0.0, 1.0);
    motion.kinematics(t, k);
    const truth::Edge edge{q0, q1, policy};
    const auto now = oracle.poses(edge, t), before = oracle.poses(edge, t - h), after = oracle.poses(edge, t + h);
    for (int b = 1; b < static_cast<int>(robot.bodies().size()); ++b) {
      expect_pose(k.bodies[b], body_pose(robot, now, b), "on an edge");
      const Vec point = truth::from(draw.vector(0.5));
      const Vec p = body_pose(robot, now, b) * point;
      const Vec rate = 1 / (2 * h) * (body_pose(robot, after, b) * point - body_pose(robot, before, b) * point);
      const Eigen::Vector3d expected = truth::to_eigen(rate);
      const Eigen::Vector3d found = k.bodies[b].v + k.bodies[b].w.cross(truth::to_eigen(p));
      worst = std::max(worst, (found - expected).norm() / (1.0 + expected.norm()));
      EXPECT_LT((found - expected).norm(), 1e-8 * (1.0 + expected.norm())) << "seed " << i << ", body " << b;
    }
  }
  std::printf("  worst relative difference %.1e\n", worst);
}

/// The velocity form: rates of joint values; of a floating joint the velocity of its origin and the angular velocity.
TEST(Kinematics, TwistsFromVelocitiesAreFiniteDifferencesToo) {
  Draw draw(kSeed + 2);
  for (int i = 0; i < testing::scaled(200) && !HasFailure(); ++i) {
    const RobotSpec spec = draw.robot(draw.integer(1, 8));
    const RobotModel robot(spec);
    const truth::Oracle oracle(spec, no_scene(), {}, 0.0);
    const Eigen::VectorXd q = draw.configuration(robot, 2.0);
    Eigen::VectorXd velocity(velocity_size(robot));
    for (double& x : velocity) x = draw.uniform(-1.0, 1.0);
    const Kinematics k = kinematics(robot, q, velocity);
    const double h = 1e-5;
    const auto stepped = [&](double s) {
      Eigen::VectorXd out = q;
      int next = 0;
      for (const Joint& joint : robot.joints()) {
        if (joint.type == JointType::Floating) {
          out.segment<3>(joint.q_index) += s * velocity.segment<3>(next);
          const Eigen::Vector3d w = velocity.segment<3>(next + 3);
          Eigen::Quaterniond r(q[joint.q_index + 6], q[joint.q_index + 3], q[joint.q_index + 4], q[joint.q_index + 5]);
          r = Eigen::Quaterniond(Eigen::AngleAxisd(s * w.norm(), w.normalized())) * r;
          out.segment<4>(joint.q_index + 3) = r.coeffs();
          next += 6;
        } else {
          for (int c = 0; c < joint.q_size; ++c) out[joint.q_index + c] += s * velocity[next + c];
          next += joint.q_size;
        }
      }
      return out;
    };
    const auto now = oracle.poses({q, q}, 0), after = oracle.poses({stepped(h), stepped(h)}, 0),
               before = oracle.poses({stepped(-h), stepped(-h)}, 0);
    for (int b = 1; b < static_cast<int>(robot.bodies().size()); ++b) {
      const Vec point = truth::from(draw.vector(0.5));
      const Eigen::Vector3d expected = truth::to_eigen(
          1 / (2 * Real(h)) * (body_pose(robot, after, b) * point - body_pose(robot, before, b) * point));
      const Eigen::Vector3d p = truth::to_eigen(body_pose(robot, now, b) * point);
      EXPECT_LT((k.bodies[b].v + k.bodies[b].w.cross(p) - expected).norm(), 3e-8 * (1.0 + expected.norm())) << i;
    }
  }
}

/// For two moving bodies: the twist of A in B's frame is the difference of their world twists, rotated into B, and
/// describes how A's points move as seen from B.
TEST(PairState, TwistIsTheDifferenceOfTwistsAndWhatBSees) {
  Draw draw(kSeed + 3);
  const Real h = 1e-6L;
  int pairs = 0;
  for (int i = 0; i < testing::scaled(300) && !HasFailure(); ++i) {
    const RobotSpec spec = draw.robot(draw.integer(2, 8));
    const RobotModel robot(spec);
    const int bodies = static_cast<int>(robot.bodies().size());
    if (bodies < 3) continue;
    const int a = draw.integer(1, bodies - 1);
    const int b = draw.integer(0, bodies - 1);
    if (a == b) continue;
    ++pairs;
    const truth::Oracle oracle(spec, no_scene(), {}, 0.0);
    const Eigen::VectorXd q0 = draw.configuration(robot, 2.0), q1 = draw.configuration(robot, 2.0);
    EdgeMotion motion(robot);
    motion.set_linear(q0, q1, AnglePolicy::Literal);
    const PairChain chain = pair_chain(motion.chain(), a, b);
    PairMotion bounds;
    bounds.set(chain, motion, 1.0);
    Kinematics k;
    k.resize(motion.chain());
    const double t = draw.uniform(0.0, 1.0);
    motion.kinematics(t, k);
    PairState state;
    state.set(chain, k);
    const truth::Edge edge{q0, q1};
    const auto X = [&](Real at) {
      const auto links = oracle.poses(edge, at);
      return truth::inverse(body_pose(robot, links, b)) * body_pose(robot, links, a);
    };
    const Vec point = truth::from(draw.vector(0.5));
    const Eigen::Vector3d seen = truth::to_eigen(1 / (2 * h) * (X(t + h) * point - X(t - h) * point));
    const Eigen::Vector3d place = truth::to_eigen(X(t) * point);
    EXPECT_LT((state.R_BA * truth::to_eigen(point) + state.p_BA - place).norm(), 1e-13);
    EXPECT_LT((state.v + state.w.cross(place) - seen).norm(), 1e-8 * (1.0 + seen.norm())) << "seed " << i;
    const Eigen::Vector3d difference = k.bodies[b].R_WB.transpose() * (k.bodies[a].w - k.bodies[b].w);
    EXPECT_LT((state.w - difference).norm(), 1e-12);
  }
  EXPECT_GT(pairs, testing::scaled(100));
}

RobotSpec two_links() {
  RobotSpec spec;
  spec.name = "pair";
  spec.links = {{"a", {}, {}}, {"b", {}, {}}, {"c", {}, {}}, {"d", {}, {}}};
  const auto joint = [](const char* name, const char* parent, const char* child) {
    JointSpec j;
    j.name = name;
    j.type = JointType::Revolute;
    j.parent = parent;
    j.child = child;
    j.lower = -1.0, j.upper = 1.0;
    return j;
  };
  spec.joints = {joint("ab", "a", "b"), joint("bc", "b", "c"), joint("cd", "c", "d")};
  return spec;
}

void expect_error(const RobotSpec& spec, const std::vector<std::string>& parts) {
  try {
    const RobotModel model(spec);
    ADD_FAILURE() << "no error that says " << parts[0];
  } catch (const InputError& e) {
    for (const std::string& part : parts) {
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << "'" << part << "' is not in: " << e.what();
    }
  }
}

TEST(RobotModel, NamesWhatIsWrong) {
  const auto with = [](const std::function<void(RobotSpec&)>& change) {
    RobotSpec spec = two_links();
    change(spec);
    return spec;
  };
  EXPECT_NO_THROW(RobotModel{two_links()});
  expect_error(with([](RobotSpec& s) { s.links.clear(), s.joints.clear(); }), {"pair", "no links"});
  expect_error(with([](RobotSpec& s) { s.links[1].name = "a"; }), {"pair", "link 'a'", "twice"});
  expect_error(with([](RobotSpec& s) { s.joints[1].name = "ab"; }), {"joint 'ab'", "twice"});
  expect_error(with([](RobotSpec& s) { s.joints[0].parent = "nobody"; }), {"joint 'ab'", "'nobody'", "does not exist"});
  expect_error(with([](RobotSpec& s) { s.joints[2].child = "nobody"; }), {"joint 'cd'", "'nobody'", "does not exist"});
  expect_error(with([](RobotSpec& s) { s.joints[2].child = "b"; }), {"joint 'cd'", "'b'", "'ab'"});
  expect_error(with([](RobotSpec& s) { s.joints[0].parent = "d"; }), {"loop"});
  expect_error(with([](RobotSpec& s) { s.joints[1].parent = "c"; }), {"loop"});
  expect_error(with([](RobotSpec& s) { s.joints[1].axis.setZero(); }), {"joint 'bc'", "axis"});
  expect_error(with([](RobotSpec& s) { s.joints[1].axis.x() = std::nan(""); }), {"joint 'bc'", "axis"});
  expect_error(with([](RobotSpec& s) { s.joints[1].lower = 2.0; }), {"joint 'bc'", "limits"});
  expect_error(with([](RobotSpec& s) { s.joints[1].upper = std::nan(""); }), {"joint 'bc'", "limits"});
  expect_error(with([](RobotSpec& s) { s.joints[1].max_velocity = -1.0; }), {"joint 'bc'", "velocity"});
  expect_error(with([](RobotSpec& s) { s.joints[1].origin.linear() *= 2.0; }), {"joint 'bc'", "origin", "rigid"});
  expect_error(with([](RobotSpec& s) { s.joints[1].mimic = MimicSpec{"bc"}; }), {"joint 'bc'", "mimics itself"});
  expect_error(with([](RobotSpec& s) { s.joints[1].mimic = MimicSpec{"nobody"}; }), {"joint 'bc'", "'nobody'"});
  expect_error(with([](RobotSpec& s) { s.joints[1].mimic = MimicSpec{"ab", std::nan("")}; }), {"joint 'bc'", "finite"});
  expect_error(with([](RobotSpec& s) {
                 s.joints[0].mimic = MimicSpec{"cd"};
                 s.joints[1].mimic = MimicSpec{"ab"};
                 s.joints[2].mimic = MimicSpec{"bc"};
               }),
               {"mimics itself"});
  expect_error(with([](RobotSpec& s) {
                 s.joints[0].type = JointType::Planar;
                 s.joints[1].mimic = MimicSpec{"ab"};
               }),
               {"joint 'bc'", "'ab'", "more than one value"});
  expect_error(with([](RobotSpec& s) {
                 s.joints[1].type = JointType::Floating;
                 s.joints[1].mimic = MimicSpec{"ab"};
               }),
               {"joint 'bc'", "one value"});
  Geometry bad{Sphere{-1.0}, Eigen::Isometry3d::Identity(), "sphere"};
  expect_error(with([&](RobotSpec& s) { s.links[2].collision = {bad}; }), {"link 'c'", "radius"});
}

TEST(RobotModel, FoldsChainsOfMimics) {
  RobotSpec spec = two_links();
  spec.joints[0].mimic = MimicSpec{"bc", 2.0, 0.1};
  spec.joints[1].mimic = MimicSpec{"cd", -3.0, 0.5};
  const RobotModel model(spec);
  ASSERT_EQ(model.dof(), 1);
  const Joint& ab = model.joints()[0];
  EXPECT_EQ(ab.q_index, 0);
  EXPECT_DOUBLE_EQ(ab.multiplier, -6.0);  // 2 (-3 q + 0.5) + 0.1
  EXPECT_DOUBLE_EQ(ab.offset, 2.0 * 0.5 + 0.1);
  spec.joints[2].type = JointType::Fixed;  // nothing left that moves: constants
  const RobotModel still(spec);
  EXPECT_EQ(still.dof(), 0);
  EXPECT_EQ(still.joints()[0].q_index, -1);
  EXPECT_NO_THROW(kinematics(still, Eigen::VectorXd(0)));
}

TEST(Kinematics, RejectsWhatIsNoConfiguration) {
  const RobotModel model(two_links());
  EXPECT_THROW(kinematics(model, Eigen::VectorXd::Zero(2)), InputError);
  EXPECT_THROW(kinematics(model, Eigen::VectorXd::Zero(3), Eigen::VectorXd::Zero(4)), InputError);
  EXPECT_THROW(kinematics(model, Eigen::VectorXd::Constant(3, std::nan(""))), InputError);
}

/// Four instants at once give the same bits as one at a time.
TEST(Kinematics, LanesAreThoseOfOneInstantAtATime) {
  Draw draw(kSeed + 4);
  for (int i = 0; i < testing::scaled(200) && !HasFailure(); ++i) {
    const RobotSpec spec = draw.robot(draw.integer(1, 9));
    const RobotModel robot(spec);
    EdgeMotion motion(robot);
    // Sometimes so far that angles exceed the lanes' own range.
    const double reach = i % 10 == 0 ? 3000.0 : 2.0;
    motion.set_linear(draw.configuration(robot, reach), draw.configuration(robot, reach), AnglePolicy::Literal);
    double times[kKinematicsLanes];
    for (double& t : times) t = draw.uniform(0.0, 1.0);
    KinematicsLanes lanes;
    lanes.resize(motion.chain());
    motion.kinematics(times, lanes);
    Kinematics one, copy;
    one.resize(motion.chain());
    copy.resize(motion.chain());
    for (int lane = 0; lane < kKinematicsLanes; ++lane) {
      motion.kinematics(times[lane], one);
      lanes.copy(lane, copy);
      for (std::size_t b = 0; b < one.bodies.size(); ++b) {
        const BodyState &x = one.bodies[b], &y = copy.bodies[b];
        EXPECT_TRUE(x.R_WB == y.R_WB && x.p_WB == y.p_WB && x.w == y.w && x.v == y.v && x.w_dot == y.w_dot &&
                    x.v_dot == y.v_dot)
            << "seed " << i << ", body " << b;
      }
      for (std::size_t k = 0; k < one.moves.size(); ++k) {
        EXPECT_TRUE(one.moves[k].axis == copy.moves[k].axis && one.moves[k].origin == copy.moves[k].origin)
            << "seed " << i;
      }
    }
  }
}

TEST(Kinematics, SinesAreWithinFourUnitsOfRounding) {
  Draw draw(kSeed + 5);
  double worst = 0.0;
  for (int i = 0; i < testing::scaled(300'000); ++i) {
    const double range = i % 3 == 0 ? 1e-3 : i % 3 == 1 ? 4.0 : detail::kAnglesInLanes;
    double x = draw.uniform(-range, range);
    // Near multiples of a quarter turn, where the reduced angle is least and where it is greatest.
    if (i % 5 == 0)
      x = std::clamp(std::round(x * 4.0 / std::numbers::pi) * (std::numbers::pi / 4.0) + 1e-12 * x, -1024.0, 1024.0);
    double sine, cosine;
    detail::sine_cosine_of(x, sine, cosine);
    const auto error = [](double found, long double truth) {
      return static_cast<double>(std::abs(found - truth)) / 0x1p-53;
    };
    worst = std::max({worst, error(sine, std::sin(static_cast<long double>(x))),
                      error(cosine, std::cos(static_cast<long double>(x)))});
  }
  std::printf("  worst error %.2f u\n", worst);
  EXPECT_LT(worst, 4.0);
}

}  // namespace
}  // namespace planner_ccd
