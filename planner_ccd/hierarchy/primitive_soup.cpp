#include "planner_ccd/hierarchy/primitive_soup.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/geometry/convex_hull.hpp"
#include "planner_ccd/geometry/mesh_prepare.hpp"
#include "planner_ccd/hierarchy/cavities.hpp"
#include "planner_ccd/math/error.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

/// Adds the primitives of one geometry.
class SoupWriter {
 public:
  SoupWriter(PrimitiveSoup& soup, const Geometry& geometry, const std::string& label)
      : soup_(soup), pose_(rigid(geometry.pose, label)), label_(label) {}

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
    add_mesh(mesh);
  }
  void operator()(const ConvexHull& h) { add_mesh(convex_hull(h.points)); }
  void operator()(const MeshPtr& m) { add_mesh(*m); }

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

  void add_segment(const Vector3d& p, const Vector3d& q, double radius,
                   PrimitiveKind kind = PrimitiveKind::RoundedTriangle) {
    const PrimitiveSource& source = open_source(kind, false, radius);
    const int first = add_vertex(p), second = p == q ? first : add_vertex(q);
    soup_.primitives.push_back({.vertex = {first, second, second}, .tag = source.begin});
    soup_.components.push_back({first, static_cast<std::int32_t>(soup_.sources.size()) - 1});
  }

  void add_mesh(const TriangleMesh& given) {
    PrimitiveSource& source = open_source(PrimitiveKind::RoundedTriangle, true, 0.0);
    const PreparedMesh prepared = prepare(given, label_);
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
  const std::string& label_;
};

}  // namespace

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
    if (soup.primitives.size() > std::numeric_limits<std::int32_t>::max() / 8) {
      throw InputError(label + ": more than 268 million primitives in one body");
    }
  }
  if (soup.shells.size() <= 1) soup.shell_of = {};
  return soup;
}

}  // namespace planner_ccd
