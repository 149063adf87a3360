#include "planner_ccd/hierarchy/primitive_soup.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/convex_hull.hpp"
#include "planner_ccd/geometry/known_mesh.hpp"
#include "planner_ccd/geometry/mesh_prepare.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/hierarchy/cavities.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

/// Adds the primitives of one geometry.
class SoupWriter {
 public:
  SoupWriter(PrimitiveSoup& soup, const Geometry& geometry, const std::string& label)
      : soup_(soup), pose_(rigid(geometry.pose, label)) {}

  void operator()(const Sphere& s) { add_segment(Vector3d::Zero(), Vector3d::Zero(), s.radius); }
  void operator()(const Capsule& c) {
    const Vector3d half(0.0, 0.0, 0.5 * c.length);
    add_segment(-half, half, c.radius);
  }
  void operator()(const Cylinder& c) {
    const Vector3d half(0.0, 0.0, 0.5 * c.length);
    add_segment(-half, half, c.radius, PrimitiveKind::Cylinder);
  }
  void operator()(const Box& b) {
    TriangleMesh mesh;
    for (int i = 0; i < 8; ++i) {
      mesh.vertices.push_back(0.5 * b.size.cwiseProduct(Vector3d(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1)));
    }
    for (int axis = 0; axis < 3; ++axis) {  // Faces -axis and +axis, counter-clockwise from outside.
      const int a = 1 << axis, b1 = 1 << (axis + 1) % 3, c1 = 1 << (axis + 2) % 3;
      mesh.triangles.insert(mesh.triangles.end(), {Vector3i(0, c1, b1), Vector3i(b1, c1, b1 + c1),
                                                   Vector3i(a, a + b1, a + c1), Vector3i(a + b1, a + b1 + c1, a + c1)});
    }
    add_mesh(mesh, true);
  }
  void operator()(const ConvexHull& h) { add_mesh(convex_hull(h.points), false); }
  void operator()(const MeshPtr& m) { add_mesh(*m, facts_of(m).distinct); }
  void operator()(const CloudPtr& c) { add_grains(c, PrimitiveKind::RoundedTriangle, c->ball_radius()); }
  void operator()(const CellsPtr& c) { add_grains(c, PrimitiveKind::Cube, 0.0); }

 private:
  int add_vertex(const Vector3d& p) {
    soup_.vertices.push_back(pose_ * p);
    return static_cast<int>(soup_.vertices.size()) - 1;
  }

  PrimitiveSource& open_source(PrimitiveKind kind, bool has_triangles, double radius) {
    soup_.sources.push_back({.begin = static_cast<std::int32_t>(soup_.primitives.size()),
                             .kind = kind,
                             .has_triangles = has_triangles,
                             .open_parts = 0,
                             .radius = radius});
    return soup_.sources.back();
  }

  template <typename Shape>
  void add_grains(const Shape& shape, PrimitiveKind kind, double radius) {
    open_source(kind, false, radius);
    soup_.grains = Grains(shape, pose_);
  }

  void add_segment(const Vector3d& p, const Vector3d& q, double radius,
                   PrimitiveKind kind = PrimitiveKind::RoundedTriangle) {
    const PrimitiveSource& source = open_source(kind, false, radius);
    const int first = add_vertex(p), second = p == q ? first : add_vertex(q);
    soup_.primitives.push_back({.vertex = {first, second, second}, .tag = source.begin});
    soup_.components.push_back({first, static_cast<std::int32_t>(soup_.sources.size()) - 1});
  }

