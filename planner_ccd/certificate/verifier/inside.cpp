#include "planner_ccd/certificate/verifier/inside.hpp"

#include <numeric>
#include <optional>

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
  NearNumber along, x, y;
};

Projected project(const std::array<NearNumber, 3>& v, const Ray& ray) {
  const NearNumber& a = v[ray.axis];
  return {ray.sign * a, v[(ray.axis + 1) % 3] - ray.lean1 * a, v[(ray.axis + 2) % 3] - ray.lean2 * a};
}

/// Twice the signed area of the origin, a, b.
NearNumber area(const Projected& a, const Projected& b) { return a.x * b.y - a.y * b.x; }

int sign_of(const NearNumber& x) { return x.x > x.error ? 1 : (x.x < -x.error ? -1 : 0); }

/// How often a closed surface winds about the point: what the ray from it passes, +1 or -1 for each triangle. Or nothing where the
/// ray passes too near to an edge to tell.
std::optional<int> winding(const Collider& c, const Surface& surface, const Near& point, const Ray& ray) {
  int sum = 0;
  for (const std::uint32_t number : surface.triangles) {
    Projected t[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const auto& v = c.vertices[c.primitives[number].vertex[k]];
      const NearNumber x{point.x[0], point.error}, y{point.x[1], point.error}, z{point.x[2], point.error};
      t[k] = project({NearNumber{v[0]} - x, NearNumber{v[1]} - y, NearNumber{v[2]} - z}, ray);
    }
    const auto all = [&](NearNumber Projected::*x, double side) {
      return std::all_of(t, t + 3, [&](const Projected& v) { return sign_of(v.*x) * side > 0.0; });
    };
    if (all(&Projected::along, -1.0) || all(&Projected::x, -1.0) || all(&Projected::x, 1.0) ||
        all(&Projected::y, -1.0) || all(&Projected::y, 1.0)) {
      continue;
    }
    const NearNumber areas[] = {area(t[1], t[2]), area(t[2], t[0]), area(t[0], t[1])};
    const int signs[] = {sign_of(areas[0]), sign_of(areas[1]), sign_of(areas[2])};
    const bool positive = signs[0] > 0 || signs[1] > 0 || signs[2] > 0,
               negative = signs[0] < 0 || signs[1] < 0 || signs[2] < 0;
    if (positive && negative) continue;  // the ray's line passes the triangle by
    if (signs[0] * signs[1] * signs[2] == 0) return {};
    const NearNumber where =
        areas[0] * t[0].along + areas[1] * t[1].along + areas[2] * t[2].along;  // times a positive area,
    const int ahead = sign_of(where) * (positive ? 1 : -1);                     // or a negative one
    if (ahead == 0) return {};
    if (ahead > 0) sum += positive ? 1 : -1;
  }
  return sum;
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

bool outside(const Collider& c, const Near& point) {
  return std::none_of(c.groups.begin(), c.groups.end(), [&](const Surface& surface) {
    for (std::size_t k = 0; k < 3; ++k) {
      if (surface.hi[k] < down(point.x[k] - point.error) || surface.lo[k] > up(point.x[k] + point.error)) return false;
    }
    for (const Ray& ray : kRays) {
      if (const auto turns = winding(c, surface, point, ray)) return *turns != 0;
    }
    return true;  // for all that is known
  });
}

}  // namespace pccd
