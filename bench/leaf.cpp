// Leaf queries: every kernel and FCL's Newton tests on the same inputs, judged by the exact truth.
#include <cmath>
#include <functional>
#include <random>

#include "bench/leaf_fcl.hpp"
#include "bench/leaf_pairs.hpp"
#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "triangle_ccd/leaf_campaign.hpp"
#include "triangle_ccd/leaf_data.hpp"
#include "triangle_ccd/leaf_draws.hpp"
#include "triangle_ccd/leaf_truth.hpp"

namespace planner_ccd::bench {
namespace {

using test::Family;
using test::FourPoints;
using test::Truth;

/// Queries are timed in blocks that stay in the cache, like those of one pair of links.
constexpr int kBlock = 1024;

struct Method {
  std::string name;
  std::shared_ptr<const LeafKernel> kernel;  ///< None: FCL.
  bool batch = false;
};

const std::vector<Method>& methods() {
  static const std::vector<Method> all{{"inclusion_batch", leaf_kernel_named("inclusion"), true},
                                       {"inclusion", leaf_kernel_named("inclusion")},
                                       {"cubic_batch", leaf_kernel_named("cubic"), true},
                                       {"cubic", leaf_kernel_named("cubic")},
                                       {"space_time", leaf_kernel_named("space_time")},
                                       {"plucker", leaf_kernel_named("plucker")},
                                       {"fcl_newton", nullptr}};
  return all;
}

/// [s] for one block. Only the contacts are counted while the clock runs.
template <class Motion>
double time_block(const Method& method, const std::vector<Motion>& block) {
  std::size_t contacts = 0;
  const double seconds = time_once([&] {
    if (method.batch) {
      contacts = method.kernel->decide_all(std::span<const Motion>(block), LeafOptions{}).size();
    } else if (method.kernel) {
      for (const Motion& m : block) contacts += method.kernel->decide(m, LeafOptions{}).verdict != Verdict::Free;
    } else {
      for (const Motion& m : block) contacts += fcl_newton(m);
    }
  });
  keep(contacts);
  return seconds;
}

/// One result per query of a block, by one of our methods.
template <class Motion>
std::vector<LeafResult> results(const Method& method, const std::vector<Motion>& block) {
  LeafResult apart;
  apart.verdict = Verdict::Free;
  apart.t_lo = apart.t_hi = 1.0;
  std::vector<LeafResult> out(block.size(), apart);
  if (method.batch) {
    for (const LeafHit& hit : method.kernel->decide_all(std::span<const Motion>(block), LeafOptions{}))
      out[hit.index] = hit.result;
  } else {
    for (std::size_t i = 0; i < block.size(); ++i) out[i] = method.kernel->decide(block[i], LeafOptions{});
  }
  return out;
}

/// Brings a block into the cache for the next method. Its code has just run on other queries, so that the cost of
/// warming it up does not depend on what ran before.
template <class Motion>
void touch(const std::vector<Motion>& block) {
  const double* numbers = reinterpret_cast<const double*>(block.data());
  double sum = 0;
  for (std::size_t i = 0; i < block.size() * sizeof(Motion) / sizeof(double); ++i) sum += numbers[i];
  keep(sum);
}

struct Score {
  double seconds = 0;
  long hits = 0, missed = 0, false_alarms = 0, beyond = 0, undecided = 0;
};

template <class Motion>
void judge_block(const Method& method, const std::vector<Motion>& block, const std::vector<Truth>& truths,
                 Score& score) {
  const std::vector<LeafResult> ours = method.kernel ? results(method, block) : std::vector<LeafResult>();
  for (std::size_t i = 0; i < block.size(); ++i) {
    score.hits += truths[i].hit;
    if (!method.kernel) {
      const bool contact = fcl_newton(block[i]);
      score.missed += truths[i].hit && !contact;
      score.false_alarms += !truths[i].hit && contact;
      continue;
    }
    const LeafResult& r = ours[i];
    const double distance = r.verdict == Verdict::Contact ? test::plain_distance(block[i], r.t_hi) : 0.0;
    const test::Judgement j = test::judge(r, truths[i], distance, test::plain_speed(block[i]), LeafOptions{});
    score.missed += j.missed;
    score.false_alarms += j.false_alarm;
    score.beyond += j.beyond;
    score.undecided += j.undecided;
  }
}

/// All methods on the same `count` queries from `next`.
template <class Motion>
void run_set(Table& table, const std::string& set, int count, const std::function<Motion()>& next) {
  std::vector<Score> scores(methods().size());
  std::vector<Motion> warm_up;
  for (int done = 0; done < count;) {
    std::vector<Motion> block;
    std::vector<Truth> truths;
    for (; done < count && block.size() < kBlock; ++done) {
      block.push_back(next());
      truths.push_back(test::true_contact(block.back()));
    }
    if (warm_up.empty())
      warm_up.assign(block.begin(), block.begin() + std::min<std::ptrdiff_t>(256, std::ssize(block)));
    for (std::size_t k = 0; k < methods().size(); ++k) {
      const std::size_t m = (k + done / kBlock) % methods().size();  // rotates which method runs first
      time_block(methods()[m], warm_up);
      touch(block);
      scores[m].seconds += time_block(methods()[m], block);
      judge_block(methods()[m], block, truths, scores[m]);
    }
  }
  for (std::size_t m = 0; m < methods().size(); ++m) {
    const Score& s = scores[m];
    const bool ours = methods()[m].kernel != nullptr;
    table.add({{"set", set},
               {"kind", std::is_same_v<Motion, EdgeEdgeMotion> ? "ee" : "vf"},
               {"method", methods()[m].name},
               {"ns_per_query", 1e9 * s.seconds / count},
               {"speedup", scores.back().seconds / s.seconds},
               {"queries", count},
               {"hits", s.hits},
               {"missed", s.missed},
               {"false_alarms", s.false_alarms},
               {"beyond", ours ? Value(s.beyond) : Value(nullptr)},
               {"undecided", ours ? Value(s.undecided) : Value(nullptr)}});
  }
}

/// Both kinds, from one source of four points.
void run_draws(Table& table, const std::string& set, int count, const std::function<FourPoints(bool)>& draw) {
  run_set<VertexFaceMotion>(table, set, count, [&] { return test::vertex_face(draw(false)); });
  run_set<EdgeEdgeMotion>(table, set, count, [&] { return test::edge_edge(draw(true)); });
}

/// Starts uniform in the unit cube, ends within `displacement` of them in every coordinate, or uniform too at 1.
FourPoints moved_in_cube(std::mt19937_64& random, double displacement) {
  std::uniform_real_distribution<double> unit(0, 1), step(-displacement, displacement);
  FourPoints p;
  for (MovingPoint& x : p) {
    for (int c = 0; c < 3; ++c) {
      x.start[c] = unit(random);
      x.end[c] = displacement == 1 ? unit(random) : x.start[c] + step(random);
    }
  }
  return p;
}

void run_recorded(Table& table, const Arguments& arguments) {
  const auto folder = test::ccd_query_folder();
  if (!folder) return;
  for (const test::RecordedSet& set : test::read_recorded_sets(*folder)) {
    if (!arguments.selects(set.name)) continue;
    const int count = static_cast<int>(set.queries.size());
    std::size_t i = 0;
    if (set.edges) {
      run_set<EdgeEdgeMotion>(table, set.name, count, [&] { return test::edge_edge(set.queries[i++].points); });
    } else {
      run_set<VertexFaceMotion>(table, set.name, count, [&] { return test::vertex_face(set.queries[i++].points); });
    }
  }
}

}  // namespace
}  // namespace planner_ccd::bench

int main(int argc, char** argv) {
  using namespace planner_ccd;
  using namespace planner_ccd::bench;
  const Arguments arguments = parse_arguments(argc, argv);
  Table table("leaf", arguments);
  const int count = arguments.count(400'000, 20'000);
  for (const double displacement : {1.0, 0.1, 0.01}) {
    char set[32];
    std::snprintf(set, sizeof set, "unit_cube_%g", displacement);
    if (!arguments.selects(set)) continue;
    std::mt19937_64 random(1);
    run_draws(table, set, count, [&](bool) { return moved_in_cube(random, displacement); });
  }
  for (const test::Family family : test::all_families()) {
    if (family == test::Family::UnitCube || !arguments.selects(test::name(family))) continue;
    test::LeafDraws draws(2);
    run_draws(table, test::name(family), arguments.count(40'000, 2'000),
              [&](bool edges) { return draws.draw(family, edges); });
  }
  run_recorded(table, arguments);
  run_pairs(table, arguments);
  return table.finish();
}