  void add_mesh(const TriangleMesh& given, bool distinct) {
    PrimitiveSource& source = open_source(PrimitiveKind::RoundedTriangle, true, 0.0);
    const PreparedMesh prepared(given, distinct);
    const MeshShells& shells = prepared.shells;
    const int index = static_cast<int>(soup_.sources.size()) - 1;
    const int offset = static_cast<int>(soup_.vertices.size());
    const int first_shell = static_cast<int>(soup_.shells.size());
    source.open_parts = shells.open_parts;
    for (const bool cavity : find_cavities(prepared)) soup_.shells.push_back({index, cavity});
    for (const Vector3d& p : prepared.mesh.vertices) add_vertex(p);
    soup_.shell_of.resize(soup_.primitives.size(), -1);
    for (std::size_t i = 0; i < prepared.mesh.triangles.size(); ++i) {
      const Vector3i& t = prepared.mesh.triangles[i];
      const std::int32_t encloses = shells.shell[i] < 0 ? 0 : PrimitiveRecord::kEncloses;
      const std::int32_t turned = shells.turned[i] ? PrimitiveRecord::kTurned : 0;
      soup_.shell_of.push_back(encloses != 0 ? first_shell + shells.shell[i] : -1);
      soup_.primitives.push_back({.vertex = {offset + t[0], offset + t[1], offset + t[2]},
                                  .tag = (source.begin + static_cast<std::int32_t>(i)) | encloses | turned});
    }
    for (const int vertex : prepared.representatives) soup_.components.push_back({offset + vertex, index});
  }

  PrimitiveSoup& soup_;
  const Eigen::Isometry3d pose_;
};

}  // namespace

int Grains::count() const { return cloud_ ? cloud_->size() : cells_->size(); }

/// A cell is widened by the rounding of its centre. The vectors to its faces, and the third of them, are off by less
/// than 64 u of their length, in any orientation: a point of the cell by less than 256 u of the longest.
Primitive Grains::operator[](int i) const {
  if (cloud_) {
    const Vector3d p = X_ * cloud_->point(i);
    return {PrimitiveKind::RoundedTriangle, {p, p, p}, cloud_->ball_radius(), 0, cloud_->number(i)};
  }
  const Vector3d half = cells_->half_edges(i);
  return {PrimitiveKind::Cube,
          {X_ * cells_->center(i), half[2] * X_.linear().col(2), half[0] * X_.linear().col(0)},
          add_up(cells_->rounding(i), 256.0 * kUnitRoundoff * half[2]),
          0,
          cells_->number(i)};
}

double Grains::reach(int i) const { return cloud_ ? cloud_->ball_radius() : cells_->reach(i); }

double Grains::common_radius() const { return cloud_ ? cloud_->ball_radius() : 0.0; }

std::uint64_t Grains::place_on_curve(int i) const {
  return cloud_ ? cloud_->place_on_curve(i) : cells_->place_on_curve(i);
}

int PrimitiveSoup::source_index(const PrimitiveRecord& r) const {
  if (sources.size() == 1) return 0;
  const auto next = std::upper_bound(sources.begin(), sources.end(), r.number(),
                                     [](std::int32_t s, const PrimitiveSource& source) { return s < source.begin; });
  return static_cast<int>(next - sources.begin()) - 1;
}

PrimitiveSoup make_soup(const std::vector<Geometry>& geometry, const std::string& name) {
  if (geometry.empty()) throw InputError(name + ": there is no geometry to build a hierarchy over");
  PrimitiveSoup soup;
  for (std::size_t i = 0; i < geometry.size(); ++i) {
    const Geometry& g = geometry[i];
    const std::string label =
        name + ", geometry " + std::to_string(i) + (g.source.empty() ? "" : " (" + g.source + ")");
    validate(g, label);
    std::visit(SoupWriter(soup, g, label), g.shape);
    if (soup.grains && geometry.size() > 1) {
      throw InputError(label + ": a cloud or a map of cells must be the only shape of its object");
    }
    if (soup.primitives.size() > std::numeric_limits<std::int32_t>::max() / 8) {
      throw InputError(label + ": more than 268 million primitives in one body");
    }
  }
  if (soup.shells.size() <= 1) soup.shell_of = {};
  return soup;
}

}  // namespace planner_ccd
