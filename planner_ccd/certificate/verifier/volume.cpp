#include "planner_ccd/certificate/verifier/volume.hpp"

namespace pccd {
namespace {

Near as_near(const std::array<float, 3>& v) { return {{v[0], v[1], v[2]}}; }

Near base_of(const Collider& c, const Node& node) { return Near{c.center} + as_near(node.base); }

/// The unit axis of a cylinder.
Near axis_of(const Collider& c, const Primitive& p) {
  const Near along = vertex(c, p.vertex[1]) - vertex(c, p.vertex[0]);
  if (!(along.length() > 1e-9)) throw Refuted("'" + c.name + "': a cylinder has no axis");
  return normalized(along);
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
      throw Refuted("'" + c.name + "': volume " + std::to_string(index) + " does not hold primitive " +
                    std::to_string(i));
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

}  // namespace pccd
