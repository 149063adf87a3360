// Spline segments against dense samples of the controllers' own formula, in the oracle's arithmetic.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "planner_ccd/motion/trajectory.hpp"
#include "support/oracle.hpp"
#include "support/scenarios.hpp"

namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;
using truth::Real;

const unsigned kSeed = testing::seeded(20261118);

/// Two states and the polynomial of the ROS controller between them, in seconds.
struct Spline {
  TrajectoryPoint from, to;
  bool quintic = false;

  /// Value (derivative 0) or rate per unit of u (derivative 1) of a coordinate.
  Real at(Eigen::Index k, Real u, int derivative) const {
    const Real T = static_cast<Real>(to.time) - from.time, t = u * T;
    const Real p0 = from.position[k], p1 = to.position[k], v0 = from.velocity[k], v1 = to.velocity[k];
    Real c[6] = {p0, v0, 0, 0, 0, 0};
    if (!quintic) {
      c[2] = (-3 * p0 + 3 * p1 - 2 * v0 * T - v1 * T) / (T * T);
      c[3] = (2 * p0 - 2 * p1 + v0 * T + v1 * T) / (T * T * T);
    } else {
      const Real a0 = from.acceleration[k], a1 = to.acceleration[k], T2 = T * T, T3 = T2 * T;
      c[2] = a0 / 2;
      c[3] = (-20 * p0 + 20 * p1 - 3 * a0 * T2 + a1 * T2 - 12 * v0 * T - 8 * v1 * T) / (2 * T3);
      c[4] = (30 * p0 - 30 * p1 + 3 * a0 * T2 - 2 * a1 * T2 + 16 * v0 * T + 14 * v1 * T) / (2 * T3 * T);
      c[5] = (-12 * p0 + 12 * p1 - a0 * T2 + a1 * T2 - 6 * v0 * T - 6 * v1 * T) / (2 * T3 * T2);
    }
    Real sum = 0;
    for (int i = 5; i >= derivative; --i) sum = sum * t + (derivative ? i * c[i] : c[i]);
    return derivative ? sum * T : sum;
  }
  Eigen::VectorXd values(Real u) const {
    Eigen::VectorXd q(from.position.size());
    for (Eigen::Index k = 0; k < q.size(); ++k) q[k] = static_cast<double>(at(k, u, 0));
    return q;
  }
};

Spline random_spline(const Scenario& s, const testing::EdgeDraw& edges, Draw& draw) {
  Spline spline;
  spline.quintic = draw.integer(0, 1) == 0;
  spline.from.position = edges.configuration(draw);
  spline.to.position = edges.beyond(draw, spline.from.position);
  spline.to.time = draw.uniform(0.2, 2.0);
  const double length = (spline.to.position - spline.from.position).norm();
  const double speed = 2.0 * length / spline.to.time;
  for (TrajectoryPoint* p : {&spline.from, &spline.to}) {
    p->velocity = Eigen::VectorXd::NullaryExpr(s.robot->dof(), [&] { return draw.uniform(-speed, speed); });
    if (!spline.quintic) continue;
    const double a = 4.0 * speed / spline.to.time;
    p->acceleration = Eigen::VectorXd::NullaryExpr(s.robot->dof(), [&] { return draw.uniform(-a, a); });
  }
  return spline;
}

