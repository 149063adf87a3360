#include <fcl/narrowphase/detail/primitive_shape_algorithm/triangle_distance.h>

#include "bench/primitives.hpp"
#include "planner_ccd/geometry/triangle_distance.hpp"

namespace planner_ccd::bench {
namespace {

using Eigen::Vector3d;

struct TrianglePair {
  Triangle a, b;
};

/// A well-shaped triangle with corners at distance 1 from its centre.
Triangle shapely(Draw& draw, const Vector3d& centre) {
  const Eigen::Matrix3d R = draw.rotation();
  Triangle t;
  for (int i = 0; i < 3; ++i) {
    const double angle = 2.1 * i + draw.uniform(-0.4, 0.4);
    t[i] = centre + R * Vector3d(std::cos(angle), std::sin(angle), 0.0);
  }
  return t;
}

/// Half a face of an axis-aligned box: parallel edges and planes everywhere.
Triangle box_face(Draw& draw) {
  const int axis = draw.integer(0, 2);
  const Vector3d corner = draw.point() * 2.0;
  const Vector3d x = Vector3d::Unit((axis + 1) % 3) * draw.uniform(0.3, 1.5);
  const Vector3d y = Vector3d::Unit((axis + 2) % 3) * draw.uniform(0.3, 1.5);
  return {corner, Vector3d(corner + x), Vector3d(corner + x + y)};
}

/// Pairs whose distance lies in [lo, hi].
std::vector<TrianglePair> pairs_at(double lo, double hi, unsigned seed, bool boxes) {
  Draw draw(seed);
  std::vector<TrianglePair> pairs;
  while (static_cast<int>(pairs.size()) < kPairs) {
    const Triangle a = boxes ? box_face(draw) : shapely(draw, Vector3d::Zero());
    const Triangle b = boxes ? box_face(draw) : shapely(draw, draw.direction() * draw.uniform(0.0, hi + 2.0));
    const TriangleDistance d = triangle_distance(a, b);
    if (d.distance >= lo && d.distance <= hi) pairs.push_back({a, b});
  }
  return pairs;
}

struct Case {
  const char* name;
  double lo, hi;
  bool boxes;
};

}  // namespace

void triangle_rows(const Arguments& arguments, Table& table) {
  unsigned seed = 0;
  for (const Case& c : {Case{"far: 5 to 10 sizes", 5.0, 10.0, false}, Case{"near: 0.1 to 1 size", 0.1, 1.0, false},
                        Case{"close: below 0.01 size", 1e-9, 0.01, false}, Case{"intersecting", 0.0, 0.0, false},
                        Case{"faces of boxes", 1e-9, 10.0, true}}) {
    ++seed;
    if (!arguments.selects(c.name)) continue;
    const auto pairs = pairs_at(c.lo, c.hi, seed, c.boxes);
    CaseRows<TrianglePair> rows(c.name, pairs, arguments, table);
    constexpr std::size_t bytes = sizeof(Triangle);
    rows.peer("triangle", "fcl", bytes, [](const TrianglePair& p) {
      Vector3d x, y;
      return fcl::detail::TriangleDistance<double>::triDistance(p.a.data(), p.b.data(), x, y);
    });
    rows.ours("triangle", "ours", bytes, [](const TrianglePair& p) { return triangle_distance(p.a, p.b).distance; });
    rows.ours("triangle", "ours, exceeds 0.1", bytes,
              [](const TrianglePair& p) { return triangle_gap_exceeds(p.a, p.b, 0.1) ? 1.0 : 0.0; });
  }
}

}  // namespace planner_ccd::bench
