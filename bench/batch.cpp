// Many edges at once: threads, fans, and roadmaps in changing scenes.
#include <chrono>
#include <memory>

#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/planner_ccd.hpp"

namespace {

using namespace planner_ccd;
using namespace planner_ccd::bench;

const std::string kRoot = PLANNER_CCD_SOURCE_DIR;

struct World {
  std::string name;
  std::shared_ptr<const RobotModel> robot;
  CollisionMatrix matrix;
  Scene scene;
};

World load(const std::string& name, const std::string& robot, const std::string& scene) {
  World w;
  w.name = name;
  w.robot = std::make_shared<const RobotModel>(load_urdf(kRoot + "/urdf/" + robot + ".urdf").value);
  w.matrix = build_collision_matrix(*w.robot, load_srdf(kRoot + "/urdf/" + robot + ".srdf", *w.robot).value);
  w.scene = load_scene(kRoot + "/models/scenes/" + scene + ".yaml").value;
  return w;
}

/// Uniform in [0, 1); the same on every machine.
class Random {
 public:
  double unit() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 1;
};

/// Edges of about a radian per joint between configurations free of contact, as in a roadmap.
std::vector<planner_ccd::Edge> draw_edges(const World& world, const PathChecker& checker, int count) {
  Random random;
  Workspace workspace(checker);
  std::vector<planner_ccd::Edge> edges;
  const auto& coordinates = world.robot->coordinates();
  while (static_cast<int>(edges.size()) < count) {
    Eigen::VectorXd q0(world.robot->dof()), q1(world.robot->dof());
    for (int k = 0; k < q0.size(); ++k) {
      const Coordinate& c = coordinates[static_cast<std::size_t>(k)];
      q0[k] = c.lower + (c.upper - c.lower) * random.unit();
      q1[k] = std::clamp(q0[k] + 2.0 * random.unit() - 1.0, c.lower, c.upper);
    }
    if (!checker.in_contact(q0, workspace) && !checker.in_contact(q1, workspace)) edges.push_back({q0, q1});
  }
  return edges;
}

double wall_ms(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void bench_threads(const World& world, const Arguments& arguments, Table& table) {
  const PathChecker checker(world.robot, world.scene, world.matrix);
  const auto edges = draw_edges(world, checker, arguments.count(4000, 1000));
  double best[2] = {1e300, 1e300};
  // In turns, and the best of each: other processes slow both down.
  for (int repetition = 0; repetition < arguments.count(15, 5); ++repetition) {
    for (const int threads : {1, 2}) {
      BatchOptions options;
      options.threads = threads;
      const double ms = wall_ms([&] { keep(check_edges(checker, edges, options)); });
      best[threads - 1] = std::min(best[threads - 1], ms);
    }
  }
  for (const int threads : {1, 2}) {
    const double ms = best[threads - 1];
    table.add({{"case", "threads"},
               {"world", world.name},
               {"method", std::to_string(threads) + (threads == 1 ? " thread" : " threads")},
               {"edges", edges.size()},
               {"us_per_edge", 1e3 * ms / static_cast<double>(edges.size())},
               {"speedup", best[0] / ms}});
  }
}

void bench_fan(const World& world, const Arguments& arguments, Table& table) {
  const PathChecker checker(world.robot, world.scene, world.matrix);
  const auto edges = draw_edges(world, checker, arguments.count(1000, 200));
  BatchOptions options;
  options.threads = 1;
  for (const bool contact : {false, true}) {
    Eigen::VectorXd start = edges[0].q0;
    if (contact) {
      const BatchResult found = check_edges(checker, edges, options);
      for (const EdgeResult& e : found.edges) {
        if (e.contact && e.contact->distance == 0.0) start = e.contact->q;
      }
      Workspace workspace(checker);
      for (const EdgeResult& e : found.edges) {
        if (e.contact && checker.in_contact(e.contact->q, workspace)) start = e.contact->q;
      }
    }
    std::vector<planner_ccd::Edge> one_by_one;
    std::vector<JointVector> ends;
    for (const auto& e : edges) {
      one_by_one.push_back({start, e.q1});
      ends.push_back(e.q1);
    }
    const double edges_s = time_once([&] { keep(check_edges(checker, one_by_one, options)); });
    const double fan_s = time_once([&] { keep(check_fan(checker, start, ends, options)); });
    const auto count = static_cast<double>(edges.size());
    table.add({{"case", "fan"},
               {"world", world.name},
               {"method", contact ? "start in contact" : "start free"},
               {"edges", edges.size()},
               {"us_per_edge", 1e6 * fan_s / count},
               {"speedup", edges_s / fan_s}});
  }
}

Eigen::Isometry3d shifted(Eigen::Isometry3d pose, double x, double y) {
  pose.translation() += Eigen::Vector3d(x, y, 0.0);
  return pose;
}

/// One change after the other; each is compared with a new checker that checks every edge.
void bench_roadmap(const World& world, const Arguments& arguments, Table& table) {
  RoadmapOptions options;
  options.threads = 1;
  Roadmap roadmap(world.robot, world.scene, world.matrix, options);
  const auto edges = draw_edges(world, roadmap.checker(), arguments.count(4000, 500));
  const double add_s = time_once([&] { roadmap.add(edges); });
  table.add({{"case", "roadmap"},
             {"world", world.name},
             {"method", "add all edges"},
             {"edges", edges.size()},
             {"us_per_edge", 1e6 * add_s / static_cast<double>(edges.size())}});
  Scene scene = world.scene;
  const auto step = [&](const std::string& what) {
    RoadmapUpdate update;
    const double update_s = time_once([&] { update = roadmap.change_scene(scene); });
    std::size_t wrong = 0;
    const double full_s = time_once([&] {
      const PathChecker fresh(world.robot, scene, world.matrix);
      BatchOptions batch;
      batch.threads = 1;
      const BatchResult all = check_edges(fresh, edges, batch);
      for (std::size_t i = 0; i < edges.size(); ++i) wrong += all.edges[i].verdict != roadmap.verdict(i) ? 1 : 0;
    });
    table.add({{"case", "roadmap"},
               {"world", world.name},
               {"method", what},
               {"edges", edges.size()},
               {"us_per_edge", 1e6 * update_s / static_cast<double>(edges.size())},
               {"speedup", full_s / update_s},
               {"asked_again", update.checked},
               {"turned", update.turned.size()},
               {"differs", wrong}});
  };
  const std::string first = scene.objects.front().name;
  const auto shift = [&](const std::string& name, double x, double y) {
    scene.objects.move(name, shifted(scene.objects.find(name)->pose, x, y));
  };
  scene.objects.push_back({"parcel",
                           {{Box{{0.2, 0.2, 0.2}}, Eigen::Isometry3d::Identity(), "box"}},
                           Eigen::Isometry3d(Eigen::Translation3d(0.5, -0.4, 0.4))});
  step("a box is added");
  shift("parcel", 0.01, 0.0);
  step("it moves by 1 cm");
  shift("parcel", 0.0, 0.3);
  step("it moves by 30 cm");
  scene.objects.erase("parcel");
  step("it is removed");
  shift(first, 0.0, 0.005);
  step(first + " moves by 5 mm");
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  Table table("batch", arguments);
  for (const World& world : {load("puma_car", "puma", "puma_car"), load("arm_clutter", "arm7", "arm_clutter")}) {
    if (arguments.selects("threads")) bench_threads(world, arguments, table);
    if (arguments.selects("fan")) bench_fan(world, arguments, table);
    if (arguments.selects("roadmap")) bench_roadmap(world, arguments, table);
  }
  return table.finish();
}
