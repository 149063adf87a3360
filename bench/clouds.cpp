// Clouds, height fields and changing pictures around the arm of arm_clutter: what they cost to build, to change and to check.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "bench/peers/fcl_octree.hpp"
#include "bench/scenarios/scenario.hpp"
#include "bench/support/arguments.hpp"
#include "bench/support/statistics.hpp"
#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"
#include "planner_ccd/io/octomap_file.hpp"
#include "planner_ccd/query/detail/checker_parts.hpp"
#include "planner_ccd/query/prepared_robot.hpp"
#include "planner_ccd/validation/cloud_filters.hpp"

namespace planner_ccd::bench {
namespace {

constexpr double kRadius = 0.004;  // [m] Of the balls.

/// Points on the flat surfaces of a scene, uniform by area.
class Surfaces {
 public:
  explicit Surfaces(const Scene& scene) {
    for (const SceneObject& object : scene.objects) {
      const SsvTree tree = SsvTree::build(object.geometry, object.name);
      for (int i = 0; i < tree.primitive_count(); ++i) {
        const Primitive p = tree.primitive(i);
        if (p.kind != PrimitiveKind::RoundedTriangle || p.radius > 0.0) continue;
        Triangle t = p.corners;
        for (Eigen::Vector3d& corner : t) corner = object.pose * corner;
        triangles_.push_back(t);
        areas_.push_back((t[1] - t[0]).cross(t[2] - t[0]).norm());
      }
    }
  }
  std::vector<Eigen::Vector3f> sample(int count, std::mt19937& rng) const {
    std::discrete_distribution<std::size_t> choose(areas_.begin(), areas_.end());
    std::uniform_real_distribution<double> share(0.0, 1.0);
    std::vector<Eigen::Vector3f> points;
    for (int i = 0; i < count; ++i) {
      const Triangle& t = triangles_[choose(rng)];
      double u = share(rng), v = share(rng);
      if (u + v > 1.0) u = 1.0 - u, v = 1.0 - v;
      points.push_back((t[0] + u * (t[1] - t[0]) + v * (t[2] - t[0])).cast<float>());
    }
    return points;
  }

 private:
  std::vector<Triangle> triangles_;
  std::vector<double> areas_;
};

SceneObject object_of(const std::string& name, Shape shape) {
  return {name, {{std::move(shape), Pose::Identity(), name}}, Pose::Identity()};
}

CloudPtr cloud_of(const std::vector<Eigen::Vector3f>& points) {
  return std::make_shared<const PointCloud>(points, kRadius, "cloud");
}

/// [us] Of is_free on the edges that are free.
Summary edge_us(const PathChecker& checker, const EdgeSet& set) {
  Workspace workspace(checker);
  std::vector<double> us;
  for (const Edge& edge : set.edges) {
    if (edge.hit) continue;
    bool free = false;
    double best = std::numeric_limits<double>::infinity();
    for (int r = 0; r < 3; ++r) {
      best = std::min(best, time_once([&] { free = checker.is_free(edge.q0, edge.q1, workspace); }));
    }
    if (free) us.push_back(1e6 * best);
  }
  return summarise(us);
}

struct Bench {
  const Arguments& arguments;
  World world = load_world("arm_clutter");
  PreparedRobot robot{world.robot, world.matrix};
  Surfaces surfaces{world.scene};
  EdgeSet edges{};
  Summary among_meshes{};
  std::mt19937 rng{1};

  explicit Bench(const Arguments& given) : arguments(given) {
    ScenarioOptions options;
    options.count = arguments.count(100, 10);
    options.reference_samples = arguments.count(1000, 50);
    const PathChecker checker(robot, world.scene);
    edges = draw_edges(checker, world, "medium", options);
    among_meshes = edge_us(checker, edges);
  }

