#pragma once

#include <Eigen/Core>
#include <array>

#pragma GCC visibility push(default)
namespace planner_ccd::plucker {

/// Lines and trajectories of van Waveren (2005), with the axis of motion through the origin along a unit vector k. (MATHS.md 5d)
///
/// A directed line through a and b has the Pluecker coordinates direction b - a and moment a x b; side() of two of them (11) is 0 when they
/// meet, and its sign says on which side they pass. All functions that decide a contact are (12) along a translation and (13) along a rotation,
/// which (14) makes a quadratic in r = tan(s/2).
struct Line {
  Eigen::Vector3d direction;
  Eigen::Vector3d moment;
};

Line line_through(const Eigen::Vector3d& a, const Eigen::Vector3d& b);

/// The line of a point a that moves along v.
Line ray(const Eigen::Vector3d& a, const Eigen::Vector3d& v);

double side(const Line& p, const Line& q);

enum class Kind { Translation, Rotation };

/// (12) has v2 = 0, (13) all three.
struct Height {
  double v0 = 0.0;
  double v1 = 0.0;
  double v2 = 0.0;

  Height negated() const { return {-v0, -v1, -v2}; }
};

double value(Kind kind, const Height& h, double r);

/// A moving point: c + w r, or c + u cos s + w sin s.
struct MovingVertex {
  Eigen::Vector3d c;
  Eigen::Vector3d u;
  Eigen::Vector3d w;
};

/// Rotation about k through the origin, or translation along k scaled so that r = 1 moves by `travel`.
MovingVertex moving_vertex(Kind kind, const Eigen::Vector3d& k, double travel, const Eigen::Vector3d& x);
Eigen::Vector3d position(Kind kind, const MovingVertex& p, double r);

/// n . p - offset.
Height vertex_plane(const MovingVertex& p, const Eigen::Vector3d& n, double offset);

/// The plane n . x = n . a of a moving face (a: one of its corners), against a fixed point: n . (point - a).
Height plane_vertex(Kind kind, const Eigen::Vector3d& k, double travel, const Eigen::Vector3d& n,
                    const Eigen::Vector3d& a, const Eigen::Vector3d& point);

/// side(moving line, fixed line).
Height edge_edge(Kind kind, const Eigen::Vector3d& k, double travel, const Line& moving, const Line& fixed);

struct Span {
  double lo;
  double hi;
};

/// A few disjoint closed spans in order.
struct Spans {
  std::array<Span, 4> items{};
  int count = 0;

  void add(const Span& span) { items[count++] = span; }
};

/// Contains every r of the domain, |r| <= 1, where the exact trajectory with these doubles as coefficients has
/// h <= level + error, for some error > 0 that covers the rounding of this function.
Spans at_most(Kind kind, const Height& h, double level, const Span& domain);

/// The same for |h| <= level.
Spans within(Kind kind, const Height& h, double level, const Span& domain);

}  // namespace planner_ccd::plucker
#pragma GCC visibility pop
