#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>

#include "certificate/forge.hpp"
#include "planner_ccd/certificate/certificate.hpp"
#include "query/planted.hpp"
#include "support/small_robots.hpp"

/// Of a motion with a planted contact, which no sampling would find, there is no certificate; and the proof of a motion that is the
/// same but ends, or begins, before the contact does not prove it. What was forged is kept in PLANNER_CCD_FORGED, for verify.py
/// (both.py). All of the motions have one pair that counts.
namespace planner_ccd {
namespace {

using namespace testing::planted;
using testing::Draw;

Trajectory motion_of(const Planted& p, double from, double until) {
  if (p.segment) {
    const auto part = [&](Polynomial c) {  // of u = from + (until - from) x, in x
      Polynomial shifted;
      shifted.degree = c.degree;
      double power = 1.0;
      double factorial = 1.0;
      for (int k = 0; k <= shifted.degree; ++k) {
        shifted.c[static_cast<std::size_t>(k)] = c.value(from) * power / factorial;
        if (c.degree > 0) c = c.derived();
        power *= until - from;
        factorial *= k + 1.0;
      }
      return shifted;
    };
    TrajectorySegment s = *p.segment;
    if (from == 0.0 && until == 1.0) return {.segments = {s}};
    for (Polynomial& c : s.value) c = part(c);
    return {.segments = {s}};
  }
  JointPath path;
  const Eigen::VectorXd way = p.edge.q1 - p.edge.q0;
  path.waypoints = {p.edge.q0 + from * way, until == 1.0 ? p.edge.q1 : Eigen::VectorXd(p.edge.q0 + until * way)};
  return make_trajectory(*p.scenario.robot, path);
}

/// The same motion of the same robot, checked against something far away alone, so that it can be written down.
std::string unchecked(const Planted& p, const Trajectory& motion) {
  Scene scene;
  scene.objects.push_back({"far away", {testing::ball(0.1)}, testing::shift({0.0, 0.0, 1e5})});
  CollisionMatrix matrix;
  const std::vector<Link>& links = p.scenario.robot->links();
  for (std::size_t a = 0; a < links.size(); ++a) {
    for (std::size_t b = a + 1; b < links.size(); ++b)
      matrix.exclude(links[a].name, links[b].name, ExclusionReason::User);
  }
  const PathChecker checker(p.scenario.robot, scene, matrix, {});
  const CertificateResult made = make_certificate(checker, motion);
  EXPECT_TRUE(made.proved) << made.obstacle;
  return made.bytes;
}

struct Tally {
  int planted = 0, forged = 0, kept = 0;
};

/// A certificate of a part of the motion before or after the contact, as near to it as one is found; empty if none is.
std::string certificate_nearby(const Planted& p, const PathChecker& checker) {
  CertificateOptions options;
  options.max_steps = 20'000;
  const auto from = static_cast<double>(p.from), until = static_cast<double>(p.until);
  for (const double away : {1e-4, 1e-3, 1e-2, 0.1, 0.3}) {
    if (from - away > 0.0) {
      const CertificateResult made = make_certificate(checker, motion_of(p, 0.0, from - away), options);
      if (made.proved) return made.bytes;
    }
    if (until + away < 1.0) {
      const CertificateResult made = make_certificate(checker, motion_of(p, until + away, 1.0), options);
      if (made.proved) return made.bytes;
    }
  }
  return {};
}

void run(const Family& family, int count, unsigned seed) {
  SCOPED_TRACE(family.name);
  Draw draw(testing::seeded(seed));
  Tally tally;
  while (tally.planted < testing::scaled(count, 10)) {
    const std::optional<Planted> p = plant(draw, family);
    if (!p) continue;
    ++tally.planted;
    const testing::Scenario& s = p->scenario;
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    const Trajectory whole = motion_of(*p, 0.0, 1.0);
    CertificateOptions options;
    options.max_steps = 20'000;
    const CertificateResult made = make_certificate(checker, whole, options);
    ASSERT_FALSE(made.proved) << family.name << " number " << tally.planted << ": a contact was certified to be free";
    EXPECT_TRUE(made.bytes.empty());
    EXPECT_FALSE(made.obstacle.empty());

    const std::string nearby = certificate_nearby(*p, checker);
    if (nearby.empty()) continue;
    const std::string forged = testing::with_motion_of(nearby, unchecked(*p, whole));
    ++tally.forged;
    std::istringstream in(forged);
    const pccd::Outcome outcome = pccd::verify(in);
    EXPECT_EQ(outcome.answer, pccd::Answer::Refuted) << family.name << " number " << tally.planted << outcome.reason;
    if (tally.kept < 2) {
      const std::string name = std::string(family.name) + "_" + std::to_string(tally.kept++);
      testing::write_bytes(std::string(PLANNER_CCD_FORGED) + "/" + name + ".pccd", forged);
    }
  }
  std::printf("  %-28s %5d planted, 0 certified; %5d forged, 0 accepted\n", family.name, tally.planted, tally.forged);
  EXPECT_GT(tally.forged, tally.planted / 10);
}

constexpr int kCount = 40;

TEST(PlantedContacts, AreNotCertifiedAndNotForged) {
  using testing::Material;
  run({"meshes", of(Material::Meshes, false)}, kCount, 1);
  run({"all_joint_types", of(Material::Anything, true)}, kCount, 2);
  run({"thin_things", of(Material::Thin, true)}, kCount, 3);
  run({"primitives", of(Material::Primitives, true)}, kCount, 4);
  run({"two_links", of(Material::Anything, true), true}, kCount, 5);
  run({"margin", of(Material::Anything, true, 0.01)}, kCount, 6);
  run({"far_away", of(Material::Meshes, true), false, AnglePolicy::Literal, 1e3}, kCount, 7);
  run({"many_turns", of(Material::Meshes, true), false, AnglePolicy::Literal, 0.0, 1e6}, kCount, 8);
  run({"curves", of(Material::Meshes, true), false, AnglePolicy::Literal, 0.0, 0.0, true}, kCount, 9);
}

}  // namespace
}  // namespace planner_ccd
