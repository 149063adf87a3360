#pragma once

#include <Eigen/Geometry>
#include <cstdint>

#pragma GCC visibility push(default)
namespace planner_ccd {

enum class SsvType : std::uint8_t { Point, Line, Rectangle };

/// A swept-sphere volume: all points within `radius` of a generator, which is a point, a segment or a rectangle.
struct Ssv {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< A corner of the generator.
  Eigen::Vector3d edge0 = Eigen::Vector3d::Zero();   ///< To the next corner; zero for a point.
  Eigen::Vector3d edge1 =
      Eigen::Vector3d::Zero();  ///< Perpendicular to edge0 (to rounding); zero for point and segment.
  double radius = 0.0;          ///< [m] >= 0
  SsvType type = SsvType::Point;

  int corner_count() const { return 1 << static_cast<int>(type); }
  /// Corner i of the generator, 0 <= i < corner_count().
  Eigen::Vector3d corner(int i) const {
    Eigen::Vector3d c = origin;
    if (i & 1) c += edge0;
    if (i & 2) c += edge1;
    return c;
  }
};

/// A direction and the separation of two volumes that it proves: for all points a of A and b of B, n.b - n.a >= gap.
struct SeparatingGap {
  double gap;              ///< [m] Certified lower bound of the distance; <= 0 when no separation was found.
  Eigen::Vector3d normal;  ///< Unit, from A towards B.
};

/// Both volumes in one frame. The gap is the distance less a rounding bound when they are apart.
SeparatingGap ssv_gap(const Ssv& a, const Ssv& b);

/// The certified gap along a given unit vector n (to 4 units in the last place), without any search: the separation
/// that a cached direction still proves. Never above ssv_gap by more than rounding.
double ssv_gap_along(const Ssv& a, const Ssv& b, const Eigen::Vector3d& n);

/// [m^3] The volume for a generator with these edge lengths (0 for a segment's second, and for both of a point).
inline double ssv_volume(double length0, double length1, double radius) {
  constexpr double pi = 3.14159265358979323846;
  return radius * (2.0 * length0 * length1 + pi * radius * (length0 + length1 + 4.0 / 3.0 * radius));
}
inline double ssv_volume(const Ssv& v) { return ssv_volume(v.edge0.norm(), v.edge1.norm(), v.radius); }

}  // namespace planner_ccd
#pragma GCC visibility pop
