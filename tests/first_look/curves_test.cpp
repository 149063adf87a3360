// The first look at motions that are no lines: polynomials, joints that move freely, many whole turns.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "planner_ccd/first_look/first_look.hpp"
#include "support/oracle.hpp"
#include "support/random_curves.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using look::Until;
using testing::Draw;
using testing::Scenario;
using truth::Real;

constexpr unsigned kSeed = 2011;
constexpr double kPiece = 1.0 / look::kPieces;

Scenario draw_scenario(Draw& draw) {
  testing::RandomScenario what;
  what.links = draw.integer(1, 6);
  what.objects = draw.integer(0, 6);
  what.attached = draw.integer(0, 2) == 0;
  what.margin = draw.integer(0, 1) == 0 ? 0.0 : 0.02;
  what.cell_evaluations = 0;
  what.material = testing::Material::Primitives;
  what.all_joint_types = true;
  return testing::random_scenario(draw, what);
}

/// Where a look leaves nothing open the oracle, which evaluates curves by other formulas, finds every pair apart at every time drawn; contacts
/// are real; lanes and scalar code agree.
TEST(FirstLookCurves, ProvesWhatIsApartAndMeetsWhatTouches) {
  Draw draw(testing::seeded(kSeed));
  long proved = 0, open = 0, hits = 0, looks = 0, free_joints = 0;
  for (int i = 0; i < testing::scaled(200, 200) && !HasFailure(); ++i) {
    const Scenario s = draw_scenario(draw);
    const CollisionWorld world(*s.robot, s.scene, s.matrix, {s.options.margin, s.options.self_margin});
    if (world.problem().pairs.empty() || s.robot->dof() == 0) continue;
    const FirstLook first(world);
    const truth::Oracle oracle(s.spec, s.scene, s.matrix, s.options.margin, s.options.self_margin);
    const testing::EdgeDraw edges(*s.robot, std::exp(draw.uniform(-3.0, 1.0)));
    FirstLook::Scratch scratch, other;
    EdgeMotion motion(*s.robot);
    bool floats = false;
    for (const Joint& joint : s.robot->joints()) floats = floats || joint.type == JointType::Floating;
    for (int k = 0; k < 4 && !HasFailure(); ++k) {
      SCOPED_TRACE("scenario " + std::to_string(i) + ", curve " + std::to_string(k));
      const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
      const testing::RandomCurve curve = testing::random_curve(draw, *s.robot, q0, q1);
      motion.set_segment(curve.segment);
      const auto at = [&](Real t) {
        return truth::Edge{motion.configuration(static_cast<double>(t)), motion.configuration(static_cast<double>(t))};
      };
      const auto truth_pair = [&](int p) {
        return oracle.find_pair(world.colliders()[world.collider_a(p)].name,
                                world.colliders()[world.collider_b(p)].name);
      };
      if (!first.look(motion, Until::FirstContact, scratch)) continue;
      if (scratch.findings.hit_pair >= 0) {
        ++hits;
        const int pair = truth_pair(scratch.findings.hit_pair);
        const truth::Oracle::Pair& of = oracle.pairs()[pair];
        const Real t = look::instant(scratch.findings.hit_instant);
        const Real prisms = oracle.bodies()[of.a].cylinder_error + oracle.bodies()[of.b].cylinder_error;
        EXPECT_TRUE(oracle.distance(at(t), pair, 0) <= of.margin + prisms + 1e-9L || oracle.nested_at(at(t), pair, 0));
      }
      ASSERT_TRUE(first.look(motion, Until::End, scratch));
      ASSERT_TRUE(first.look_one_by_one(motion, Until::End, other));
      EXPECT_EQ(scratch.findings.opened, other.findings.opened);
      ++looks;
      free_joints += floats ? 1 : 0;
      for (std::size_t p = 0; p < world.problem().pairs.size(); ++p) {
        const int pair = truth_pair(static_cast<int>(p));
        const std::uint32_t left = scratch.findings.open(static_cast<int>(p));
        for (int piece = 0; piece < look::kPieces; ++piece) {
          if ((left >> piece & 1u) != 0) {
            ++open;
            continue;
          }
          ++proved;
          if (draw.integer(0, 3) != 0) continue;
          const Real t = (piece + (draw.integer(0, 2) == 0 ? 0.5 : draw.uniform(0.0, 1.0))) * kPiece;
          const Real margin = oracle.pairs()[pair].margin;
          EXPECT_GT(oracle.distance(at(t), pair, 0, margin + 0.01L), margin)
              << world.colliders()[world.collider_a(static_cast<int>(p))].name << " and "
              << world.colliders()[world.collider_b(static_cast<int>(p))].name << " at " << static_cast<double>(t);
        }
      }
    }
  }
  std::printf("  %ld looks, %ld with free joints: %ld pieces proved, %ld open; %ld contacts\n", looks, free_joints,
              proved, open, hits);
  EXPECT_GT(free_joints, looks / 20);
  EXPECT_GT(proved, open / 2);
  EXPECT_GT(open, proved / 50);
  EXPECT_GT(hits, looks / 20);
}

