// How far points move when joint values change within a box, by poses from the specification alone.
#include "planner_ccd/motion/lever_form.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>

#include "support/mechanism.hpp"
#include "support/random_robot.hpp"
#include "support/small_robots.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using testing::Draw;

/// A robot at a configuration, and joint values that change by at most `reach_of` each.
struct Case {
  RobotSpec spec;
  RobotModel robot;
  EdgeMotion motion;
  PairChain chain;
  std::map<std::string, double> value, half;
  LeverForm form;
  PairState state;
  double reach;
  std::string a, b;

  Case(RobotSpec s, std::string link_a, std::string link_b, const std::map<std::string, double>& values,
       const std::map<std::string, double>& halves, double reach_of_a)
      : spec(std::move(s)),
        robot(spec),
        motion(robot),
        value(values),
        half(halves),
        reach(reach_of_a),
        a(std::move(link_a)),
        b(std::move(link_b)) {
    std::vector<Polynomial> lines;
    for (const int body : motion.chain().body_of_move) {
      const std::string& name = robot.joints()[robot.bodies()[body].joint].name;
      Polynomial line;
      line.degree = 1;
      line.c[0] = value.at(name);
      line.c[1] = std::copysign(half.at(name), line.c[0]);
      lines.push_back(line);
    }
    motion.set_moves(lines);
    const Link &la = robot.links()[robot.find_link(a)], &lb = robot.links()[robot.find_link(b)];
    chain = pair_chain(motion.chain(), la.body, lb.body);
    PairMotion bounds;
    bounds.set(chain, motion, reach + la.X_BodyLink.translation().norm());
    Kinematics k;
    k.resize(motion.chain());
    motion.kinematics(0.0, k);
    state.set(chain, k);
    form.set(chain, motion, bounds, k);
  }

  /// (1) for a point of link A, and how far it really moves along n (given in link B's frame) when values change by
  /// `by`.
  std::pair<double, double> bound_and_way(const Vector3d& p, const Vector3d& n,
                                          const std::map<std::string, double>& by) const {
    const truth::Vec normal = truth::from(n);
    const truth::Mechanism mechanism(spec);
    const int link_a = mechanism.find_link(a), link_b = mechanism.find_link(b);
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(robot.dof());
    const auto along = [&](const std::string& only, truth::Real share) {
      const truth::Edge moved{none, none, AnglePolicy::Literal, [&](int coordinate, truth::Real) -> truth::Real {
                                const std::string& joint = robot.coordinates()[coordinate].name;
                                const bool counts = only.empty() || only == joint;
                                return truth::Real(value.at(joint)) + (counts ? share * by.at(joint) : 0);
                              }};
      return dot(normal, mechanism.relative(link_a, link_b, moved, 0) * truth::from(p));
    };
    const Link& la = robot.links()[robot.find_link(a)];
    double bound = 0.5 * form.second_order(state.R_BA * (la.X_BodyLink * p) + state.p_BA);
    for (const auto& [name, d] : half) {
      const truth::Real h = 1e-7L;
      const double slope =
          by.at(name) == 0.0 ? 0.0 : static_cast<double>((along(name, h) - along(name, -h)) / (2 * h) / by.at(name));
      bound += d * std::abs(slope);
    }
    return {bound, static_cast<double>(along("", 1) - along("", 0))};
  }
};

