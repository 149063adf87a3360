#include "planner_ccd/certificate/verifier/inside.hpp"

#include <numeric>

#include "planner_ccd/certificate/verifier/volume.hpp"

namespace pccd {
namespace {

/// A ray: along `axis` (0 x, 1 y, 2 z) by `sign`, leaning by so much towards the next two axes for each unit of length.
struct Ray {
  std::size_t axis;
  double sign, lean1, lean2;
};

constexpr std::array<Ray, 6> kRays = {{{0, 1.0, 0.1796875, 0.3046875},
                                       {1, 1.0, -0.2109375, 0.1484375},
                                       {2, -1.0, 0.3359375, -0.1171875},
                                       {0, -1.0, -0.3984375, 0.2421875},
                                       {1, -1.0, 0.4609375, -0.3515625},
                                       {2, 1.0, -0.1328125, 0.4296875}}};

/// Along the ray from the origin, and across it in a plane in which the ray is a point.
struct Projected {
  Interval along, x, y;
};

Projected project(const Vector& v, const Ray& ray) {
  const Interval& a = v[ray.axis];
  return {ray.sign * a, v[(ray.axis + 1) % 3] - ray.lean1 * a, v[(ray.axis + 2) % 3] - ray.lean2 * a};
}

/// Twice the signed area of the origin, a, b.
Interval area(const Projected& a, const Projected& b) { return a.x * b.y - a.y * b.x; }

int sign_of(const Interval& x) { return x.lo > 0.0 ? 1 : (x.hi < 0.0 ? -1 : 0); }

enum class Count { Clear, Unclear };

/// Adds to `winding` what the ray from the point passes: +1 or -1 for each triangle of a closed surface.
Count count_crossings(const Collider& c, const Vector& point, const Ray& ray, std::vector<int>& winding) {
  for (const Primitive& p : c.primitives) {
    if (p.group == kNone) continue;
    Projected t[3];
    for (std::size_t k = 0; k < 3; ++k) t[k] = project(vertex(c, p.vertex[k]) - point, ray);
    const auto all = [&](auto&& holds) { return holds(t[0]) && holds(t[1]) && holds(t[2]); };
    if (all([](const Projected& v) { return v.along.hi < 0.0; }) ||
        all([](const Projected& v) { return v.x.hi < 0.0; }) || all([](const Projected& v) { return v.x.lo > 0.0; }) ||
        all([](const Projected& v) { return v.y.hi < 0.0; }) || all([](const Projected& v) { return v.y.lo > 0.0; })) {
      continue;
    }
    const Interval areas[] = {area(t[1], t[2]), area(t[2], t[0]), area(t[0], t[1])};
    const int signs[] = {sign_of(areas[0]), sign_of(areas[1]), sign_of(areas[2])};
    const bool positive = signs[0] > 0 || signs[1] > 0 || signs[2] > 0,
               negative = signs[0] < 0 || signs[1] < 0 || signs[2] < 0;
    if (positive && negative) continue;  // the ray's line passes the triangle by
    if (signs[0] * signs[1] * signs[2] == 0) return Count::Unclear;
    const Interval where =
        areas[0] * t[0].along + areas[1] * t[1].along + areas[2] * t[2].along;  // times a positive area,
    const int ahead = sign_of(where) * (positive ? 1 : -1);                     // or a negative one
    if (ahead == 0) return Count::Unclear;
    if (ahead > 0) winding[p.group] += positive ? 1 : -1;
  }
  return Count::Clear;
}

}  // namespace

std::vector<std::uint32_t> pieces_of(const Collider& c) {
  std::vector<std::uint32_t> parent(c.vertices.size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto leader = [&](std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const Primitive& p : c.primitives) {
    for (std::size_t k = 1; k < 3; ++k) parent[leader(p.vertex[k])] = leader(p.vertex[0]);
  }
  std::vector<bool> seen(c.vertices.size(), false);
  std::vector<std::uint32_t> pieces;
  for (const Primitive& p : c.primitives) {
    const std::uint32_t v = leader(p.vertex[0]);
    if (!seen[v]) pieces.push_back(v);
    seen[v] = true;
  }
  return pieces;
}

bool outside(const Collider& c, const Vector& point) {
  if (c.groups == 0) return true;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto beyond = [&](auto&& passed) {
      return std::all_of(c.vertices.begin(), c.vertices.end(), [&](const auto& v) { return passed(v[k]); });
    };
    if (beyond([&](double x) { return x < point[k].lo; }) || beyond([&](double x) { return x > point[k].hi; }))
      return true;
  }
  for (const Ray& ray : kRays) {
    std::vector<int> winding(c.groups, 0);
    if (count_crossings(c, point, ray, winding) == Count::Unclear) continue;
    return std::all_of(winding.begin(), winding.end(), [](int w) { return w == 0; });
  }
  return false;
}

}  // namespace pccd
