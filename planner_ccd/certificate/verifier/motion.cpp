#include "planner_ccd/certificate/verifier/motion.hpp"

namespace pccd {
namespace {

constexpr std::size_t kMostPlaced = 50'000, kMostRelatives = 8192;  // kept at a time

/// All derivatives of the curve at t: its coefficients about t, by repeated division, times factorials.
std::array<Interval, 6> derivatives_at(const Curve& curve, const Interval& t) {
  std::array<Interval, 6> out;
  for (std::size_t i = 0; i < 6; ++i) out[i] = curve.c[i];
  double factorial = 1.0;
  for (int i = 0; i <= curve.degree; factorial *= ++i) {
    for (int k = curve.degree; k-- > i;) out[k] = out[k] + out[k + 1] * t;
    out[i] = factorial * out[i];
  }
  return out;
}

/// Taylor's formula about the middle, which is exact for polynomials: |q^(s)| <= sum_j |q^(s+j)(m)| half^j / j!.
double taylor_bound(const std::array<Interval, 6>& derivatives, int degree, int order, double half) {
  double sum = 0.0, factor = 1.0;
  for (int j = 0; order + j <= degree; ++j) {
    sum = up(sum + up(derivatives[static_cast<std::size_t>(order + j)].magnitude() * factor));
    factor = up(up(factor * half) / (j + 1.0));
  }
  return sum;
}

/// About a unit axis: c I + (1 - c) a a^T + s [a]x.
Matrix rotation(const Vector& a, const Matrix& outer, const Interval& angle) {
  const auto [s, c] = sine_cosine(angle);
  Matrix m = (Interval(1.0) - c) * outer;
  const Vector sa = s * a;
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t next = (k + 1) % 3, last = (k + 2) % 3;
    m[k][k] = m[k][k] + c;
    m[k][next] = m[k][next] - sa[last];
    m[next][k] = m[next][k] + sa[last];
  }
  return m;
}

/// Intervals grow at each move of a chain, without end where its angles are so large that nothing is known of them. Products of six
/// of these and of two numbers of the file are far from overflow.
void require_bounded(const BodyState& s) {
  for (const Vector* v : {&s.R[0], &s.R[1], &s.R[2], &s.p, &s.w, &s.v, &s.w_dot, &s.v_dot}) {
    for (const Interval& x : *v) {
      if (!(x.lo >= -1e40 && x.hi <= 1e40)) throw Unreadable("a pose or velocity is beyond 1e40, or may be");
    }
  }
}

}  // namespace

void Motion::set_segment(std::size_t segment) {
  segment_ = segment;
  placed_ = 0;
  instants_.clear();
  relatives_.clear();
}

/// The way from B up to the common ancestor and down to A. A body's placement lies between its parent and its first move.
std::vector<Motion::Element> Motion::way(std::uint32_t a, std::uint32_t b) const {
  std::vector<Element> way;
  std::vector<std::uint32_t> down;
  while (a != b) {  // parents have smaller numbers
    if (a > b) {
      down.push_back(a);
      a = s_.bodies[a].parent;
    } else {
      for (int i = static_cast<int>(s_.bodies[b].moves.size()); i-- > 0;) way.push_back({b, i});
      way.push_back({b, -1});
      b = s_.bodies[b].parent;
    }
  }
  for (std::size_t k = down.size(); k-- > 0;) {
    way.push_back({down[k], -1});
    for (int i = 0; i < static_cast<int>(s_.bodies[down[k]].moves.size()); ++i) way.push_back({down[k], i});
  }
  return way;
}

/// The body in the middle of the interval, after all those that carry it.
const BodyState& Motion::place(std::uint32_t number, std::uint64_t t0, std::uint64_t t1, Instant& out) {
  std::vector<std::uint32_t> open;
  for (std::uint32_t b = number; out.bodies.count(b) == 0; b = s_.bodies[b].parent) {
    open.push_back(b);
    if (b == 0) break;
  }
  const double middle = static_cast<double>(t0 + t1) * 0x1p-32, half = static_cast<double>(t1 - t0) * 0x1p-32;  // exact
  for (; !open.empty(); open.pop_back(), ++placed_) {
    const std::uint32_t b = open.back();
    Instant::Placed placed;
    if (b == 0) {
      placed.state.R = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
    } else {
      placed.state = out.bodies.at(s_.bodies[b].parent).state;
      move_on(s_.bodies[b], middle, half, placed);
    }
    out.bodies.emplace(b, std::move(placed));
  }
  return out.bodies.at(number).state;
}