/// First sample at which a pair is not farther apart than its margin, in steps given by distance and speed, down to a
/// shortest step; > 1 when there is none.
Real first_hit(const truth::Oracle& oracle, int pair, const Spline& spline, Real until, long& samples) {
  const auto dof = spline.from.position.size();
  truth::Edge widest{Eigen::VectorXd::Zero(dof), Eigen::VectorXd::Zero(dof)};
  for (Eigen::Index k = 0; k < dof; ++k) {
    Real rate = 0, value = 0;
    for (int j = 0; j <= 64; ++j) {
      rate = std::max(rate, std::abs(spline.at(k, j / Real(64), 1)));
      value = std::max(value, std::abs(spline.at(k, j / Real(64), 0)));
    }
    widest.q1[k] = static_cast<double>(std::max(Real(0.6) * rate, Real(1.1) * value));
    widest.q0[k] = -widest.q1[k];
  }
  const truth::Oracle::Pair& p = oracle.pairs()[static_cast<std::size_t>(pair)];
  const Real speed = oracle.speed_bound(widest, p);
  for (Real u = 0;;) {
    ++samples;
    const Eigen::VectorXd q = spline.values(u);
    const Real d = oracle.distance({q, q}, pair, 0, p.margin + 5e-4L);
    if (p.margin > 0 ? d < p.margin - 1e-12L : d <= 0) return u;  // rounding of q to double
    if (u >= until || speed == 0) return 2;
    const Real sure =
        std::max<Real>(0, (d > p.margin + 5e-4L ? std::max(p.margin + 5e-4L, Real(0.6) * d) : d) - p.margin) / speed;
    u = std::min(until, u + std::max<Real>(sure, 4e-3L));
  }
}

struct Count {
  long free = 0, contact = 0, undecided = 0, missed = 0, late = 0, grazing = 0, samples = 0;
};

void try_splines(const Scenario& s, int count, Draw& draw, Count& n) {
  const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
  const truth::Oracle oracle(s.spec, s.scene, s.matrix, s.options.margin, s.options.self_margin);
  Workspace workspace(checker);
  testing::EdgeDraw edges(*s.robot, 2.5);
  for (int i = 0; i < count; ++i) {
    const Spline spline = random_spline(s, edges, draw);
    const TrajectorySegment segment = make_trajectory(*s.robot, {spline.from, spline.to}).segments[0];
    const EdgeResult result = checker.first_contact(segment, workspace);
    const EdgeResult any = checker.any_contact(segment, workspace);
    const bool is_free = any.verdict == Verdict::Free;
    edges.learn(result.verdict);
    // Both queries may answer Contact for motion within the tolerance that does not touch, each at its own instants.
    if (is_free != (result.verdict == Verdict::Free)) {
      const Contact& near = is_free ? result.contact.value() : any.contact.value();
      const int pair = oracle.find_pair(near.a, near.b);
      const Eigen::VectorXd q = spline.values(near.t);
      EXPECT_GT(oracle.distance({q, q}, pair, 0), oracle.pairs()[static_cast<std::size_t>(pair)].margin)
          << s.name << " " << i << ": a contact that the other question calls free";
      ++n.grazing;
    }
    n.free += result.verdict == Verdict::Free;
    n.contact += result.verdict == Verdict::Contact;
    n.undecided += result.verdict == Verdict::Undecided;
    const bool proved_free = is_free || result.verdict == Verdict::Free;
    const Real until = proved_free ? 1 : result.t_free;
    for (std::size_t p = 0; p < oracle.pairs().size() && until > 0; ++p) {
      const Real hit = first_hit(oracle, static_cast<int>(p), spline, until, n.samples);
      const bool missed = hit < until - 1e-12L || (proved_free && hit <= 1);
      n.missed += missed;
      EXPECT_FALSE(missed) << s.name << " spline " << i << ": proved free until " << static_cast<double>(until)
                           << ", hit at " << static_cast<double>(hit);
    }
    if (!result.contact || result.contact->inside) continue;
    const Contact& c = *result.contact;
    const int pair = oracle.find_pair(c.a, c.b);
    ASSERT_GE(pair, 0);
    const Eigen::VectorXd q = spline.values(c.t);
    EXPECT_LT((q - c.q).norm(), 1e-9);
    const truth::Oracle::Pair& p = oracle.pairs()[static_cast<std::size_t>(pair)];
    const Real slack = oracle.bodies()[static_cast<std::size_t>(p.a)].cylinder_error +
                       oracle.bodies()[static_cast<std::size_t>(p.b)].cylinder_error;
    const bool late = oracle.distance({q, q}, pair, 0) - p.margin > 1e-4L + slack && !oracle.nested_at({q, q}, pair, 0);
    n.late += late;
    EXPECT_FALSE(late) << s.name << " spline " << i;
  }
}

