// Many edges on several threads: the same answers as one by one, whatever the number of threads.
#include <gtest/gtest.h>

#include <set>

#include "planner_ccd/planner_ccd.hpp"
#include "support/random_robot.hpp"
#include "support/scale.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd {
namespace {

constexpr unsigned kSeed = 20261118;
const std::string kRoot = testing::source_dir();

struct Cell {
  std::shared_ptr<const RobotModel> robot;
  std::unique_ptr<PathChecker> checker;
  std::vector<Edge> edges;
};

Cell puma_cell(int count) {
  Cell cell;
  cell.robot = std::make_shared<const RobotModel>(load_urdf(kRoot + "/urdf/puma.urdf").value);
  const auto matrix = build_collision_matrix(*cell.robot, load_srdf(kRoot + "/urdf/puma.srdf", *cell.robot).value);
  const Scene scene = load_scene(kRoot + "/models/scenes/puma_car.yaml").value;
  cell.checker = std::make_unique<PathChecker>(cell.robot, scene, matrix);
  const auto path = load_path(kRoot + "/models/paths/puma_fender.csv", *cell.robot).value.waypoints;
  testing::Draw draw(kSeed);
  const auto configuration = [&] {
    Eigen::VectorXd q = path[draw.integer(0, static_cast<int>(path.size()) - 1)];
    for (int i = 0; i < q.size(); ++i) q[i] += draw.uniform(-0.3, 0.3);
    return q;
  };
  for (int i = 0; i < count; ++i) cell.edges.push_back({configuration(), configuration()});
  return cell;
}

void expect_same(const EdgeResult& a, const EdgeResult& b) {
  EXPECT_EQ(a.verdict, b.verdict);
  EXPECT_EQ(a.t_free, b.t_free);
  EXPECT_EQ(a.counters.node_evaluations, b.counters.node_evaluations);
  EXPECT_EQ(a.counters.primitive_evaluations, b.counters.primitive_evaluations);
  ASSERT_EQ(a.contact.has_value(), b.contact.has_value());
  if (!a.contact) return;
  EXPECT_EQ(a.contact->a, b.contact->a);
  EXPECT_EQ(a.contact->b, b.contact->b);
  EXPECT_EQ(a.contact->triangle_a, b.contact->triangle_a);
  EXPECT_EQ(a.contact->t, b.contact->t);
  EXPECT_EQ(a.contact->point_a, b.contact->point_a);
}

TEST(CheckEdges, AnswersAsOneByOneForAnyNumberOfThreads) {
  std::printf("seed %u\n", kSeed);
  const Cell cell = puma_cell(std::max(60, testing::scaled(400)));
  for (const bool first : {false, true}) {
    std::vector<EdgeResult> alone;
    Workspace workspace(*cell.checker);
    int free = 0;
    for (const Edge& e : cell.edges) {
      alone.push_back(first ? cell.checker->first_contact(e.q0, e.q1, workspace)
                            : cell.checker->any_contact(e.q0, e.q1, workspace));
      free += alone.back().verdict == Verdict::Free ? 1 : 0;
    }
    EXPECT_GE(free * 10, static_cast<int>(alone.size()) * 2) << "vacuous";
    EXPECT_LE(free * 10, static_cast<int>(alone.size()) * 8) << "vacuous";
    for (const int threads : {0, 1, 2, 5}) {
      BatchOptions options;
      options.first_contact = first;
      options.threads = threads;
      const BatchResult batch = check_edges(*cell.checker, cell.edges, options);
      EXPECT_EQ(batch.checked, cell.edges.size());
      ASSERT_EQ(batch.edges.size(), alone.size());
      for (std::size_t i = 0; i < alone.size(); ++i) expect_same(batch.edges[i], alone[i]);
    }
  }
}

TEST(CheckEdges, CancellationLeavesTheRestUndecided) {
  const Cell cell = puma_cell(200);
  std::stop_source stop;
  BatchOptions options;
  options.threads = 2;
  options.cancel = stop.get_token();
  options.progress = [&](std::size_t done, std::size_t) {
    if (done >= 20) stop.request_stop();
  };
  const BatchResult batch = check_edges(*cell.checker, cell.edges, options);
  EXPECT_GE(batch.checked, 20u);
  EXPECT_LT(batch.checked, cell.edges.size());
  std::size_t decided = 0;
  for (const EdgeResult& e : batch.edges) {
    decided += e.verdict != Verdict::Undecided ? 1 : 0;
    if (e.verdict == Verdict::Undecided) {
      EXPECT_EQ(e.t_free, 0.0);
      EXPECT_EQ(e.counters.kinematics, 0);
    }
  }
  EXPECT_EQ(decided, batch.checked);
  const BatchResult none = check_fan(*cell.checker, cell.edges[0].q0, std::vector{cell.edges[0].q1}, options);
  EXPECT_EQ(none.checked, 0u);
  EXPECT_EQ(none.edges[0].verdict, Verdict::Undecided);
}

TEST(CheckEdges, ProgressGrowsToTheEnd) {
  const Cell cell = puma_cell(350);
  BatchOptions options;
  options.threads = 3;
  std::vector<std::size_t> told;
  options.progress = [&](std::size_t done, std::size_t edges) {
    EXPECT_EQ(edges, 350u);
    told.push_back(done);
  };
  static_cast<void>(check_edges(*cell.checker, cell.edges, options));
  ASSERT_FALSE(told.empty());
  EXPECT_LE(told.size(), 120u);
  EXPECT_EQ(told.back(), 350u);
  for (std::size_t i = 1; i < told.size(); ++i) EXPECT_LT(told[i - 1], told[i]);
}

TEST(CheckEdges, BadInputNamesTheEdge) {
  Cell cell = puma_cell(3);
  EXPECT_TRUE(check_edges(*cell.checker, {}).edges.empty());
  const auto message = [&] {
    try {
      static_cast<void>(check_edges(*cell.checker, cell.edges));
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message(), "");
  cell.edges[1].q1[2] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(message().find("edge 1"), std::string::npos);
  cell.edges[1].q1.resize(2);
  EXPECT_NE(message().find("edge 1: a configuration has 2 entries; the robot has 6"), std::string::npos) << message();
}

TEST(CheckFan, AnswersAsItsEdgesAndAStartInContactSettlesAll) {
  const Cell cell = puma_cell(std::max(60, testing::scaled(100)));
  std::vector<JointVector> ends;
  for (const Edge& e : cell.edges) ends.push_back(e.q1);
  std::set<Verdict> starts;
  BatchOptions options;
  options.first_contact = true;
  for (std::size_t s = 0; s < 12; ++s) {
    const Eigen::VectorXd& start = cell.edges[s].q0;
    std::vector<Edge> edges;
    for (const JointVector& end : ends) edges.push_back({start, end});
    const BatchResult fan = check_fan(*cell.checker, start, ends, options);
    const BatchResult all = check_edges(*cell.checker, edges, options);
    Workspace workspace(*cell.checker);
    const bool contact = cell.checker->in_contact(start, workspace);
    starts.insert(contact ? Verdict::Contact : Verdict::Free);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (contact) {
        EXPECT_EQ(fan.edges[i].verdict, Verdict::Contact);
        EXPECT_EQ(fan.edges[i].contact->t, 0.0);
        EXPECT_EQ(all.edges[i].verdict, Verdict::Contact);
      } else {
        expect_same(fan.edges[i], all.edges[i]);
      }
    }
  }
  EXPECT_EQ(starts.size(), 2u) << "vacuous";
}

}  // namespace
}  // namespace planner_ccd
