#include "planner_ccd/geometry/convex_hull.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "geometry/exact_triangle_distance.hpp"
#include "geometry/triangle_pairs.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;
using Points = std::vector<Vector3d>;

/// Exact sign of the volume of (a, b, c, d), in integers: positive if d is above (a, b, c).
int above(const Vector3d& a, const Vector3d& b, const Vector3d& c, const Vector3d& d) {
  int unit = 1023;
  for (const Vector3d* v : {&a, &b, &c, &d}) {
    for (int k = 0; k < 3; ++k) {
      if ((*v)[k] != 0.0) unit = std::min(unit, exact::lowest_bit((*v)[k]));
    }
  }
  const auto integers = [&](const Vector3d& v) {
    return exact::Vector{exact::to_integer(v.x(), unit), exact::to_integer(v.y(), unit),
                         exact::to_integer(v.z(), unit)};
  };
  const exact::Vector o = integers(a);
  const exact::Integer volume = dot(cross(integers(b) - o, integers(c) - o), integers(d) - o);
  return volume > 0 ? 1 : volume < 0 ? -1 : 0;
}

bool has_area(const TriangleMesh& m, const Vector3i& t) {
  const Vector3d& a = m.vertices[t[0]];
  return (m.vertices[t[1]] - a).cross(m.vertices[t[2]] - a).norm() > 0.0;
}

double volume(const TriangleMesh& m) {
  double sum = 0.0;
  const Vector3d o = m.vertices[0];
  for (const Vector3i& t : m.triangles) {
    sum += (m.vertices[t[0]] - o).dot((m.vertices[t[1]] - o).cross(m.vertices[t[2]] - o)) / 6.0;
  }
  return sum;
}

/// Every edge is met once in each direction; in a mesh of fewer than three vertices, as often in each.
void expect_closed(const TriangleMesh& m) {
  std::map<std::pair<int, int>, int> uses;
  for (const Vector3i& t : m.triangles) {
    for (int i = 0; i < 3; ++i) ++uses[{t[i], t[(i + 1) % 3]}];
  }
  for (const auto& [edge, count] : uses) {
    if (m.vertices.size() > 2) {
      ASSERT_EQ(count, 1) << "edge used twice in one direction";
    }
    ASSERT_EQ((uses[{edge.second, edge.first}]), count) << "edge without its other side";
  }
}

void expect_hull(const Points& points, const char* name) {
  SCOPED_TRACE(name);
  const TriangleMesh m = convex_hull(points);
  expect_closed(m);
  std::set<std::array<double, 3>> given;
  for (const Vector3d& p : points) given.insert({p.x(), p.y(), p.z()});
  for (const Vector3d& v : m.vertices)
    ASSERT_TRUE(given.count({v.x(), v.y(), v.z()})) << "not one of the given vertices";
  for (const Vector3i& t : m.triangles) {
    for (const Vector3d& p : points) {
      ASSERT_LE(above(m.vertices[t[0]], m.vertices[t[1]], m.vertices[t[2]], p), 0) << "a point outside";
    }
  }
}

class Clouds {
 public:
  explicit Clouds(std::uint64_t seed) : source_(seed) {}

  Points cube(int n) {
    return fill(n, [&] { return source_.point(1.0); });
  }
  Points sphere(int n) {
    return fill(n, [&] { return source_.direction(); });
  }
  Points lattice(int n) {
    return fill(n, [&] { return Vector3d(source_.integer(0, 3), source_.integer(0, 3), source_.integer(0, 3)); });
  }
  Points turned_lattice(int n) {
    const Eigen::Matrix3d R = Eigen::AngleAxisd(source_.uniform(0, 3), source_.direction()).toRotationMatrix();
    Points points = lattice(n);
    for (Vector3d& p : points) p = R * p * 0.1;
    return points;
  }
  Points plane(int n, bool turned) {
    const Eigen::Matrix3d R = Eigen::AngleAxisd(turned ? 1.0 : 0.0, source_.direction()).toRotationMatrix();
    return fill(n, [&] { return Vector3d(R * Vector3d(source_.uniform(-1, 1), source_.uniform(-1, 1), 0.25)); });
  }
  Points line(int n) {
    const Vector3d d(source_.integer(-3, 3), source_.integer(-3, 3), 1);
    return fill(n, [&] { return Vector3d(d * source_.integer(-5, 5)); });
  }
  Points tiny_and_far(int n) {
    const Vector3d o = source_.direction() * 1000.0;
    return fill(n, [&] { return Vector3d(o + source_.point(1e-12)); });
  }

