#include "planner_ccd/papers/c2a_hca/directed_bound.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/random_robot.hpp"

namespace planner_ccd {
namespace {

constexpr std::uint64_t kSeed = 20240110;

/// The oracle uses positions alone. The velocity is a central difference of positions from kinematics in double,
/// accurate to about 1e-9; it shares neither twists nor axes with the bounds.
struct Oracle {
  EdgeMotion& motion;
  const PairChain& chain;
  Kinematics kinematics;

  Oracle(EdgeMotion& m, const PairChain& c) : motion(m), chain(c) { kinematics.resize(m.chain()); }

  Eigen::Isometry3d pose(double t) {
    motion.kinematics(t, kinematics);
    return kinematics.bodies[chain.body_b].pose().inverse() * kinematics.bodies[chain.body_a].pose();
  }
};

struct Case {
  RobotModel model;
  EdgeMotion motion;
  std::vector<PairChain> chains;

  explicit Case(RobotSpec spec) : model(std::move(spec)), motion(model) {}
};

/// All ordered pairs of bodies with relative motion.
std::vector<PairChain> all_pairs(const EdgeMotion& motion) {
  std::vector<PairChain> chains;
  const int n = static_cast<int>(motion.chain().bodies.size());
  for (int a = 0; a < n; ++a) {
    for (int b = 0; b < n; ++b) {
      if (a != b) chains.push_back(pair_chain(motion.chain(), a, b));
    }
  }
  return chains;
}

struct Tightness {
  double sum[3] = {0, 0, 0};
  long count = 0;
  long approaching = 0;
};

void check_pair(testing::Draw& rng, Case& d, DirectedBound& bound, int index, Tightness& tight) {
  Eigen::Vector3d corners[4];
  const int count = rng.integer(1, 4);
  for (int j = 0; j < count; ++j) corners[j] = rng.vector(0.3);
  const double radius = rng.integer(0, 2) == 0 ? 0.0 : rng.uniform(0, 0.1);
  const BodyPoints points{corners, count, radius};
  Oracle oracle(d.motion, d.chains[index]);
  const Eigen::Vector3d n =
      rng.integer(0, 4) == 0 ? Eigen::Vector3d(Eigen::Vector3d::Unit(rng.integer(0, 2))) : rng.direction();
  double limit[3];
  for (int k = 0; k < 3; ++k) limit[k] = bound.speed(static_cast<BoundKind>(k), index, n, points);
  ASSERT_LE(limit[2], limit[1] + 1e-9 * (1 + std::abs(limit[1])));
  ASSERT_LE(limit[1], limit[0] + 1e-9 * (1 + std::abs(limit[0])));
  double fastest = -1e300;
  constexpr double h = 1e-5;
  for (int i = 0; i < 20; ++i) {
    const double t = i == 0 ? h : (i == 1 ? 1 - h : rng.uniform(h, 1 - h));
    const Eigen::Isometry3d before = oracle.pose(t - h), after = oracle.pose(t + h);
    // The fastest point of the rounded hull: p'.n = (X' p).n is linear in p, so at a corner, plus radius |R'^T n|.
    const Eigen::Matrix3d rate = (after.linear() - before.linear()) / (2 * h);
    for (int j = 0; j < count; ++j) {
      const Eigen::Vector3d v = (after * corners[j] - before * corners[j]) / (2 * h);
      fastest = std::max(fastest, n.dot(v) + radius * (rate.transpose() * n).norm());
    }
  }
  for (int k = 0; k < 3; ++k) {
    ASSERT_GE(limit[k], fastest - 1e-8 * (1 + std::abs(fastest))) << "kind " << k << " pair " << index;
    if (fastest > 0.01) tight.sum[k] += limit[k] / fastest;
  }
  tight.count += fastest > 0.01;
  tight.approaching += fastest > 0;
}

/// With few moving joints the bound has little slack, so that a wrong axis or offset anywhere in the chain shows.
void keep_most_joints_at_rest(testing::Draw& rng, const RobotModel& model, const Eigen::VectorXd& q0,
                              Eigen::VectorXd& q1) {
  for (const Joint& joint : model.joints()) {
    if (joint.is_mimic || joint.q_size == 0 || rng.integer(0, 3) == 0) continue;
    q1.segment(joint.q_index, joint.q_size) = q0.segment(joint.q_index, joint.q_size);
  }
}

TEST(DirectedBound, IsNeverExceededOnRandomChainsOfAllJointTypes) {
  testing::Draw rng(kSeed);
  Tightness tight;
  const int robots = testing::scaled(1'500);
  long pairs = 0;
  for (int i = 0; i < robots; ++i) {
    Case d(rng.robot(rng.integer(1, 8)));
    d.chains = all_pairs(d.motion);
    if (d.chains.empty()) continue;
    DirectedBound bound(&d.chains, d.motion.chain());
    for (int edge = 0; edge < 3; ++edge) {  // each must be independent of the previous ones
      const Eigen::VectorXd q0 = rng.configuration(d.model, 2.0);
      const double share = edge == 0 ? 0.1 : rng.uniform(0.2, 1.0);
      Eigen::VectorXd q1 = q0 + share * (rng.configuration(d.model, 2.0) - q0);
      if (edge == 2) keep_most_joints_at_rest(rng, d.model, q0, q1);
      d.motion.set_linear(q0, q1, AnglePolicy::Literal);
      bound.start(d.motion);
      for (int k = 0; k < 5; ++k) {
        check_pair(rng, d, bound, rng.integer(0, static_cast<int>(d.chains.size()) - 1), tight);
        if (HasFatalFailure()) FAIL() << "robot " << i << " edge " << edge;
        ++pairs;
      }
    }
  }
  std::printf("  %ld chains; bound / fastest approach seen: undirected %.2f, CATCH %.2f, Eq. 14 %.2f\n", pairs,
              tight.sum[0] / tight.count, tight.sum[1] / tight.count, tight.sum[2] / tight.count);
  EXPECT_GT(pairs, 6 * robots);
  EXPECT_GT(tight.approaching, pairs / 3);
}

/// One rotation at a constant rate: the bound of Lemma 4.1 is attained where the farthest corner moves along n.
TEST(DirectedBound, IsAttainedByARigidRotation) {
  RobotSpec spec;
  spec.name = "wheel";
  spec.links = {{"base", {}, {}}, {"wheel", {}, {}}};
  JointSpec joint;
  joint.name = "axle";
  joint.type = JointType::Continuous;
  joint.parent = "base";
  joint.child = "wheel";
  joint.axis = Eigen::Vector3d::UnitZ();
  spec.joints = {joint};
  const RobotModel model(spec);
  EdgeMotion motion(model);
  motion.set_linear(Eigen::VectorXd::Constant(1, 0.0), Eigen::VectorXd::Constant(1, 2.0), AnglePolicy::Literal);
  const std::vector<PairChain> chains = {pair_chain(motion.chain(), 1, 0)};
  DirectedBound bound(&chains, motion.chain());
  bound.start(motion);
  const Eigen::Vector3d corner(1.0, 0.0, 5.0);  // the 5 along the axis does not matter
  const BodyPoints points{&corner, 1, 0.25};
  EXPECT_NEAR(bound.speed(BoundKind::Directed, 0, Eigen::Vector3d::UnitY(), points), 2.0 * 1.25, 1e-9);
  EXPECT_NEAR(bound.speed(BoundKind::Directed, 0, Eigen::Vector3d::UnitZ(), points), 0.0, 1e-9);
  EXPECT_NEAR(bound.speed(BoundKind::Undirected, 0, Eigen::Vector3d::UnitZ(), points), 2.0 * (corner.norm() + 0.25),
              1e-9);
}

/// A body in translation: v.n exactly, negative when it recedes (Lemma 4.1 with omega = 0).
TEST(DirectedBound, OfATranslationIsItsProjection) {
  RobotSpec spec;
  spec.name = "body";
  spec.links = {{"world", {}, {}}, {"body", {}, {}}};
  JointSpec joint;
  joint.name = "free";
  joint.type = JointType::Floating;
  joint.parent = "world";
  joint.child = "body";
  spec.joints = {joint};
  const RobotModel model(spec);
  EdgeMotion motion(model);
  Eigen::VectorXd q0(7), q1(7);
  q0 << 0, 0, 0, 0, 0, 0, 1;
  q1 << 1, 2, -3, 0, 0, 0, 1;
  motion.set_linear(q0, q1, AnglePolicy::Literal);
  const std::vector<PairChain> chains = {pair_chain(motion.chain(), 1, 0), pair_chain(motion.chain(), 0, 1)};
  DirectedBound bound(&chains, motion.chain());
  bound.start(motion);
  const Eigen::Vector3d corner(0.1, 0.2, 0.3);
  const BodyPoints points{&corner, 1, 0.1};
  const Eigen::Vector3d n(2.0 / 3, 2.0 / 3, 1.0 / 3);
  EXPECT_NEAR(bound.speed(BoundKind::Directed, 0, n, points), (2.0 + 4.0 - 3.0) / 3, 1e-9);
  EXPECT_NEAR(bound.speed(BoundKind::Directed, 0, -n, points), -(2.0 + 4.0 - 3.0) / 3, 1e-9);
  EXPECT_NEAR(bound.speed(BoundKind::Directed, 1, n, points), -(2.0 + 4.0 - 3.0) / 3, 1e-9);  // seen from the body
}

TEST(DirectionTable, BoundsTheSineOfEveryDirectionOfACell) {
  testing::Draw rng(kSeed + 1);
  const DirectionGrid grid(32, 8);
  double loss = 0.0;
  int below_one = 0;
  const int n = testing::scaled(3'000);
  for (int i = 0; i < n; ++i) {
    const Eigen::Vector3d around = rng.direction(), start = rng.direction();
    const double turn = rng.uniform(0, 1.5);
    TaylorTransform X = TaylorTransform::identity();
    X.turn(around, TaylorModel::linear(TimeDomain(0, 1), 0.0, turn, 4));
    DirectionTable table(&grid);
    table.reset({X.R * start});
    const Eigen::Vector3d direction = rng.direction();
    const double sine = table.sine(grid.cell(direction));
    double greatest = 0.0;
    for (int k = 0; k <= 50; ++k) {
      const Eigen::Vector3d a = Eigen::AngleAxisd(turn * k / 50.0, around) * start;
      greatest = std::max(greatest, direction.cross(a).norm());
    }
    ASSERT_LE(greatest, sine + 1e-14);
    loss += sine - greatest;
    below_one += sine < 1.0;
    const Eigen::Vector3d center = grid.center(grid.cell(direction));
    const double angle = std::acos(std::min(1.0, std::abs(center.dot(direction))));
    ASSERT_LE(angle, grid.radius(grid.cell(direction)) + 1e-7);
  }
  std::printf("  the table adds %.3f to a sine on average; below 1 in %.0f %% of cases\n", loss / n,
              100.0 * below_one / n);
  EXPECT_LT(loss / n, 0.1);
  EXPECT_GT(below_one, n / 3);
}

/// Boxes from the models contain the bodies all along the edge.
TEST(TaylorChain, PosesHoldTheBodiesOfRandomRobots) {
  testing::Draw rng(kSeed + 2);
  const int robots = testing::scaled(1'000);
  double width = 0.0;
  int boxes = 0;
  for (int i = 0; i < robots; ++i) {
    const RobotModel model(rng.robot(rng.integer(1, 8)));
    EdgeMotion motion(model);
    const Eigen::VectorXd q0 = rng.configuration(model, 2.0);
    const Eigen::VectorXd q1 = q0 + rng.uniform(0.05, 1.0) * (rng.configuration(model, 2.0) - q0);
    motion.set_linear(q0, q1, AnglePolicy::Literal);
    TaylorChainOptions options;
    options.order = rng.integer(2, 6);
    const std::vector<TimeDomain> pieces = taylor_pieces(motion, options);
    Kinematics kinematics;
    kinematics.resize(motion.chain());
    std::vector<TaylorTransform> poses;
    const int which = rng.integer(0, static_cast<int>(pieces.size()) - 1);
    world_poses(motion, pieces[which], options.order, poses);
    const Eigen::Vector3d p = rng.vector(0.3);
    for (std::size_t b = 0; b < poses.size(); ++b) {
      const IntervalVector room = box(poses[b] * p);
      for (int k = 0; k <= 10; ++k) {
        const double t = (which + k / 10.0) / static_cast<double>(pieces.size());
        motion.kinematics(t, kinematics);
        const Eigen::Vector3d at = kinematics.bodies[b].pose() * p;
        for (int c = 0; c < 3; ++c) {
          ASSERT_LE(room[c].lo, at[c] + 1e-12) << "robot " << i << " body " << b;
          ASSERT_GE(room[c].hi, at[c] - 1e-12) << "robot " << i << " body " << b;
        }
      }
      for (int c = 0; c < 3; ++c) width += room[c].width(), ++boxes;
    }
  }
  std::printf("  mean box width %.3f m\n", width / boxes);
}

}  // namespace
}  // namespace planner_ccd
