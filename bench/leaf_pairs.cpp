#include "bench/leaf_pairs.hpp"

#include <random>

#include "bench/leaf_fcl.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/geometry/triangle_distance.hpp"
#include "triangle_ccd/leaf_truth.hpp"

namespace planner_ccd::bench {
namespace {

constexpr int kBlock = 256;

struct Pair {
  TriangleMotion a, b;
};

/// Corners start uniform in the unit cube and end within `displacement` of that in every coordinate, or uniform too at 1.
Pair draw(std::mt19937_64& random, double displacement) {
  std::uniform_real_distribution<double> unit(0, 1), step(-displacement, displacement);
  Pair pair;
  for (TriangleMotion* triangle : {&pair.a, &pair.b}) {
    for (MovingPoint& x : *triangle) {
      for (int c = 0; c < 3; ++c) {
        x.start[c] = unit(random);
        x.end[c] = displacement == 1 ? unit(random) : x.start[c] + step(random);
      }
    }
  }
  return pair;
}

/// True when one of the fifteen tests finds contact.
template <class Test>
bool any_of_fifteen(const Pair& p, const Test& test) {
  bool contact = false;
  for (int i = 0; i < 3; ++i) {
    contact |= test(VertexFaceMotion{p.a[i], p.b});
    contact |= test(VertexFaceMotion{p.b[i], p.a});
    for (int j = 0; j < 3; ++j) contact |= test(EdgeEdgeMotion{{p.a[i], p.a[(i + 1) % 3]}, {p.b[j], p.b[(j + 1) % 3]}});
  }
  return contact;
}

bool fcl_contact(const Pair& p) {
  return any_of_fifteen(p, [](const auto& motion) { return fcl_newton(motion); });
}

/// An edge through a face at the start touches none of the fifteen feature pairs.
bool overlap_at_start(const Pair& p) {
  const auto start = [](const TriangleMotion& t) { return Triangle{t[0].start, t[1].start, t[2].start}; };
  return triangle_distance(start(p.a), start(p.b)).distance <= LeafOptions{}.tolerance;
}

struct Score {
  double seconds = 0;
  long missed = 0, false_alarms = 0;

  void judge(bool contact, bool truth, bool overlap) {
    missed += truth && !contact;
    false_alarms += !truth && !overlap && contact;
  }
};

struct Answers {
  std::vector<char> contact;
  double seconds = 0;
};

/// Runs on other pairs first, so that the cost of warming up the code does not depend on what ran before.
template <class Test>
Answers contacts_of(const std::vector<Pair>& warm_up, const std::vector<Pair>& block, const Test& test) {
  Answers out{std::vector<char>(block.size())};
  for (const Pair& p : warm_up) keep(test(p));
  out.seconds = time_once([&] {
    for (std::size_t i = 0; i < block.size(); ++i) out.contact[i] = test(block[i]);
  });
  return out;
}

void run(Table& table, double displacement, int count) {
  std::mt19937_64 random(3);
  std::vector<Pair> warm_up;
  for (int i = 0; i < kBlock; ++i) warm_up.push_back(draw(random, displacement));
  Score ours, fcl;
  long hits = 0;
  count -= count % kBlock;
  for (int done = 0; done < count; done += kBlock) {
    std::vector<Pair> block;
    for (int i = 0; i < kBlock; ++i) block.push_back(draw(random, displacement));
    const auto by_us = contacts_of(warm_up, block, [](const Pair& p) {
      return triangle_ccd(*inclusion_kernel(), p.a, p.b, {}).verdict != Verdict::Free;
    });
    const auto by_fcl = contacts_of(warm_up, block, fcl_contact);
    ours.seconds += by_us.seconds;
    fcl.seconds += by_fcl.seconds;
    for (int i = 0; i < kBlock; ++i) {
      const bool truth = any_of_fifteen(block[i], [](const auto& motion) { return test::true_contact(motion).hit; });
      const bool overlap = overlap_at_start(block[i]);
      hits += truth;
      ours.judge(by_us.contact[i] != 0, truth, overlap);
      fcl.judge(by_fcl.contact[i] != 0, truth, overlap);
    }
  }
  char set[32];
  std::snprintf(set, sizeof set, "unit_cube_%g", displacement);
  const auto add = [&](const char* method, const Score& score) {
    table.add({{"set", set},
               {"kind", "pair"},
               {"method", method},
               {"ns_per_query", 1e9 * score.seconds / count},
               {"speedup", fcl.seconds / score.seconds},
               {"queries", count},
               {"hits", hits},
               {"missed", score.missed},
               {"false_alarms", score.false_alarms}});
  };
  add("inclusion", ours);
  add("fcl_newton", fcl);
}

}  // namespace

void run_pairs(Table& table, const Arguments& arguments) {
  for (const double displacement : {1.0, 0.1, 0.01}) {
    if (arguments.selects("pair")) run(table, displacement, arguments.count(20'000, 2'000));
  }
}

}  // namespace planner_ccd::bench
