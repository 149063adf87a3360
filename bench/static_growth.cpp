#include <cmath>

#include "bench/static.hpp"
#include "bench/static_fcl.hpp"
#include "bench/support/timing.hpp"

namespace planner_ccd::bench {
namespace {

template <typename Build>
Measurement build_row(const char* method, int repetitions, std::size_t bytes, Build&& build) {
  std::vector<double> ns;
  for (int i = 0; i < repetitions; ++i) ns.push_back(1e9 * time_once(build));
  return {method, median(ns), bytes};
}

}  // namespace

void bench_growth(Table& table, const Arguments& arguments) {
  const int sizes[] = {1000, 3000, 10000, 30000, 100000, 300000, 1000000};
  for (const int triangles : sizes) {
    if (triangles > arguments.count(1000000, 100000)) break;
    const std::string name = "knot_" + std::to_string(triangles / 1000) + "k-itself";
    if (!arguments.selects(name)) continue;
    const MeshPtr mesh = knot_of(triangles);
    const int repetitions = std::clamp(arguments.count(300000, 100000) / triangles, 1, 50);
    add_rows(
        table, name, "build",
        {build_row("planner_ccd", repetitions, tree_of(mesh).memory(), [&] { keep(tree_of(mesh)); }),
         build_row("fcl_rss", repetitions, fcl_mesh<fcl::RSSd>(mesh).bytes(), [&] { keep(FclMesh<fcl::RSSd>(*mesh)); }),
         build_row("fcl_obbrss", repetitions, fcl_mesh<fcl::OBBRSSd>(mesh).bytes(),
                   [&] { keep(FclMesh<fcl::OBBRSSd>(*mesh)); })});
    for (const StaticCase& c : posed_cases(name, mesh, mesh, arguments.count(40, 10))) {
      bench_pair(table, c, arguments.quick, true);
    }
  }
}

}  // namespace planner_ccd::bench
