#include "planner_ccd/geometry/convex_hull.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "planner_ccd/geometry/orientation.hpp"
#include "planner_ccd/math/error.hpp"

/// Quickhull (Barber, Dobkin, Huhdanpaa 1996) on triangles, with exact orientations.
///
/// Each face keeps the points strictly outside it. The farthest one, p, replaces all faces it sees strictly by a cone
/// over their border. With exact signs, whatever the degeneracy:
/// - The faces seen strictly from p are those seen from a point a little nearer to the inside, which is in general
///   position: they are connected, and their border is one simple cycle.
/// - A border edge belongs to a face that p sees strictly, so p is not in line with it: no new face has zero area.
/// - A point q strictly outside a removed face f is, if still outside, strictly outside a new face: the segments from q
///   to the inner points of f cannot meet the old hull before f, so nearly all leave the new hull through the inside of
/// a new face. So only new faces need testing, and points outside none of them are inside.
/// Coplanar faces stay separate triangles, which suffices for distance queries.
namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

struct Face {
  std::array<int, 3> vertex;
  std::array<int, 3> neighbour;  ///< Across the edge from vertex i to vertex i + 1.
  std::vector<int> outside;      ///< Points strictly outside.
  bool alive = true;
};

class Quickhull {
 public:
  Quickhull(const std::vector<Vector3d>& points, const std::array<int, 4>& start) : points_(points) {
    begin(start);
    for (std::size_t f = 0; f < faces_.size(); ++f) {
      // Faces made by add_point() come at the end, so this visits them too.
      if (faces_[f].alive && !faces_[f].outside.empty()) add_point(static_cast<int>(f));
    }
  }

  std::vector<Vector3i> triangles() const {
    std::vector<Vector3i> result;
    for (const Face& f : faces_) {
      if (f.alive) result.emplace_back(f.vertex[0], f.vertex[1], f.vertex[2]);
    }
    return result;
  }

 private:
  const std::vector<Vector3d>& points_;
  std::vector<Face> faces_;

  /// An edge of a removed face whose other side stays.
  struct BorderEdge {
    int from, to;
    int beyond;  ///< The face that stays.
  };

  double height(const Face& f, int p) const {
    return orientation_3d(points_[f.vertex[0]], points_[f.vertex[1]], points_[f.vertex[2]], points_[p]);
  }

  void begin(const std::array<int, 4>& t) {
    faces_.push_back({{t[0], t[1], t[2]}, {1, 2, 3}, {}});
    faces_.push_back({{t[1], t[0], t[3]}, {0, 3, 2}, {}});
    faces_.push_back({{t[2], t[1], t[3]}, {0, 1, 3}, {}});
    faces_.push_back({{t[0], t[2], t[3]}, {0, 2, 1}, {}});
    std::vector<int> all(points_.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int>(i);
    assign(all, 0);
  }

  /// Gives each point to the first face, starting at `first`, that it is outside of; others are inside and dropped.
  void assign(const std::vector<int>& points, std::size_t first) {
    for (const int p : points) {
      for (std::size_t f = first; f < faces_.size(); ++f) {
        if (height(faces_[f], p) > 0.0) {
          faces_[f].outside.push_back(p);
          break;
        }
      }
    }
  }

  int farthest(const Face& f) const {
    int best = f.outside.front();
    double most = 0.0;
    for (const int p : f.outside) {
      const double h = height(f, p);
      if (h > most) {
        most = h;
        best = p;
      }
    }
    return best;
  }

  void add_point(int f) {
    const int p = farthest(faces_[f]);
    std::vector<int> orphans;
    const std::vector<BorderEdge> border = remove_seen(f, p, orphans);

    const auto first = faces_.size();
    std::vector<std::pair<int, int>>
        face_from;  // the new face at each border edge, by the vertex where the edge starts
    for (const BorderEdge& e : border) {
      const int made = static_cast<int>(faces_.size());
      faces_.push_back({{e.from, e.to, p}, {e.beyond, -1, -1}, {}});
      link(e.beyond, e.to, made);
      face_from.emplace_back(e.from, made);
    }
    std::sort(face_from.begin(), face_from.end());
    for (std::size_t k = first; k < faces_.size(); ++k) {
      const auto next = std::lower_bound(face_from.begin(), face_from.end(), std::make_pair(faces_[k].vertex[1], 0));
      faces_[k].neighbour[1] = next->second;
      faces_[next->second].neighbour[2] = static_cast<int>(k);
    }
    assign(orphans, first);
  }

  /// Makes `neighbour` the neighbour of face f across the edge that starts at `from`.
  void link(int f, int from, int neighbour) {
    for (int i = 0; i < 3; ++i) {
      if (faces_[f].vertex[i] == from) faces_[f].neighbour[i] = neighbour;
    }
  }

  /// Removes all faces that p sees, starting from one; collects their points and their border.
  std::vector<BorderEdge> remove_seen(int start, int p, std::vector<int>& orphans) {
    std::vector<BorderEdge> border;
    std::vector<int> stack{start};
    faces_[start].alive = false;
    while (!stack.empty()) {
      Face& f = faces_[stack.back()];
      stack.pop_back();
      orphans.insert(orphans.end(), f.outside.begin(), f.outside.end());
      f.outside = {};
      for (int i = 0; i < 3; ++i) {
        const int g = f.neighbour[i];
        if (!faces_[g].alive) continue;
        if (height(faces_[g], p) > 0.0) {
          faces_[g].alive = false;
          stack.push_back(g);
        } else {
          border.push_back({f.vertex[i], f.vertex[(i + 1) % 3], g});
        }
      }
    }
    return border;
  }
};

bool lexicographically_less(const Vector3d& a, const Vector3d& b) {
  return std::lexicographical_compare(a.data(), a.data() + 3, b.data(), b.data() + 3);
}

/// Twice the area of a triangle seen along the axis in which it is largest, and that axis.
struct Area {
  int axis = 0;
  double size = 0.0;  ///< 0 only if the points are exactly in line.
};

Area area(const Vector3d& a, const Vector3d& b, const Vector3d& c) {
  Area best;
  for (int k = 0; k < 3; ++k) {
    const double size = std::abs(orientation_2d(a, b, c, (k + 1) % 3, (k + 2) % 3));
    if (size > best.size) best = {k, size};
  }
  return best;
}

/// The hull of coplanar points that are not collinear, by Andrew's monotone chain on two of their coordinates. The
/// projection is one to one on the plane, because one of its triangles has an area there.
std::vector<int> polygon(const std::vector<Vector3d>& points, int axis) {
  const int x = (axis + 1) % 3, y = (axis + 2) % 3;
  std::vector<int> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  std::sort(order.begin(), order.end(), [&](int i, int j) {
    return std::make_pair(points[i][x], points[i][y]) < std::make_pair(points[j][x], points[j][y]);
  });
  std::vector<int> ring;
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = ring.size();
    for (const int p : order) {
      while (ring.size() >= start + 2 &&
             !(orientation_2d(points[ring[ring.size() - 2]], points[ring.back()], points[p], x, y) > 0.0)) {
        ring.pop_back();
      }
      ring.push_back(p);
    }
    ring.pop_back();  // the first of the other side
    std::reverse(order.begin(), order.end());
  }
  return ring;
}