/// A ball on a slider (or at the end of an arm that turns by little) between two links of a chain, and an obstacle.
struct Slider {
  RobotSpec spec;
  Scene scene;

  Slider(double radius, double obstacle, const Eigen::Vector3d& at) {
    spec.name = "slider";
    Geometry ball;
    ball.shape = Sphere{radius};
    spec.links = {{"base", {}, {}}, {"ball", {ball}, {}}};
    JointSpec joint;
    joint.name = "slide";
    joint.type = JointType::Prismatic;
    joint.parent = "base";
    joint.child = "ball";
    joint.axis = Eigen::Vector3d::UnitX();
    joint.lower = -100.0;
    joint.upper = 100.0;
    spec.joints = {joint};
    SceneObject object;
    object.name = "obstacle";
    object.geometry = {Geometry{Sphere{obstacle}, Eigen::Isometry3d::Identity(), "ball"}};
    object.pose.translation() = at;
    scene.objects.push_back(object);
  }
};

/// Values by coordinate, from t = 0 to 1.
TrajectorySegment segment_of(std::vector<Polynomial> values) {
  TrajectorySegment segment;
  segment.t1 = 1.0;
  segment.error.assign(values.size(), 0.0);
  segment.value = std::move(values);
  return segment;
}

/// q(t) turns back in the middle of a piece: there the ball is a h^2 / 8 beyond both ends of the chord, which is the whole bound. The ball slides or
/// turns on an arm; it meets an obstacle, or a ball on a link that carries it and slides by itself.
TEST(FirstLookCurves, WhatTurnsBackWithinAPieceLeavesItsChord) {
  Draw draw(testing::seeded(kSeed + 1));
  int met = 0, proved = 0;
  for (int i = 0; i < testing::scaled(800, 800); ++i) {
    const bool turns = draw.integer(0, 1) == 0, link = draw.integer(0, 1) == 0;
    const int piece = draw.integer(0, look::kPieces - 1);
    const double A = std::exp(draw.uniform(0.0, link ? 0.7 : turns ? 2.5 : 4.0)), tm = (piece + 0.5) * kPiece;
    const double r = draw.uniform(0.01, 0.2), R = draw.uniform(0.01, 0.2), top = draw.uniform(-1.0, 1.0);
    for (const bool meets : {true, false}) {
      const double beyond = meets ? -1e-4 * draw.uniform(0.1, 1.0) : 1e-3 + 1e-4 * A;
      const double away = r + R + beyond;
      Slider slider(r, R, {top + away, 0.0, 0.0});
      RobotSpec& spec = slider.spec;
      Eigen::Vector3d at(top + away, 0.0, 0.0);
      if (turns) {
        spec.joints[0].type = JointType::Continuous;
        spec.joints[0].axis = Eigen::Vector3d::UnitZ();
        spec.links[1].collision[0].pose.translation() = Eigen::Vector3d::UnitX();
        at = Eigen::Vector3d(std::cos(top) - away * std::sin(top), std::sin(top) + away * std::cos(top), 0.0);
        slider.scene.objects.move("obstacle", Eigen::Isometry3d(Eigen::Translation3d(at)));
      }
      Polynomial q, carried;
      q.c = {top - A * tm * tm, 2.0 * A * tm, -A};
      q.degree = 2;
      carried.c = {0.0, 0.3};
      carried.degree = 1;
      std::vector<Polynomial> values{q};
      if (link) {
        JointSpec joint = Slider(r, R, at).spec.joints[0];
        joint.name = joint.child = "carrier";
        joint.axis = Eigen::Vector3d::UnitZ();
        spec.links.push_back(
            {"carrier", {Geometry{Sphere{R}, Eigen::Isometry3d(Eigen::Translation3d(at)), "ball"}}, {}});
        spec.joints[0].parent = "carrier";
        spec.joints.insert(spec.joints.begin(), joint);
        values.insert(values.begin(), carried);
        slider.scene.objects = {};
      }
      const RobotModel robot(spec);
      const CollisionWorld world(robot, slider.scene, CollisionMatrix(), 0.0);
      const FirstLook first(world);
      EdgeMotion motion(robot);
      motion.set_segment(segment_of(values));
      FirstLook::Scratch scratch, other;
      ASSERT_TRUE(first.look(motion, Until::End, scratch));
      ASSERT_TRUE(first.look_one_by_one(motion, Until::End, other));
      EXPECT_EQ(scratch.findings.opened, other.findings.opened);
      const bool open = (scratch.findings.open(0) >> piece & 1u) != 0;
      EXPECT_TRUE(open || !meets) << "A = " << A << ", piece " << piece << ", turns " << turns << ", link " << link;
      met += meets ? 1 : 0;
      proved += !meets && scratch.findings.open(0) == 0 ? 1 : 0;
    }
  }
  std::printf("  %d met, %d proved\n", met, proved);
  EXPECT_GT(proved, met / 4) << "the bound is loose";
}

