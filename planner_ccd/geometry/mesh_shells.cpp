#include "planner_ccd/geometry/mesh_shells.hpp"

#include <Eigen/Geometry>

#include <cmath>

#include "planner_ccd/geometry/edge_table.hpp"
#include "planner_ccd/geometry/mesh_prepare.hpp"
#include "planner_ccd/geometry/orientation.hpp"
#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// A triangle at an edge. Seen along the edge from its lower to its upper vertex, angles grow clockwise, that is from a
/// triangle (lower, upper, c) towards the side from which it is counter-clockwise.
struct Sheet {
  int triangle;
  int direction;  ///< As of the half edge: +1 if the triangle's front faces growing angles.
  int apex;       ///< The third vertex.
  int part;
  int sector = 0;  ///< 0: at the angle of the first sheet; 1: less than half a turn on; 2: half a turn; 3: more.
};

class ShellFinder {
 public:
  ShellFinder(const TriangleMesh& mesh, const EdgeTable& edges)
      : mesh_(mesh),
        edges_(edges),
        count_(static_cast<int>(mesh.triangles.size())),
        parts_(count_),
        sides_(2 * count_) {}

  MeshShells find() {
    find_copies();
    find_parts();
    find_sides();
    measure();
    return collect();
  }

 private:
  struct Part {
    int first = -1;  ///< One of its triangles.
    int triangles = 0;
    int outside = -1;         ///< The side that faces the outermost cell.
    bool has_inside = false;  ///< There is another cell.
    bool copies = false;      ///< Some triangle is there more than once.
    bool balanced = true;     ///< Every edge is used as often in one direction as in the other.
    double size = 0.0;        ///< [m^3] Bounds the sum of absolute values of which the volume is made.
  };

  static int front(int triangle) { return 2 * triangle; }
  static int back(int triangle) { return 2 * triangle + 1; }
  const Vector3d& vertex(int i) const { return mesh_.vertices[i]; }
  int apex(const HalfEdge& e) const { return mesh_.triangles[e.triangle].sum() - e.lower - e.upper; }

  void find_copies();
  void find_parts();
  void find_sides();
  void join_around(int lower, int upper, std::span<Sheet> sheets);
  int sector(int lower, int upper, int first, int apex) const;
  double corner_volume(int triangle, const Vector3d& origin, double& size) const;
  void measure();
  MeshShells collect();
  void set_facing(MeshShells& result) const;

  /// The triangles at an edge, each once. Valid until the next call.
  std::span<Sheet> sheets(std::span<const HalfEdge> edge) {
    here_.clear();
    for (const HalfEdge& e : edge) {
      if (original_[e.triangle] == e.triangle) here_.push_back({e.triangle, e.direction, apex(e), 0});
    }
    return here_;
  }

  const TriangleMesh& mesh_;
  const EdgeTable& edges_;
  const int count_;
  std::vector<int> original_;   ///< The first triangle with the same corners.
  std::vector<bool> opposite_;  ///< Turned the other way than the original.
  DisjointSets parts_, sides_;
  std::vector<Sheet> here_;  ///< Of sheets().
  std::vector<int> patch_;   ///< Connected through edges of two triangles only.
  std::vector<Part> part_;   ///< At the root of each set of parts_.
  std::vector<double>
      volume_;  ///< At the root of each set of sides_: volume of the cell it faces; of the outermost, minus the rest's.
};

void ShellFinder::find_copies() {
  original_.resize(count_);
  std::iota(original_.begin(), original_.end(), 0);
  opposite_.assign(count_, false);
  edges_.for_each_edge([&](std::span<const HalfEdge> edge) {
    for (std::size_t i = 1; i < edge.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (original_[edge[j].triangle] != edge[j].triangle || apex(edge[i]) != apex(edge[j])) continue;
        original_[edge[i].triangle] = edge[j].triangle;
        opposite_[edge[i].triangle] = edge[i].direction != edge[j].direction;
        break;
      }
    }
  });
}

