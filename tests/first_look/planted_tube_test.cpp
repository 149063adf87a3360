#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "planner_ccd/first_look/first_look.hpp"
#include "support/mechanism.hpp"
#include "support/random_robot.hpp"
#include "support/scale.hpp"
#include "support/small_robots.hpp"

/// The look in tubes: contacts planted at the border, and places where its bounds are used up.
namespace planner_ccd {
namespace {

using look::Until;
using testing::ball;
using testing::ChainSpec;
using testing::Draw;
using truth::Vec;

const unsigned kSeed = testing::seeded(9211);

/// The pieces of the only pair that a look leaves open; with lanes and with scalar code.
std::uint32_t open_pieces(const RobotSpec& spec, const Scene& scene, const truth::Edge& edge,
                          const MotionErrors& errors, double margin = 0.0) {
  const RobotModel robot(spec);
  const CollisionWorld world(robot, scene, CollisionMatrix(), {margin, margin});
  EXPECT_EQ(world.problem().pairs.size(), 1u);
  const FirstLook first(world);
  EdgeMotion motion(robot);
  motion.set_linear(edge.q0, edge.q1, AnglePolicy::Literal);
  motion.set_errors(errors);
  FirstLook::Scratch scratch, other;
  EXPECT_TRUE(first.look(motion, Until::End, scratch));
  EXPECT_TRUE(first.look_one_by_one(motion, Until::End, other));
  EXPECT_EQ(scratch.findings.opened, other.findings.opened);
  return scratch.findings.open(0);
}

/// Of the two bodies of a pair, what is met: an obstacle, or a ball on the first link, which slides along.
struct Met {
  bool link;
  ChainSpec chain;
  Scene scene;