  void points(Table& table, int count) {
    const std::vector<Eigen::Vector3f> seen = surfaces.sample(count, rng);
    CloudPtr cloud;
    const double sort = time_once([&] { cloud = cloud_of(seen); });
    Scene scene;
    scene.objects.push_back(object_of("seen", cloud));
    std::unique_ptr<PathChecker> checker;
    const double build = time_once([&] { checker = std::make_unique<PathChecker>(robot, scene); });
    const Summary edge = edge_us(*checker, edges);
    table.add({{"what", "points"},
               {"count", count},
               {"cloud_ms", 1e3 * sort},
               {"checker_ms", 1e3 * build},
               {"edge_us", edge.median},
               {"edge_mean_us", edge.mean},
               {"over_meshes", edge.median / among_meshes.median},
               {"over_meshes_mean", edge.mean / among_meshes.mean}});
  }

  /// The scene as an octomap, and FCL's octree on the same map and edges, sampled at 0.05 rad in the order of planners.
  void octree(Table& table, double resolution) {
    std::mt19937 draw(7);  // of this map, whatever else runs
    const MapOfPoints map = map_of_points(surfaces.sample(arguments.count(1'000'000, 100'000), draw), resolution);
    CellsPtr cells;
    const double sort = time_once([&] {
      cells = std::make_shared<const CellMap>(parse_octomap(map.file, {.unknown_is_free = true}, "map").cells,
                                              resolution, "map");
    });
    Scene scene;
    scene.objects.push_back(object_of("map", cells));
    std::unique_ptr<PathChecker> checker;
    const double build = time_once([&] { checker = std::make_unique<PathChecker>(robot, scene); });
    FclWorld fcl(*world.robot, parts_of(*checker).world, fcl_octree(map));
    EdgeMotion motion(*world.robot);
    Workspace workspace(*checker);
    std::vector<double> ours[2], fcls[2];
    int missed = 0;
    for (const Edge& edge : edges.edges) {
      bool free = false, sampled_free = false;
      double us = std::numeric_limits<double>::infinity(), fcl_us = us;
      for (int r = 0; r < 3; ++r) {
        us = std::min(us, time_once([&] { free = checker->is_free(edge.q0, edge.q1, workspace); }));
        fcl_us = std::min(fcl_us, time_once([&] {
                            motion.set_linear(edge.q0, edge.q1, AnglePolicy::Literal);
                            sampled_free = !discrete_bisection(fcl, motion, (edge.q1 - edge.q0).norm(), 0.05).hit;
                          }));
      }
      if (free && !sampled_free) throw std::logic_error("FCL's octree is hit by a motion that was proved free");
      missed += !free && sampled_free;
      ours[!free].push_back(1e6 * us);
      fcls[!free].push_back(1e6 * fcl_us);
    }
    for (const bool hit : {false, true}) {
      if (ours[hit].empty()) continue;
      const Summary us = summarise(ours[hit]), fcl_us = summarise(fcls[hit]);
      table.add({{"what", hit ? "octree, hits" : "octree, free"},
                 {"count", cells->size()},
                 {"resolution", resolution},
                 {"cloud_ms", 1e3 * sort},
                 {"checker_ms", 1e3 * build},
                 {"edges", static_cast<int>(ours[hit].size())},
                 {"edge_us", us.median},
                 {"edge_mean_us", us.mean},
                 {"fcl_us", fcl_us.median},
                 {"fcl_mean_us", fcl_us.mean},
                 {"speedup", fcl_us.median / us.median},
                 {"speedup_mean", fcl_us.mean / us.mean},
                 {"fcl_missed", hit ? missed : 0}});
    }
  }

  /// Columns over the scene's extent, at the height of the highest point seen there.
  void height_field(Table& table, int side) {
    constexpr double kWidth = 2.0;  // [m]
    const double pixel = kWidth / side;
    std::vector<double> heights(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0.0);
    for (const Eigen::Vector3f& p : surfaces.sample(20 * side * side, rng)) {
      const int x = static_cast<int>((p.x() + 0.5 * kWidth) / pixel),
                y = static_cast<int>((p.y() + 0.5 * kWidth) / pixel);
      if (x < 0 || y < 0 || x >= side || y >= side) continue;
      double& h = heights[static_cast<std::size_t>(y * side + x)];
      h = std::max(h, static_cast<double>(p.z()));
    }
    CellsPtr cells;
    const double sort = time_once([&] {
      cells = std::make_shared<const CellMap>(
          make_height_field(heights, static_cast<std::size_t>(side), {.pixel = pixel, .floor = -0.5}, "field"),
          "field");
    });
    SceneObject object = object_of("field", cells);
    object.pose.translation() = Eigen::Vector3d(-0.5 * kWidth, -0.5 * kWidth, 0.0);
    Scene scene;
    scene.objects.push_back(object);
    std::unique_ptr<PathChecker> checker;
    const double build = time_once([&] { checker = std::make_unique<PathChecker>(robot, scene); });
    table.add({{"what", "columns"},
               {"count", cells->size()},
               {"cloud_ms", 1e3 * sort},
               {"checker_ms", 1e3 * build},
               {"edge_us", edge_us(*checker, edges).median}});
  }

  /// Pictures of 20,000 points, the last ten of which are kept, an object each.
  void frames(Table& table) {
    constexpr int kPoints = 20'000, kKept = 10;
    const RobotFilter filter(world.robot);
    const JointVector q = world.robot->neutral();
    Scene scene;
    PathChecker checker(robot, scene);
    std::vector<double> ms, edge, filter_ms, region_ms;
    const int count = arguments.count(60, 12);
    Workspace workspace(checker);
    for (int i = 0; i < count; ++i) {
      const std::vector<Eigen::Vector3f> seen = surfaces.sample(kPoints, rng);
      const std::string name = "frame" + std::to_string(i % kKept);
      CloudPtr cloud;
      double spent = time_once([&] { cloud = cloud_of(seen); });
      const double filtering = time_once([&] { cloud = filter.drop_robot(cloud, Pose::Identity(), q, 0.02).cloud; });
      const Edge& moves = edges.edges[static_cast<std::size_t>(i) % edges.edges.size()];
      spent += time_once([&] {
        if (scene.objects.find(name) == nullptr) {
          scene.objects.push_back(object_of(name, cloud));
        } else {
          scene.objects.replace(object_of(name, cloud));
        }
        checker = checker.with_scene(scene);
        keep(checker.is_free(moves.q0, moves.q1, workspace));  // builds what was left for later
      });
      const double clearing = time_once([&] {
        keep(drop_region(cloud, Pose::Identity(), Eigen::Vector3d(0.2, -0.2, 0.0), Eigen::Vector3d(0.6, 0.2, 0.5)));
      });
      if (i < kKept) continue;
      ms.push_back(1e3 * spent);
      filter_ms.push_back(1e3 * filtering);
      region_ms.push_back(1e3 * clearing);
    }
    table.add({{"what", "frames"},
               {"count", kPoints},
               {"frame_ms", median(ms)},
               {"most_ms", *std::max_element(ms.begin(), ms.end())},
               {"filter_ms", median(filter_ms)},
               {"region_ms", median(region_ms)},
               {"edge_us", edge_us(checker, edges).median}});
  }
};

int run(const Arguments& arguments) {
  Table table("clouds", arguments);
  Bench bench(arguments);
  for (const int count : {20'000, 100'000, 1'000'000}) {
    if (arguments.selects("points") && (!arguments.quick || count < 1'000'000)) bench.points(table, count);
  }
  for (const double resolution : {0.02, 0.01}) {
    if (arguments.selects("octree") && (!arguments.quick || resolution > 0.01)) bench.octree(table, resolution);
  }
  if (arguments.selects("columns")) bench.height_field(table, arguments.quick ? 100 : 500);
  if (arguments.selects("frames")) bench.frames(table);
  return table.finish();
}

}  // namespace
}  // namespace planner_ccd::bench

int main(int argc, char** argv) { return planner_ccd::bench::run(planner_ccd::bench::parse_arguments(argc, argv)); }
