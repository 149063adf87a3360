// leaf_campaign [QUERIES PER KERNEL] [SEED] [KERNEL...]: every family, vertex-face and edge-edge, against the exact
// truth. Families that need rational arithmetic, some 0.3 ms a query, get an eighth of the others' share. The exit code
// is 1 when a contact was missed, found late, or reported beyond the tolerance.
#include <cstdio>
#include <cstdlib>
#include <map>

#include "triangle_ccd/leaf_campaign.hpp"

using namespace planner_ccd;
using namespace planner_ccd::test;

namespace {

long weight(Family family) {
  const bool rational = family == Family::Coplanar || family == Family::Collinear || family == Family::ZeroLength;
  return rational ? 1 : 8;
}

}  // namespace

int main(int argc, char** argv) {
  const long total = argc > 1 ? std::atol(argv[1]) : 100'000;
  const std::uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::vector<std::shared_ptr<const LeafKernel>> wanted_kernels;
  for (const auto& k : kernels()) {
    bool wanted = argc <= 3;
    for (int i = 3; i < argc; ++i) wanted = wanted || k->name() == argv[i];
    if (wanted) wanted_kernels.push_back(k);
  }
  std::printf("seed %llu, %ld queries per kernel\n", static_cast<unsigned long long>(seed), total);
  std::printf("%-11s %-12s %-3s %10s %9s %9s %8s %7s %8s %7s %6s %9s %8s\n", "kernel", "family", "", "queries", "hits",
              "contacts", "rational", "missed", "false", "beyond", "late", "undecided", "worst_it");
  const LeafOptions options;
  bool failed = false;
  std::uint64_t stream = seed;
  long weights = 0;
  for (Family family : all_families()) weights += 2 * weight(family);
  for (Family family : all_families()) {
    const long per_set = (total * weight(family) + weights - 1) / weights;
    for (bool edges : {false, true}) {
      LeafDraws draws(stream++);
      std::map<std::string_view, Tally> tallies;
      for (long i = 0; i < per_set; ++i) {
        const FourPoints p = draws.draw(family, edges);
        const Truth truth = edges ? true_contact(edge_edge(p)) : true_contact(vertex_face(p));
        for (const auto& k : wanted_kernels) tally_query(*k, p, edges, truth, options, tallies[k->name()]);
      }
      for (const auto& k : wanted_kernels) {
        const Tally& t = tallies[k->name()];
        std::printf("%-11s %-12s %-3s %10ld %9ld %9ld %8ld %7ld %8ld %7ld %6ld %9ld %8.0f\n",
                    std::string(k->name()).c_str(), name(family).c_str(), edges ? "ee" : "vf", t.queries, t.hits,
                    t.contacts, t.by_rationals, t.missed, t.false_alarms, t.beyond, t.late, t.undecided,
                    t.worst_iterations);
        failed = failed || t.missed > 0 || t.beyond > 0 || t.late > 0;
      }
      std::fflush(stdout);
    }
  }
  return failed ? 1 : 0;
}
