#include "planner_ccd/viewer/tessellate.hpp"

#include <cmath>
#include <numbers>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/convex_hull.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"

namespace planner_ccd::viewer {
namespace {

// A circle's chords stay within r (1 - cos(pi / n)) of it: 1.21e-3 r for these. On a sphere, whose steps of latitude are of
// the same angle, the two directions add.
constexpr int kAround = 64;

/// A surface of revolution about z through rings of the given radius and height, from the bottom up; a ring of radius 0
/// is a pole. Flat ends are rings of radius 0 at the height of their rim.
struct Ring {
  double radius, height;
};

TriangleMesh revolve(const std::vector<Ring>& rings) {
  TriangleMesh mesh;
  std::vector<int> first;
  for (const Ring& ring : rings) {
    first.push_back(static_cast<int>(mesh.vertices.size()));
    const int count = ring.radius > 0.0 ? kAround : 1;
    for (int i = 0; i < count; ++i) {
      const double angle = 2.0 * std::numbers::pi * i / kAround;
      mesh.vertices.emplace_back(ring.radius * std::cos(angle), ring.radius * std::sin(angle), ring.height);
    }
  }
  for (std::size_t r = 0; r + 1 < rings.size(); ++r) {
    const bool lower_pole = rings[r].radius == 0.0, upper_pole = rings[r + 1].radius == 0.0;
    for (int i = 0; i < kAround; ++i) {
      const int k = (i + 1) % kAround;
      const int a = first[r] + (lower_pole ? 0 : i), b = first[r] + (lower_pole ? 0 : k);
      const int c = first[r + 1] + (upper_pole ? 0 : i), d = first[r + 1] + (upper_pole ? 0 : k);
      if (!lower_pole) mesh.triangles.emplace_back(a, b, d);
      if (!upper_pole) mesh.triangles.emplace_back(a, d, c);
    }
  }
  return mesh;
}

TriangleMesh draw(const Box& box) {
  TriangleMesh mesh;
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d sign(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    mesh.vertices.push_back(sign.cwiseProduct(box.size));
  }
  mesh.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

TriangleMesh draw(const Cylinder& c) {
  const double h = 0.5 * c.length;
  return revolve({{0.0, -h}, {c.radius, -h}, {c.radius, h}, {0.0, h}});
}

/// Two half spheres, `length` apart.
TriangleMesh draw(const Capsule& c) {
  std::vector<Ring> rings;
  const int steps = kAround / 4;
  for (int half = -1; half <= 1; half += 2) {
    for (int i = 0; i <= steps; ++i) {
      const int step = half < 0 ? i - steps : i;  // latitude, from -90 to 90 degrees
      if (half > 0 && i == 0 && c.length == 0.0) continue;
      const double latitude = 0.5 * std::numbers::pi * step / steps;
      const double radius = std::abs(step) == steps ? 0.0 : c.radius * std::cos(latitude);
      rings.push_back({radius, half * 0.5 * c.length + c.radius * std::sin(latitude)});
    }
  }
  return revolve(rings);
}

TriangleMesh draw(const Sphere& s) { return draw(Capsule{s.radius, 0.0}); }

TriangleMesh draw(const ConvexHull& hull) { return convex_hull(hull.points); }

constexpr int kMostDrawn = 20'000;  ///< Points drawn of a cloud, evenly spaced in their order: a screen shows no more.
constexpr int kMostCells = 50'000;

void add_octahedron(TriangleMesh& mesh, const Eigen::Vector3d& center, double radius) {
  const int first = static_cast<int>(mesh.vertices.size());
  for (int i = 0; i < 6; ++i)
    mesh.vertices.push_back(center + (i < 3 ? -radius : radius) * Eigen::Vector3d::Unit(i % 3));
  for (int i = 0; i < 8; ++i) {
    const int x = first + (i & 1 ? 3 : 0), y = first + (i & 2 ? 4 : 1), z = first + (i & 4 ? 5 : 2);
    const bool outwards = ((i & 1) + (i >> 1 & 1) + (i >> 2 & 1)) % 2 == 1;
    mesh.triangles.emplace_back(x, outwards ? y : z, outwards ? z : y);
  }
}

TriangleMesh draw(const CloudPtr& cloud) {
  TriangleMesh mesh;
  const int step = 1 + (cloud->size() - 1) / kMostDrawn;
  for (int i = 0; i < cloud->size(); i += step) add_octahedron(mesh, cloud->point(i), cloud->ball_radius());
  return mesh;
}

TriangleMesh draw(const CellsPtr& cells) {
  TriangleMesh mesh;
  const int step = 1 + (cells->size() - 1) / kMostCells;
  for (int i = 0; i < cells->size(); i += step) {
    const TriangleMesh cube = draw(Box{2.0 * cells->half_edges(i)});
    const Eigen::Vector3i first = Eigen::Vector3i::Constant(static_cast<int>(mesh.vertices.size()));
    for (const Eigen::Vector3d& p : cube.vertices) mesh.vertices.push_back(cells->center(i) + p);
    for (const Eigen::Vector3i& t : cube.triangles) mesh.triangles.push_back(first + t);
  }
  return mesh;
}

}  // namespace

MeshPtr drawn_mesh(const Shape& shape) {
  if (const auto* mesh = std::get_if<MeshPtr>(&shape)) return *mesh;
  return std::visit(
      [](const auto& s) -> MeshPtr {
        if constexpr (std::is_same_v<std::decay_t<decltype(s)>, MeshPtr>) {
          return s;
        } else {
          return std::make_shared<const TriangleMesh>(draw(s));
        }
      },
      shape);
}

}  // namespace planner_ccd::viewer