 private:
  testing::PairSource source_;

  template <typename One>
  Points fill(int n, One&& one) {
    Points points;
    for (int i = 0; i < n; ++i) points.push_back(one());
    return points;
  }
};

TEST(ConvexHullMesh, ContainsEveryPointExactly) {
  Clouds clouds(17);
  for (int round = 0; round < 25; ++round) {
    const int n = 1 + round * 3;
    expect_hull(clouds.cube(n), "cube");
    expect_hull(clouds.sphere(n), "sphere");
    expect_hull(clouds.lattice(n), "lattice");
    expect_hull(clouds.turned_lattice(n), "turned lattice");
    expect_hull(clouds.plane(n, false), "plane");
    expect_hull(clouds.plane(n, true), "turned plane");
    expect_hull(clouds.line(n), "line");
    expect_hull(clouds.tiny_and_far(n), "tiny and far");
  }
}

TEST(ConvexHullMesh, IsTheHullAndNotMore) {
  Points corners;
  for (int i = 0; i < 8; ++i) corners.emplace_back(i & 1, (i >> 1) & 1, (i >> 2) & 1);
  Points points = corners;
  for (const auto& p : Clouds(3).cube(1000)) points.push_back(Vector3d::Constant(0.5) + 0.5 * p);
  const TriangleMesh m = convex_hull(points);
  EXPECT_EQ(m.vertices.size(), 8u);
  EXPECT_EQ(m.triangles.size(), 12u);
  EXPECT_DOUBLE_EQ(volume(m), 1.0);
}

TEST(ConvexHullMesh, FlatInputGivesBothSidesOfItsOutline) {
  Points square;
  for (int x = 0; x <= 4; ++x) {
    for (int y = 0; y <= 4; ++y) square.emplace_back(x, 7, y);
  }
  const TriangleMesh m = convex_hull(square);
  EXPECT_EQ(m.vertices.size(), 4u);
  EXPECT_EQ(m.triangles.size(), 4u);
  for (const Vector3i& t : m.triangles) EXPECT_TRUE(has_area(m, t));
  EXPECT_EQ(volume(m), 0.0);

  const TriangleMesh segment = convex_hull(Points{{0, 0, 0}, {2, 2, 2}, {1, 1, 1}});
  EXPECT_EQ(segment.vertices.size(), 2u);
  EXPECT_EQ(segment.triangles.size(), 2u);
  const TriangleMesh point = convex_hull(Points(5, Vector3d(1, 2, 3)));
  EXPECT_EQ(point.vertices.size(), 1u);
  EXPECT_EQ(point.triangles.size(), 1u);
}

TEST(ConvexHullMesh, RejectsWhatIsNotAPoint) {
  EXPECT_THROW(convex_hull(Points{}), InputError);
  EXPECT_THROW(convex_hull(Points{Vector3d(0, 0, std::numeric_limits<double>::quiet_NaN())}), InputError);
  EXPECT_THROW(convex_hull(Points{Vector3d(0, 1e8, 0)}), InputError);
}

TEST(ConvexHullMesh, HandlesManyPoints) {
  const Points points = Clouds(5).sphere(20000);
  const TriangleMesh m = convex_hull(points);
  EXPECT_EQ(m.vertices.size(), points.size());
  EXPECT_EQ(m.triangles.size(), 2 * points.size() - 4);
  expect_closed(m);
}

}  // namespace
}  // namespace planner_ccd