/// Fans from different corners, so that the sides share only the outline.
std::vector<Vector3i> both_sides(const std::vector<int>& ring) {
  std::vector<Vector3i> triangles;
  const std::size_t n = ring.size();
  for (std::size_t i = 2; i < n; ++i) {
    triangles.emplace_back(ring[0], ring[i - 1], ring[i]);
    triangles.emplace_back(ring[1], ring[(i + 1) % n], ring[i]);
  }
  return triangles;
}

std::vector<Vector3i> hull_triangles(const std::vector<Vector3d>& points) {
  const auto index = [&](auto it) { return static_cast<int>(it - points.begin()); };
  const auto [low, high] = std::minmax_element(points.begin(), points.end(), lexicographically_less);
  const int a = index(low), b = index(high);
  if (*low == *high) return {{a, a, a}};

  int c = a, axis = 0;
  double most = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Area t = area(points[a], points[b], points[i]);
    if (t.size > most) {
      most = t.size;
      axis = t.axis;
      c = static_cast<int>(i);
    }
  }
  if (c == a) return {{a, b, b}, {b, a, a}};

  int d = a;
  most = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double volume = orientation_3d(points[a], points[b], points[c], points[i]);
    if (std::abs(volume) > std::abs(most)) {
      most = volume;
      d = static_cast<int>(i);
    }
  }
  if (d == a) return both_sides(polygon(points, axis));
  return Quickhull(points, most < 0.0 ? std::array{a, b, c, d} : std::array{a, c, b, d}).triangles();
}

}  // namespace

TriangleMesh convex_hull(std::span<const Vector3d> input) {
  if (input.empty()) throw InputError("the convex hull of no points is not defined");
  std::vector<Vector3d> points(input.begin(), input.end());
  for (Vector3d& p : points) {
    if (!p.allFinite() || p.cwiseAbs().maxCoeff() > kMaxCoordinate) {
      throw InputError("a point of a convex hull is not finite or lies beyond 1e7 m");
    }
    for (int k = 0; k < 3; ++k) {
      if (std::abs(p[k]) < 0x1p-200) p[k] = 0.0;
    }
  }
  TriangleMesh mesh;
  mesh.triangles = hull_triangles(points);
  std::vector<int> place(points.size(), -1);
  for (Vector3i& t : mesh.triangles) {
    for (int& v : t) {
      if (place[v] < 0) {
        place[v] = static_cast<int>(mesh.vertices.size());
        mesh.vertices.push_back(points[v]);
      }
      v = place[v];
    }
  }
  return mesh;
}

}  // namespace planner_ccd
