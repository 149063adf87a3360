#include "planner_ccd/papers/van_waveren/plucker_sweep.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "planner_ccd/papers/van_waveren/plucker_expel.hpp"
#include "planner_ccd/papers/van_waveren/plucker_sides.hpp"

namespace planner_ccd::plucker {
namespace {

using Eigen::Vector3d;

constexpr double kTurn = 6.2832;       ///< [rad] Just above 2 pi.
constexpr double kLongestPiece = 1.5;  ///< [rad] Below pi/2, so that r = tan(s/2) < 1 from the start of a piece.

/// Of a translation by v or a rotation by `angle` about k through the origin, the part until the first hit.
class Sweep {
 public:
  Sweep(const Polyhedron& moving, const Polyhedron& fixed, const SweepOptions& options, SweepResult& result)
      : moving_(moving), fixed_(fixed), options_(options), result_(result) {}

  bool hit() const { return contact_.a >= 0; }
  double fraction() const { return fraction_; }
  const SweepContact& contact() const { return contact_; }

  void translate(const Vector3d& v);
  void rotate(const Vector3d& k, double angle);

 private:
  bool skips(const PolyhedronEdge& e) const { return options_.cull_internal && e.internal; }
  bool skips(const Polyhedron& p, std::size_t vertex) const {
    return options_.cull_internal && p.vertex_internal[vertex];
  }

  void translate_vertices(const Polyhedron& from, const Polyhedron& to, const Vector3d& v, SideBits& sides,
                          PairType type);
  void translate_edges(const Vector3d& v, SideBits& of_moving, SideBits& of_fixed);
  void rotate_vertices(const Polyhedron& from, const Polyhedron& to, const Vector3d& k, double angle, PairType type);
  void rotate_edges(const Vector3d& k, double angle);
  bool meet_when_turned(int i, int j, const Vector3d& k, double angle, const Vector3d& out);
  void record(double fraction, PairType type, int a, int b, const Vector3d& point, const Vector3d& normal);