/// What the lanes compute, against double precision: where balls are, how fast moves are and how bent on each piece, and how far balls leave
/// their chords. Joints that move freely begin far away, others are many turns round.
TEST(FirstLookCurves, WhatTheLanesComputeIsWithinItsBounds) {
  Draw draw(testing::seeded(kSeed + 4));
  long looks = 0, curves = 0, far_away = 0;
  double bent = 0.0, placed = 0.0;
  for (int i = 0; i < testing::scaled(150, 150) && !HasFailure(); ++i) {
    const Scenario s = draw_scenario(draw);
    const CollisionWorld world(*s.robot, s.scene, s.matrix, 0.0);
    if (s.robot->dof() == 0) continue;
    const FirstLook first(world);
    if (first.tables().movers.empty()) continue;  // nothing is placed
    const testing::EdgeDraw edges(*s.robot, std::exp(draw.uniform(-3.0, 1.0)));
    FirstLook::Scratch scratch;
    EdgeMotion motion(*s.robot);
    Kinematics at;
    at.resize(motion.chain());
    for (int k = 0; k < 6 && !HasFailure(); ++k) {
      SCOPED_TRACE("scenario " + std::to_string(i) + ", motion " + std::to_string(k));
      Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
      for (const Joint& joint : s.robot->joints()) {
        Eigen::VectorXd more = Eigen::VectorXd::Zero(q0.size());
        if (joint.type == JointType::Floating && draw.integer(0, 1) == 0) {
          more.segment<3>(joint.q_index) = draw.uniform(10.0, 1000.0) * draw.direction();
          ++far_away;
        }
        if (joint.type == JointType::Continuous && draw.integer(0, 1) == 0) {
          more[joint.q_index] = 2.0 * std::numbers::pi * draw.integer(-100000, 100000);
        }
        q0 += more;
        q1 += more;
      }
      if (draw.integer(0, 2) == 0) {
        motion.set_linear(q0, q1, AnglePolicy::Literal);
      } else {
        motion.set_segment(testing::random_curve(draw, *s.robot, q0, q1).segment);
      }
      if (!first.look(motion, Until::End, scratch)) continue;
      const look::Edge& edge = scratch.edge;
      const look::Findings& found = scratch.findings;
      const bool curved = !edge.curves.empty();
      ++looks;
      curves += curved ? 1 : 0;
      const std::vector<look::Mover>& movers = first.tables().movers;
      const auto centers = [&](double t) {
        motion.kinematics(t, at);
        std::vector<Eigen::Vector3d> out;
        for (const look::Mover& m : movers) {
          const float* c = m.around.center;
          out.push_back(at.bodies[static_cast<std::size_t>(m.body)].pose() * Eigen::Vector3d(c[0], c[1], c[2]));
        }
        return out;
      };
      std::vector<std::vector<Eigen::Vector3d>> exact;
      for (int lane = 0; lane < look::kInstants; ++lane) exact.push_back(centers(look::instant(lane)));
      for (std::size_t m = 0; m < movers.size(); ++m) {
        for (std::size_t lane = 0; lane < look::kInstants; ++lane) {
          const float* row = &found.around[m * 3 * look::kInstants + lane];
          const Eigen::Vector3d seen(row[0], row[look::kInstants], row[2 * look::kInstants]);
          const double error = (seen - exact[lane][m]).norm();
          EXPECT_LE(error, edge.place) << "mover " << m << " at instant " << lane;
          placed = std::max(placed, error / edge.place);
        }
      }
      for (int piece = 0; piece < look::kPieces; ++piece) {
        for (const double share : {0.0, 0.5, draw.uniform(0.0, 1.0), 1.0}) {
          const double t = share == 1.0 ? look::instant(piece + 1) : (piece + share) * kPiece;
          for (std::size_t j = 0; curved && j < edge.curves.size(); ++j) {
            const double rate = found.rates[2 * j * look::kInstants + static_cast<std::size_t>(piece)];
            const double bend = found.rates[(2 * j + 1) * look::kInstants + static_cast<std::size_t>(piece)];
            const Polynomial& value = motion.move(static_cast<int>(j));
            EXPECT_LE(std::abs(value.derivative(t)), rate * (1.0 + 1e-12)) << "move " << j << " at " << t;
            EXPECT_LE(std::abs(value.second_derivative(t)), bend * (1.0 + 1e-12)) << "move " << j << " at " << t;
          }
          const std::vector<Eigen::Vector3d> now = centers(t);
          for (std::size_t m = 0; m < movers.size(); ++m) {
            const std::size_t p = static_cast<std::size_t>(piece);
            const double bound = curved ? found.bends[m * look::kInstants + p] : edge.bend[m];
            const double off = (now[m] - (1.0 - share) * exact[p][m] - share * exact[p + 1][m]).norm();
            EXPECT_LE(off, bound + 1e-6) << "mover " << m << " at " << t;
            if (bound > 1e-3) bent = std::max(bent, off / bound);
          }
        }
      }
    }
  }
  std::printf("  %ld looks, %ld at curves, %ld free joints far away: %.3f of places, %.3f of bends\n", looks, curves,
              far_away, placed, bent);
  EXPECT_GT(curves, looks / 3);
  EXPECT_GT(far_away, 10);
  EXPECT_GT(bent, 0.8);
}

