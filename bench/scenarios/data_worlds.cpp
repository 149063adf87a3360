#include "bench/scenarios/data_worlds.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "planner_ccd/io/collision_rules.hpp"
#include "planner_ccd/io/mesh_file.hpp"
#include "planner_ccd/io/scene_file.hpp"
#include "planner_ccd/io/srdf.hpp"
#include "planner_ccd/io/urdf.hpp"

namespace planner_ccd::bench {
namespace {

using nlohmann::json;

enum class Kind { Clutter, AllPairs, Problem, Recorded };

struct DataFiles {
  const char* name;
  Kind kind;
  const char* robot;  ///< Clutter, AllPairs, Problem: robots/<robot>/; Recorded: the file of paths/
};

constexpr DataFiles kData[] = {
    {"panda_clutter", Kind::Clutter, "panda"},
    {"ur5_clutter", Kind::Clutter, "ur5"},
    {"panda_all_pairs", Kind::AllPairs, "panda"},
    {"ur5_all_pairs", Kind::AllPairs, "ur5"},
    {"panda_mbm", Kind::Problem, "panda"},
    {"ur5_mbm", Kind::Problem, "ur5"},
    {"ur5_cubicles", Kind::Recorded, "ur5_coarse_cubicles"},
    {"allegro_grasp", Kind::Recorded, "allegro_grasp_sphere"},
    {"human_walk", Kind::Recorded, "human_walk_on_chessboard"},
};

json read(const std::string& file) {
  std::ifstream in(file);
  return json::parse(in);
}

std::vector<double> numbers(const json& values) { return values.get<std::vector<double>>(); }

Eigen::Isometry3d pose_of(const json& description) {
  const auto p = numbers(description.at("xyz")), r = numbers(description.at("quat_xyzw"));
  Eigen::Isometry3d X = Eigen::Isometry3d::Identity();
  X.linear() = Eigen::Quaterniond(r[3], r[0], r[1], r[2]).normalized().toRotationMatrix();
  X.translation() = Eigen::Vector3d(p[0], p[1], p[2]);
  return X;
}

/// Inscribed prism of 32 sides: FCL and we check the same triangles.
Shape prism(double radius, double height) {
  ConvexHull hull;
  for (int i = 0; i < 32; ++i) {
    const double angle = 2.0 * 3.14159265358979323846 * i / 32.0;
    for (const double z : {-0.5 * height, 0.5 * height}) {
      hull.points.emplace_back(radius * std::cos(angle), radius * std::sin(angle), z);
    }
  }
  return hull;
}

/// With the rules of its SRDF, or with all pairs of links except neighbours.
void load_robot(const std::string& folder, bool all_pairs, World& world) {
  const std::string name = folder.substr(folder.rfind('/') + 1);
  const char* urdf = name == "ur5" ? "/ur5_collision_coarse.urdf" : "/panda_collision_only.urdf";
  world.robot = std::make_shared<const RobotModel>(load_urdf(folder + urdf).value);
  if (all_pairs) {
    world.matrix = build_collision_matrix(*world.robot);
    return;
  }
  world.matrix = build_collision_matrix(*world.robot, load_srdf(folder + "/" + name + ".srdf", *world.robot).value);
}

/// A MotionBenchMaker problem: the first "cage". The robot's base may stand in it, as in the data.
void load_problem(const std::string& folder, World& world) {
  const json problem = read(folder + "/problems.json").at("problems").at("cage").at(0);
  for (const json& o : problem.at("objects")) {
    SceneObject object;
    object.name = o.at("id").get<std::string>();
    object.pose = pose_of(o);
    Geometry g;
    if (o.at("type") == "box") {
      const auto s = numbers(o.at("size"));
      g.shape = Box{{s[0], s[1], s[2]}};
    } else {
      g.shape = prism(o.at("radius").get<double>(), o.at("height").get<double>());
    }
    object.geometry.push_back(std::move(g));
    world.scene.objects.push_back(std::move(object));
  }
}

/// A file of paths/: robot, environment and edges, or waypoints. Links are checked against the environment alone, as in
/// the recorded reference: these robots have no rules for their own links.
void load_recorded(const std::string& data, const std::string& file, World& world) {
  const json paths = read(data + "/paths/" + file + ".json");
  UrdfOptions options;
  options.resources.package_paths = {data + "/" + paths.at("package_search_dir").get<std::string>()};
  world.robot = std::make_shared<const RobotModel>(
      load_urdf(data + "/" + paths.at("robot_urdf").get<std::string>(), options).value);
  for (const json& e : paths.at("environment")) {
    const auto s = numbers(e.at("scale"));
    SceneObject object;
    object.name = "environment" + std::to_string(world.scene.objects.size());
    object.pose = pose_of(e);
    Geometry g;
    g.shape = load_mesh(data + "/" + e.at("mesh").get<std::string>(), {s[0], s[1], s[2]});
    object.geometry.push_back(std::move(g));
    world.scene.objects.push_back(std::move(object));
  }
  for (const Link& a : world.robot->links()) {
    for (const Link& b : world.robot->links()) {
      if (&a < &b) world.matrix.exclude(a.name, b.name, ExclusionReason::User);
    }
  }
  std::vector<int> order;
  for (const json& joint : paths.at("joints")) order.push_back(world.robot->find_coordinate(joint.get<std::string>()));
  const auto configuration = [&](const json& values) {
    Eigen::VectorXd q = world.robot->neutral();
    for (std::size_t i = 0; i < order.size(); ++i) q[order[i]] = values.at(i).get<double>();
    return q;
  };
  if (paths.contains("paths")) {
    for (const json& p : paths.at("paths")) {
      world.motion.push_back({configuration(p.at("q0")), configuration(p.at("q1")), false});
    }
  } else {
    const json& w = paths.at("waypoints");
    for (std::size_t i = 1; i < w.size(); ++i) {
      world.motion.push_back({configuration(w.at(i - 1)), configuration(w.at(i)), false});
    }
  }
  for (const Edge& edge : world.motion) world.poses.push_back(edge.q0);
}

}  // namespace

std::vector<std::string> data_scenarios() {
  std::vector<std::string> names;
  for (const DataFiles& f : kData) names.emplace_back(f.name);
  return names;
}

World data_world(const std::string& name, const std::string& data) {
  World world;
  for (const DataFiles& f : kData) {
    if (name != f.name) continue;
    if (f.kind == Kind::Recorded) {
      load_recorded(data, f.robot, world);
      continue;
    }
    load_robot(data + "/robots/" + f.robot, f.kind == Kind::AllPairs, world);
    if (f.kind == Kind::Problem) {
      load_problem(data + "/problems/mbm/" + f.robot, world);
    } else {  // a real robot in the clutter scene of our own arm
      world.scene = load_scene(PLANNER_CCD_SOURCE_DIR "/models/scenes/arm_clutter.yaml").value;
    }
  }
  return world;
}

}  // namespace planner_ccd::bench
