#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "planner_ccd/first_look/first_look.hpp"
#include "support/random_robot.hpp"
#include "support/scenarios.hpp"

/// Contacts planted in the middle of pieces or beside them, which use up the look's bounds exactly or nearly; a little
/// farther apart it must prove the pair.
namespace planner_ccd {
namespace {

using look::Until;
using testing::Draw;

constexpr unsigned kSeed = 9203;

Geometry ball(double radius, const Eigen::Vector3d& at = Eigen::Vector3d::Zero()) {
  Geometry g;
  g.shape = Sphere{radius};
  g.pose.translation() = at;
  return g;
}

JointSpec joint(const std::string& parent, const std::string& child, JointType type, const Eigen::Vector3d& axis,
                const Eigen::Vector3d& at = Eigen::Vector3d::Zero()) {
  JointSpec j;
  j.name = child;
  j.type = type;
  j.parent = parent;
  j.child = child;
  j.axis = axis;
  j.origin.translation() = at;
  if (type == JointType::Prismatic) j.lower = -10.0, j.upper = 10.0;
  return j;
}

/// The motion from q0 to q1 as polynomials of degree 2: their bounds are those of curves.
TrajectorySegment as_curves(const Eigen::VectorXd& q0, const Eigen::VectorXd& q1) {
  TrajectorySegment segment;
  segment.t1 = 1.0;
  for (int i = 0; i < q0.size(); ++i) {
    Polynomial p;
    p.c = {q0[i], q1[i] - q0[i]};
    p.degree = 2;
    segment.value.push_back(p);
    segment.error.push_back(0.0);
  }
  return segment;
}

/// True if a look leaves the piece of the only pair open; with lanes and with scalar code. What is open on a line is open on the same line as a
/// curve.
bool leaves_open(const RobotModel& robot, const Scene& scene, const Eigen::VectorXd& q0, const Eigen::VectorXd& q1,
                 int piece, AnglePolicy angles = AnglePolicy::Literal, double margin = 0.0) {
  const CollisionWorld world(robot, scene, CollisionMatrix(), {margin, margin});
  EXPECT_EQ(world.problem().pairs.size(), 1u);
  const FirstLook first(world);
  EdgeMotion motion(robot);
  motion.set_linear(q0, q1, angles);
  FirstLook::Scratch scratch, other;
  EXPECT_TRUE(first.look(motion, Until::End, scratch));
  EXPECT_TRUE(first.look_one_by_one(motion, Until::End, other));
  EXPECT_EQ(scratch.findings.opened, other.findings.opened);
  const bool open = (scratch.findings.open(0) >> piece & 1u) != 0;
  if (angles == AnglePolicy::Literal && robot.dof() == static_cast<int>(robot.joints().size())) {
    motion.set_segment(as_curves(q0, q1));
    EXPECT_TRUE(first.look(motion, Until::End, scratch));
    EXPECT_TRUE(first.look_one_by_one(motion, Until::End, other));
    EXPECT_EQ(scratch.findings.opened, other.findings.opened);
    EXPECT_TRUE(!open || (scratch.findings.open(0) >> piece & 1u) != 0) << "as a curve";
  }
  return open;
}

/// Counts of planted cases and results.
struct Tally {
  int trials = 0;  ///< In contact,
  int hard = 0;    ///< of these, missed by a smaller bound,
  int proved = 0;  ///< not in contact, and proved.

