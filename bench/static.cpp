/// Bodies at rest: collide, distance and build, beside FCL with each of its bounding volumes, on the same meshes and
/// poses; and the distance of two swept-sphere volumes. On our rows `speedup` is the time of FCL's best over ours.
#include "bench/static.hpp"

#include <algorithm>
#include <limits>

namespace planner_ccd::bench {

void add_rows(Table& table, const std::string& name, const char* query, const std::vector<Measurement>& all) {
  double best_peer = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < all.size(); ++i) best_peer = std::min(best_peer, all[i].median_ns);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Measurement& m = all[i];
    table.add({{"case", name},
               {"query", query},
               {"method", m.method},
               {"median_ns", m.median_ns},
               {"speedup", i == 0 ? Value(best_peer / m.median_ns) : Value(nullptr)},
               {"bytes", static_cast<long>(m.bytes)},
               {"differs", i == 0 ? Value(nullptr) : Value(m.differs)},
               {"we_are_wrong", i == 0 ? Value(nullptr) : Value(m.wrong)}});
  }
}

SsvTree tree_of(const MeshPtr& mesh) {
  Geometry g;
  g.shape = mesh;
  return SsvTree::build({g}, "bench mesh");
}

}  // namespace planner_ccd::bench

int main(int argc, char** argv) {
  using namespace planner_ccd::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  Table table("static", arguments);
  bench_volumes(table, arguments);
  bench_growth(table, arguments);
  const auto wanted = [&](const std::string& name) { return arguments.selects(name); };
  for (const StaticCase& c : static_cases(arguments.count(200, 20), wanted)) bench_pair(table, c, arguments.quick);
  return table.finish();
}
