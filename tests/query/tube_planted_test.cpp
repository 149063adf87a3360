#include <gtest/gtest.h>

#include <cstdio>

#include "support/displaced.hpp"
#include "support/small_robots.hpp"
#include "support/verdict_check.hpp"

/// Contacts at the border of tubes.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;
using testing::wall;

const unsigned kSeed = testing::seeded(174);

// A sheet is put across a direction, where a body reaches farthest along it during a motion and then once more at the corner of
// the tube that takes it farther still: 1e-10 to 1e-6 m deep at the border. The verdict must not be Free.

struct Planted {
  long tried = 0, missed = 0, hidden = 0;  ///< hidden: Free without errors, so that only the tube tells.
};

/// The corner of the tube about q at which `along` is greatest, by turning one error after another.
template <class Along>
Eigen::VectorXd corner_along(const JointVector& tracking, const Along& along, const JointVector& q) {
  Eigen::VectorXd sign = Eigen::VectorXd::Ones(q.size());
  const auto at = [&] { return along(q + tracking.cwiseProduct(sign)); };
  double most = at();
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < sign.size(); ++i) {
      sign[i] = -sign[i];
      const double turned = at();
      if (turned > most) {
        most = turned;
      } else {
        sign[i] = -sign[i];
      }
    }
  }
  return sign;
}

void plant(Draw& draw, double size, bool on_a_link, Planted& count) {
  testing::RandomScenario what;
  what.links = draw.integer(1, 5);
  what.objects = 0;
  what.cell_evaluations = 300;
  what.all_joint_types = draw.integer(0, 1) == 0;
  Scenario s = testing::random_scenario(draw, what);
  s.scene = {};
  s.matrix = CollisionMatrix();
  const RobotModel& robot = *s.robot;
  for (std::size_t i = 0; i < s.spec.links.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      s.matrix.exclude(s.spec.links[i].name, s.spec.links[k].name, ExclusionReason::User);
  }
  MotionErrors errors = testing::random_errors(draw, s, size);
  const testing::Displaced off = testing::displaced(draw, s, errors, true);
  const truth::Oracle bare(s.spec, s.scene, s.matrix, 0.0), moved(off.spec, off.scene, s.matrix, 0.0);
  if (bare.bodies().empty() || robot.dof() == 0) return;
  testing::EdgeDraw edges(robot, std::exp(draw.uniform(-3.0, 1.5)));
  const JointVector q0 = edges.configuration(draw);
  const truth::Edge edge{q0, edges.beyond(draw, q0)};
  const truth::Body& body = bare.bodies()[draw.integer(0, static_cast<int>(bare.bodies().size()) - 1)];
  const int carrier = on_a_link ? draw.integer(0, static_cast<int>(robot.links().size()) - 1) : -1;
  if (robot.links()[body.link].body == (carrier < 0 ? 0 : robot.links()[carrier].body)) return;  // not checked
  const Eigen::Vector3d n = draw.direction();
  const truth::Vec along_n = truth::from(n);
  /// Of the body at q in a world, seen from what carries the sheet: how far it reaches along n, and where.
  const auto reach = [&](const truth::Oracle& world, const JointVector& x) {
    const std::vector<truth::Mat4> poses = world.poses({x, x}, 0);
    const truth::Mat4 X = carrier < 0 ? poses[body.link] : truth::inverse(poses[carrier]) * poses[body.link];
    std::pair<truth::Real, truth::Vec> out{-1e9L, {}};
    for (const truth::Piece& piece : body.pieces) {
      for (const truth::Vec& corner : piece.corner) {
        const truth::Vec p = X * corner + piece.radius * along_n;
        if (dot(p, along_n) > out.first) out = {dot(p, along_n), p};
      }
    }
    return out;
  };
  double t = 0.0;  // where the motion itself reaches farthest
  truth::Real farthest = -1e9L;
  for (int i = 0; i <= 64; ++i) {
    const truth::Real there = reach(bare, testing::nominal(robot, edge, i / 64.0)).first;
    if (there > farthest) farthest = there, t = i / 64.0;
  }
  JointVector to = testing::nominal(robot, edge, t);
  if (errors.tracking.size() > 0) {
    JointVector plain = errors.tracking;  // a floating joint's turn is not added to its quaternion
    for (const Joint& joint : robot.joints()) {
      if (joint.type == JointType::Floating && joint.q_index >= 0) plain.segment<4>(joint.q_index + 3).setZero();
    }
    const auto along = [&](const JointVector& x) { return static_cast<double>(reach(moved, x).first); };
    to += plain.cwiseProduct(corner_along(plain, along, to));
  }
  const double depth = std::exp(draw.uniform(std::log(1e-10), std::log(1e-6)));
  const Eigen::Vector3d at = truth::to_eigen(reach(moved, to).second) - depth * n;
  SceneObject sheet;
  sheet.name = "sheet";
  sheet.geometry = {wall(Eigen::Vector3d::Zero(), n, std::exp(draw.uniform(std::log(1e-4), std::log(0.1))))};
  if (draw.integer(0, 2) == 0)
    sheet.pose_error = {.position = draw.uniform(0.0, size), .angle = draw.uniform(0.0, size)};
  sheet.pose = testing::shift(at) * testing::within(draw, sheet.pose_error, true).inverse();
  if (carrier < 0) {
    s.scene.objects.push_back(sheet);
  } else {
    s.scene.attached.push_back({sheet, robot.links()[carrier].name, {}});
    for (const Link& link : robot.links()) {
      if (link.name != body.name) s.scene.allow.push_back({"sheet", link.name});
    }
  }
  const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
  Workspace w(checker);
  EdgeOptions options;
  options.errors = errors;
  ++count.tried;
  const bool missed = checker.is_free(edge.q0, edge.q1, w, options) ||
                      checker.first_contact(edge.q0, edge.q1, w, options).verdict == Verdict::Free ||
                      checker.any_contact(edge.q0, edge.q1, w, options).verdict == Verdict::Free;
  if (missed) {
    ++count.missed;
    ADD_FAILURE() << "missed at " << t << ", " << testing::describe(edge) << ", size " << size << ", " << body.name
                  << (carrier < 0 ? "" : " from " + robot.links()[carrier].name);
  }
  for (SceneObject o : {sheet}) {
    o.pose_error = {};
    if (carrier < 0)
      s.scene.objects.replace(o);
    else
      s.scene.attached[0].object = o;
  }
  const PathChecker exact(s.robot, s.scene, s.matrix, s.options);
  Workspace we(exact);
  count.hidden += exact.is_free(edge.q0, edge.q1, we);
}

TEST(Tube, ContactsPlantedAtItsBorderAreSeen) {
  for (const bool on_a_link : {false, true}) {
    for (const double size : {1e-3, 0.01, 0.1, 0.5}) {
      Draw draw(kSeed);
      Planted count;
      for (int i = 0; i < testing::scaled(400, 60) && !HasFailure(); ++i) plant(draw, size, on_a_link, count);
      std::printf("  errors up to %5g %s: %ld planted, %ld missed; the motion itself is free in %ld\n", size,
                  on_a_link ? "between links   " : "among obstacles ", count.tried, count.missed, count.hidden);
      EXPECT_GT(2 * count.hidden, count.tried);
      EXPECT_GT(5 * count.tried, testing::scaled(400, 60));
    }
  }
}

}  // namespace
}  // namespace planner_ccd
