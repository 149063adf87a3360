#include "triangle_ccd/leaf_truth.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "triangle_ccd/exact_leaf.hpp"

namespace planner_ccd::test {
namespace {

using Real = long double;

/// An interval whose ends are moved outwards after every operation, by more than the rounding of a 64-bit significand.
struct Interval {
  Real lo, hi;

  int sign() const { return lo > 0 ? 1 : hi < 0 ? -1 : 0; }  ///< 0: not known
};

Real down(Real x) { return x - std::abs(x) * 0x1p-62L - 1e-3000L; }
Real up(Real x) { return x + std::abs(x) * 0x1p-62L + 1e-3000L; }
Interval operator+(Interval a, Interval b) { return {down(a.lo + b.lo), up(a.hi + b.hi)}; }
Interval operator-(Interval a, Interval b) { return {down(a.lo - b.hi), up(a.hi - b.lo)}; }
Interval operator*(Interval a, Interval b) {
  const Real p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return {down(std::min(std::min(p, q), std::min(r, s))), up(std::max(std::max(p, q), std::max(r, s)))};
}

using Vector = std::array<Interval, 3>;

Interval dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// The difference of two moving points: start and travel.
struct Line {
  Vector start, travel;

  Vector at(Interval t) const { return {start[0] + t * travel[0], start[1] + t * travel[1], start[2] + t * travel[2]}; }
};

Line line(const MovingPoint& from, const MovingPoint& to) {
  Line out;
  for (int c = 0; c < 3; ++c) {
    const Interval s = Interval{to.start[c], to.start[c]} - Interval{from.start[c], from.start[c]};
    const Interval e = Interval{to.end[c], to.end[c]} - Interval{from.end[c], from.end[c]};
    out.start[c] = s;
    out.travel[c] = e - s;
  }
  return out;
}

/// Which of the three, or not known.
enum class Answer { Miss, Hit, Unknown };

struct Filter {
  std::vector<Line> corner;  ///< Of the differences b - a, cyclic.
  Line u, v;
  std::array<Interval, 4> det;  ///< Coefficients of the determinant (u x v) . corner_0 in t.

