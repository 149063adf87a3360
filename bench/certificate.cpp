// Proofs that can be handed over: what it costs to find a motion free, to write that down, and to check what was written.
#include <algorithm>
#include <cstdio>
#include <random>
#include <sstream>

#include "bench/scenarios/scenario.hpp"
#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/certificate/certificate.hpp"
#include "planner_ccd/certificate/verifier/verify.hpp"

namespace planner_ccd::bench {
namespace {

/// The edges of the world's motion that are free, or so many between random configurations.
Trajectory free_motion(const World& world, const PathChecker& checker, int count) {
  std::vector<Edge> edges = world.motion;
  std::mt19937_64 random(1);
  const auto drawn = [&] {
    Eigen::VectorXd q = world.robot->neutral();
    for (int i = 0; i < q.size(); ++i) {
      const Coordinate& c = world.robot->coordinates()[static_cast<std::size_t>(i)];
      q[i] = std::uniform_real_distribution(std::max(-3.0, c.lower), std::min(3.0, c.upper))(random);
    }
    return q;
  };
  Trajectory motion;
  Workspace workspace(checker);
  for (int i = 0; static_cast<int>(motion.segments.size()) < count && i < 100 * count; ++i) {
    if (!world.motion.empty() && i == static_cast<int>(edges.size())) break;
    const Edge edge = world.motion.empty() ? Edge{drawn(), drawn(), false} : edges[static_cast<std::size_t>(i)];
    if (!checker.is_free(edge.q0, edge.q1, workspace)) continue;
    JointPath path;
    path.waypoints = {edge.q0, edge.q1};
    motion.segments.push_back(make_trajectory(*world.robot, path).segments.front());
  }
  return motion;
}

/// [s] The least of several runs.
template <typename Work>
double least_time(int runs, Work&& work) {
  double least = time_once(work);
  for (int i = 1; i < runs; ++i) least = std::min(least, time_once(work));
  return least;
}

void measure(Table& table, const std::string& name, const Arguments& arguments) {
  const World world = load_world(name);
  if (!world.robot) return;
  const PathChecker checker(world.robot, world.scene, world.matrix);
  const Trajectory motion = free_motion(world, checker, arguments.count(300, 30));
  const int runs = arguments.count(5, 2);
  Workspace workspace(checker);
  const double search = least_time(runs, [&] {
    for (const TrajectorySegment& s : motion.segments) keep(checker.is_free(s, workspace));
  });
  CertificateResult made;
  const double make = time_once([&] { made = make_certificate(checker, motion); });
  if (!made.proved) {
    table.add({{"scenario", name}, {"segments", motion.segments.size()}, {"obstacle", made.obstacle}});
    return;
  }
  double read = 1e9, prove = 1e9, again = 1e9;
  pccd::Coverage coverage;
  for (int i = 0; i < runs; ++i) {
    pccd::Statement statement;
    for (const bool first : {true, false}) {  // the second time all volumes are known to be good
      std::istringstream in(made.bytes);
      pccd::Reader reader(in);
      pccd::Statement stated;
      read = std::min(read, time_once([&] {
                        stated = pccd::read_statement(reader);
                        pccd::read_volumes(reader, stated);
                      }));
      if (first) statement = std::move(stated);
      coverage = {};
      double& least = first ? prove : again;
      least = std::min(least, time_once([&] { pccd::check_proofs(reader, statement, coverage); }));
    }
  }
  const auto leaves = static_cast<double>(coverage.leaves);
  std::istringstream in(made.bytes);
  pccd::Reader reader(in);
  const pccd::Statement statement = pccd::read_statement(reader);
  const double proof_bytes = static_cast<double>(reader.left());
  table.add({{"scenario", name},
             {"segments", motion.segments.size()},
             {"pairs", statement.pairs.size()},
             {"leaves", coverage.leaves},
             {"splits", coverage.splits},
             {"bytes_per_leaf", proof_bytes / leaves},
             {"search_ms", 1e3 * search},
             {"certificate_ms", 1e3 * make},
             {"read_ms", 1e3 * read},
             {"verify_ms", 1e3 * prove},
             {"volumes_ms", 1e3 * std::max(0.0, prove - again)},
             {"verify_over_search", prove / search},
             {"certificate_over_search", make / search}});
}

int run(const Arguments& arguments) {
  Table table("certificate", arguments);
  for (const char* name : {"puma_car", "arm_clutter", "mannequin_walk", "mannequin_exercise", "panda_clutter",
                           "panda_mbm", "ur5_cubicles"}) {
    if (arguments.selects(name)) measure(table, name, arguments);
  }
  return table.finish();
}

}  // namespace
}  // namespace planner_ccd::bench

int main(int argc, char** argv) { return planner_ccd::bench::run(planner_ccd::bench::parse_arguments(argc, argv)); }