  Met(bool on_link, double radius, const Eigen::Vector3d& at) : link(on_link) {
    chain.slide(Eigen::Vector3d::UnitX());
    if (link) {
      chain.with(ball(radius, at));
    } else {
      scene.objects.push_back({"ball", {ball(radius)}, testing::shift(at)});
    }
  }
};

/// The end of a stretched arm of parallel joints beside a ball: all errors add up, d times lever each, and no more is asked for.
TEST(FirstLookTube, ErrorsOfParallelJointsAddUp) {
  Draw draw(kSeed);
  for (int i = 0; i < testing::scaled(300); ++i) {
    const int joints = draw.integer(1, 4);
    const bool on_link = i % 2 == 0;
    const double r = draw.uniform(0.02, 0.1), R = draw.uniform(0.05, 0.3), margin = draw.integer(0, 1) ? 0.0 : 0.02;
    MotionErrors errors;
    errors.tracking = JointVector::Zero(joints + 1);
    // A slide of both displaces neither towards the other.
    errors.tracking[0] = on_link ? draw.uniform(0.0, 0.1) : 0.0;
    double bound = 0.0, turned = 0.0;
    Eigen::Vector3d displaced = Eigen::Vector3d::Zero();
    for (int k = 0; k < joints; ++k) {
      const double d = errors.tracking[k + 1] = draw.uniform(0.0, 0.03);
      bound += d * 0.5 * (joints - k);
      turned += d;
      displaced += 0.5 * Eigen::Vector3d(std::cos(turned), std::sin(turned), 0.0);
    }
    const double asked = r + R + margin;
    const Eigen::Vector3d stretched(0.5 * joints, 0.0, 0.0);
    for (const bool meets : {true, false}) {
      const Eigen::Vector3d up = Eigen::Vector3d::UnitY();
      Met met(on_link, R,
              meets ? Eigen::Vector3d(displaced + (asked - 1e-6) * up)
                    : Eigen::Vector3d(stretched + (asked + bound + (on_link ? 2e-3 : 5e-4)) * up));
      for (int k = 0; k < joints; ++k) {
        met.chain.turn(Eigen::Vector3d::UnitZ(), 3.0, k == 0 ? Eigen::Vector3d(0, 0, 0) : Eigen::Vector3d(0.5, 0, 0));
      }
      met.chain.with(ball(r, {0.5, 0, 0}));
      const truth::Edge edge{JointVector::Zero(joints + 1), JointVector::Zero(joints + 1)};
      EXPECT_EQ(open_pieces(met.chain.spec, met.scene, edge, errors, margin), meets ? look::kAllPieces : 0u)
          << joints << " joints, " << (on_link ? "link" : "obstacle") << ", bound " << bound;
    }
  }
}

/// Slides and poses: a shift counts once, a turn by the distance from its origin.
TEST(FirstLookTube, ShiftsAndTurnsOfPosesAddUp) {
  Draw draw(kSeed + 1);
  for (int i = 0; i < testing::scaled(100); ++i) {
    const double r = 0.05, R = 0.1, away = draw.uniform(0.3, 2.0);
    const double slide = draw.uniform(0.0, 0.02), shift = draw.uniform(0.0, 0.02), angle = draw.uniform(0.0, 0.01);
    MotionErrors errors;
    errors.tracking = JointVector::Constant(2, slide);
    errors.tracking[0] = 0.0;
    errors.links = {{"base", {shift, angle}}};
    const double bound = slide + shift + away * angle;
    const truth::Edge edge{JointVector::Zero(2), JointVector::Zero(2)};
    for (const bool meets : {true, false}) {
      Met met(false, R, {away, r + R + bound + (meets ? -1e-4 : 1e-3), 0.0});
      met.chain.slide(Eigen::Vector3d::UnitY()).with(ball(r, {away, 0.0, 0.0}));
      EXPECT_EQ(open_pieces(met.chain.spec, met.scene, edge, errors) != 0, meets) << bound;
    }
  }
}

/// Links that errors of poses displace relative to each other are tried by single balls in the world, with all that displaces either.
TEST(FirstLookTube, ErrorsOfPosesBetweenLinksCount) {
  for (const bool meets : {true, false}) {
    Met met(true, 0.1, {0.5, 0.2 + 0.03 + (meets ? -1e-4 : 1e-3), 0.0});
    met.chain.slide(Eigen::Vector3d::UnitY()).with(ball(0.1, {0.5, 0.0, 0.0}));
    MotionErrors errors;
    errors.tracking = Eigen::Vector2d(0.0, 0.01);
    errors.links = {{"l2", {0.02, 0.0}}};
    const truth::Edge edge{JointVector::Zero(2), JointVector::Zero(2)};
    EXPECT_EQ(open_pieces(met.chain.spec, met.scene, edge, errors) != 0, meets);
  }
}

/// Anywhere on the way, at any corner of the errors and in any direction.
TEST(FirstLookTube, ContactsPlantedAtTheBorderAreLeftOpen) {
  Draw draw(kSeed + 2);
  int hard = 0, tried = 0, proved = 0;
  for (int i = 0; i < testing::scaled(600); ++i) {
    const bool on_link = draw.integer(0, 1) == 0;
    const int joints = draw.integer(1, 4);
    const double r = draw.uniform(0.01, 0.1), R = draw.uniform(0.01, 0.3);
    const auto arm = [&](Met met, const std::vector<Eigen::Vector3d>& axes, const std::vector<double>& lengths) {
      for (std::size_t k = 0; k < axes.size(); ++k) {
        met.chain.turn(axes[k], 10.0, k == 0 ? Eigen::Vector3d(0, 0, 0) : Eigen::Vector3d(lengths[k], 0, 0));
      }
      met.chain.with(ball(r, {lengths.back(), 0.1, 0}));
      return met;
    };
    std::vector<Eigen::Vector3d> axes;
    std::vector<double> lengths;
    MotionErrors errors;
    errors.tracking = JointVector::Zero(joints + 1);
    const double size = std::exp(draw.uniform(std::log(1e-3), std::log(0.2)));
    truth::Edge edge{JointVector::Zero(joints + 1), JointVector::Zero(joints + 1)};
    for (int k = 0; k <= joints; ++k) {
      if (k > 0) axes.push_back(draw.direction()), lengths.push_back(draw.uniform(0.1, 0.6));
      errors.tracking[k] = draw.integer(0, 3) == 0 ? 0.0 : draw.uniform(0.0, size);
      edge.q0[k] = draw.uniform(-3.0, 3.0);
      edge.q1[k] = edge.q0[k] + (draw.integer(0, 3) == 0 ? 0.0 : draw.uniform(-4.0, 4.0));
    }
    const int piece = draw.integer(0, look::kPieces - 1);
    const double t = (piece + draw.uniform(0.05, 0.95)) / look::kPieces;
    const truth::Mechanism mechanism(arm(Met(on_link, R, {0, 0, 0}), axes, lengths).chain.spec);
    const auto place = [&](const Eigen::VectorXd& e) -> Eigen::Vector3d {
      const truth::Edge off{edge.q0 + e, edge.q1 + e};
      return truth::to_eigen(mechanism.relative(joints + 1, on_link ? 1 : -1, off, t) *
                             truth::from(Eigen::Vector3d(lengths.back(), 0.1, 0.0)));
    };
    Eigen::VectorXd e = errors.tracking;
    const Eigen::Vector3d n = draw.direction();
    for (int k = 0; k <= joints; ++k) {
      e[k] = -e[k];
      Eigen::VectorXd turned = e;
      turned[k] = -turned[k];
      if (n.dot(place(turned)) > n.dot(place(e))) e = turned;
    }
    const Eigen::Vector3d at = place(e) + (r + R - 1e-7) * n;
    const Met met = arm(Met(on_link, R, at), axes, lengths);
    ++tried;
    hard += (place(Eigen::VectorXd::Zero(joints + 1)) - at).norm() > r + R + 1e-3;
    EXPECT_TRUE(open_pieces(met.chain.spec, met.scene, edge, errors) >> piece & 1u)
        << "trial " << i << (on_link ? ", link" : ", obstacle") << ", errors " << errors.tracking.transpose();
    const Met far = arm(Met(on_link, R, at + 0.5 * n), axes, lengths);
    proved += (open_pieces(far.chain.spec, far.scene, edge, errors) >> piece & 1u) == 0;
  }
  std::printf("  %d of %d would be missed without errors; %d proved half a metre farther\n", hard, tried, proved);
  EXPECT_GT(3 * hard, tried);
  EXPECT_GT(3 * proved, tried);
}

}  // namespace
}  // namespace planner_ccd