  void note(bool meets, bool is_hard, bool open, const std::string& what) {
    if (meets) {
      ++trials;
      hard += is_hard;
      EXPECT_TRUE(open) << "trial " << trials << ": " << what;
    } else {
      proved += !open;
    }
  }
  void expect_hard_ones(const char* lesser) const {
    std::printf("  %d of %d would be missed %s; %d proved when not met\n", hard, trials, lesser, proved);
    EXPECT_GT(hard, trials / 3);
    EXPECT_GT(proved, trials * 9 / 10);
  }
};

std::string words(double rho, double turn, int piece) {
  return "rho " + std::to_string(rho) + ", turn " + std::to_string(turn) + ", piece " + std::to_string(piece);
}

/// A ball slides past another one, nearest at any part of a piece. The other one rests, is on a link that slides too,
/// or on one that rests: the bound of squares is attained by links at any part, and by obstacles in the middle of a
/// piece.
TEST(FirstLookPlanted, BallsPassEachOtherBetweenTheInstants) {
  Draw draw(testing::seeded(kSeed));
  int proved = 0, trials = 0;
  for (int i = 0; i < testing::scaled(400); ++i) {
    const double ra = draw.uniform(0.02, 0.1), rb = draw.uniform(0.02, 0.1);
    const bool links = draw.integer(0, 1) == 0;
    const int piece = draw.integer(0, look::kPieces - 1);
    const double way = draw.uniform(0.5, 8.0), share = links ? draw.uniform(0.05, 0.95) : 0.5;
    const double t = (piece + share) / look::kPieces, start = -t * way;
    const double depth = 1e-7, room = 5e-3;  // pads of coordinates of some metres are up to 2 mm
    for (const bool meets : {true, false}) {
      const double off = ra + rb + (meets ? -depth : room);
      RobotSpec spec;
      spec.name = "slides";
      Scene scene;
      spec.links = {{"base", {}, {}}, {"a", {ball(ra)}, {}}};
      spec.joints = {joint("base", "a", JointType::Prismatic, Eigen::Vector3d::UnitX())};
      Eigen::VectorXd q0, q1;
      if (links) {
        // The other one moves half of the way towards it.
        spec.links.push_back({"b", {ball(rb)}, {}});
        spec.joints.push_back(
            joint("base", "b", JointType::Prismatic, -Eigen::Vector3d::UnitX(), Eigen::Vector3d(0.0, off, 0.0)));
        q0 = Eigen::VectorXd::Constant(2, 0.5 * start);
        q1 = Eigen::VectorXd::Constant(2, 0.5 * (start + way));
      } else {
        scene.objects.push_back({"b", {ball(rb, Eigen::Vector3d(0.0, off, 0.0))}, Eigen::Isometry3d::Identity()});
        q0 = Eigen::VectorXd::Constant(1, start);
        q1 = Eigen::VectorXd::Constant(1, start + way);
      }
      const bool open = leaves_open(RobotModel(spec), scene, q0, q1, piece);
      if (meets) {
        ++trials;
        EXPECT_TRUE(open) << "trial " << i << (links ? ", links" : ", obstacle") << ", way " << way << ", share "
                          << share;
      } else {
        proved += !open;
      }
    }
  }
  std::printf("  %d of %d proved when not met\n", proved, trials);
  EXPECT_GT(proved, trials * 9 / 10);
}

/// The same at rest, at the margin: between links, and between a link and an obstacle.
TEST(FirstLookPlanted, BallsKeepTheirMargin) {
  Draw draw(testing::seeded(kSeed + 5));
  int proved = 0, trials = 0;
  for (int i = 0; i < testing::scaled(200); ++i) {
    const double ra = draw.uniform(0.02, 0.1), rb = draw.uniform(0.02, 0.1), margin = draw.uniform(1e-3, 0.1);
    const bool links = i % 2 == 0;
    const int piece = draw.integer(0, look::kPieces - 1);
    const Eigen::VectorXd q = Eigen::VectorXd::Zero(links ? 2 : 1);
    for (const bool meets : {true, false}) {
      const Eigen::Vector3d at(0.0, ra + rb + margin + (meets ? -1e-7 : 1e-4), 0.0);
      RobotSpec spec;
      spec.name = "slides";
      Scene scene;
      spec.links = {{"base", {}, {}}, {"a", {ball(ra)}, {}}};
      spec.joints = {joint("base", "a", JointType::Prismatic, Eigen::Vector3d::UnitX())};
      if (links) {
        spec.links.push_back({"b", {ball(rb)}, {}});
        spec.joints.push_back(joint("base", "b", JointType::Prismatic, Eigen::Vector3d::UnitX(), at));
      } else {
        scene.objects.push_back({"b", {ball(rb, at)}, Eigen::Isometry3d::Identity()});
      }
      const bool open = leaves_open(RobotModel(spec), scene, q, q, piece, AnglePolicy::Literal, margin);
      if (meets) {
        ++trials;
        EXPECT_TRUE(open) << "trial " << i << (links ? ", links" : ", obstacle") << ", margin " << margin;
      } else {
        proved += !open;
      }
    }
  }
  std::printf("  %d of %d proved when not met\n", proved, trials);
  EXPECT_GT(proved, trials * 9 / 10);
}

/// Balls on two arms that turn side by side and bulge towards each other in the middle of a piece: there each deviates
/// from its chord by rho (1 - cos(w h / 2)). At the sampled instants they are clear.
TEST(FirstLookPlanted, BothArmsLeaveTheirChords) {
  Draw draw(testing::seeded(kSeed + 1));
  Tally tally;
  for (int i = 0; i < testing::scaled(300); ++i) {
    const double rho[2] = {draw.uniform(0.3, 1.5), draw.uniform(0.3, 1.5)}, r = draw.uniform(0.01, 0.05);
    const double turn[2] = {draw.uniform(0.5, 6.0), draw.uniform(0.5, 6.0)}, depth = 1e-6;
    const int piece = draw.integer(0, look::kPieces - 1);
    const double t = (piece + 0.5) / look::kPieces;
    double sagitta[2], bends = 0.0;
    for (int k = 0; k < 2; ++k) {
      const double half = 0.5 / look::kPieces * turn[k];
      sagitta[k] = rho[k] * (1.0 - std::cos(half));
      bends += 0.5 * rho[k] * half * half;
    }
    for (const bool meets : {true, false}) {
      // Clear by the excess of the bounds over the way, in the frame of one of them, plus a millimetre.
      const double w = turn[0] + turn[1], h = 1.0 / look::kPieces;
      const double off = meets ? -depth : 1e-3 + bends + (rho[0] + rho[1] + 2.0 * r) * w * w * h * h / 8.0;
      RobotSpec spec;
      spec.name = "arms";
      spec.links = {{"base", {}, {}},
                    {"a", {ball(r, Eigen::Vector3d(rho[0], 0.0, 0.0))}, {}},
                    {"b", {ball(r, Eigen::Vector3d(-rho[1], 0.0, 0.0))}, {}}};
      spec.joints = {joint("base", "a", JointType::Continuous, Eigen::Vector3d::UnitZ()),
                     joint("base", "b", JointType::Continuous, -Eigen::Vector3d::UnitZ(),
                           Eigen::Vector3d(rho[0] + rho[1] + 2.0 * r + off, 0.0, 0.0))};
      const Eigen::Vector2d q0(-t * turn[0], -t * turn[1]), q1((1.0 - t) * turn[0], (1.0 - t) * turn[1]);
      const bool open = leaves_open(RobotModel(spec), {}, q0, q1, piece);
      tally.note(meets, std::min(sagitta[0], sagitta[1]) > 1e-4 + depth, open,
                 words(rho[0], turn[0], piece) + "; " + words(rho[1], turn[1], piece));
    }
  }
  tally.expect_hard_ones("with one bend alone");
}

/// A forearm turns about an elbow and meets a ball on the upper arm in the middle of a piece, while the upper arm turns
/// as well: that turn moves both, so it must not count, and the forearm's bound alone is attained.
TEST(FirstLookPlanted, AForearmLeavesItsChordsInTheFrameOfTheUpperArm) {
  Draw draw(testing::seeded(kSeed + 2));
  Tally tally;
  for (int i = 0; i < testing::scaled(300); ++i) {
    const double rho = draw.uniform(0.3, 1.0), r = draw.uniform(0.01, 0.05), R = draw.uniform(0.2, 2.0);
    const double turn = draw.uniform(1.0, 6.0), other = draw.uniform(-6.0, 6.0), depth = 1e-6;
    const int piece = draw.integer(0, look::kPieces - 1);
    const double t = (piece + 0.5) / look::kPieces, half = 0.5 / look::kPieces * turn;
    const double sagitta = rho * (1.0 - std::cos(half));
    for (const bool meets : {true, false}) {
      const double off = meets ? -depth : 1e-3 + 0.5 * rho * half * half - sagitta + 2e-5 / (rho + R);
      RobotSpec spec;
      spec.name = "forearm";
      // So large that it is nearly a wall.
      spec.links = {{"base", {}, {}},
                    {"upper", {ball(R, Eigen::Vector3d(0.5 + rho + r + R + off, 0.0, 0.0))}, {}},
                    {"fore", {ball(r, Eigen::Vector3d(rho, 0.0, 0.0))}, {}}};
      spec.joints = {
          joint("base", "upper", JointType::Continuous, Eigen::Vector3d::UnitZ()),
          joint("upper", "fore", JointType::Continuous, Eigen::Vector3d::UnitZ(), Eigen::Vector3d(0.5, 0.0, 0.0))};
      const double q = draw.uniform(-3.0, 3.0);
      const Eigen::Vector2d q0(q, -t * turn), q1(q + other, (1.0 - t) * turn);
      const bool open = leaves_open(RobotModel(spec), {}, q0, q1, piece);
      tally.note(meets, sagitta > 1e-3 + depth, open, words(rho, turn, piece));
    }
  }
  tally.expect_hard_ones("by the chords alone");
}

/// A ball on a long arm, and a wall that it meets in the middle of a piece, where it is farthest outside of the chord:
/// by rho (1 - cos(w h / 2)), nearly all of B_2 h^2 / 8. At the sampled instants it is clear.
TEST(FirstLookPlanted, AnArmLeavesItsChords) {
  Draw draw(testing::seeded(kSeed + 4));
  Tally tally;
  for (int i = 0; i < testing::scaled(300); ++i) {
    const double rho = draw.uniform(0.3, 1.5), turn = draw.uniform(0.5, 6.0), r = draw.uniform(0.01, 0.05);
    RobotSpec spec;
    spec.name = "arm";
    spec.links = {{"base", {}, {}}, {"arm", {ball(r, Eigen::Vector3d(rho, 0.0, 0.0))}, {}}};
    spec.joints = {joint("base", "arm", JointType::Continuous, Eigen::Vector3d::UnitZ())};
    const RobotModel robot(spec);
    const int piece = draw.integer(0, look::kPieces - 1);
    const double q0 = draw.uniform(-3.0, 3.0), half = 0.5 / look::kPieces * turn;
    const double sagitta = rho * (1.0 - std::cos(half)), depth = std::exp(draw.uniform(std::log(1e-9), std::log(1e-4)));
    const double angle = q0 + turn * 0.5 * (look::instant(piece) + look::instant(piece + 1));
    for (const bool meets : {true, false}) {
      // Clear by the excess of the bound over the sagitta, plus a millimetre.
      const double off = meets ? -depth : 1e-3 + 0.5 * rho * half * half - sagitta;
      Geometry wall;
      wall.shape = Box{{0.1, 2.0, 2.0}};
      wall.pose =
          Eigen::AngleAxisd(angle, Eigen::Vector3d::UnitZ()) * Eigen::Translation3d(rho + r + 0.05 + off, 0.0, 0.0);
      Scene scene;
      scene.objects.push_back({"wall", {wall}, Eigen::Isometry3d::Identity()});
      const bool open =
          leaves_open(robot, scene, Eigen::VectorXd::Constant(1, q0), Eigen::VectorXd::Constant(1, q0 + turn), piece);
      tally.note(meets, sagitta > 1e-3 + depth, open, words(rho, turn, piece));
    }
  }
  tally.expect_hard_ones("by the chords alone");
}

/// A wall that the ball of a chain touches in the middle of a piece, facing +x in the frame of the base.
Scene wall_beyond(double x, double off) {
  Geometry wall;
  wall.shape = Box{{0.1, 4.0, 4.0}};
  wall.pose.translation() = Eigen::Vector3d(x + 0.05 + off, 0.0, 0.0);
  Scene scene;
  scene.objects.push_back({"wall", {wall}, Eigen::Isometry3d::Identity()});
  return scene;
}

/// The same for the only link of a chain with geometry; or, for a link, with a ball so large that it is nearly a wall, on a link that carries the
/// chain and moves by itself. `off`: between the surfaces.
bool leaves_open_beside(RobotSpec spec, bool link, double x, double off, const Eigen::VectorXd& q0,
                        const Eigen::VectorXd& q1, int piece) {
  if (!link) return leaves_open(RobotModel(spec), wall_beyond(x, off), q0, q1, piece);
  constexpr double kLarge = 2.0;
  const double more = off > 0.0 ? 3e-3 : 0.0;  // between links rounding counts four times
  spec.links.push_back({"carrier", {ball(kLarge, Eigen::Vector3d(x + kLarge + off + more, 0.0, 0.0))}, {}});
  spec.joints.front().parent = "carrier";
  spec.joints.insert(spec.joints.begin(), joint("base", "carrier", JointType::Prismatic, Eigen::Vector3d::UnitZ()));
  Eigen::VectorXd from(q0.size() + 1), to(q0.size() + 1);
  from << 0.0, q0;
  to << 0.2, q1;
  return leaves_open(RobotModel(spec), {}, from, to, piece);
}

/// Two joints turn the same way through the stretched pose in the middle of a piece. The elbow leaves its chord too.
TEST(FirstLookPlanted, AStretchedArmLeavesItsChords) {
  Draw draw(testing::seeded(kSeed + 6));
  Tally tally;
  for (int i = 0; i < testing::scaled(300); ++i) {
    const double upper = draw.uniform(0.5, 1.5), rho = draw.uniform(0.1, 0.5), r = draw.uniform(0.01, 0.05);
    const double turn0 = draw.uniform(2.0, 5.0), turn1 = draw.uniform(0.1, 1.0);
    const int piece = draw.integer(0, look::kPieces - 1);
    const double t = (piece + 0.5) / look::kPieces, half = 0.5 / look::kPieces;
    const double a = half * turn0, b = half * (turn0 + turn1);
    const double sagitta = upper * (1.0 - std::cos(a)) + rho * (1.0 - std::cos(b));
    const double bound = 0.5 * (upper * a * a + rho * b * b), forearm = 0.5 * rho * b * b;
    RobotSpec spec;
    spec.name = "arm";
    spec.links = {{"base", {}, {}}, {"upper", {}, {}}, {"fore", {ball(r, Eigen::Vector3d(rho, 0.0, 0.0))}, {}}};
    spec.joints = {
        joint("base", "upper", JointType::Continuous, Eigen::Vector3d::UnitZ()),
        joint("upper", "fore", JointType::Continuous, Eigen::Vector3d::UnitZ(), Eigen::Vector3d(upper, 0.0, 0.0))};
    const Eigen::Vector2d q0(-t * turn0, -t * turn1), q1((1.0 - t) * turn0, (1.0 - t) * turn1);
    const double depth = 1e-6;
    for (const bool meets : {true, false}) {
      const bool link = draw.integer(0, 1) == 0;
      const double off = meets ? -depth : 1e-3 + bound - sagitta;
      const bool open = leaves_open_beside(spec, link, upper + rho + r, off, q0, q1, piece);
      tally.note(meets, sagitta > forearm + 5e-4 + depth, open, words(upper, turn0, piece));
    }
  }
  tally.expect_hard_ones("by the forearm's bound alone");
}

/// A slide stretched out on a turning arm: its length is part of the lever.
TEST(FirstLookPlanted, ASlideLengthensTheLever) {
  Draw draw(testing::seeded(kSeed + 7));
  Tally tally;
  for (int i = 0; i < testing::scaled(300); ++i) {
    const double length = draw.uniform(0.5, 1.5), r = draw.uniform(0.01, 0.05), turn = draw.uniform(2.0, 5.0);
    const int piece = draw.integer(0, look::kPieces - 1);
    const double t = (piece + 0.5) / look::kPieces, half = 0.5 / look::kPieces * turn;
    const double sagitta = length * (1.0 - std::cos(half)), depth = 1e-6;
    RobotSpec spec;
    spec.name = "arm";
    spec.links = {{"base", {}, {}}, {"turns", {}, {}}, {"slides", {ball(r)}, {}}};
    spec.joints = {joint("base", "turns", JointType::Continuous, Eigen::Vector3d::UnitZ()),
                   joint("turns", "slides", JointType::Prismatic, Eigen::Vector3d::UnitX())};
    const Eigen::Vector2d q0(-t * turn, length), q1((1.0 - t) * turn, length);
    for (const bool meets : {true, false}) {
      const bool link = draw.integer(0, 1) == 0;
      const double off = meets ? -depth : 1e-3 + 0.5 * length * half * half - sagitta;
      const bool open = leaves_open_beside(spec, link, length + r, off, q0, q1, piece);
      tally.note(meets, sagitta > 1e-3 + depth, open, words(length, turn, piece));
    }
  }
  tally.expect_hard_ones("without the slide's length");
}

/// A slide that passes the axis of the arm that carries it bends sideways, by the product of both rates.
TEST(FirstLookPlanted, ASlideIsTurned) {
  Draw draw(testing::seeded(kSeed + 8));
  Tally tally;
  for (int i = 0; i < testing::scaled(300); ++i) {
    const double way = draw.uniform(3.0, 5.0), turn = draw.uniform(0.5, 1.0), r = draw.uniform(0.01, 0.05);
    const int piece = draw.integer(5, 9);  // near the middle, so that the slide is short on both sides
    const double t = (piece + 0.5) / look::kPieces, half = 0.5 / look::kPieces, depth = 1e-6;
    RobotSpec spec;
    spec.name = "arm";
    spec.links = {{"base", {}, {}}, {"turns", {}, {}}, {"slides", {ball(r)}, {}}};
    spec.joints = {joint("base", "turns", JointType::Continuous, Eigen::Vector3d::UnitZ()),
                   joint("turns", "slides", JointType::Prismatic, Eigen::Vector3d::UnitY())};
    const Eigen::Vector2d q0(-t * turn, -t * way), q1((1.0 - t) * turn, (1.0 - t) * way);
    // x(s) = -s way sin(s turn): 0 in the middle, and lower at both ends of the piece.
    const double sagitta = half * way * std::sin(half * turn);
    const double lever = 0.5 * half * half * std::max(t, 1.0 - t) * way * turn * turn;
    const double bound = lever + half * half * way * turn;
    for (const bool meets : {true, false}) {
      const bool link = draw.integer(0, 1) == 0;
      const double off = meets ? -depth : 1e-3 + bound - sagitta;
      const bool open = leaves_open_beside(spec, link, r, off, q0, q1, piece);
      tally.note(meets, sagitta > lever + 5e-4 + depth, open, words(way, turn, piece));
    }
  }
  tally.expect_hard_ones("without the product of the rates");
}

/// A joint that moves freely stands far out on a turning arm: where it begins is part of the lever.
TEST(FirstLookPlanted, AFreeJointBeginsFarOut) {
  Draw draw(testing::seeded(kSeed + 9));
  Tally tally;
  for (int i = 0; i < testing::scaled(300); ++i) {
    const double length = draw.uniform(0.5, 1.5), r = draw.uniform(0.01, 0.05), turn = draw.uniform(2.0, 5.0);
    const int piece = draw.integer(0, look::kPieces - 1);
    const double t = (piece + 0.5) / look::kPieces, half = 0.5 / look::kPieces * turn;
    const double sagitta = length * (1.0 - std::cos(half)), depth = 1e-6;
    RobotSpec spec;
    spec.name = "arm";
    spec.links = {{"base", {}, {}}, {"turns", {}, {}}, {"flies", {ball(r)}, {}}};
    spec.joints = {joint("base", "turns", JointType::Continuous, Eigen::Vector3d::UnitZ()),
                   joint("turns", "flies", JointType::Floating, Eigen::Vector3d::UnitX())};
    Eigen::VectorXd q0(8), q1(8);
    q0 << -t * turn, length, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0;
    q1 << (1.0 - t) * turn, length, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0;
    for (const bool meets : {true, false}) {
      const bool link = draw.integer(0, 1) == 0;
      const double off = meets ? -depth : 1e-3 + 0.5 * length * half * half - sagitta;
      const bool open = leaves_open_beside(spec, link, length + r, off, q0, q1, piece);
      tally.note(meets, sagitta > 1e-3 + depth, open, words(length, turn, piece));
    }
  }
  tally.expect_hard_ones("without where the free joint begins");
}

/// An end many turns away is at that multiple of the exact 2 pi, not of the double nearest to 2 pi: the joint's value
/// is off by far more than rounding to single precision.
TEST(FirstLookPlanted, AllowsForTheErrorOfWrappedAngles) {
  Draw draw(testing::seeded(kSeed + 3));
  int beyond_single = 0, trials = 0;
  for (int i = 0; i < testing::scaled(200); ++i) {
    const double rho = draw.uniform(0.5, 1.5), r = draw.uniform(0.02, 0.05), q0 = draw.uniform(-1.0, 1.0);
    const long double two_pi = 2.0L * std::numbers::pi_v<long double>;
    const double turns = std::round((draw.integer(0, 1) == 0 ? -1.0 : 1.0) * draw.uniform(2e11, 1e12));
    const double q1 = static_cast<double>(q0 + draw.uniform(-2.5, 2.5) + turns * two_pi);
    const long double truly = q0 + std::remainder(static_cast<long double>(q1) - q0, two_pi);
    RobotSpec spec;
    spec.name = "arm";
    spec.links = {{"base", {}, {}}, {"arm", {ball(r, Eigen::Vector3d(rho, 0.0, 0.0))}, {}}};
    spec.joints = {joint("base", "arm", JointType::Continuous, Eigen::Vector3d::UnitZ())};
    const RobotModel robot(spec);
    EdgeMotion motion(robot);
    motion.set_linear(Eigen::VectorXd::Constant(1, q0), Eigen::VectorXd::Constant(1, q1), AnglePolicy::Wrap);
    const double found = motion.move(0).c[0] + motion.move(0).c[1], error = found - static_cast<double>(truly);
    // On the side of the true end that is away from the computed one.
    const double side = error > 0.0 ? -1.0 : 1.0, depth = 1e-6, R = 0.3;
    const double angle = static_cast<double>(truly);
    const Eigen::Vector3d tangent(-std::sin(angle), std::cos(angle), 0.0), out(std::cos(angle), std::sin(angle), 0.0);
    // The arm arrives from one side; the ball is on the other one.
    if ((motion.move(0).c[1] > 0.0) != (side > 0.0)) continue;
    Scene scene;
    scene.objects.push_back(
        {"b", {ball(R, rho * out + side * (r + R - depth) * tangent)}, Eigen::Isometry3d::Identity()});
    ++trials;
    beyond_single += rho * std::abs(error) > 5e-5;
    EXPECT_TRUE(leaves_open(robot, scene, Eigen::VectorXd::Constant(1, q0), Eigen::VectorXd::Constant(1, q1),
                            look::kPieces - 1, AnglePolicy::Wrap))
        << "trial " << i << ": off by " << error;
  }
  std::printf("  %d of %d by more than single precision is off\n", beyond_single, trials);
  EXPECT_GT(beyond_single, trials / 4);
}

}  // namespace
}  // namespace planner_ccd
