#include <bit>
#include <cstdint>

#include "planner_ccd/geometry/triangle_distance_detail.hpp"
#include "planner_ccd/math/lanes.hpp"

/// Which of the nine pairs of edges and six of vertex and face is closest, in single precision, four lanes at a time, by (36) and (37)
/// of MATHS.md 10c. A lane is an edge of B (the fourth repeats the third) or a vertex of the other triangle. As edges add up to 0 and p_0 = 0,
/// the rows share products: c_2 = -(c_0 + c_1), g_1 = c_0 + g_0, g_2 = -c_2 + g_0.
///
/// A guess: where two pairs differ by less than some 1e-6 the wrong one may be named; the certificate notices, and the thorough search
/// follows. The results do not depend on the instruction set (math/lanes.hpp).
namespace planner_ccd::triangle_detail {
namespace {

using namespace lanes;
using lanes::clamp01;  // not the one of doubles

struct Scalar3 {
  float x, y, z;
};
inline float dot(const Scalar3& a, const Scalar3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Lanes dot(const Scalar3& a, const Vectors& b) { return all(a.x) * b.x + all(a.y) * b.y + all(a.z) * b.z; }

/// Lengths are relative to `scale`. Squares below this are as good as 0 in single precision.
constexpr float kTinyFloat = 1e-30f;

/// The edges of B, and what does not depend on the row.
struct Columns {
  Vectors q, f;
  Lanes ff, inverse_ff;
};

/// Squared distances of one edge e from p to those of B. (36)
inline Lanes row(const Scalar3& p, const Scalar3& e, Lanes c, Lanes d, Lanes g, const Columns& b) {
  const float squared = dot(e, e);
  const float ee = squared > kTinyFloat ? squared : kTinyFloat;
  const Lanes det = max(all(ee) * b.ff - c * c, all(kTinyFloat));
  const Lanes s0 = clamp01((c * g - d * b.ff) / det);
  const Lanes t = clamp01((c * s0 + g) * b.inverse_ff);
  const Lanes s = clamp01((c * t - d) * all(1.0f / ee));
  const Lanes x = (all(p.x) - b.q.x) + s * all(e.x) - t * b.f.x;
  const Lanes y = (all(p.y) - b.q.y) + s * all(e.y) - t * b.f.y;
  const Lanes z = (all(p.z) - b.q.z) + s * all(e.z) - t * b.f.z;
  return x * x + y * y + z * z;
}

inline Lanes rotated(Lanes v) { return Lanes{v[1], v[2], v[0], v[0]}; }

inline Scalar3 difference(const Scalar3& a, const Scalar3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Scalar3 cross(const Scalar3& a, const Scalar3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// Added where a foot is outside: beyond any squared distance, which is at most 16.
constexpr float kFar = 1e4f;

/// Squared distances of a face with the edges e0, e1 from corner 0 to the points x, which are relative to that corner;
/// kFar or more where the foot is outside, or where the face is too thin for its normal to mean anything. (37)
inline Lanes face_row(const Scalar3& e0, const Scalar3& e1, const Vectors& x) {
  const Scalar3 normal = cross(e0, e1);
  const float nn = dot(normal, normal);
  const bool thin = !(nn > 1e-10f * (dot(e0, e0) * dot(e1, e1)) + kTinyFloat);
  const Lanes a = dot(cross(normal, e0), x);
  const Lanes b = dot(cross(e1, normal), x);
  const Lanes h = dot(normal, x);
  const Lanes inside = min(min(a, b), all(nn) - (a + b));
  return h * h * all(thin ? 0.0f : 1.0f / nn) + min(max(-inside * all(1e30f), all(thin ? kFar : 0.0f)), all(kFar));
}

/// About 1 / sqrt(x) and a power of two: 2^-k with 4^k <= x < 4^(k+1), for x in [2^-1000, 2^1000].
inline double inverse_root(double x) {
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(x) >> 52;  // 2k or 2k + 1, plus 1023
  return std::bit_cast<double>((1023 + 511 - ((exponent - 1) >> 1)) << 52);
}

/// The value with its last five bits replaced by an index, so that the least of many values tells where it came from.
inline Lanes tagged(Lanes x, int row) {
  const Mask index{4 * row, 4 * row + 1, 4 * row + 2, 4 * row + 2};
  return std::bit_cast<Lanes>((std::bit_cast<Mask>(x) & ~31) | index);
}

inline Scalar3 to_float(const Eigen::Vector3d& v, double factor) {
  return {static_cast<float>(v[0] * factor), static_cast<float>(v[1] * factor), static_cast<float>(v[2] * factor)};
}

}  // namespace

FeatureGuess nearest_features(const LocalPair& l) {
  const double factor = inverse_root(l.scale2);
  const Scalar3 p1 = to_float(l.p[1], factor), p2 = to_float(l.p[2], factor);
  const Scalar3 q0 = to_float(l.q[0], factor), q1 = to_float(l.q[1], factor), q2 = to_float(l.q[2], factor);
  const Scalar3 e1 = difference(p2, p1);
  const Scalar3 e2{-p2.x, -p2.y, -p2.z};

  Columns b;
  b.q = Vectors{Lanes{q0.x, q1.x, q2.x, q2.x}, Lanes{q0.y, q1.y, q2.y, q2.y}, Lanes{q0.z, q1.z, q2.z, q2.z}};
  b.f = Vectors{rotated(b.q.x) - b.q.x, rotated(b.q.y) - b.q.y, rotated(b.q.z) - b.q.z};
  b.ff = max(dot(b.f, b.f), all(kTinyFloat));
  b.inverse_ff = all(1.0f) / b.ff;

  const Lanes c0 = dot(p1, b.f), c1 = dot(e1, b.f), c2 = -(c0 + c1);
  const Lanes eq0 = dot(p1, b.q), eq1 = dot(e1, b.q), g0 = -dot(b.f, b.q);
  const Lanes row0 = row({0.0f, 0.0f, 0.0f}, p1, c0, -eq0, g0, b);
  const Lanes row1 = row(p1, e1, c1, all(dot(e1, p1)) - eq1, c0 + g0, b);
  const Lanes row2 = row(p2, e2, c2, eq0 + eq1 - all(dot(p2, p2)), g0 - c2, b);

  const Vectors p_in_b{Lanes{0.0f, p1.x, p2.x, p2.x} - all(q0.x), Lanes{0.0f, p1.y, p2.y, p2.y} - all(q0.y),
                       Lanes{0.0f, p1.z, p2.z, p2.z} - all(q0.z)};
  const Lanes row3 = face_row(p1, p2, b.q);
  const Lanes row4 = face_row(difference(q1, q0), difference(q2, q0), p_in_b);

  const Lanes edges = min(min(tagged(row0, 0), tagged(row1, 1)), tagged(row2, 2));
  const Lanes least = min(edges, min(tagged(row3, 3), tagged(row4, 4)));
  const Lanes half = min(least, Lanes{least[2], least[3], least[0], least[1]});
  const Lanes one = min(half, Lanes{half[1], half[0], half[3], half[2]});
  const int index = std::bit_cast<Mask>(one)[0] & 31;
  return {index >> 2, index & 3};
}

}  // namespace planner_ccd::triangle_detail
