#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>

#include "bench/scenarios/reference.hpp"
#include "bench/scenarios/scenario.hpp"
#include "planner_ccd/query/prepared_robot.hpp"

namespace planner_ccd::bench {
namespace {

/// Joint-norm lengths of the sets; 0: all the way to another configuration.
constexpr std::pair<const char*, double> kSets[] = {{"short", 0.1}, {"medium", 1.0}, {"long", 0.0}};

constexpr double kPi = 3.14159265358979323846;

/// With given start poses, joints that carry the whole robot move at most this far from them.
constexpr double kRootReach = 0.3;

class Draw {
 public:
  Draw(const PathChecker& checker, const World& world) : robot_(&checker.robot()), world_(&world) {}

  Eigen::VectorXd start() {
    if (world_->poses.empty()) return configuration(nullptr);
    return world_->poses[std::uniform_int_distribution<std::size_t>(0, world_->poses.size() - 1)(rng_)];
  }
  Eigen::VectorXd end(const Eigen::VectorXd& q0, double length) {
    const Eigen::VectorXd q1 = configuration(world_->poses.empty() ? nullptr : &q0);
    return length > 0.0 ? Eigen::VectorXd(q0 + length * (q1 - q0).normalized()) : q1;
  }

 private:
  const RobotModel* robot_;
  const World* world_;
  std::mt19937 rng_{2026};

  Eigen::VectorXd configuration(const Eigen::VectorXd* near) {
    Eigen::VectorXd q(robot_->dof());
    for (int i = 0; i < q.size(); ++i) {
      const Coordinate& c = robot_->coordinates()[i];
      double lower = std::max(c.lower, -kPi), upper = std::min(c.upper, kPi);
      if (near != nullptr && (c.upper - c.lower >= 2.0 * kPi - 1e-5 || c.name.rfind("root", 0) == 0)) {
        lower = (*near)[i] - kRootReach, upper = (*near)[i] + kRootReach;
      }
      q[i] = std::uniform_real_distribution<double>(lower, upper)(rng_);
    }
    return q;
  }
};

/// Every k-th edge of the motion that starts free, with its truth.
EdgeSet motion_edges(const PathChecker& checker, const World& world, const ScenarioOptions& options) {
  Workspace workspace(checker);
  Reference reference(checker, options);
  EdgeSet set{"paper", {}, 0};
  const std::size_t stride =
      std::max<std::size_t>(1, world.motion.size() / static_cast<std::size_t>(options.motion_count));
  for (std::size_t i = 0; i < world.motion.size(); i += stride) {
    Edge edge = world.motion[i];
    if (checker.in_contact(edge.q0, workspace)) continue;
    const Truth truth = reference.about(edge);
    edge.hit = truth == Truth::Hit;
    set.left_out += truth == Truth::WithinTolerance;
    if (truth != Truth::WithinTolerance) set.edges.push_back(std::move(edge));
  }
  // Methods that run only part of the set take its beginning, which should not be one part of the motion.
  std::mt19937 rng(1);
  for (std::size_t i = set.edges.size(); i > 1; --i) std::swap(set.edges[i - 1], set.edges[rng() % i]);
  return set;
}

}  // namespace

EdgeSet draw_edges(const PathChecker& checker, const World& world, const std::string& name,
                   const ScenarioOptions& options) {
  double length = 0.0;
  for (const auto& [set, set_length] : kSets) {
    if (name == set) length = set_length;
  }
  Draw draw(checker, world);
  Workspace workspace(checker);
  Reference reference(checker, options);
  EdgeSet set{name, {}, 0};
  int free = 0, hits = 0;
  for (int tries = 0; (free < options.count || hits < options.count) && tries < 100 * options.count; ++tries) {
    Edge edge;
    edge.q0 = draw.start();
    edge.q1 = draw.end(edge.q0, length);
    if (checker.in_contact(edge.q0, workspace)) continue;
    // Our verdict decides which edges are still needed; the truth comes from the reference.
    const bool wanted = checker.is_free(edge.q0, edge.q1, workspace) ? free < options.count : hits < options.count;
    if (!wanted) continue;
    const Truth truth = reference.about(edge);
    set.left_out += truth == Truth::WithinTolerance;
    if (truth == Truth::WithinTolerance) continue;
    edge.hit = truth == Truth::Hit;
    ++(edge.hit ? hits : free);
    set.edges.push_back(std::move(edge));
  }
  return set;
}

Scenario load_scenario(const std::string& name, const ScenarioOptions& options) {
  const World world = load_world(name);
  Scenario scenario;
  scenario.name = name;
  if (world.robot == nullptr) return scenario;
  scenario.checker = std::make_unique<PathChecker>(world.robot, world.scene, world.matrix, options.checker);
  if (options.prepared_evaluations > 0) {
    const auto start = std::chrono::steady_clock::now();
    const PreparedRobot prepared(world.robot, world.matrix, {options.checker.margin, options.prepared_evaluations});
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::fprintf(stderr, "%s: prepared in %.2f s, %.0f KiB of proofs\n", name.c_str(), took.count(),
                 static_cast<double>(prepared.cell_memory()) / 1024.0);
    scenario.prepared = std::make_unique<PathChecker>(prepared, world.scene, options.checker);
  }
  for (const auto& [set, length] : kSets) {
    scenario.sets.push_back(draw_edges(*scenario.checker, world, set, options));
  }
  if (!world.motion.empty()) scenario.sets.push_back(motion_edges(*scenario.checker, world, options));
  return scenario;
}

}  // namespace planner_ccd::bench
