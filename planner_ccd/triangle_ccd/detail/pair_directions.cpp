#include "planner_ccd/triangle_ccd/detail/pair_directions.hpp"

namespace planner_ccd::leaf {
namespace {

/// Both triangles at time t. The edges of A are p1, p2 and e, those of B the two of f, and f01.
struct Triangles {
  Vector3x2 p, q;  ///< p_1 and p_2; q_0 and q_1.
  Vector3x2 p1, p2, q2;
  Vector3x2 e, f, f01;

  Triangles(const TrianglePairMotion& m, double t) {
    const Double2 r = both(1 - t), s = both(t);
    p = r * firsts(m.p1, m.p2) + s * seconds(m.p1, m.p2);
    q = r * firsts(m.q0, m.q1) + s * seconds(m.q0, m.q1);
    q2 = r * firsts(m.q2, m.q2) + s * seconds(m.q2, m.q2);
    p1 = firsts(p, p), p2 = seconds(p, p), e = p2 - p1;
    f = q2 - q, f01 = seconds(q, q) - firsts(q, q);
  }
};

}  // namespace

TrianglePairMotion pair_motion(const TriangleMotion& a, const TriangleMotion& b) {
  const Vector3x2 a0 = load(a[0]), a1 = load(a[1]), a2 = load(a[2]);
  const Vector3x2 b0 = load(b[0]), b1 = load(b[1]), b2 = load(b[2]);
  TrianglePairMotion out{a1 - a0, a2 - a0, b0 - a0, b1 - a0, b2 - a0, 0.0, 0.0, 0.0};
  const Double2 p = greatest(greatest_coordinate(out.p1), greatest_coordinate(out.p2));
  const Double2 q =
      greatest(greatest(greatest_coordinate(out.q0), greatest_coordinate(out.q1)), greatest_coordinate(out.q2));
  const Vector3x2 sum = (out.p1 + out.p2) + (out.q0 + out.q1 + out.q2);
  const Double2 poison = 0.0 * (sum.x + sum.y + sum.z);
  out.size = greatest_lane(p) + greatest_lane(q) + (poison[0] + poison[1]);
  out.coordinate = greatest_lane(greatest_coordinate(a0)) + out.size;
  return out;
}

TrianglePairMotion from_time_on(const TrianglePairMotion& m, double from) {
  const auto at_start = [from](Vector3x2& x) {
    for (Double2* c : {&x.x, &x.y, &x.z}) (*c)[0] = (1 - from) * (*c)[0] + from * (*c)[1];
  };
  TrianglePairMotion out = m;
  out.from = from;
  for (Vector3x2* x : {&out.p1, &out.p2, &out.q0, &out.q1, &out.q2}) at_start(*x);
  return out;
}

bool axis_apart(const TriangleMotion& a, const TriangleMotion& b, double separation) {
  const Vector3x2 a0 = load(a[0]), a1 = load(a[1]), a2 = load(a[2]);
  const Vector3x2 b0 = load(b[0]), b1 = load(b[1]), b2 = load(b[2]);
  return axis_apart({least(least(b0, b1), b2) - greatest(greatest(a0, a1), a2),
                     greatest(greatest(b0, b1), b2) - least(least(a0, a1), a2), (a0 + a1 + a2) + (b0 + b1 + b2)},
                    separation);
}

std::array<Vector3x2, 2> likely_directions(const TrianglePairMotion& m, double t) {
  const Triangles at(m, t);
  const Vector3x2 centroids = (at.q + swapped(at.q) + at.q2) - (at.p + swapped(at.p));  // three times their difference
  return {firsts(cross(at.f, swapped(at.f)), centroids), cross(firsts(at.e, at.p), firsts(at.f01, at.p2))};
}

std::array<Vector3x2, 4> other_directions(const TrianglePairMotion& m, double t) {
  const Triangles at(m, t);
  return {cross(at.p, at.f01), cross(at.p1, at.f), cross(at.p2, at.f), cross(at.e, at.f)};
}

}  // namespace planner_ccd::leaf
