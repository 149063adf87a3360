#include "planner_ccd/certificate/verifier/volume.hpp"

#include <numeric>
#include <optional>

namespace pccd {
namespace {

Near as_near(const std::array<float, 3>& v) { return {{v[0], v[1], v[2]}}; }

Near base_of(const Collider& c, const Node& node) { return Near{c.center} + as_near(node.base); }

/// The unit axis of a cylinder.
Near axis_of(const Collider& c, const Primitive& p) {
  return normalized(vertex(c, p.vertex[1]) - vertex(c, p.vertex[0]));
}

/// From some point of a generator, about the nearest one, to the point. Three differences and two products are rounded for each
/// coordinate: by less than 8 u times the sum of its magnitudes in point, base and edges.
std::array<double, 3> offset(const std::array<double, 3>& point, const Near& base, const std::array<Near, 2>& edges) {
  const Near from{{point[0] - base.x[0], point[1] - base.x[1], point[2] - base.x[2]}};
  std::array<double, 3> off = from.x;
  for (const Near& edge : edges) {
    const double squares = plain_dot(edge, edge);
    if (!(squares > 0.0)) continue;
    const double s = std::min(1.0, std::max(0.0, plain_dot(from, edge) / squares));  // any number of [0, 1] is good
    for (std::size_t k = 0; k < 3; ++k) off[k] -= s * edge.x[k];
  }
  return off;
}

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

Near vertex(const Collider& c, std::uint32_t index) { return {c.vertices[index]}; }

/// A corner lies in the volume when it is no farther from some point x of the generator than the radius less its own. A disc
/// (center c, axis a, radius r) has no point farther from x than sqrt((a.(c-x))^2 + (|perpendicular part| + r)^2).
void check_volume(Collider& c, std::uint32_t index) {
  Node& node = c.nodes[index];
  if (node.checked) return;
  node.checked = true;
  if (node.primitive) {
    const Primitive& p = c.primitives[node.first];
    const double disc = c.sources[p.source].cylinder ? c.sources[p.source].radius : 0.0;
    for (const std::uint32_t v : p.vertex) node.reach = std::max(node.reach, up(vertex(c, v).length() + disc));
    return;
  }
  const Near base = base_of(c, node);
  const std::array<Near, 2> edges{as_near(node.edge[0]), as_near(node.edge[1])};
  for (const Near& corner : {base, base + edges[0], base + edges[1], base + edges[0] + edges[1]}) {
    node.reach = std::max(node.reach, corner.length());
  }
  const double sizes = 3.0 * c.farthest + base.size() + edges[0].size() + edges[1].size() + node.radius;
  const double error = above(base.error + sizes * 0x1p-50);  // of an offset, and of `rest` below
  c.seen.resize(c.vertices.size(), 0);
  for (std::uint32_t i = node.first; i < node.last; ++i) {
    const Primitive& p = c.primitives[i];
    const Source& source = c.sources[p.source];
    bool holds = true;
    for (std::size_t k = 0; k < (source.cylinder ? 2 : 3); ++k) {
      if (!source.cylinder && source.radius == 0.0) {  // a corner of several triangles is the same point
        if (c.seen[p.vertex[k]] == index + 1) continue;
        c.seen[p.vertex[k]] = index + 1;
      }
      const std::array<double, 3> x = offset(c.vertices[p.vertex[k]], base, edges);
      double square = x[0] * x[0] + x[1] * x[1] + x[2] * x[2], rest = down(node.radius - source.radius - error);
      if (source.cylinder) {
        const Near axis = axis_of(c, p), off{x, error};
        const double axial = dot(axis, off).magnitude(), across = above(cross(axis, off).length() + source.radius);
        square = above(axial * axial + across * across);
        rest = node.radius;
      }
      holds = holds && rest >= kTiny && square <= rest * rest * (1.0 - 0x1p-47);
    }
    if (!holds)
      throw Refuted(c.name + ": volume " + std::to_string(index) + " does not hold primitive " + std::to_string(i));
  }
}

/// Not more than 7 roundings of sums of magnitudes are in what is greatest over a parallelogram, and one more is the last sum's.
double greatest(const Collider& c, const Node& node, const Near& g) {
  if (!node.primitive) {
    const Near base = base_of(c, node), edge0 = as_near(node.edge[0]), edge1 = as_near(node.edge[1]);
    const double size = base.size() + edge0.size() + edge1.size();
    const double sum = plain_dot(g, base) + std::max(0.0, plain_dot(g, edge0)) + std::max(0.0, plain_dot(g, edge1));
    return sum + above(g.error * (size + base.error) + g.size() * (base.error + size * 0x1p-49));
  }
  const Primitive& p = c.primitives[node.first];
  const Source& source = c.sources[p.source];
  const double most = std::max(dot(g, vertex(c, p.vertex[0])).most(), dot(g, vertex(c, p.vertex[1])).most());
  if (!source.cylinder) return std::max(most, dot(g, vertex(c, p.vertex[2])).most());
  return up(most + up(source.radius * cross(g, axis_of(c, p)).length()));
}

double radius_of(const Collider& c, const Node& node) {
  if (!node.primitive) return node.radius;
  const Source& source = c.sources[c.primitives[node.first].source];
  return source.cylinder ? 0.0 : source.radius;
}

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
      if (surface.box.hi[k] < down(point.x[k] - point.error) || surface.box.lo[k] > up(point.x[k] + point.error))
        return false;
    }
    for (const Ray& ray : kRays) {
      if (const auto turns = winding(c, surface, point, ray)) return *turns != 0;
    }
    return true;  // for all that is known
  });
}

}  // namespace pccd
