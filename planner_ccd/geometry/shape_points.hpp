#pragma once

#include <Eigen/Core>
#include <type_traits>
#include <variant>

#include "planner_ccd/geometry/cell_map.hpp"
#include "planner_ccd/geometry/point_cloud.hpp"
#include "planner_ccd/geometry/shape.hpp"

namespace planner_ccd {

/// Calls take(point, radius) so that the shape lies in the convex hull of the balls. Vertices of a mesh that no
/// triangle uses are left out.
template <typename Take>
void for_each_ball(const Shape& shape, const Take& take) {
  const auto bar = [&](double radius, double length) {
    for (const double end : {-0.5, 0.5}) take(Eigen::Vector3d(0.0, 0.0, end * length), radius);
  };
  std::visit(
      [&](const auto& s) {
        using Kind = std::decay_t<decltype(s)>;
        if constexpr (std::is_same_v<Kind, Sphere>) {
          take(Eigen::Vector3d(Eigen::Vector3d::Zero()), s.radius);
        } else if constexpr (std::is_same_v<Kind, Box>) {
          for (int i = 0; i < 8; ++i) {
            const Eigen::Vector3d side(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0);
            take(Eigen::Vector3d(0.5 * s.size.cwiseProduct(side)), 0.0);
          }
        } else if constexpr (std::is_same_v<Kind, ConvexHull>) {
          for (const Eigen::Vector3d& p : s.points) take(p, 0.0);
        } else if constexpr (std::is_same_v<Kind, CloudPtr>) {
          for (int i = 0; i < s->size(); ++i) take(s->point(i), s->ball_radius());
        } else if constexpr (std::is_same_v<Kind, CellsPtr>) {
          for (int i = 0; i < s->size(); ++i) take(s->center(i), s->reach(i));
        } else if constexpr (std::is_same_v<Kind, MeshPtr>) {
          std::vector<bool> used(s->vertices.size(), false);
          for (const Eigen::Vector3i& t : s->triangles) {
            for (int k = 0; k < 3; ++k) used[t[k]] = true;
          }
          for (std::size_t i = 0; i < used.size(); ++i) {
            if (used[i]) take(s->vertices[i], 0.0);
          }
        } else {
          bar(s.radius, s.length);
        }
      },
      shape);
}

}  // namespace planner_ccd
