// A triangle that turns about an axis, against a fixed one: the exact rotation beside linear kernels on chords.
#include <random>

#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/papers/by_name.hpp"
#include "planner_ccd/triangle_ccd/plucker_axis.hpp"
#include "triangle_ccd/chords.hpp"

namespace {

using namespace planner_ccd;
using namespace planner_ccd::bench;
using Eigen::Vector3d;

constexpr int kBlock = 256;

struct Query {
  Triangle a;
  Triangle b;
  AxisMotion motion;
};

/// Triangles of some 0.1 m, up to `spread` apart in every coordinate, within 1 m of the axis.
Query draw(std::mt19937_64& random, double angle, double spread) {
  std::uniform_real_distribution<double> unit(-1.0, 1.0);
  const auto cube = [&](double size) {
    return Vector3d(size * unit(random), size * unit(random), size * unit(random));
  };
  Query q;
  const Vector3d centre = cube(1.0);
  for (Triangle* t : {&q.a, &q.b}) {
    const Vector3d shift = centre + cube(spread);
    for (Vector3d& x : *t) x = shift + cube(0.1);
  }
  q.motion = {AxisMotion::Kind::Rotation, cube(1.0), cube(1.0), 0.0, angle};
  return q;
}

struct Method {
  const char* name;
  const char* kernel;  ///< For chords; null: the exact rotation.
};

constexpr Method kMethods[] = {{"axis", nullptr},
                               {"chords_inclusion", "inclusion"},
                               {"chords_cubic", "cubic"},
                               {"chords_space_time", "space_time"}};

Verdict answer(const Method& method, const Query& q, const LeafOptions& options) {
  if (method.kernel) return test::by_chords(*leaf_kernel_named(method.kernel), q.a, q.b, q.motion, options).verdict;
  return axis_triangle_ccd(q.a, q.b, q.motion, options).verdict;
}

struct Score {
  double seconds = 0.0;
  long missed = 0, false_alarms = 0, undecided = 0;
};

void run(Table& table, double angle, double spread, int blocks) {
  std::mt19937_64 random(1);
  LeafOptions options;
  options.tolerance = 1e-5;
  std::vector<Score> scores(std::size(kMethods));
  long hits = 0;
  for (int b = 0; b < blocks; ++b) {
    std::vector<Query> block;
    std::vector<bool> truth;
    for (int i = 0; i < kBlock; ++i) {
      block.push_back(draw(random, angle, spread));
      const Query& q = block.back();
      truth.push_back(test::AxisOracle<long double>{q.a, q.b, q.motion, 1e-16L}.first_contact() <= 1.0L);
      hits += truth.back();
    }
    for (std::size_t m = 0; m < scores.size(); ++m) {
      std::vector<Verdict> verdicts(kBlock);
      scores[m].seconds += time_once([&] {
        for (int i = 0; i < kBlock; ++i) verdicts[i] = answer(kMethods[m], block[i], options);
      });
      for (int i = 0; i < kBlock; ++i) {
        scores[m].missed += truth[i] && verdicts[i] == Verdict::Free;
        scores[m].false_alarms += !truth[i] && verdicts[i] != Verdict::Free;
        scores[m].undecided += verdicts[i] == Verdict::Undecided;
      }
    }
  }
  const int count = blocks * kBlock;
  for (std::size_t m = 0; m < scores.size(); ++m) {
    table.add({{"angle", angle},
               {"spread", spread},
               {"method", kMethods[m].name},
               {"ns_per_query", 1e9 * scores[m].seconds / count},
               {"time_over_axis", scores[m].seconds / scores[0].seconds},
               {"queries", count},
               {"hits", hits},
               {"missed", scores[m].missed},
               {"false_alarms", scores[m].false_alarms},
               {"undecided", scores[m].undecided}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  Table table("leaf_axis", arguments);
  const int blocks = arguments.count(40'000, 5'000) / kBlock;
  for (const double angle : {0.02, 0.3, 3.0}) {
    for (const double spread : {0.1, 0.5}) run(table, angle, spread, blocks);
  }
  return table.finish();
}
