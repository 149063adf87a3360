/// Leaf primitives, one call each: nanoseconds beside the peers', on pairs drawn from fixed seeds.
///
/// `bytes` is the memory of one operand. `speedup` is the peer's time over ours, on our rows.
#include <fcl/narrowphase/detail/primitive_shape_algorithm/triangle_distance.h>

#include <Eigen/Geometry>
#include <random>
#include <vector>

#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/geometry/triangle_distance.hpp"

namespace planner_ccd::bench {
namespace {

using Eigen::Vector3d;

struct TrianglePair {
  Triangle a, b;
};

class Draw {
 public:
  explicit Draw(unsigned seed) : rng_(seed) {}
  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(rng_); }
  Vector3d point() { return {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}; }
  Vector3d direction() {
    for (;;) {
      const Vector3d v = point();
      if (v.squaredNorm() > 0.01 && v.squaredNorm() < 1.0) return v.normalized();
    }
  }
  /// A well-shaped triangle, about 1 in size, around a centre.
  Triangle triangle(const Vector3d& centre) {
    const Vector3d n = direction();
    const Vector3d x = n.unitOrthogonal();
    const Vector3d y = n.cross(x);
    const double start = uniform(0.0, 6.28);
    Triangle t;
    for (int i = 0; i < 3; ++i) {
      const double angle = start + 2.1 * i + uniform(-0.4, 0.4);
      t[i] = centre + std::cos(angle) * x + std::sin(angle) * y;
    }
    return t;
  }
  /// Two faces of axis-aligned boxes: parallel edges and planes everywhere.
  Triangle box_face() {
    const int axis = std::uniform_int_distribution<int>(0, 2)(rng_);
    const Vector3d corner = point() * 2.0;
    Vector3d x = Vector3d::Zero(), y = Vector3d::Zero();
    x[(axis + 1) % 3] = uniform(0.3, 1.5);
    y[(axis + 2) % 3] = uniform(0.3, 1.5);
    return {corner, Vector3d(corner + x), Vector3d(corner + x + y)};
  }

 private:
  std::mt19937_64 rng_;
};

/// Pairs of triangles of size 1 whose distance lies in [lo, hi].
std::vector<TrianglePair> pairs_at(double lo, double hi, int count, unsigned seed, bool boxes) {
  Draw draw(seed);
  std::vector<TrianglePair> pairs;
  while (static_cast<int>(pairs.size()) < count) {
    const TrianglePair p = boxes ? TrianglePair{draw.box_face(), draw.box_face()}
                                 : TrianglePair{draw.triangle(Vector3d::Zero()),
                                                draw.triangle(draw.direction() * draw.uniform(0.0, hi + 2.0))};
    const double d = triangle_distance(p.a, p.b).distance;
    if (d >= lo && d <= hi) pairs.push_back(p);
  }
  return pairs;
}

void triangle_rows(const char* name, const std::vector<TrianglePair>& pairs, const Arguments& arguments, Table& table) {
  if (!arguments.selects(name)) return;
  const int count = static_cast<int>(pairs.size());
  const int repetitions = arguments.count(31, 5);
  const auto time = [&](auto&& call) {
    return time_items(count, repetitions,
                      [&] {
                        double sum = 0.0;
                        for (const auto& p : pairs) sum += call(p);
                        keep(sum);
                      })
        .median;
  };
  const double peer = time([](const TrianglePair& p) {
    Vector3d x, y;
    return fcl::detail::TriangleDistance<double>::triDistance(p.a.data(), p.b.data(), x, y);
  });
  const auto row = [&](const char* query, const char* method, double ns) {
    table.add({{"case", name},
               {"query", query},
               {"method", method},
               {"median_ns", ns},
               {"speedup", peer / ns},
               {"bytes", sizeof(Triangle)}});
  };
  row("triangle", "fcl", peer);
  row("triangle", "ours", time([](const TrianglePair& p) { return triangle_distance(p.a, p.b).distance; }));
  std::vector<std::pair<Feature, Feature>> features;
  for (const auto& p : pairs) {
    const TriangleDistance d = triangle_distance(p.a, p.b);
    features.push_back({d.feature_a, d.feature_b});
  }
  const double guessed =
      time_items(count, repetitions, [&] {
        double sum = 0.0;
        for (int i = 0; i < count; ++i) {
          sum += triangle_distance(pairs[i].a, pairs[i].b, features[i].first, features[i].second).distance;
        }
        keep(sum);
      }).median;
  row("triangle, features known", "ours", guessed);
  row("triangle exceeds 0.1", "ours",
      time([](const TrianglePair& p) { return triangle_gap_exceeds(p.a, p.b, 0.1) ? 1.0 : 0.0; }));
  row("triangle touches", "ours",
      time([](const TrianglePair& p) { return triangles_may_touch(p.a, p.b) ? 1.0 : 0.0; }));
  const Vector3d n = Vector3d(1, 2, 2) / 3.0;
  row("triangle along", "ours", time([&](const TrianglePair& p) { return triangle_gap_along(p.a, p.b, n); }));
}

int run(int argc, char** argv) {
  const Arguments arguments = parse_arguments(argc, argv);
  Table table("primitives", arguments);
  const int count = arguments.count(32768, 32768);
  triangle_rows("far (5 to 10 sizes)", pairs_at(5.0, 10.0, count, 1, false), arguments, table);
  triangle_rows("near (0.1 to 1 size)", pairs_at(0.1, 1.0, count, 2, false), arguments, table);
  triangle_rows("close (below 0.01 size)", pairs_at(1e-9, 0.01, count, 3, false), arguments, table);
  triangle_rows("intersecting", pairs_at(0.0, 0.0, count, 4, false), arguments, table);
  triangle_rows("box faces, apart", pairs_at(1e-9, 10.0, count, 5, true), arguments, table);
  return table.finish();
}

}  // namespace
}  // namespace planner_ccd::bench

int main(int argc, char** argv) { return planner_ccd::bench::run(argc, argv); }
