#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "certificate/forge.hpp"
#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/certificate/verifier/verify.hpp"
#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "support/random_curves.hpp"
#include "support/scenarios.hpp"
#include "support/shared_data.hpp"

/// Free motions of the test suite's robots become certificates, which the verifier accepts; motions with a contact never do. With a
/// large PLANNER_CCD_TEST_SCALE this is the campaign (campaign.py); small certificates go to the folder PLANNER_CCD_KEEP, if there is one.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct Tally {
  int free = 0, contacts = 0, proved = 0, certificates = 0;
  double search = 0.0, make = 0.0, verify = 0.0;  ///< [s]
  std::int64_t leaves = 0, bytes = 0;
};

constexpr int kKept = 12;

/// Keeps the first small certificates of each scenario, for verify.py.
void keep(const CertificateResult& made, int number, const std::string& scenario) {
  const char* folder = std::getenv("PLANNER_CCD_KEEP");
  if (folder == nullptr || number > kKept || made.size > 400'000) return;
  std::string name = scenario;
  std::replace(name.begin(), name.end(), ' ', '_');
  testing::write_bytes(std::string(folder) + "/" + name + "_" + std::to_string(number) + ".pccd", made.bytes);
}

struct Total {
  int edges = 0, curves = 0;
  ~Total() { std::printf("total: %d edges and %d curves found free and certified\n", edges, curves); }
} total;

bool is_free(const PathChecker& checker, const Trajectory& trajectory, Workspace& workspace, Tally& tally) {
  const auto start = std::chrono::steady_clock::now();
  const bool free = std::all_of(trajectory.segments.begin(), trajectory.segments.end(), [&](const auto& segment) {
    return checker.any_contact(segment, workspace).verdict == Verdict::Free;
  });
  if (free) tally.search += seconds_since(start);
  ++(free ? tally.free : tally.contacts);
  return free;
}

/// A motion that is not called free. (One within the tolerance of its margin may be called a contact and be free all the same.)
void try_to_certify(const PathChecker& checker, const Trajectory& trajectory) {
  CertificateOptions options;
  options.max_steps = 20'000;
  if (make_certificate(checker, trajectory, options).proved) std::printf("not called free, and certified\n");
}

/// So many free motions make one certificate, which then states its robot and scene once: the least of what one takes.
constexpr std::size_t kTogether = 25;

/// Free motions, each a segment: their certificate is accepted. One of them without any does not keep the others from theirs.
void require_certificate(const PathChecker& checker, const std::vector<TrajectorySegment>& segments,
                         const std::string& scenario, Tally& tally) {
  if (segments.empty()) return;
  Trajectory trajectory;
  trajectory.segments = segments;
  auto start = std::chrono::steady_clock::now();
  const CertificateResult made = make_certificate(checker, trajectory);
  tally.make += seconds_since(start);
  if (!made.proved && segments.size() == 1) std::printf("no certificate: %s\n", made.obstacle.c_str());
  if (!made.proved && segments.size() > 1) {
    for (const TrajectorySegment& segment : segments) require_certificate(checker, {segment}, scenario, tally);
  }
  if (!made.proved) return;
  keep(made, ++tally.certificates, scenario);
  tally.proved += static_cast<int>(segments.size());
  start = std::chrono::steady_clock::now();
  std::istringstream in(made.bytes);
  const pccd::Outcome outcome = pccd::verify(in);
  tally.verify += seconds_since(start);
  tally.leaves += made.leaves;
  tally.bytes += made.size;
  EXPECT_EQ(outcome.answer, pccd::Answer::Verified) << outcome.reason;
}

void report(const char* name, const Tally& t) {
  std::printf(
      "%-28s free %5d contacts %5d proved %5d; search %8.1f us make+verify %8.1f us verify %8.1f us; leaves %7.1f "
      "bytes %8.0f\n",
      name, t.free, t.contacts, t.proved, 1e6 * t.search / t.proved, 1e6 * t.make / t.proved, 1e6 * t.verify / t.proved,
      double(t.leaves) / t.proved, double(t.bytes) / t.proved);
}

Tally run(const Scenario& s, int count, double length, bool curves, unsigned seed) {
  SCOPED_TRACE(s.name);
  const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
  Workspace workspace(checker);
  Draw draw(testing::seeded(seed));
  testing::EdgeDraw edges(*s.robot, length);
  Tally tally;
  std::vector<TrajectorySegment> free;
  for (int i = 0; i < count; ++i) {
    const Eigen::VectorXd q0 = edges.configuration(draw), q1 = edges.beyond(draw, q0);
    Trajectory trajectory;
    if (curves) {
      trajectory.segments.push_back(testing::random_curve(draw, *s.robot, q0, q1).segment);
    } else {
      JointPath path;
      path.waypoints = {q0, q1};
      trajectory = make_trajectory(*s.robot, path);
    }
    const bool found_free = is_free(checker, trajectory, workspace, tally);
    edges.learn(found_free ? Verdict::Free : Verdict::Contact);
    if (!found_free) {
      try_to_certify(checker, trajectory);
      continue;
    }
    free.insert(free.end(), trajectory.segments.begin(), trajectory.segments.end());
    // Those that are kept are of one motion each, so that most are small enough.
    const bool alone = std::getenv("PLANNER_CCD_KEEP") != nullptr && tally.certificates < kKept;
    if (!alone && free.size() < kTogether) continue;
    require_certificate(checker, free, s.name, tally);
    free.clear();
  }
  require_certificate(checker, free, s.name, tally);
  (curves ? total.curves : total.edges) += tally.proved;
  report(s.name.c_str(), tally);
  EXPECT_GE(tally.proved, tally.free - 1 - tally.free / 50);  // but for those too near to their margin
  return tally;
}

TEST(CertificateCampaign, OwnRobots) {
  const int n = testing::scaled(6, 3);
  int proved = 0;
  proved += run(testing::own_scenario("puma and car", "puma", "puma_car"), n, 4.0, false, 1).proved;
  proved += run(testing::own_scenario("arm in clutter", "arm7", "arm_clutter"), n, 1.5, false, 2).proved;
  proved += run(testing::own_scenario("arm in clutter, curves", "arm7", "arm_clutter"), n, 1.5, true, 3).proved;
  proved += run(testing::own_scenario("mannequin", "mannequin", ""), n, 1.0, false, 4).proved;
  proved += run(testing::several_robots(), n, 1.0, false, 5).proved;
  EXPECT_GT(proved, n);
}

/// Robots of others, whose meshes are less tidy than ours: with their own rules, or against the scene alone.
TEST(CertificateCampaign, SharedRobots) {
  const std::string data = testing::shared_data("robots");
  if (data.empty()) GTEST_SKIP() << testing::kNoSharedData;
  const std::pair<const char*, const char*> robots[] = {{"panda/panda_collision_only.urdf", "panda/panda.srdf"},
                                                        {"ur5/ur5_collision_coarse.urdf", "ur5/ur5.srdf"},
                                                        {"atlas_v3/atlas_v3_collision_only.urdf", ""},
                                                        {"allegro_hand/allegro_hand_right.urdf", ""}};
  int proved = 0;
  unsigned seed = 20;
  for (const auto& [urdf, srdf] : robots) {
    Scenario s = testing::own_scenario(std::string(urdf).substr(0, std::string(urdf).find('/')), "arm7", "arm_clutter");
    s.set_robot(load_urdf(data + "/robots/" + urdf).value);
    s.matrix = CollisionMatrix();
    if (*srdf != 0) s.matrix = build_collision_matrix(*s.robot, load_srdf(data + "/robots/" + srdf, *s.robot).value);
    for (const Link& a : s.robot->links()) {
      for (const Link& b : s.robot->links()) {
        if (*srdf == 0 && &a < &b) s.matrix.exclude(a.name, b.name, ExclusionReason::User);
      }
    }
    for (const bool curves : {false, true}) proved += run(s, testing::scaled(8, 4), 0.5, curves, seed++).proved;
  }
  EXPECT_GT(proved, 3);
}

TEST(CertificateCampaign, RandomRobotsOfAllJointTypesAndShapes) {
  Draw draw(testing::seeded(7));
  int proved = 0, contacts = 0;
  for (int i = 0; i < testing::scaled(12, 6); ++i) {
    testing::RandomScenario what;
    what.material = static_cast<testing::Material>(i % 4);
    what.attached = i % 2 == 0;
    what.margin = i % 3 == 0 ? 0.01 : 0.0;
    Scenario s = testing::random_scenario(draw, what);
    s.name = "random " + std::to_string(i);
    const Tally tally = run(s, 6, 0.5, i % 2 == 1, 100 + static_cast<unsigned>(i));
    proved += tally.proved;
    contacts += tally.contacts;
  }
  EXPECT_GT(proved, 3);
  EXPECT_GT(contacts, 3);
}

}  // namespace
}  // namespace planner_ccd
