#include "planner_ccd/scene/same_scene.hpp"

#include <algorithm>
#include <type_traits>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"

namespace planner_ccd {
namespace {

bool same_shape(const Shape& a, const Shape& b) {
  if (a.index() != b.index()) return false;
  return std::visit(
      [&](const auto& x) {
        const auto& y = std::get<std::decay_t<decltype(x)>>(b);
        using Kind = std::decay_t<decltype(x)>;
        if constexpr (std::is_same_v<Kind, Sphere>) {
          return x.radius == y.radius;
        } else if constexpr (std::is_same_v<Kind, Box>) {
          return x.size == y.size;
        } else if constexpr (std::is_same_v<Kind, ConvexHull>) {
          return x.points == y.points;
        } else if constexpr (std::is_same_v<Kind, CloudPtr> || std::is_same_v<Kind, CellsPtr>) {
          return x == y || *x == *y;
        } else if constexpr (std::is_same_v<Kind, MeshPtr>) {
          return x == y || (x->vertices == y->vertices && x->triangles == y->triangles);
        } else {
          return x.radius == y.radius && x.length == y.length;
        }
      },
      a);
}

}  // namespace

bool same_geometry(const SceneObject& a, const SceneObject& b) {
  return std::equal(a.geometry.begin(), a.geometry.end(), b.geometry.begin(), b.geometry.end(),
                    [](const Geometry& x, const Geometry& y) {
                      return x.pose.matrix() == y.pose.matrix() && same_shape(x.shape, y.shape);
                    });
}

bool same_attached(const AttachedObject& a, const AttachedObject& b) {
  return a.object.name == b.object.name && a.link == b.link && a.touch_links == b.touch_links &&
         a.object.pose.matrix() == b.object.pose.matrix() && a.object.pose_error == b.object.pose_error &&
         same_geometry(a.object, b.object);
}

bool same_attached(const Scene& a, const Scene& b) {
  return std::equal(a.attached.begin(), a.attached.end(), b.attached.begin(), b.attached.end(),
                    [](const AttachedObject& x, const AttachedObject& y) { return same_attached(x, y); });
}

bool same_padding(const Scene& a, const Scene& b) {
  return std::equal(a.padding.begin(), a.padding.end(), b.padding.begin(), b.padding.end(),
                    [](const Padding& x, const Padding& y) { return x.name == y.name && x.padding == y.padding; });
}

bool same_rules(const Scene& a, const Scene& b) {
  return same_attached(a, b) && same_padding(a, b) &&
         std::equal(a.allow.begin(), a.allow.end(), b.allow.begin(), b.allow.end(),
                    [](const AllowedPair& x, const AllowedPair& y) { return x.a == y.a && x.b == y.b; }) &&
         std::equal(
             a.margins.begin(), a.margins.end(), b.margins.begin(), b.margins.end(),
             [](const PairMargin& x, const PairMargin& y) { return x.a == y.a && x.b == y.b && x.margin == y.margin; });
}

}  // namespace planner_ccd
