// One PathChecker serves several threads at once. CI runs this under the thread sanitizer as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "planner_ccd/planner_ccd.hpp"
#include "support/random_robot.hpp"
#include "support/shared_data.hpp"

namespace planner_ccd {
namespace {

constexpr unsigned kSeed = 20260101;
const std::string kRoot = testing::source_dir();

struct Edge {
  Eigen::VectorXd q0, q1;
};

struct Answer {
  bool free;
  EdgeResult first;

  bool operator==(const Answer& other) const {
    const bool same = free == other.free && first.verdict == other.first.verdict &&
                      first.t_free == other.first.t_free &&
                      first.counters.node_evaluations == other.first.counters.node_evaluations &&
                      first.counters.primitive_evaluations == other.first.counters.primitive_evaluations &&
                      first.contact.has_value() == other.first.contact.has_value();
    if (!same || !first.contact) return same;
    const Contact &a = *first.contact, &b = *other.first.contact;
    return a.a == b.a && a.b == b.b && a.triangle_a == b.triangle_a && a.triangle_b == b.triangle_b && a.t == b.t &&
           a.distance == b.distance && a.point_a == b.point_a && a.point_b == b.point_b && a.normal == b.normal;
  }
};

/// Edges near a path that hits the car, so that both verdicts are common.
std::vector<Edge> random_edges(const std::vector<JointVector>& path, int count) {
  testing::Draw draw(kSeed);
  const auto configuration = [&] {
    Eigen::VectorXd q = path[draw.integer(0, static_cast<int>(path.size()) - 1)];
    for (int i = 0; i < q.size(); ++i) q[i] += draw.uniform(-0.3, 0.3);
    return q;
  };
  std::vector<Edge> edges;
  for (int i = 0; i < count; ++i) {
    const Eigen::VectorXd q0 = configuration();
    edges.push_back({q0, configuration()});
  }
  return edges;
}

Answer ask(const PathChecker& checker, const Edge& edge, Workspace& workspace) {
  return {checker.is_free(edge.q0, edge.q1, workspace), checker.first_contact(edge.q0, edge.q1, workspace)};
}

TEST(PathChecker, AnswersTheSameToTheBitInEveryThreadAndOrder) {
  std::printf("seed %u\n", kSeed);
  const auto robot = std::make_shared<const RobotModel>(load_urdf(kRoot + "/urdf/puma.urdf").value);
  const Scene scene = load_scene(kRoot + "/models/scenes/puma_car.yaml").value;
  const auto pairs = build_collision_matrix(*robot, load_srdf(kRoot + "/urdf/puma.srdf", *robot).value);
  const PathChecker checker(robot, scene, pairs);
  const auto path = load_path(kRoot + "/models/paths/puma_fender.csv", *robot).value.waypoints;
  const std::vector<Edge> edges = random_edges(path, testing::scaled(500));

  std::vector<Answer> alone;
  int free = 0;
  for (const Edge& edge : edges) {
    Workspace fresh(checker);
    alone.push_back(ask(checker, edge, fresh));
    free += alone.back().free ? 1 : 0;
  }
  EXPECT_GE(free, static_cast<int>(edges.size()) * 3 / 10) << "vacuous";
  EXPECT_LE(free, static_cast<int>(edges.size()) * 7 / 10) << "vacuous";

  constexpr int kThreads = 4;
  std::vector<int> differences(kThreads, 0);
  std::vector<std::thread> threads;
  for (int id = 0; id < kThreads; ++id) {
    threads.emplace_back([&, id] {
      Workspace workspace(checker);
      std::vector<std::size_t> order(edges.size());
      std::iota(order.begin(), order.end(), 0);
      std::shuffle(order.begin(), order.end(), std::mt19937(kSeed + id));
      for (const std::size_t i : order) {
        if (!(ask(checker, edges[i], workspace) == alone[i])) ++differences[id];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differences, std::vector<int>(kThreads, 0));
}

}  // namespace
}  // namespace planner_ccd
