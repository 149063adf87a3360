#include "planner_ccd/papers/fastccd/detail/reduction.hpp"

#include <limits>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/papers/fastccd/detail/area_test.hpp"

namespace planner_ccd::leaf {
namespace {

using Eigen::Vector3d;

/// The least and greatest length of a vector polynomial with these Bernstein coefficients, up to `error` in each.
struct LengthRange {
  double least, greatest;
};

template <std::size_t N>
LengthRange length_range(const std::array<Vector3d, N>& coefficients, double error) {
  Vector3d along = Vector3d::Zero();
  LengthRange range{std::numeric_limits<double>::infinity(), 0.0};
  for (const Vector3d& c : coefficients) {
    along += c;
    range.greatest = std::max(range.greatest, c.norm());
  }
  const double norm = along.norm();
  for (const Vector3d& c : coefficients) range.least = std::min(range.least, norm > 0 ? along.dot(c) / norm : 0.0);
  const double slack = error + 16 * kUnitRoundoff * range.greatest;
  return {std::max(0.0, range.least - slack), range.greatest + slack};
}

LengthRange length_range(const Vector3x2& q) {
  return length_range(std::array<Vector3d, 2>{q.first(), q.second()}, 0.0);
}

/// Bernstein coefficients of a(t) x b(t).
std::array<Vector3d, 3> cross_coefficients(const Vector3x2& a, const Vector3x2& b) {
  const Vector3d mixed = 0.5 * (a.first().cross(b.second()) + a.second().cross(b.first()));
  return {a.first().cross(b.first()), mixed, a.second().cross(b.second())};
}

/// The quadratic g as a Cubic, for the question where |g(t)| <= near.
Cubic elevated(double g0, double g1, double g2, double near, double error) {
  return padded({{g0, (g0 + 2 * g1) / 3, (2 * g1 + g2) / 3, g2}, near + error});
}

int dominant(const Vector3d& v) {
  int c = 0;
  v.cwiseAbs().maxCoeff(&c);
  return c;
}

/// The corner q reaches within `gap` of the origin: all its coordinates do, and the fastest one says when.
void add_corner(const Vector3x2& q, double gap, double t_max, double size, Suspects& out) {
  const Vector3d start = q.first(), end = q.second();
  Cubic line[3];
  for (int c = 0; c < 3; ++c) {
    const double step = (end[c] - start[c]) / 3;
    line[c] = padded({{start[c], start[c] + step, end[c] - step, end[c]}, gap + 8 * kUnitRoundoff * size});
    if (line[c].never_near_zero()) return;
  }
  const Cubic& fastest = line[dominant(end - start)];
  if (always_near_zero(fastest)) return out.add({0.0, t_max});
  const Pieces pieces(fastest, 0.0, t_max);
  for (int i = 0; i < pieces.count(); ++i) {
    if (!pieces.clear(pieces.lo(i), pieces.hi(i))) out.add(pieces.near_zero(pieces.lo(i), pieces.hi(i), 1e-12));
  }
}

/// Border k comes within `gap` of the origin. False when it is always collinear with it and not well enough known.
bool add_border(const MovingPatch& patch, int k, double gap, const LeafOptions& options, Suspects& out) {
  const Vector3x2 &a = patch.corner[k], &b = patch.corner[(k + 1) % 4];
  const LengthRange length = length_range(b - a);
  const std::array<Vector3d, 3> g = cross_coefficients(a, b);
  int c = 0;
  for (double greatest = -1; const Vector3d& v : g) {
    if (v.cwiseAbs().maxCoeff() > greatest) greatest = v.cwiseAbs().maxCoeff(), c = dominant(v);
  }
  // Products of two differences, and a sum: 8 u of terms that add to 4 Q^2 at most.
  const Cubic line =
      elevated(g[0][c], g[1][c], g[2][c], gap * length.greatest, 32 * kUnitRoundoff * patch.size * patch.size);
  if (line.never_near_zero()) return true;
  if (always_near_zero(line)) {
    const double off_line = 2 * std::sqrt(3.0) * line.band / length.least;  // every component is within the band
    const double corner_gap = gap + std::min(off_line, length.greatest);
    if (!(corner_gap <= 0.5 * options.tolerance)) return false;
    add_corner(a, corner_gap, options.t_max, patch.size, out);
    add_corner(b, corner_gap, options.t_max, patch.size, out);
    return true;
  }
  const Pieces pieces(line, 0.0, options.t_max);
  for (int i = 0; i < pieces.count(); ++i) {
    if (pieces.clear(pieces.lo(i), pieces.hi(i))) continue;
    const TimeInterval on = pieces.near_zero(pieces.lo(i), pieces.hi(i), 0.1 * options.tolerance / patch.size);
    const double half = 0.5 * (on.hi - on.lo) * (1 + 8 * kUnitRoundoff) + kUnitRoundoff;
    if (length_test(patch, k, 0.5 * (on.lo + on.hi), half, gap)) out.add(on);
  }
  return true;
}

}  // namespace

void Suspects::sort() {
  std::sort(interval_.begin(), interval_.begin() + count_,
            [](const TimeInterval& a, const TimeInterval& b) { return a.lo < b.lo; });
}

bool reduce(const MovingPatch& patch, const Cubic& cubic, const LeafOptions& options, Suspects& out) {
  const double q2 = patch.size * patch.size;
  const LengthRange normal = length_range(cross_coefficients(patch.u, patch.v), 64 * kUnitRoundoff * q2);
  const double longest = std::max(length_range(patch.u).least, length_range(patch.v).least);
  const double by_size = longest > 0 ? normal.greatest / longest : std::numeric_limits<double>::infinity();
  const double gap = std::min(2 * cubic.band / normal.least, by_size);
  if (!(gap <= 0.25 * options.tolerance)) return false;
  const PatchPoint start = nearest_point(patch, 0.0);
  if (certified_times(patch, start.direction, 0.5 * options.tolerance).lo > 0) return false;
  for (int k = 0; k < 4; ++k) {
    if (patch.shape == PatchShape::Triangle && k == 2) continue;
    if (!add_border(patch, k, gap, options, out)) return false;
  }
  return true;
}

}  // namespace planner_ccd::leaf