TEST(Splines, NoneIsProvedFreeThatSamplesSeeHit) {
  Draw draw(kSeed);
  Count n;
  const int scenarios = std::max(6, testing::scaled(8));
  for (int i = 0; i < scenarios; ++i) {
    testing::RandomScenario what;
    what.links = draw.integer(2, 5);
    what.objects = draw.integer(4, 8);
    what.size = 0.16;
    what.all_joint_types = false;
    what.attached = i % 4 == 0;
    what.margin = i % 3 == 0 ? 0.02 : 0.0;
    try_splines(testing::random_scenario(draw, what), 10, draw, n);
  }
  try_splines(testing::own_scenario("puma", "puma", "puma_car"), std::max(2, testing::scaled(5)), draw, n);
  std::printf("  seed %u: %ld free, %ld contact, %ld undecided; %ld samples; %ld missed, %ld too early, %ld grazing\n",
              kSeed, n.free, n.contact, n.undecided, n.samples, n.missed, n.late, n.grazing);
  EXPECT_EQ(n.missed, 0);
  EXPECT_LE(n.grazing, (n.free + n.contact) / 500 + 1);
  EXPECT_LE(n.undecided, (n.free + n.contact) / 100 + 1);
  EXPECT_GT(n.free, (n.free + n.contact) / 5);
  EXPECT_GT(n.contact, (n.free + n.contact) / 5);
}

TEST(Splines, StraightLinesWrittenAsCubicsGetTheSameVerdicts) {
  Draw draw(kSeed + 1);
  int free = 0, contact = 0;
  for (int i = 0; i < std::max(20, testing::scaled(40)); ++i) {
    testing::RandomScenario what;
    what.all_joint_types = false;
    const Scenario s = testing::random_scenario(draw, what);
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    Workspace workspace(checker);
    testing::EdgeDraw edges(*s.robot, 1.0);
    for (int j = 0; j < 10; ++j) {
      std::vector<TrajectoryPoint> points(2);
      points[0].position = edges.configuration(draw);
      points[1].position = edges.beyond(draw, points[0].position);
      points[1].time = draw.uniform(0.1, 3.0);
      const EdgeResult line = checker.first_contact(points[0].position, points[1].position, workspace);
      for (TrajectoryPoint& p : points) {
        p.velocity = (points[1].position - points[0].position) / points[1].time;
        if (j % 2 == 0) p.acceleration = Eigen::VectorXd::Zero(s.robot->dof());
      }
      const TrajectorySegment segment = make_trajectory(*s.robot, points).segments[0];
      const EdgeResult curve = checker.first_contact(segment, workspace);
      edges.learn(line.verdict);
      ASSERT_EQ(curve.verdict, line.verdict) << i << ", " << j << ", seed " << kSeed + 1;
      free += line.verdict == Verdict::Free;
      contact += line.verdict == Verdict::Contact;
      if (line.verdict == Verdict::Contact) {
        EXPECT_NEAR(curve.contact->t, line.contact->t, 0.02) << i << ", " << j;
      }
      // Another speed: the curve, the verdict and the place of contact stay the same.
      for (const double factor : {0.1, 7.0}) {
        std::vector<TrajectoryPoint> slower = points;
        for (TrajectoryPoint& p : slower) {
          p.time *= factor;
          p.velocity /= factor;
          if (p.acceleration.size() > 0) p.acceleration /= factor * factor;
        }
        const EdgeResult again = checker.first_contact(make_trajectory(*s.robot, slower).segments[0], workspace);
        ASSERT_EQ(again.verdict, line.verdict);
        ASSERT_NEAR(again.t_free, curve.t_free, 0.02);
      }
    }
  }
  EXPECT_GT(free, (free + contact) / 5);
  EXPECT_GT(contact, (free + contact) / 8);
}

}  // namespace
}  // namespace planner_ccd
