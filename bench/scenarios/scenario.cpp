#include "bench/scenarios/scenario.hpp"

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <random>

#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::bench {
namespace {

struct Files {
  const char* name;
  const char* urdf;
  const char* srdf;
  const char* scene;
  bool shared_data;  ///< Paths are below the shared data, not the source tree.
};

constexpr Files kFiles[] = {
    {"puma_car", "urdf/puma.urdf", "urdf/puma.srdf", "models/scenes/puma_car.yaml", false},
    {"arm_clutter", "urdf/arm7.urdf", "urdf/arm7.srdf", "models/scenes/arm_clutter.yaml", false},
    {"panda_clutter", "robots/panda/panda_collision_only.urdf", "robots/panda/panda.srdf", "", true},
    {"ur5_clutter", "robots/ur5/ur5_collision_coarse.urdf", "robots/ur5/ur5.srdf", "", true},
};

/// A planner's robot asks many edges: cells for 30 ms a pair pay.
constexpr std::int64_t kCellEvaluations = 100'000;

std::string shared_data() {
  if (const char* set = std::getenv("PLANNER_CCD_DATA")) return set;
  return std::string(PLANNER_CCD_SOURCE_DIR) + "/../shared/data";
}

/// Joint-norm lengths of the sets; 0 stands for random to random.
constexpr std::pair<const char*, double> kSets[] = {{"short", 0.1}, {"medium", 1.0}, {"long", 0.0}};

EdgeSet draw_edges(const PathChecker& checker, const std::string& name, double length, int count, std::mt19937& rng) {
  Workspace workspace(checker);
  const RobotModel& robot = checker.robot();
  const auto configuration = [&] {
    Eigen::VectorXd q(robot.dof());
    for (int i = 0; i < q.size(); ++i) {
      const Coordinate& c = robot.coordinates()[i];
      const double lo = std::max(c.lower, -3.14159);
      const double hi = std::min(c.upper, 3.14159);
      q[i] = std::uniform_real_distribution<double>(lo, hi)(rng);
    }
    return q;
  };
  EdgeSet set{name, {}};
  int free = 0, hits = 0;
  for (int tries = 0; (free < count || hits < count) && tries < 400 * count; ++tries) {
    Edge edge{configuration(), configuration(), false};
    if (checker.in_contact(edge.q0, workspace)) continue;
    if (length > 0.0) edge.q1 = edge.q0 + length * (edge.q1 - edge.q0).normalized();
    edge.hit = !checker.is_free(edge.q0, edge.q1, workspace);
    int& have = edge.hit ? hits : free;
    if (have >= count) continue;
    ++have;
    set.edges.push_back(std::move(edge));
  }
  return set;
}

}  // namespace

std::vector<std::string> edge_scenarios() {
  std::vector<std::string> names;
  for (const Files& f : kFiles) names.emplace_back(f.name);
  return names;
}

Scenario load_scenario(const std::string& name, int count) {
  Scenario scenario{name, nullptr, {}};
  for (const Files& f : kFiles) {
    if (name != f.name) continue;
    const std::string base = f.shared_data ? shared_data() : PLANNER_CCD_SOURCE_DIR;
    const std::string urdf = base + "/" + f.urdf;
    if (!std::filesystem::exists(urdf)) {
      std::cerr << name << ": skipped, " << urdf << " is not there\n";
      return scenario;
    }
    auto robot = std::make_shared<const RobotModel>(load_urdf(urdf).value);
    const Srdf srdf = load_srdf(base + "/" + f.srdf, *robot).value;
    // Real robots stand in the clutter scene of our own arm.
    const std::string scene =
        *f.scene ? base + "/" + f.scene : PLANNER_CCD_SOURCE_DIR "/models/scenes/arm_clutter.yaml";
    scenario.checker =
        std::make_unique<PathChecker>(robot, load_scene(scene).value, build_collision_matrix(*robot, srdf),
                                      CheckerOptions{.cell_evaluations = kCellEvaluations});
    std::mt19937 rng(2026);
    for (const auto& [set, length] : kSets) {
      scenario.sets.push_back(draw_edges(*scenario.checker, set, length, count, rng));
    }
  }
  return scenario;
}

}  // namespace planner_ccd::bench
