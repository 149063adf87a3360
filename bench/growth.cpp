// How the cost of an edge grows with triangles, obstacles and joints, and falls with certified cells and threads.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iomanip>
#include <limits>
#include <random>
#include <sstream>

#include "bench/edge_methods.hpp"
#include "bench/growth_worlds.hpp"
#include "bench/support/arguments.hpp"
#include "bench/support/statistics.hpp"
#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/query/batch/check_edges.hpp"
#include "planner_ccd/query/prepared_robot.hpp"

namespace planner_ccd::bench {
namespace {

ScenarioOptions options_of(const Arguments& arguments) {
  ScenarioOptions options;
  options.count = arguments.count(100, 10);
  options.reference_samples = arguments.count(1000, 50);
  return options;
}

/// is_free on drawn free edges of medium length, by us and by FCL at a step of 0.05. `cells`: also the effect of
/// certified cells, without FCL.
void measure(Table& table, const std::string& axis, int value, const World& world, const Arguments& arguments,
             const CheckerOptions& checker_options = {}, bool cells = false) {
  const ScenarioOptions options = options_of(arguments);
  const PathChecker checker(world.robot, world.scene, world.matrix, checker_options);
  const EdgeSet set = draw_edges(checker, world, "medium", options);
  EdgeMethods methods(checker);
  for (const EdgeMethod& method : methods.of_articulated()) {
    const bool ours = method.name == "taylor";
    if (method.mode != "is_free" || (!ours && (cells || method.name != "fcl_discrete_0.05"))) continue;
    std::vector<double> us;
    std::int64_t evaluations = 0, of_self = 0;
    for (const Edge& edge : set.edges) {
      if (edge.hit) continue;
      QueryCounters counters;
      double best = std::numeric_limits<double>::infinity();
      for (int r = 0; r < 3; ++r) best = std::min(best, time_once([&] { method.run(edge, counters); }));
      us.push_back(1e6 * best);
      evaluations += counters.evaluations();
      of_self += counters.self_evaluations;
    }
    const Summary s = summarise(us);
    Row row{{"axis", axis},
            {"value", value},
            {"method", method.name},
            {"median_us", s.median},
            {"mean_us", s.mean},
            {"count", us.size()},
            {"evaluations", static_cast<double>(evaluations) / static_cast<double>(us.size())}};
    if (ours) row.push_back({"self_share", static_cast<double>(of_self) / static_cast<double>(evaluations)});
    if (cells) row.push_back({"proved_apart", checker.proved_apart().size()});
    table.add(std::move(row));
  }
}

/// With no certified cells, with the default, and with a large number for heavily used robots.
void measure_cells(Table& table, const Arguments& arguments) {
  for (const std::string& name : own_scenarios()) {
    if (arguments.quick && name != "arm_clutter" && name != "puma_car") continue;
    if (!arguments.selects("cells_" + name)) continue;
    const World world = load_world(name);
    for (const std::int64_t evaluations : {std::int64_t{0}, CheckerOptions{}.cell_evaluations, std::int64_t{100'000}}) {
      CheckerOptions options;
      options.cell_evaluations = evaluations;
      measure(table, "cells_" + name, static_cast<int>(evaluations), world, arguments, options, true);
    }
  }
}

/// [us] Wall time for one edge of a batch, the least of several runs, which excludes waiting for a busy machine.
void measure_threads(Table& table, const Arguments& arguments) {
  const World world = load_world("arm_clutter");
  const ScenarioOptions options = options_of(arguments);
  const PathChecker checker(world.robot, world.scene, world.matrix, options.checker);
  std::vector<planner_ccd::Edge> edges;
  for (const Edge& e : draw_edges(checker, world, "medium", options).edges) edges.push_back({e.q0, e.q1});
  const std::size_t drawn = edges.size();
  while (edges.size() < static_cast<std::size_t>(arguments.count(20'000, 2'000)))
    edges.push_back(edges[edges.size() - drawn]);
  std::vector<double> us[2];
  for (int r = 0; r < arguments.count(20, 5); ++r) {
    for (const int threads : {1, 2}) {
      BatchOptions batch;
      batch.threads = threads;
      const auto start = std::chrono::steady_clock::now();
      keep(check_edges(checker, edges, batch));
      const std::chrono::duration<double, std::micro> spent = std::chrono::steady_clock::now() - start;
      us[threads - 1].push_back(spent.count() / static_cast<double>(edges.size()));
    }
  }
  for (const int threads : {1, 2}) {
    const std::vector<double>& all = us[threads - 1];
    table.add({{"axis", "threads"},
               {"value", threads},
               {"method", "taylor"},
               {"median_us", median(all)},
               {"least_us", *std::min_element(all.begin(), all.end())},
               {"count", edges.size()}});
  }
}

/// [MB] A line of /proc/self/status: memory in use, or its peak.
double memory(const std::string& key) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind(key + ":", 0) == 0) return std::stod(line.substr(key.size() + 1)) / 1024.0;
  }
  return 0.0;
}

/// A scene file of many boxes: reading it, building a checker, and one edge of the arm, with the peak memory.
void measure_scene(Table& table, int boxes) {
  const World world = load_world("arm_clutter");
  std::string text = "objects:\n";
  const World many = arm_among_boxes(boxes, Crowding::Density);
  for (const SceneObject& object : many.scene.objects) {
    const Eigen::Vector3d p = object.pose.translation();
    const Eigen::Quaterniond r(object.pose.linear());
    std::ostringstream line;
    line << std::setprecision(9) << "- {name: " << object.name << ", box: {size: [0.3, 0.3, 0.3]}, pose: {xyz: ["
         << p.x() << ", " << p.y() << ", " << p.z() << "], quaternion: [" << r.x() << ", " << r.y() << ", " << r.z()
         << ", " << r.w() << "]}}\n";
    text += line.str();
  }
  std::ofstream("/proc/self/clear_refs") << 5;  // resets the peak
  const double before = memory("VmRSS");
  Scene scene;
  const double load = time_once([&] { scene = parse_scene(text, "boxes.yaml", "").value; });
  std::unique_ptr<PathChecker> checker;
  const double build = time_once([&] { checker = std::make_unique<PathChecker>(world.robot, scene, world.matrix); });
  const Eigen::VectorXd q0 = world.robot->neutral();
  const Eigen::VectorXd q1 = q0 + Eigen::VectorXd::Constant(q0.size(), 0.1);
  const double answer = time_once([&] {
    Workspace workspace(*checker);
    keep(checker->first_contact(q0, q1, workspace));
  });
  const double change = time_once([&] {
    for (int i = 0; i < 1000; ++i) scene.objects.move("box" + std::to_string(i), Eigen::Isometry3d::Identity());
  });
  table.add({{"axis", "scene"},
             {"value", boxes},
             {"method", "load, build, answer"},
             {"load_ms", 1e3 * load},
             {"build_ms", 1e3 * build},
             {"answer_ms", 1e3 * answer},
             {"move_us", 1e3 * change},
             {"memory_mb", memory("VmHWM") - before}});
}

/// A prepared arm among boxes. One box at a time moves, until each has moved, is allowed to be touched, or is held for
/// a while: the cost of a new snapshot, and of an edge in it.
void measure_live(Table& table, int boxes, const Arguments& arguments) {
  const World world = arm_among_boxes(boxes, Crowding::Density);
  const PreparedRobot robot(world.robot, world.matrix);
  Scene scene = world.scene;
  using Times = std::vector<double>;  // [us] Of processor time.
  const Times anew = {1e6 * time_once([&] { keep(PathChecker(robot, scene)); })};
  PathChecker checker(robot, scene);
  Workspace workspace(checker);
  const auto timed = [&](const auto& edit) {
    return 1e6 * time_once([&] {
             edit();
             checker = checker.with_scene(scene);
           });
  };
  const EdgeSet set = draw_edges(checker, world, "medium", options_of(arguments));
  const auto add = [&](const std::string& what, Times us) {
    Times edges;
    for (const Edge& edge : set.edges) {
      double best = std::numeric_limits<double>::infinity();
      for (int r = 0; r < 3; ++r) {
        best = std::min(best, time_once([&] { keep(checker.is_free(edge.q0, edge.q1, workspace)); }));
      }
      edges.push_back(1e6 * best);
    }
    std::sort(us.begin(), us.end());
    table.add({{"axis", "live"},
               {"value", boxes},
               {"method", what},
               {"snapshot_us", us[us.size() / 2]},
               {"most_us", us.back()},
               {"edge_us", summarise(edges).median}});
  };
  const auto name = [](int box) { return "box" + std::to_string(box); };
  const auto move = [&](int box) {
    return timed([&] {
      Pose pose = scene.objects.find(name(box))->pose;
      pose.translation().z() += 0.01;
      scene.objects.move(name(box), pose);
    });
  };
  std::mt19937 rng(11);
  std::uniform_int_distribution<int> any(0, boxes - 1);
  const auto move_some = [&] {
    Times us;
    for (int i = 0; i < std::min(1000, boxes); ++i) us.push_back(move(any(rng)));
    return us;
  };
  add("checker made anew", anew);
  add("one box moves", move_some());
  for (int box = 0; box < boxes; ++box) move(box);
  add("all have moved, one moves", move_some());
  const std::string hand = world.robot->links().back().name;
  Times rules, up, down;
  for (int i = 0; i < std::min(100, boxes); ++i) {
    rules.push_back(timed([&] { scene.allow = {{hand, name(i)}}; }));
  }
  scene.allow.clear();
  checker = checker.with_scene(scene);
  add("another may be touched", rules);
  for (int i = 0; i < 10; ++i) {
    const Pose stood = scene.objects.find(name(i))->pose;
    up.push_back(timed([&] { scene.attach(name(i), hand, Pose::Identity(), {}); }));
    down.push_back(timed([&] { scene.detach(name(i), stood); }));
  }
  add("one is taken up", up);
  add("and put down", down);
}

int run(const Arguments& arguments) {
  Table table("growth", arguments);
  int times = 1;
  for (int i = 0; i < 3 && arguments.selects("triangles"); ++i, times *= 4) {
    measure(table, "triangles", times, finer_arm_clutter(i), arguments);
  }
  for (const int boxes : {10, 100, 1000}) {
    if (arguments.selects("obstacles")) {
      measure(table, "obstacles", boxes, arm_among_boxes(boxes, Crowding::Share), arguments);
    }
    if (arguments.selects("room")) {
      measure(table, "room", boxes, arm_among_boxes(boxes, Crowding::Density), arguments);
    }
  }
  for (const int joints : {3, 5, 7, 10, 14, 20}) {
    if (arguments.selects("dof")) measure(table, "dof", joints, chain_among_boxes(joints), arguments);
  }
  measure_cells(table, arguments);
  if (arguments.selects("threads")) measure_threads(table, arguments);
  for (const int boxes : {1'000, 10'000, 100'000}) {
    if (arguments.selects("scene")) measure_scene(table, boxes);
  }
  for (const int boxes : {100, 1'000, 10'000}) {
    if (arguments.selects("live")) measure_live(table, boxes, arguments);
  }
  return table.finish();
}

}  // namespace
}  // namespace planner_ccd::bench

int main(int argc, char** argv) { return planner_ccd::bench::run(planner_ccd::bench::parse_arguments(argc, argv)); }
