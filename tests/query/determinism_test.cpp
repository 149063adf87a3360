#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "planner_ccd/papers/by_name.hpp"
#include "support/scenarios.hpp"

/// A result depends on the edge alone: earlier uses of the workspace, other threads and the order of queries do not
/// change a single bit.
namespace planner_ccd {
namespace {

using testing::Draw;
using testing::Scenario;

/// A complete result, as bits.
struct Bits {
  std::vector<std::uint64_t> words;

  void add(double x) {
    std::uint64_t w;
    std::memcpy(&w, &x, sizeof w);
    words.push_back(w);
  }
  explicit Bits(const EdgeResult& r) {
    words = {static_cast<std::uint64_t>(r.verdict), static_cast<std::uint64_t>(r.counters.node_evaluations),
             static_cast<std::uint64_t>(r.counters.primitive_evaluations),
             static_cast<std::uint64_t>(r.counters.self_evaluations),
             static_cast<std::uint64_t>(r.counters.kinematics)};
    add(r.t_free);
    if (!r.contact) return;
    const Contact& c = *r.contact;
    for (const double x : {c.t, c.distance, c.point_a.x(), c.point_a.y(), c.point_a.z(), c.point_b.x(), c.point_b.y(),
                           c.point_b.z(), c.normal.x(), c.normal.y(), c.normal.z()}) {
      add(x);
    }
    for (const double x : c.q) add(x);
    for (const int i : {c.geometry_a, c.geometry_b, c.triangle_a, c.triangle_b}) {
      words.push_back(static_cast<std::uint64_t>(i));
    }
    for (const char x : c.a + "/" + c.b) words.push_back(static_cast<std::uint64_t>(x));
  }
  bool operator==(const Bits&) const = default;
};

struct Question {
  Eigen::VectorXd q0, q1;
  EdgeOptions options;
  bool first;
};

std::vector<Question> questions(const RobotModel& robot, Draw& draw, int count, bool all_methods) {
  const testing::EdgeDraw edge_draw(robot, 1.0);
  std::vector<Question> out;
  for (int i = 0; i < count; ++i) {
    Question q;
    // Often a planner's typical next query: continuing the last edge, back along it, nearly the same again. These use
    // what a workspace remembers.
    const int kind = out.empty() ? 0 : draw.integer(0, 5);
    q.q0 = kind == 1 || kind == 2 ? out.back().q1 : kind == 3 ? out.back().q0 : edge_draw.configuration(draw);
    q.q1 = kind == 2 ? out.back().q0 : edge_draw.beyond(draw, q.q0);
    if (kind == 3) q.q1 = out.back().q1 + 1e-3 * (q.q1 - q.q0);
    q.first = draw.integer(0, 1) == 0;
    if (draw.integer(0, 3) == 0) q.options.tolerance = 1e-2;
    if (draw.integer(0, 5) == 0) q.options.max_evaluations = draw.integer(1, 60);
    if (draw.integer(0, 3) == 0) q.options.angles = AnglePolicy::Wrap;
    if (all_methods && draw.integer(0, 4) == 0) {
      q.options.method = search_method_named(search_method_names()[draw.integer(1, 4)]);
      q.options.tolerance = 1e-2;
      q.options.max_evaluations = 20'000;
    }
    out.push_back(std::move(q));
  }
  return out;
}

Bits answer(const PathChecker& checker, const Question& q, Workspace& w) {
  return Bits(q.first ? checker.first_contact(q.q0, q.q1, w, q.options)
                      : checker.any_contact(q.q0, q.q1, w, q.options));
}

std::vector<Scenario> some_scenarios(Draw& draw) {
  std::vector<Scenario> s;
  for (int i = 0; i < testing::scaled(6, 3); ++i) {
    testing::RandomScenario what;
    what.cell_evaluations = 300;
    s.push_back(testing::random_scenario(draw, what));
  }
  s.push_back(testing::own_scenario("puma and car", "puma", "puma_car"));
  return s;
}

TEST(Determinism, AResultDoesNotDependOnWhatTheWorkspaceSawBefore) {
  Draw draw(testing::seeded(7));
  for (const Scenario& s : some_scenarios(draw)) {
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    const std::vector<Question> list = questions(*s.robot, draw, 40, true);
    std::vector<Bits> fresh;
    for (const Question& q : list) {
      Workspace w(checker);
      fresh.push_back(answer(checker, q, w));
    }
    Workspace used(checker);
    for (int i = 0; i < 3 * static_cast<int>(list.size()); ++i) {
      const int k = draw.integer(0, static_cast<int>(list.size()) - 1);
      ASSERT_TRUE(answer(checker, list[k], used) == fresh[k]) << s.name << ", question " << k << ", as number " << i;
    }
    // Errors and other kinds of queries in between have no effect.
    const Eigen::VectorXd wrong = Eigen::VectorXd::Constant(s.robot->dof(), std::nan(""));
    for (std::size_t k = 0; k < list.size(); ++k) {
      EXPECT_ANY_THROW((void)checker.is_free(k % 2 == 0 ? wrong : list[k].q0, wrong, used));
      (void)checker.clearance(list[k].q1, used);
      (void)checker.in_contact(list[k].q1, used);
      ASSERT_TRUE(answer(checker, list[k], used) == fresh[k]) << s.name << ", question " << k << ", after others";
    }
    // Neither has moving the workspace.
    Workspace moved(std::move(used));
    ASSERT_TRUE(answer(checker, list[0], moved) == fresh[0]);
    // A second checker built from a copy of the same data is the same; the scene may have been changed and changed
    // back.
    Scene copy = s.scene;
    if (!copy.objects.empty()) {
      const SceneObject last = copy.objects.back();
      copy.attach(last.name, s.robot->links().back().name, Eigen::Isometry3d::Identity(), {});
      copy.detach(last.name, last.pose);
    }
    const PathChecker again(s.robot, copy, CollisionMatrix(s.matrix), s.options);
    Workspace w(again);
    for (std::size_t k = 0; k < list.size(); ++k) ASSERT_TRUE(answer(again, list[k], w) == fresh[k]);
  }
}

TEST(Determinism, ThreadsThatShareACheckerAnswerAsOneDoes) {
  Draw draw(testing::seeded(8));
  for (const Scenario& s : some_scenarios(draw)) {
    const PathChecker checker(s.robot, s.scene, s.matrix, s.options);
    const std::vector<Question> list = questions(*s.robot, draw, 40, true);
    std::vector<Bits> alone;
    Workspace w(checker);
    for (const Question& q : list) alone.push_back(answer(checker, q, w));
    int wrong[4] = {0, 0, 0, 0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&, t] {
        Workspace mine(checker);
        for (std::size_t i = 0; i < list.size(); ++i) {
          const std::size_t k = t % 2 == 0 ? i : list.size() - 1 - i;
          wrong[t] += !(answer(checker, list[k], mine) == alone[k]);
        }
      });
    }
    for (std::thread& t : threads) t.join();
    for (const int n : wrong) EXPECT_EQ(n, 0) << s.name;
  }
}

}  // namespace
}  // namespace planner_ccd
