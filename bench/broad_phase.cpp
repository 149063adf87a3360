// Which resting boxes does a moving box meet? A tree against incremental sweep and prune, for queries close to the
// previous one and for random queries.
#include <random>

#include "bench/support/arguments.hpp"
#include "bench/support/statistics.hpp"
#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/papers/broad_phase/box_tree.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/papers/sap_gjk_lecture/sweep_and_prune.hpp"

namespace {

using namespace planner_ccd;
using namespace planner_ccd::bench;
using Box = Eigen::AlignedBox3d;

constexpr int kBlock = 64;  ///< Queries between two readings of the clock.

Box draw(std::mt19937_64& random, double size) {
  std::uniform_real_distribution<double> unit(0.0, 1.0);
  const Eigen::Vector3d at(unit(random), unit(random), unit(random));
  return {at, Eigen::Vector3d(at.array() + size * (0.5 + unit(random)))};
}

/// `count` boxes that fill a tenth of a unit cube; queries twice as large.
void run(Table& table, int count, double step, int blocks) {
  std::mt19937_64 random(2026);
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const double size = std::cbrt(0.1 / count);
  std::vector<Box> boxes;
  for (int i = 0; i < count; ++i) boxes.push_back(draw(random, size));
  std::vector<Box> queries;
  Box at = draw(random, 2.0 * size);
  for (int i = 0; i < blocks * kBlock; ++i) {
    const Eigen::Vector3d move = step * size * Eigen::Vector3d(unit(random), unit(random), unit(random));
    const bool lost = (at.center() + move - Eigen::Vector3d::Constant(0.5)).cwiseAbs().maxCoeff() > 0.6;
    at = step == 0.0 || lost ? draw(random, 2.0 * size) : at.translated(move);
    queries.push_back(at);
  }
  double tree_median = 0.0;
  for (const std::string name : {"box_tree", "sweep_and_prune"}) {
    const bool tree = name == "box_tree";
    const std::unique_ptr<BoxIndex> index =
        tree ? std::make_unique<BoxTree>(boxes) : SweepAndPruneFactory().make(boxes);
    std::unique_ptr<BoxIndex::Trace> trace;
    std::vector<int> met;
    std::vector<double> times;
    long total = 0;
    for (int b = 0; b < blocks; ++b) {
      times.push_back(1e9 / kBlock * time_once([&] {
                        for (int i = 0; i < kBlock; ++i) {
                          met.clear();
                          index->meet(queries[b * kBlock + i], trace, met);
                          total += static_cast<long>(met.size());
                        }
                      }));
    }
    const Summary s = summarise(times);
    if (tree) tree_median = s.median;
    table.add(
        {{"case", std::to_string(count) + (step == 0.0 ? " random" : " step " + std::to_string(step).substr(0, 4))},
         {"query", "meet"},
         {"method", name},
         {"median_ns", s.median},
         {"p95_ns", s.p95},
         {"speedup", tree_median / s.median},
         {"met", static_cast<double>(total) / (blocks * kBlock)}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  Table table("broad_phase", arguments);
  for (const int count : {20, 200, 2000, 20000}) {
    for (const double step : {0.05, 0.5, 0.0}) run(table, count, step, static_cast<int>(arguments.count(2000, 100)));
  }
  return table.finish();
}