/// A ball far out on a slide, or where a joint that moves freely begins: single precision leaves half a millimetre, which the bound of places
/// must allow for.
TEST(FirstLookCurves, PlacesFarOutAreRounded) {
  Draw draw(testing::seeded(kSeed + 5));
  double most = 0.0;
  for (int i = 0; i < testing::scaled(200, 200); ++i) {
    Slider slider(0.001, 0.05, {0.0, 9.0, 0.0});
    const bool free = draw.integer(0, 1) == 0;
    if (free) slider.spec.joints[0].type = JointType::Floating;
    const double out = draw.uniform(4500.0, 7500.0);
    Eigen::VectorXd q0 = Eigen::VectorXd::Zero(free ? 7 : 1);
    if (free) q0[6] = 1.0;
    q0[0] = out;
    Eigen::VectorXd q1 = q0;
    q1[0] += draw.uniform(0.1, 1.0);
    const RobotModel robot(slider.spec);
    const CollisionWorld world(robot, slider.scene, CollisionMatrix(), 0.0);
    EdgeMotion motion(robot);
    motion.set_linear(q0, q1, AnglePolicy::Literal);
    FirstLook::Scratch scratch;
    ASSERT_TRUE(FirstLook(world).look(motion, Until::End, scratch)) << free;
    for (std::size_t lane = 0; lane < look::kInstants; ++lane) {
      const double x = q0[0] + look::instant(static_cast<int>(lane)) * (q1[0] - q0[0]);
      const double error = std::abs(scratch.findings.around[lane] - x);
      EXPECT_LE(error, scratch.edge.place) << free << " at " << out;
      most = std::max(most, error);
    }
  }
  EXPECT_GT(most, 1e-4);
}