  void set_det() {
    const Line& q = corner[0];
    const Vector n0 = cross(u.start, v.start), n2 = cross(u.travel, v.travel);
    const Vector a = cross(u.start, v.travel), b = cross(u.travel, v.start);
    const Vector n1{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    det = {dot(n0, q.start), dot(n0, q.travel) + dot(n1, q.start), dot(n1, q.travel) + dot(n2, q.start),
           dot(n2, q.travel)};
  }
  Interval value(Interval t) const { return ((det[3] * t + det[2]) * t + det[1]) * t + det[0]; }
  Interval slope(Interval t) const { return (Interval{3, 3} * det[3] * t + Interval{2, 2} * det[2]) * t + det[1]; }

  /// Is the origin among the differences at the one root in [t.lo, t.hi]?
  Answer inside(Interval t) const {
    const Vector n = cross(u.at(t), v.at(t));
    bool known = true;
    for (std::size_t k = 0; k < corner.size(); ++k) {
      const Vector from = corner[k].at(t), to = corner[(k + 1) % corner.size()].at(t);
      const int side = dot(n, cross(from, to)).sign();
      if (side < 0) return Answer::Miss;
      known = known && side > 0;
    }
    return known ? Answer::Hit : Answer::Unknown;
  }

  /// Searches [a, b] from the left.
  Answer search(Real a, Real b, int depth, Interval& found) const {
    const Real m = 0.5L * (a + b);
    const Interval at_m = value({m, m}), by_slope = slope({a, b}) * Interval{a - m, b - m};
    if ((at_m + by_slope).sign() != 0) return Answer::Miss;
    if (slope({a, b}).sign() != 0) {
      const int sa = value({a, a}).sign(), sb = value({b, b}).sign();
      if (sa == 0 || sb == 0) return Answer::Unknown;
      if (sa == sb) return Answer::Miss;
      for (int i = 0; i < 44; ++i) {
        const Real c = 0.5L * (a + b);
        const int sc = value({c, c}).sign();
        if (sc == 0) break;
        (sc == sa ? a : b) = c;
      }
      found = {a, b};
      return inside(found);
    }
    if (depth == 0) return Answer::Unknown;
    const Answer left = search(a, m, depth - 1, found);
    return left == Answer::Miss ? search(m, b, depth - 1, found) : left;
  }
};

Filter make_filter(const VertexFaceMotion& m) {
  Filter f;
  for (const MovingPoint& x : m.face) f.corner.push_back(line(m.vertex, x));
  f.u = line(m.face[0], m.face[1]);
  f.v = line(m.face[0], m.face[2]);
  f.set_det();
  return f;
}

Filter make_filter(const EdgeEdgeMotion& m) {
  Filter f;
  f.corner = {line(m.a[0], m.b[0]), line(m.a[1], m.b[0]), line(m.a[1], m.b[1]), line(m.a[0], m.b[1])};
  f.u = line(m.a[1], m.a[0]);
  f.v = line(m.b[0], m.b[1]);
  f.set_det();
  return f;
}

std::vector<const MovingPoint*> points_a(const VertexFaceMotion& m) { return {&m.vertex}; }
std::vector<const MovingPoint*> points_b(const VertexFaceMotion& m) { return {&m.face[0], &m.face[1], &m.face[2]}; }
std::vector<const MovingPoint*> points_a(const EdgeEdgeMotion& m) { return {&m.a[0], &m.a[1]}; }
std::vector<const MovingPoint*> points_b(const EdgeEdgeMotion& m) { return {&m.b[0], &m.b[1]}; }

/// Comparisons of the coordinates alone.
template <class Motion>
bool boxes_apart(const Motion& m) {
  for (int c = 0; c < 3; ++c) {
    bool below = true, above = true;
    for (const MovingPoint* a : points_a(m)) {
      for (const MovingPoint* b : points_b(m)) {
        below = below && b->start[c] < a->start[c] && b->end[c] < a->end[c];
        above = above && b->start[c] > a->start[c] && b->end[c] > a->end[c];
      }
    }
    if (below || above) return true;
  }
  return false;
}

template <class Motion>
Truth truth(const Motion& m) {
  if (boxes_apart(m)) return {};
  Interval found{0, 0};
  const Answer answer = make_filter(m).search(0, 1, 12, found);
  if (answer == Answer::Miss) return {};
  if (answer == Answer::Hit)
    return {true, static_cast<double>(down(found.lo)) - 1e-16, static_cast<double>(up(found.hi)) + 1e-16, false};
  const auto exact = exact_contact(m);
  if (!exact) return {false, 0, 0, true};
  return {true, exact->time - 1e-16, exact->time + 1e-16, true};
}

using Vector3r = Eigen::Matrix<Real, 3, 1>;

Vector3r position(const MovingPoint& p, double t) {
  return (1 - Real(t)) * p.start.cast<Real>() + Real(t) * p.end.cast<Real>();
}

Real to_segment(const Vector3r& p, const Vector3r& a, const Vector3r& b) {
  const Vector3r d = b - a;
  const Real length2 = d.squaredNorm();
  const Real s = length2 > 0 ? std::clamp<Real>((p - a).dot(d) / length2, 0, 1) : 0;
  return (a + s * d - p).norm();
}

template <class Motion>
double speed(const Motion& m) {
  double fastest = 0;
  for (const MovingPoint* a : points_a(m)) {
    for (const MovingPoint* b : points_b(m))
      fastest = std::max(fastest, ((b->end - b->start) - (a->end - a->start)).norm());
  }
  return fastest;
}

}  // namespace

Truth true_contact(const VertexFaceMotion& motion) { return truth(motion); }
Truth true_contact(const EdgeEdgeMotion& motion) { return truth(motion); }

double plain_distance(const VertexFaceMotion& m, double t) {
  const Vector3r p = position(m.vertex, t), a = position(m.face[0], t), b = position(m.face[1], t),
                 c = position(m.face[2], t);
  Real best = std::min({to_segment(p, a, b), to_segment(p, b, c), to_segment(p, c, a)});
  const Vector3r n = (b - a).cross(c - a);
  const auto left = [&](const Vector3r& x, const Vector3r& y) { return n.dot((y - x).cross(p - x)) >= 0; };
  if (n.norm() > 1e-13L * std::max((b - a).squaredNorm(), (c - a).squaredNorm()) && left(a, b) && left(b, c) &&
      left(c, a))
    best = std::min(best, std::abs(n.dot(p - a)) / n.norm());
  return static_cast<double>(best);
}

double plain_distance(const EdgeEdgeMotion& m, double t) {
  const Vector3r a0 = position(m.a[0], t), a1 = position(m.a[1], t), b0 = position(m.b[0], t), b1 = position(m.b[1], t);
  Real best =
      std::min({to_segment(a0, b0, b1), to_segment(a1, b0, b1), to_segment(b0, a0, a1), to_segment(b1, a0, a1)});
  const Vector3r u = a1 - a0, v = b1 - b0, w = b0 - a0, n = u.cross(v);
  const Real n2 = n.squaredNorm();
  if (n2 > 0) {
    const Real s = w.cross(v).dot(n) / n2, r = w.cross(u).dot(n) / n2;
    if (s >= 0 && s <= 1 && r >= 0 && r <= 1) best = std::min(best, std::abs(n.dot(w)) / std::sqrt(n2));
  }
  return static_cast<double>(best);
}

double plain_speed(const VertexFaceMotion& motion) { return speed(motion); }
double plain_speed(const EdgeEdgeMotion& motion) { return speed(motion); }

Judgement judge(const LeafResult& result, const Truth& truth, double distance_at_contact, double speed,
                const LeafOptions& options) {
  Judgement j;
  const bool apart = result.verdict == Verdict::Free;
  j.undecided = result.verdict == Verdict::Undecided;
  j.missed = truth.hit && (apart || result.t_lo > truth.toi_hi);
  j.false_alarm = !truth.hit && !apart;
  if (result.verdict == Verdict::Contact) {
    j.beyond = distance_at_contact > (options.min_separation + options.tolerance) * (1 + 1e-12);
    j.late = truth.hit && (result.t_hi - truth.toi_hi) * speed > options.tolerance * (1 + 1e-9);
  }
  return j;
}

}  // namespace planner_ccd::test