void ShellFinder::find_parts() {
  edges_.for_each_edge([&](std::span<const HalfEdge> edge) {
    const std::span<const Sheet> here = sheets(edge);
    if (here.size() == 2) parts_.unite(here[0].triangle, here[1].triangle);
  });
  patch_.resize(count_);
  for (int t = 0; t < count_; ++t) patch_[t] = parts_.find(t);
  edges_.for_each_edge([&](std::span<const HalfEdge> edge) {
    const std::span<const Sheet> here = sheets(edge);
    if (here.size() <= 2) return;
    int odd = -1;
    for (const Sheet& s : here) {
      const auto same = [&](const Sheet& other) { return patch_[other.triangle] == patch_[s.triangle]; };
      if (std::count_if(here.begin(), here.end(), same) % 2 == 0) continue;
      if (odd >= 0) parts_.unite(odd, s.triangle);
      odd = s.triangle;
    }
  });
}

void ShellFinder::find_sides() {
  part_.resize(count_);
  edges_.for_each_edge([&](std::span<const HalfEdge> edge) {
    const std::span<Sheet> here = sheets(edge);
    for (Sheet& s : here) s.part = parts_.find(s.triangle);
    std::sort(here.begin(), here.end(), [](const Sheet& x, const Sheet& y) {
      return x.part != y.part ? x.part < y.part : x.triangle < y.triangle;
    });
    for (auto first = here.begin(), next = first; first != here.end(); first = next) {
      while (next != here.end() && next->part == first->part) ++next;
      join_around(edge[0].lower, edge[0].upper, {first, next});
      int balance = 0;
      for (const HalfEdge& e : edge) {
        if (parts_.find(original_[e.triangle]) == first->part) balance += e.direction;
      }
      if (balance != 0) part_[first->part].balanced = false;
    }
  });
}

/// Sorts the triangles of a part by their angle about an edge and joins the sides that face each other.
void ShellFinder::join_around(int lower, int upper, std::span<Sheet> sheets) {
  if (sheets.size() > 2) {
    const int first = sheets[0].apex;
    for (Sheet& s : sheets) s.sector = sector(lower, upper, first, s.apex);
    std::sort(sheets.begin(), sheets.end(), [&](const Sheet& x, const Sheet& y) {
      if (x.sector != y.sector) return x.sector < y.sector;
      if (x.sector % 2 == 1) {
        const double turn = orientation_3d(vertex(lower), vertex(upper), vertex(x.apex), vertex(y.apex));
        if (turn != 0.0) return turn > 0.0;
      }
      // In one plane: fronts outside of the pair, and among equals the higher patch in front, all over the overlap.
      if (x.direction != y.direction) return x.direction < y.direction;
      return x.direction * patch_[x.triangle] < y.direction * patch_[y.triangle];
    });
  }
  for (std::size_t i = 0; i < sheets.size(); ++i) {
    const Sheet &x = sheets[i], &y = sheets[(i + 1) % sheets.size()];
    sides_.unite(x.direction > 0 ? front(x.triangle) : back(x.triangle),
                 y.direction > 0 ? back(y.triangle) : front(y.triangle));
  }
}

int ShellFinder::sector(int lower, int upper, int first, int apex) const {
  const Vector3d &a = vertex(lower), &b = vertex(upper), &c = vertex(first), &d = vertex(apex);
  const double turn = orientation_3d(a, b, c, d);
  if (turn != 0.0) return turn > 0.0 ? 1 : 3;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const double side = orientation_2d(a, b, c, i, j);
    if (side != 0.0) return side * orientation_2d(a, b, d, i, j) < 0.0 ? 2 : 0;
  }
  return 0;  // The first triangle has no area, and no angle.
}