/// Cubics and quintics that stop in between, as joints do: their fastest and their most bent pieces differ. Whatever meets in the middle of a
/// piece is left open.
TEST(FirstLookCurves, PiecesHaveBoundsOfTheirOwn) {
  Draw draw(testing::seeded(kSeed + 2));
  int trials = 0, slow = 0;
  for (int i = 0; i < testing::scaled(600, 600); ++i) {
    const int piece = draw.integer(0, look::kPieces - 1);
    const double tm = (piece + draw.uniform(0.3, 0.7)) * kPiece, way = draw.uniform(0.5, 3.0),
                 arm = draw.uniform(0.2, 1.5);
    RobotSpec spec = Slider(0.05, 0.05, {0, 0, 0}).spec;
    spec.joints[0].type = JointType::Continuous;
    spec.joints[0].axis = Eigen::Vector3d::UnitZ();
    spec.links[1].collision[0].pose.translation() = Eigen::Vector3d(arm, 0.0, 0.0);
    const bool quintic = draw.integer(0, 1) == 0;
    Polynomial q;
    q.c = quintic ? std::array<double, 6>{0, 0, 0, 10 * way, -15 * way, 6 * way}
                  : std::array<double, 6>{0, 0, 3 * way, -2 * way, 0, 0};
    q.degree = quintic ? 5 : 3;
    const double angle = q.value(tm), depth = 1e-5;
    Scene scene;
    SceneObject object;
    object.name = "obstacle";
    object.geometry = {Geometry{Sphere{0.05}, Eigen::Isometry3d::Identity(), "ball"}};
    object.pose.translation() = (arm + 0.1 - depth) * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0);
    scene.objects.push_back(object);
    const RobotModel robot(spec);
    const CollisionWorld world(robot, scene, CollisionMatrix(), 0.0);
    TrajectorySegment segment;
    segment.t1 = 1.0;
    segment.value = {q};
    segment.error = {0.0};
    EdgeMotion motion(robot);
    motion.set_segment(segment);
    FirstLook::Scratch scratch;
    ASSERT_TRUE(FirstLook(world).look(motion, Until::End, scratch));
    EXPECT_NE(scratch.findings.open(0) >> piece & 1u, 0u) << "piece " << piece << ", way " << way << ", arm " << arm;
    ++trials;
    slow += piece == 0 || piece == look::kPieces - 1 ? 1 : 0;
  }
  EXPECT_GT(slow, trials / 20);
}

/// Whole turns change nothing but rounding, however many.
TEST(FirstLookCurves, WholeTurnsAreTakenOff) {
  Draw draw(testing::seeded(kSeed + 3));
  int open = 0, proved = 0;
  for (int i = 0; i < testing::scaled(300, 300); ++i) {
    RobotSpec spec = Slider(0.05, 0.05, {0, 0, 0}).spec;
    spec.joints[0].type = JointType::Continuous;
    spec.joints[0].axis = Eigen::Vector3d::UnitZ();
    spec.links[1].collision[0].pose.translation() = Eigen::Vector3d(1.0, 0.0, 0.0);
    const double turns = std::round(std::pow(10.0, draw.uniform(0.0, 8.0)));
    const double start = 2.0 * std::numbers::pi * turns + draw.uniform(-3.0, 3.0), change = draw.uniform(-2.0, 2.0);
    const double t = draw.uniform(0.0, 1.0), angle = start + t * change;
    const bool meets = draw.integer(0, 1) == 0;
    Scene scene;
    SceneObject object;
    object.name = "obstacle";
    object.geometry = {Geometry{Sphere{0.05}, Eigen::Isometry3d::Identity(), "ball"}};
    object.pose.translation() = (meets ? 1.0999 : 1.15) * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0);
    scene.objects.push_back(object);
    const RobotModel robot(spec);
    const CollisionWorld world(robot, scene, CollisionMatrix(), 0.0);
    EdgeMotion motion(robot);
    motion.set_linear(Eigen::VectorXd::Constant(1, start), Eigen::VectorXd::Constant(1, start + change),
                      AnglePolicy::Literal);
    FirstLook::Scratch scratch;
    ASSERT_TRUE(FirstLook(world).look(motion, Until::End, scratch)) << turns;
    if (meets) {
      EXPECT_NE(scratch.findings.open(0) >> std::min(look::kPieces - 1, static_cast<int>(t * look::kPieces)) & 1u, 0u)
          << turns;
      ++open;
    } else {
      proved += scratch.findings.open(0) == 0 ? 1 : 0;
    }
  }
  EXPECT_GT(proved, open / 2);
}

