#include "planner_ccd/certificate/verifier/volume.hpp"

namespace pccd {
namespace {

Vector as_vector(const std::array<float, 3>& v) { return {Interval(v[0]), Interval(v[1]), Interval(v[2])}; }

Vector base_of(const Collider& c, const Node& node) {
  return Vector{c.center[0], c.center[1], c.center[2]} + as_vector(node.base);
}

/// The unit axis of a cylinder.
Vector axis_of(const Collider& c, const Primitive& p) {
  const Vector along = vertex(c, p.vertex[1]) - vertex(c, p.vertex[0]);
  const Interval length = norm(along);
  if (!(length.lo > 1e-9)) throw Refuted("'" + c.name + "': a cylinder has no axis");
  return {along[0] / length, along[1] / length, along[2] / length};
}

/// Where along an edge the point is nearest, about: any number of [0, 1] is good.
double along(const Vector& from_base, const std::array<float, 3>& edge) {
  double product = 0.0, square_length = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    product += from_base[k].mid() * edge[k];
    square_length += static_cast<double>(edge[k]) * edge[k];
  }
  return square_length > 0.0 ? std::min(1.0, std::max(0.0, product / square_length)) : 0.0;
}

}  // namespace

Vector vertex(const Collider& c, std::uint32_t index) {
  const auto& v = c.vertices[index];
  return {v[0], v[1], v[2]};
}

/// A corner lies in the volume when it is no farther from some point x of the generator than the radius less its own. A disc
/// (center c, axis a, radius r) has no point farther from x than sqrt((a.(c-x))^2 + (|perpendicular part| + r)^2).
void check_volume(Collider& c, std::uint32_t index) {
  Node& node = c.nodes[index];
  if (node.checked) return;
  node.checked = true;
  if (node.primitive) {
    const Primitive& p = c.primitives[node.first];
    const double disc = c.sources[p.source].cylinder ? c.sources[p.source].radius : 0.0;
    for (const std::uint32_t v : p.vertex) node.reach = std::max(node.reach, up(norm(vertex(c, v)).hi + disc));
    return;
  }
  const Vector base = base_of(c, node), edge0 = as_vector(node.edge[0]), edge1 = as_vector(node.edge[1]);
  const Vector corners[] = {base, base + edge0, base + edge1, base + edge0 + edge1};
  for (const Vector& corner : corners) node.reach = std::max(node.reach, norm(corner).hi);
  const Interval radius(node.radius);
  c.seen.resize(c.vertices.size(), 0);
  for (std::uint32_t i = node.first; i < node.last; ++i) {
    const Primitive& p = c.primitives[i];
    const Source& source = c.sources[p.source];
    for (std::size_t k = 0; k < (source.cylinder ? 2 : 3); ++k) {
      if (!source.cylinder && source.radius == 0.0) {  // a corner of several triangles is the same point
        if (c.seen[p.vertex[k]] == index + 1) continue;
        c.seen[p.vertex[k]] = index + 1;
      }
      const Vector point = vertex(c, p.vertex[k]), from_base = point - base;
      const double s = along(from_base, node.edge[0]), t = along(from_base, node.edge[1]);
      const Vector off = from_base - s * edge0 - t * edge1;
      Interval squares = square(off[0]) + square(off[1]) + square(off[2]);
      Interval rest = radius - Interval(source.radius);
      if (source.cylinder) {
        const Interval axial = dot(axis_of(c, p), off);
        const Interval across = root(squares - square(axial)) + Interval(source.radius);
        squares = square(axial) + square(across);
        rest = radius;
      }
      if (!(rest.lo >= 0.0 && squares.hi <= down(rest.lo * rest.lo))) {
        throw Refuted("'" + c.name + "': volume " + std::to_string(index) + " does not hold primitive " +
                      std::to_string(i));
      }
    }
  }
}

double greatest(const Collider& c, const Node& node, const Vector& g) {
  if (!node.primitive) {
    const double along0 = dot(g, as_vector(node.edge[0])).hi, along1 = dot(g, as_vector(node.edge[1])).hi;
    return up(up(dot(g, base_of(c, node)).hi + std::max(0.0, along0)) + std::max(0.0, along1));
  }
  const Primitive& p = c.primitives[node.first];
  const Source& source = c.sources[p.source];
  double most = std::max(dot(g, vertex(c, p.vertex[0])).hi, dot(g, vertex(c, p.vertex[1])).hi);
  if (!source.cylinder) return std::max(most, dot(g, vertex(c, p.vertex[2])).hi);
  const Interval axial = dot(g, axis_of(c, p));
  const Interval across = root(square(g[0]) + square(g[1]) + square(g[2]) - square(axial));
  return up(most + up(source.radius * across.hi));
}

double radius_of(const Collider& c, const Node& node) {
  if (!node.primitive) return node.radius;
  const Source& source = c.sources[c.primitives[node.first].source];
  return source.cylinder ? 0.0 : source.radius;
}

}  // namespace pccd