  const Polyhedron& moving_;
  const Polyhedron& fixed_;
  const SweepOptions& options_;
  SweepResult& result_;
  double fraction_ = 1.0;
  SweepContact contact_;
  SweepContact meeting_;  ///< Point and normal of the last edges that met.
};

void Sweep::record(double fraction, PairType type, int a, int b, const Vector3d& point, const Vector3d& normal) {
  fraction_ = fraction;
  contact_ = {type, a, b, point, normal.stableNormalized()};
}

void Sweep::translate(const Vector3d& v) {
  SideBits of_moving(moving_, fixed_, v);
  SideBits of_fixed(fixed_, moving_, -v);
  translate_vertices(moving_, fixed_, v, of_moving, PairType::VertexFace);
  translate_vertices(fixed_, moving_, -v, of_fixed, PairType::FaceVertex);
  translate_edges(v, of_moving, of_fixed);
  result_.sides_computed += of_moving.computed() + of_fixed.computed();
  result_.sides_recalled += of_moving.recalled() + of_fixed.recalled();
}

void Sweep::translate_vertices(const Polyhedron& from, const Polyhedron& to, const Vector3d& v, SideBits& sides,
                               PairType type) {
  for (std::size_t f = 0; f < to.faces.size(); ++f) {
    const PolyhedronFace& face = to.faces[f];
    const double beta = face.normal.dot(v);
    if (face.normal.isZero(0.0) || (options_.cull_back_faces && beta >= 0.0)) continue;
    const Vector3d& corner = to.vertices[face.vertices[0]];
    for (std::size_t i = 0; i < from.vertices.size(); ++i) {
      if (skips(from, i)) continue;
      ++result_.pairs;
      const double alpha = face.normal.dot(from.vertices[i] - corner);
      const double t = expel_translating_vertex(alpha, beta, options_.expel);
      if (t >= fraction_ || !sides.through(static_cast<int>(i), face)) continue;
      const int vertex = static_cast<int>(i);
      const int polygon = static_cast<int>(f);
      if (type == PairType::VertexFace) {
        record(t, type, vertex, polygon, from.vertices[i] + t * v, -face.normal);
      } else {
        record(t, type, polygon, vertex, from.vertices[i], face.normal);
      }
    }
  }
}

void Sweep::translate_edges(const Vector3d& v, SideBits& of_moving, SideBits& of_fixed) {
  for (std::size_t j = 0; j < fixed_.edges.size(); ++j) {
    const PolyhedronEdge& fixed_edge = fixed_.edges[j];
    const Vector3d out = outward_at(fixed_, fixed_edge);
    if (skips(fixed_edge) || out.isZero(0.0)) continue;
    const Line q = line_of(fixed_, fixed_edge);
    const Line expanded{q.direction, q.moment + options_.expel * out.cross(q.direction)};
    for (std::size_t i = 0; i < moving_.edges.size(); ++i) {
      const PolyhedronEdge& edge = moving_.edges[i];
      if (skips(edge)) continue;
      ++result_.pairs;
      const Line p = line_of(moving_, edge);
      const double beta = v.dot(p.direction.cross(q.direction));
      if (beta == 0.0) continue;
      const double t = expel_translating_edge(-side(p, q) / beta, -side(p, expanded) / beta);
      if (t >= fraction_) continue;
      if (!of_moving.separated(edge, static_cast<int>(j)) || !of_fixed.separated(fixed_edge, static_cast<int>(i)))
        continue;
      Vector3d n = p.direction.cross(q.direction);
      if (n.dot(out) > 0.0) n = -n;
      const auto closest =
          closest_segments({moving_.vertices[edge.vertices[0]] + t * v, moving_.vertices[edge.vertices[1]] + t * v},
                           {fixed_.vertices[fixed_edge.vertices[0]], fixed_.vertices[fixed_edge.vertices[1]]});
      record(t, PairType::EdgeEdge, static_cast<int>(i), static_cast<int>(j), closest.point_b, n);
    }
  }
}

void Sweep::rotate(const Vector3d& k, double angle) {
  rotate_vertices(moving_, fixed_, k, angle, PairType::VertexFace);
  rotate_vertices(fixed_, moving_, -k, angle, PairType::FaceVertex);
  rotate_edges(k, angle);
}

/// Does a ray from x pass on the inner side of all edges of a face that it meets from the front?
bool passes_through(const Polyhedron& p, const PolyhedronFace& face, const Vector3d& x, const Vector3d& direction) {
  const Line line = ray(x, direction);
  for (int i = 0; i < 3; ++i) {
    const bool negative = side(line, line_of(p, p.edges[face.edges[i]])) < 0.0;
    if (negative != face.forward[i]) return false;
  }
  return true;
}

struct Ball {
  Vector3d centre = Vector3d::Zero();
  double radius = 0.0;
};

Ball ball_around(const Polyhedron& p) {
  Ball ball;
  for (const Vector3d& x : p.vertices) ball.centre += x / static_cast<double>(p.vertices.size());
  for (const Vector3d& x : p.vertices) ball.radius = std::max(ball.radius, (x - ball.centre).norm());
  ball.radius *= 1.0 + 1e-12;
  return ball;
}

/// Rotational back-face culling: a point x of the body moves at k x x, against the normal where (n x k) . x < 0. With the
/// body in a ball this cannot be while (n x k) . c(s) > |n x k| radius.
bool only_recedes(const Ball& ball, const Vector3d& n, const Vector3d& k, const Span& turn) {
  const Vector3d lever = n.cross(k);
  const Height h = vertex_plane(moving_vertex(Kind::Rotation, k, 0.0, ball.centre), lever, 0.0);
  return at_most(Kind::Rotation, h, lever.norm() * ball.radius, turn).count == 0;
}

/// A face of the moving polyhedron is treated in its own frame, where the vertices of the fixed one turn backwards.
void Sweep::rotate_vertices(const Polyhedron& from, const Polyhedron& to, const Vector3d& k, double angle,
                            PairType type) {
  const Ball ball = ball_around(from);
  const Span turn{0.0, std::tan(0.5 * angle)};
  for (std::size_t f = 0; f < to.faces.size(); ++f) {
    const PolyhedronFace& face = to.faces[f];
    const Vector3d& n = face.normal;
    if (n.isZero(0.0) || (options_.cull_back_faces && only_recedes(ball, n, k, turn))) continue;
    const double offset = n.dot(to.vertices[face.vertices[0]]);
    for (std::size_t i = 0; i < from.vertices.size(); ++i) {
      if (skips(from, i)) continue;
      ++result_.pairs;
      const MovingVertex vertex = moving_vertex(Kind::Rotation, k, 0.0, from.vertices[i]);
      const auto at = [&](double t) { return position(Kind::Rotation, vertex, std::tan(0.5 * t * angle)); };
      const auto over_face = [&](double t) { return t <= 1.0 && passes_through(to, face, at(t), -n); };
      const Stops stops = expel_rotating_vertex(vertex_plane(vertex, n, offset), options_.expel, angle);
      for (int s = 0; s < stops.count && stops.items[s].fraction < fraction_; ++s) {
        const double t = stops.items[s].fraction;
        if (!over_face(t) && !over_face(stops.items[s].contact)) continue;
        const int corner = static_cast<int>(i);
        const int polygon = static_cast<int>(f);
        if (type == PairType::VertexFace) {
          record(t, type, corner, polygon, at(t), -n);
        } else {
          const MovingVertex turned = moving_vertex(Kind::Rotation, -k, 0.0, n);
          const Vector3d normal = position(Kind::Rotation, turned, std::tan(0.5 * t * angle));
          record(t, type, polygon, corner, from.vertices[i], normal);
        }
      }
    }
  }
}

void Sweep::rotate_edges(const Vector3d& k, double angle) {
  for (std::size_t j = 0; j < fixed_.edges.size(); ++j) {
    const PolyhedronEdge& fixed_edge = fixed_.edges[j];
    const Vector3d out = outward_at(fixed_, fixed_edge);
    if (skips(fixed_edge) || out.isZero(0.0)) continue;
    const Line q = line_of(fixed_, fixed_edge);
    const Line outwards{Vector3d::Zero(), out.cross(q.direction)};
    for (std::size_t i = 0; i < moving_.edges.size(); ++i) {
      if (skips(moving_.edges[i])) continue;
      ++result_.pairs;
      const Line p = line_of(moving_, moving_.edges[i]);
      const Stops stops = expel_rotating_edge(edge_edge(Kind::Rotation, k, 0.0, p, q),
                                              edge_edge(Kind::Rotation, k, 0.0, p, outwards), options_.expel, angle);
      for (int s = 0; s < stops.count && stops.items[s].fraction < fraction_; ++s) {
        const double t = stops.items[s].fraction;
        const double contact = stops.items[s].contact;
        const auto meet = [&](double at) {
          return at <= 1.0 && meet_when_turned(static_cast<int>(i), static_cast<int>(j), k, at * angle, out);
        };
        if (meet(t) || meet(contact)) {
          record(t, PairType::EdgeEdge, static_cast<int>(i), static_cast<int>(j), meeting_.point, meeting_.normal);
        }
      }
    }
  }
}

/// Do the edges, turned by `angle`, pass each other between their ends, seen along their common normal?
bool Sweep::meet_when_turned(int i, int j, const Vector3d& k, double angle, const Vector3d& out) {
  const auto differ = [](const Line& one, const Line& other, const Line& edge) {
    return (side(one, edge) < 0.0) != (side(other, edge) < 0.0);
  };
  const auto turned = [&](int end) {
    const Vector3d& x = moving_.vertices[moving_.edges[i].vertices[end]];
    return position(Kind::Rotation, moving_vertex(Kind::Rotation, k, 0.0, x), std::tan(0.5 * angle));
  };
  const Vector3d a0 = turned(0);
  const Vector3d a1 = turned(1);
  const Vector3d& b0 = fixed_.vertices[fixed_.edges[j].vertices[0]];
  const Vector3d& b1 = fixed_.vertices[fixed_.edges[j].vertices[1]];
  const ClosestFeatures closest = closest_segments({a0, a1}, {b0, b1});
  Vector3d n = (a1 - a0).cross(b1 - b0);
  if (n.dot(out) > 0.0) n = -n;
  meeting_.point = closest.point_b;
  meeting_.normal = n;
  return differ(ray(a0, n), ray(a1, n), line_through(b0, b1)) && differ(ray(b0, n), ray(b1, n), line_through(a0, a1));
}

Polyhedron shifted(Polyhedron p, const Vector3d& by) {
  for (Vector3d& x : p.vertices) x += by;
  return p;
}

Polyhedron turned(Polyhedron p, const Eigen::Matrix3d& rotation) {
  for (Vector3d& x : p.vertices) x = rotation * x;
  for (PolyhedronFace& face : p.faces) face.normal = rotation * face.normal;
  return p;
}

}  // namespace

SweepResult sweep(const Polyhedron& moving, const Polyhedron& fixed, const AxisMotion& motion,
                  const SweepOptions& options) {
  SweepResult result;
  const Vector3d k = (motion.to >= motion.from ? 1.0 : -1.0) * motion.axis.stableNormalized();
  const double length = std::abs(motion.to - motion.from);
  if (motion.kind == AxisMotion::Kind::Translation) {
    const Polyhedron start = shifted(moving, motion.from * motion.axis.stableNormalized());
    Sweep whole(start, fixed, options, result);
    whole.translate(length * k);
    result.hit = whole.hit();
    result.t = whole.fraction();
    result.contact = whole.contact();
    return result;
  }
  const Polyhedron still = shifted(fixed, -motion.origin);
  const Polyhedron start = shifted(moving, -motion.origin);
  const double angle = std::min(length, kTurn);
  const int pieces = std::max(1, static_cast<int>(std::ceil(angle / kLongestPiece)));
  for (int piece = 0; piece < pieces && angle > 0.0; ++piece) {
    const double begin = angle * piece / pieces;
    const Eigen::AngleAxisd to_begin(motion.from * (motion.to >= motion.from ? 1.0 : -1.0) + begin, k);
    const Polyhedron here = turned(start, to_begin.toRotationMatrix());
    Sweep part(here, still, options, result);
    part.rotate(k, angle / pieces);
    if (!part.hit()) continue;
    result.hit = true;
    result.t = (begin + part.fraction() * angle / pieces) / length;
    result.contact = part.contact();
    result.contact.point += motion.origin;
    return result;
  }
  return result;
}

}  // namespace planner_ccd::plucker