/// The signed volume between a triangle and a point, negative where the triangle's front faces the point.
double ShellFinder::corner_volume(int triangle, const Vector3d& origin, double& size) const {
  const Eigen::Vector3i& t = mesh_.triangles[triangle];
  const Vector3d a = vertex(t[0]) - origin, b = vertex(t[1]) - origin, c = vertex(t[2]) - origin;
  size += a.norm() * b.norm() * c.norm();
  return a.dot(b.cross(c)) / 6.0;
}

void ShellFinder::measure() {
  volume_.assign(2 * static_cast<std::size_t>(count_), 0.0);
  for (int t = 0; t < count_; ++t) {
    Part& part = part_[parts_.find(original_[t])];
    if (original_[t] != t) {
      part.copies = true;
      continue;
    }
    if (part.first < 0) part.first = t;
    ++part.triangles;
    const int facing_front = sides_.find(front(t)), facing_back = sides_.find(back(t));
    const double volume = corner_volume(t, vertex(mesh_.triangles[part.first][0]), part.size);
    volume_[facing_front] -= volume;  // The cell lies on the front, so its own outward normal is the opposite one.
    volume_[facing_back] += volume;
    if (facing_front != facing_back) part.has_inside = true;
  }
  for (int t = 0; t < count_; ++t) {
    if (original_[t] != t) continue;
    int& outside = part_[parts_.find(t)].outside;
    for (const int side : {sides_.find(front(t)), sides_.find(back(t))}) {
      if (outside < 0 || volume_[side] < volume_[outside]) outside = side;
    }
  }
}

/// A part whose two sides came out as one, although its triangles agree at every edge on what is outside (it passes
/// through itself where it touches itself), keeps the sides its triangles state.
MeshShells ShellFinder::collect() {
  MeshShells result;
  result.shell.assign(count_, -1);
  result.turned.assign(count_, false);
  std::vector<int> number(count_, -1);  // Of the shell, at the root of a part.
  for (int t = 0; t < count_; ++t) {
    if (original_[t] != t || !has_three_corners(mesh_.triangles[t])) continue;
    const int root = parts_.find(t);
    const Part& part = part_[root];
    const bool as_given = !part.has_inside && !part.copies && part.balanced;
    if (!part.has_inside && !as_given) {
      result.open_parts += t == part.first;
      continue;
    }
    if (number[root] < 0) {
      number[root] = static_cast<int>(result.shells.size());
      const double volume = std::abs(volume_[part.outside]);
      const bool flat = volume <= (part.triangles + 32) * kUnitRoundoff * part.size;
      result.shells.push_back({mesh_.triangles[t][0], volume, flat && !as_given ? Facing::Flat : Facing::Mixed});
    }
    const bool front_outside = sides_.find(front(t)) == part.outside,
               back_outside = sides_.find(back(t)) == part.outside;
    if (front_outside == back_outside && !as_given) continue;
    result.shell[t] = number[root];
    result.turned[t] = !as_given && back_outside;
  }
  set_facing(result);
  return result;
}

/// Sets the common orientation of all triangles of a shell, copies included.
void ShellFinder::set_facing(MeshShells& result) const {
  std::vector<int> out(result.shells.size(), 0), in(result.shells.size(), 0);
  for (int t = 0; t < count_; ++t) {
    const int original = original_[t], shell = result.shell[original];
    if (shell >= 0) ++(result.turned[original] == opposite_[t] ? out : in)[shell];
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (result.shells[i].facing != Facing::Mixed || result.shells[i].volume == 0.0) continue;
    if (in[i] == 0) result.shells[i].facing = Facing::Outwards;
    if (out[i] == 0) result.shells[i].facing = Facing::Inwards;
  }
}

}  // namespace

MeshShells find_shells(const TriangleMesh& mesh, const EdgeTable& edges) { return ShellFinder(mesh, edges).find(); }

bool has_inside(const TriangleMesh& mesh) {
  validate(mesh, "mesh");
  return PreparedMesh(mesh).shells.open_parts == 0;
}

}  // namespace planner_ccd
