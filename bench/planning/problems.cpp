#include "bench/planning/problems.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"
#include "planner_ccd/query/path_checker.hpp"

namespace planner_ccd::bench {
namespace {

using nlohmann::json;

struct Own {
  const char *scenario, *robot, *scene;
};
constexpr Own kOwn[] = {{"puma_car", "puma", "puma_car"}, {"arm_clutter", "arm7", "arm_clutter"}};

struct Recorded {
  const char *scenario, *folder, *urdf, *srdf;
};
constexpr Recorded kRecorded[] = {
    {"panda_mbm", "panda", "robots/panda/panda_collision_only.urdf", "robots/panda/panda.srdf"},
    {"ur5_mbm", "ur5", "robots/ur5/ur5_collision_coarse.urdf", "robots/ur5/ur5.srdf"},
};

std::string shared_data() {
  if (const char* set = std::getenv("PLANNER_CCD_DATA")) return set;
  return std::string(PLANNER_CCD_SOURCE_DIR) + "/../shared/data";
}

std::vector<PlanningProblem> own_problems(const Own& own, int count) {
  const std::string source = PLANNER_CCD_SOURCE_DIR;
  PlanningProblem problem;
  problem.scenario = own.scenario;
  problem.spec = load_urdf(source + "/urdf/" + own.robot + std::string(".urdf")).value;
  problem.robot = std::make_shared<const RobotModel>(problem.spec);
  problem.matrix = build_collision_matrix(
      *problem.robot, load_srdf(source + "/urdf/" + own.robot + std::string(".srdf"), *problem.robot).value);
  problem.scene = load_scene(source + "/models/scenes/" + own.scene + std::string(".yaml")).value;
  CheckerOptions options;
  options.cell_evaluations = 0;
  const PathChecker checker(problem.robot, problem.scene, problem.matrix, options);
  Workspace workspace(checker);
  std::mt19937 rng(2026);
  const auto configuration = [&] {
    JointVector q(problem.robot->dof());
    do {
      for (int i = 0; i < q.size(); ++i) {
        const Coordinate& c = problem.robot->coordinates()[i];
        q[i] = std::uniform_real_distribution<double>(std::max(c.lower, -std::numbers::pi),
                                                      std::min(c.upper, std::numbers::pi))(rng);
      }
    } while (checker.in_contact(q, workspace));
    return q;
  };
  std::vector<PlanningProblem> problems;
  while (static_cast<int>(problems.size()) < count) {
    problem.start = configuration();
    problem.goal = configuration();
    if (!checker.is_free(problem.start, problem.goal, workspace)) problems.push_back(problem);
  }
  return problems;
}

/// The prism inscribed in a cylinder, so that both sides check exactly the same triangles.
Geometry prism(double radius, double height) {
  constexpr int kSides = 32;
  auto mesh = std::make_shared<TriangleMesh>();
  for (const double z : {-0.5 * height, 0.5 * height}) {
    for (int i = 0; i < kSides; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kSides;
      mesh->vertices.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
  }
  for (int i = 0; i < kSides; ++i) {
    const int next = (i + 1) % kSides;
    mesh->triangles.emplace_back(i, next, kSides + i);
    mesh->triangles.emplace_back(next, kSides + next, kSides + i);
    if (i == 0 || next == 0) continue;
    mesh->triangles.emplace_back(0, next, i);
    mesh->triangles.emplace_back(kSides, kSides + i, kSides + next);
  }
  return {MeshPtr(std::move(mesh)), Eigen::Isometry3d::Identity(), "cylinder"};
}

SceneObject object_of(const json& o) {
  SceneObject object;
  object.name = o["id"];
  const auto p = o["xyz"].get<std::vector<double>>(), r = o["quat_xyzw"].get<std::vector<double>>();
  object.pose.linear() = Eigen::Quaterniond(r[3], r[0], r[1], r[2]).normalized().toRotationMatrix();
  object.pose.translation() = Eigen::Vector3d(p[0], p[1], p[2]);
  if (o["type"] == "box") {
    const auto size = o["size"].get<std::vector<double>>();
    object.geometry.push_back({Box{{size[0], size[1], size[2]}}, Eigen::Isometry3d::Identity(), "box"});
  } else {
    object.geometry.push_back(prism(o["radius"], o["height"]));
  }
  return object;
}

JointVector configuration_of(const json& joints, const RobotModel& robot, JointVector base) {
  for (const auto& [name, value] : joints.items()) {
    const int i = robot.find_coordinate(name);
    if (i >= 0) base[i] = value;
  }
  return base;
}

std::vector<PlanningProblem> recorded_problems(const Recorded& recorded, int count) {
  const std::string data = shared_data(), file = data + "/problems/mbm/" + recorded.folder + "/problems.json";
  if (!std::filesystem::exists(file)) {
    std::cerr << recorded.scenario << ": skipped, " << file << " is not there\n";
    return {};
  }
  std::ifstream stream(file);
  const json all = json::parse(stream);
  PlanningProblem problem;
  problem.scenario = recorded.scenario;
  problem.spec = load_urdf(data + "/" + recorded.urdf).value;
  problem.robot = std::make_shared<const RobotModel>(problem.spec);
  problem.matrix = build_collision_matrix(*problem.robot, load_srdf(data + "/" + recorded.srdf, *problem.robot).value);
  for (const json& pair : all["allowed_collision_pairs"]) {
    const std::string a = pair[0], b = pair[1];  // some pairs name a link that the robot does not have (UR5: box_link)
    if (problem.robot->find_link(a) < 0 || problem.robot->find_link(b) < 0) continue;
    problem.matrix.exclude(a, b, ExclusionReason::User, "recorded with the problems");
  }
  const int classes = static_cast<int>(all["problems"].size());
  std::vector<PlanningProblem> problems;
  for (const auto& [name, list] : all["problems"].items()) {
    const int wanted = (count + classes - 1) / classes;
    for (int i = 0; i < std::min(wanted, static_cast<int>(list.size())); ++i) {
      const json& recorded_problem = list[static_cast<std::size_t>(i)];
      problem.scene = {};
      for (const json& o : recorded_problem["objects"]) problem.scene.objects.push_back(object_of(o));
      problem.start = configuration_of(recorded_problem["start"], *problem.robot, problem.robot->neutral());
      problem.goal = configuration_of(recorded_problem["goal"], *problem.robot, problem.start);
      problems.push_back(problem);
    }
  }
  return problems;
}

}  // namespace

std::vector<std::string> planning_scenarios() {
  std::vector<std::string> names;
  for (const Own& own : kOwn) names.emplace_back(own.scenario);
  for (const Recorded& recorded : kRecorded) names.emplace_back(recorded.scenario);
  return names;
}

std::vector<PlanningProblem> planning_problems(const std::string& scenario, int count) {
  for (const Own& own : kOwn) {
    if (scenario == own.scenario) return own_problems(own, count);
  }
  for (const Recorded& recorded : kRecorded) {
    if (scenario == recorded.scenario) return recorded_problems(recorded, count);
  }
  return {};
}

}  // namespace planner_ccd::bench