TEST(LeverForm, NoPointGoesFartherWhileValuesStayInTheirBox) {
  const unsigned seed = testing::seeded(951);
  std::printf("seed %u\n", seed);
  Draw draw(seed);
  int moved = 0;
  double tightest = 0.0, sum = 0.0;
  for (int i = 0; i < testing::scaled(3000, 300); ++i) {
    RobotSpec spec = draw.robot(draw.integer(1, 5));
    std::map<std::string, double> value, half, by;
    const double size = std::pow(10.0, draw.uniform(-2.0, 0.3));
    for (JointSpec& j : spec.joints) {
      if (j.type == JointType::Planar) j.type = JointType::Prismatic;
      if (j.type == JointType::Floating) j.type = JointType::Revolute;
      j.mimic.reset();
      if (j.type == JointType::Revolute || j.type == JointType::Prismatic) j.lower = -9.0, j.upper = 9.0;
      if (j.type == JointType::Fixed) continue;
      value[j.name] = draw.uniform(-1.5, 1.5);
      half[j.name] = size * draw.uniform(0.1, 1.0);
      by[j.name] = draw.integer(0, 3) > 0 ? (draw.integer(0, 1) ? 1.0 : -1.0) * half[j.name]
                                          : draw.uniform(-0.99, 0.99) * half[j.name];
    }
    if (value.empty()) continue;
    const auto any = [&] { return spec.links[draw.integer(0, static_cast<int>(spec.links.size()) - 1)].name; };
    const std::string a = any(), b = any();
    const Vector3d p = draw.vector(0.5);
    const Case c(spec, a, b, value, half, p.norm());
    const auto [bound, way] = c.bound_and_way(p, draw.direction(), by);
    ASSERT_LE(way, bound * (1.0 + 1e-9)) << i;  // slopes are difference quotients
    if (bound < 1e-6) continue;
    ++moved;
    sum += std::abs(way) / bound;
    tightest = std::max(tightest, way / bound);
  }
  std::printf("%d moved, by %.2f of the bound on average, %.3f at most\n", moved, sum / moved, tightest);
  EXPECT_GT(tightest, 0.9);
}

/// Changes about coinciding axes add up; so do a turntable and a slide on it.
TEST(LeverForm, IsAttainedByAxesThatCoincide) {
  using testing::ChainSpec;
  const std::map<std::string, double> zero{{"j1", 0.0}, {"j2", 0.0}, {"j3", 0.0}};
  for (const auto& half : {std::map<std::string, double>{{"j1", 0.1}, {"j2", 0.1}, {"j3", 0.1}},
                           std::map<std::string, double>{{"j1", 0.2}, {"j2", 0.05}, {"j3", 0.0}}}) {
    const ChainSpec chain = ChainSpec().turn(Vector3d::UnitZ()).turn(Vector3d::UnitZ()).turn(Vector3d::UnitZ());
    const Case c(chain.spec, "l3", "base", zero, half, 2.0);
    const auto [bound, way] = c.bound_and_way({2.0, 0.0, 0.0}, -Vector3d::UnitX(), half);
    EXPECT_LE(way, bound);
    EXPECT_GE(way, 0.98 * bound) << "tight";
  }
  const std::map<std::string, double> half{{"j1", 0.1}, {"j2", 0.1}, {"j3", 0.5}};
  const ChainSpec chain = ChainSpec().turn(Vector3d::UnitZ()).turn(Vector3d::UnitZ()).slide(Vector3d::UnitX());
  const Case c(chain.spec, "l3", "base", zero, half, 1e-3);
  const auto [bound, way] = c.bound_and_way(Vector3d::Zero(), Vector3d::UnitY(), half);
  EXPECT_LE(way, bound);
  EXPECT_GE(way, 0.98 * bound) << "tight";
}

/// Far from the frame's origin the terms of the form cancel, and what is left of a short lever may be rounded to nothing.
TEST(LeverForm, HoldsForShortLeversFarFromTheFrame) {
  Draw draw(953);
  for (int i = 0; i < 300; ++i) {
    const Vector3d axis = draw.direction(), origin = 1e5 * draw.direction();
    testing::ChainSpec chain;
    chain.turn(axis, 10.0, origin);
    const double half = draw.uniform(0.1, 1.0), lever = std::pow(10.0, draw.uniform(-6.0, -3.0));
    const Case c(chain.spec, "l1", "base", {{"j1", 0.0}}, {{"j1", half}}, 1.0);
    const Vector3d at = origin + draw.uniform(-0.5, 0.5) * axis + lever * axis.unitOrthogonal();
    EXPECT_GE(c.form.second_order(at), half * half * lever * (1.0 - 1e-3)) << i;
  }
}

}  // namespace
}  // namespace planner_ccd