/// A quintic may be off by an angle, and meets what only the displaced arm meets; what the tube leaves apart is proved. Where the arm is
/// slow the chord is nearly the way, so that the displacement is all there is.
TEST(FirstLookCurves, TubesWidenCurves) {
  Draw draw(testing::seeded(kSeed + 7));
  int met = 0, proved = 0;
  for (int i = 0; i < testing::scaled(400, 400); ++i) {
    const double way = draw.uniform(0.5, 2.0), arm = draw.uniform(0.3, 1.5), error = draw.uniform(0.005, 0.05);
    const bool first_piece = draw.integer(0, 1) == 0;
    RobotSpec spec = Slider(0.05, 0.05, {0, 0, 0}).spec;
    spec.joints[0].type = JointType::Continuous;
    spec.joints[0].axis = Eigen::Vector3d::UnitZ();
    spec.links[1].collision[0].pose.translation() = Eigen::Vector3d(arm, 0.0, 0.0);
    Polynomial q;
    q.c = {0, 0, 0, 10 * way, -15 * way, 6 * way};
    q.degree = 5;
    // Beyond the end, or behind the start, by what the error allows: a chord of 0.1 less a little, or more.
    const bool meets = draw.integer(0, 1) == 0;
    const double touch = 2.0 * std::asin(0.05 / arm), beyond = error + (meets ? -0.02 * error : 0.25 * error) + touch;
    const double angle = first_piece ? -beyond : way + beyond;
    Scene scene;
    SceneObject object;
    object.name = "obstacle";
    object.geometry = {Geometry{Sphere{0.05}, Eigen::Isometry3d::Identity(), "ball"}};
    object.pose.translation() = arm * Eigen::Vector3d(std::cos(angle), std::sin(angle), 0.0);
    scene.objects.push_back(object);
    const RobotModel robot(spec);
    const CollisionWorld world(robot, scene, CollisionMatrix(), 0.0);
    TrajectorySegment segment;
    segment.t1 = 1.0;
    segment.value = {q};
    segment.error = {0.0};
    EdgeMotion motion(robot);
    motion.set_segment(segment);
    MotionErrors errors;
    errors.tracking = JointVector::Constant(1, error);
    motion.set_errors(errors);
    FirstLook::Scratch scratch, other;
    const FirstLook look_at(world);
    ASSERT_TRUE(look_at.look(motion, Until::End, scratch));
    ASSERT_TRUE(look_at.look_one_by_one(motion, Until::End, other));
    EXPECT_EQ(scratch.findings.opened, other.findings.opened);
    const int piece = first_piece ? 0 : look::kPieces - 1;
    if (meets) {
      EXPECT_NE(scratch.findings.open(0) >> piece & 1u, 0u) << "arm " << arm << ", error " << error << ", way " << way;
      ++met;
    } else {
      proved += scratch.findings.open(0) == 0 ? 1 : 0;
    }
  }
  std::printf("  %d met, %d of those beside proved\n", met, proved);
  EXPECT_GT(proved, met / 4) << "the tube is loose";
}

}  // namespace
}  // namespace planner_ccd