/// Where a move's axis e passes through the frame's origin p, both of them carried by what lies before, the move adds q' e to the
/// angular velocity and q' p x e to the velocity at the world's origin, or q' e to the velocity; and the derivatives of these.
void Motion::move_on(const Body& body, double middle, double half, Instant::Placed& out) const {
  BodyState& s = out.state;
  out.moves.reserve(body.moves.size());
  s.p = s.p + s.R * body.p;
  if (!body.unturned) s.R = s.R * body.R;
  require_bounded(s);
  for (const Move& move : body.moves) {
    const Turn* turn = move.kind == MoveKind::Turn ? &s_.segments[segment_].turns[move.turn] : nullptr;
    const Vector& axis = turn != nullptr ? turn->axis : move.axis;
    Interval value = move.offset, rate, acceleration;
    MoveBounds b{std::abs(move.offset), 0.0, 0.0, 0.0, 0.0};
    if (move.curve != kNone) {
      const Curve& curve = s_.segments[segment_].curves[move.curve];
      const auto d = derivatives_at(curve, middle);
      const double factor = std::abs(move.multiplier);
      const auto bound = [&](int order) { return up(factor * taylor_bound(d, curve.degree, order, half)); };
      value = move.multiplier * d[0] + Interval(move.offset);
      rate = move.multiplier * d[1];
      acceleration = move.multiplier * d[2];
      b = {up(b.value + bound(0)), bound(1), bound(2), bound(3), up(factor * curve.tube)};
    }
    out.moves.push_back(b);
    const Vector e = s.R * axis;
    const Vector we = cross(s.w, e);
    if (move.kind == MoveKind::Translation) {
      s.v_dot = s.v_dot + acceleration * e + rate * we;
      s.v = s.v + rate * e;
      s.p = s.p + value * e;
    } else {
      const Vector pe = cross(s.p, e);
      s.v_dot = s.v_dot + acceleration * pe + rate * (cross(s.v + cross(s.w, s.p), e) + cross(s.p, we));
      s.w_dot = s.w_dot + acceleration * e + rate * we;
      s.v = s.v + rate * pe;
      s.w = s.w + rate * e;
      s.R = s.R * rotation(axis, turn != nullptr ? turn->outer : move.outer, value);
      if (turn != nullptr) s.R = s.R * turn->start;
    }
    require_bounded(s);
  }
}

/// From A towards B. A point of A, seen from the frame beyond what has been passed, has derivatives bounded by F_1, F_2, F_3 and
/// lies within `lever` of the frame's origin. The product rule, with |R'| <= w, |R''| <= w^2 + a, |R'''| <= w^3 + 3 w a + j
/// for a rotation, and the plain sum for a translation, bounds them in the next frame.                              (M)
/// Sums and products of what is not negative, of which no result has more than 12 roundings for each step of the way: relative to
/// the result they are less than 12 * 600 * 2^-53 < 2^-40, and what underflows is far below kTiny.
void Motion::bound(const std::vector<Element>& way, const Instant& instant, Relative& out) const {
  if (way.size() > 600) throw Unreadable("there are more than 600 moves between two bodies");
  LinearBound lever{0.0, 1.0}, first, second, third, tube;
  const auto add = [](LinearBound& sum, double factor, const LinearBound& x) {
    sum.a += factor * x.a;
    sum.b += factor * x.b;
  };
  for (std::size_t i = way.size(); i-- > 0;) {
    const Body& body = s_.bodies[way[i].body];
    if (way[i].move < 0) {
      lever.a += body.distance;
      continue;
    }
    const auto move = static_cast<std::size_t>(way[i].move);
    const auto& [value, w, a, j, d] = instant.bodies.at(way[i].body).moves[move];
    if (body.moves[move].kind == MoveKind::Translation) {
      lever.a += value + d;
      first.a += w, second.a += a, third.a += j, tube.a += d;
      continue;
    }
    add(third, 3.0 * w, second);
    add(third, 3.0 * (w * w + a), first);
    add(third, w * (w * w + 3.0 * a) + j, lever);
    add(second, 2.0 * w, first);
    add(second, w * w + a, lever);
    add(first, w, lever);
    add(tube, d, lever);
  }
  for (LinearBound* b : {&second, &third, &tube}) *b = {b->a * (1.0 + 0x1p-39) + kTiny, b->b * (1.0 + 0x1p-39) + kTiny};
  out.second = second, out.third = third, out.tube = tube;
}

const Relative& Motion::over(std::uint32_t a, std::uint32_t b, std::uint64_t t0, std::uint64_t t1) {
  const Key key{std::uint64_t{a} << 32 | b, t0 << 32 | t1};
  const auto known = relatives_.find(key);
  if (known != relatives_.end()) return known->second;
  if (relatives_.size() >= kMostRelatives) relatives_.clear();
  if (placed_ >= kMostPlaced) {
    placed_ = 0;
    instants_.clear();
  }
  Instant& now = instants_[key.second];
  BodyState s = place(a, t0, t1, now);
  const BodyState& from = place(b, t0, t1, now);
  if (b != 0) {  // X_BA = X_B^-1 X_A, differentiated twice in B's moving frame
    const Matrix F = transposed(from.R);
    const Vector dw = s.w - from.w, dw_dot = s.w_dot - from.w_dot;
    const Vector dv = s.v - from.v + cross(dw, from.p);
    const Vector dv_dot = s.v_dot - from.v_dot + cross(dw_dot, from.p) + cross(dw, from.v + cross(from.w, from.p));
    s = {F * s.R,
         F * (s.p - from.p),
         F * dw,
         F * dv,
         F * (dw_dot - cross(from.w, dw)),
         F * (dv_dot - cross(from.w, dv))};
  }
  Relative& out = relatives_[key];
  out.R[0] = s.R;
  out.R[1] = cross(s.w, s.R);
  out.R[2] = cross(s.w_dot, s.R) + cross(s.w, out.R[1]);
  out.p[0] = s.p;
  out.p[1] = s.v + cross(s.w, s.p);
  out.p[2] = s.v_dot + cross(s.w_dot, s.p) + cross(s.w, out.p[1]);
  bound(way(a, b), now, out);
  return out;
}

}  // namespace pccd
