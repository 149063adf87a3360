#include "planner_ccd/certificate/verifier/motion.hpp"

namespace pccd {
namespace {

constexpr std::size_t kMostInstants = 512, kMostRelatives = 8192;  // kept at a time

std::uint64_t key(std::uint64_t t0, std::uint64_t t1) { return t0 << 32 | t1; }

double times_up(double a, double b) { return up(a * b); }
double plus_up(double a, double b) { return up(a + b); }

/// All derivatives of the curve at t: Horner's rule, each time on the derived coefficients.
std::array<Interval, 6> derivatives_at(const Curve& curve, const Interval& t) {
  std::array<Interval, 6> c{}, out{};
  for (std::size_t i = 0; i < 6; ++i) c[i] = curve.c[i];
  for (int order = 0; order <= curve.degree; ++order) {
    const int left = curve.degree - order;
    Interval sum = c[static_cast<std::size_t>(left)];
    for (int i = left; i-- > 0;) sum = sum * t + c[static_cast<std::size_t>(i)];
    out[static_cast<std::size_t>(order)] = sum;
    for (int i = 0; i < left; ++i) c[static_cast<std::size_t>(i)] = (i + 1.0) * c[static_cast<std::size_t>(i) + 1];
  }
  return out;
}

/// Taylor's formula about the middle, which is exact for polynomials: |q^(s)| <= sum_j |q^(s+j)(m)| half^j / j!.
double taylor_bound(const std::array<Interval, 6>& derivatives, int order, double half) {
  double sum = 0.0, factor = 1.0;
  for (int j = 0; order + j < 6; ++j) {
    sum = plus_up(sum, times_up(derivatives[static_cast<std::size_t>(order + j)].magnitude(), factor));
    factor = up(times_up(factor, half) / (j + 1.0));
  }
  return sum;
}

/// About a unit axis: c I + (1 - c) a a^T + s [a]x.
Matrix rotation(const Vector& a, const Interval& angle) {
  const auto [s, c] = sine_cosine(angle);
  const Interval d = Interval(1.0) - c;
  return {{{c + d * square(a[0]), d * (a[0] * a[1]) - s * a[2], d * (a[0] * a[2]) + s * a[1]},
           {d * (a[0] * a[1]) + s * a[2], c + d * square(a[1]), d * (a[1] * a[2]) - s * a[0]},
           {d * (a[0] * a[2]) - s * a[1], d * (a[1] * a[2]) + s * a[0], c + d * square(a[2])}}};
}

/// Intervals grow at each move of a chain, without end where its angles are so large that nothing is known of them. Products of six
/// of these and of two numbers of the file are far from overflow.
void require_bounded(const BodyState& s) {
  const auto bounded = [](const Vector& v) {
    return std::all_of(v.begin(), v.end(), [](const Interval& x) { return x.lo >= -1e40 && x.hi <= 1e40; });
  };
  const Vector* all[] = {&s.R[0], &s.R[1], &s.R[2], &s.p, &s.w, &s.v, &s.w_dot, &s.v_dot};
  if (!std::all_of(std::begin(all), std::end(all), [&](const Vector* v) { return bounded(*v); }))
    throw Unreadable("a pose or velocity is beyond 1e40, or not known to be below");
}

}  // namespace

void Motion::set_segment(std::size_t segment) {
  segment_ = segment;
  instants_.clear();
  relatives_.clear();
}

/// The way from B up to the common ancestor and down to A. A body's placement lies between its parent and its first move.
void Motion::set_bodies(std::uint32_t a, std::uint32_t b) {
  if (a == a_ && b == b_) return;
  a_ = a, b_ = b;
  relatives_.clear();
  way_.clear();
  std::vector<std::uint32_t> down;
  while (a != b) {  // parents have smaller numbers
    if (a > b) {
      down.push_back(a);
      a = s_.bodies[a].parent;
    } else {
      for (int i = static_cast<int>(s_.bodies[b].moves.size()); i-- > 0;) way_.push_back({b, i});
      way_.push_back({b, -1});
      b = s_.bodies[b].parent;
    }
  }
  for (std::size_t k = down.size(); k-- > 0;) {
    way_.push_back({down[k], -1});
    for (int i = 0; i < static_cast<int>(s_.bodies[down[k]].moves.size()); ++i) way_.push_back({down[k], i});
  }
}

/// Where a move's axis e passes through the frame's origin p, both of them carried by what lies before, the move adds q' e to the
/// angular velocity and q' p x e to the velocity at the world's origin, or q' e to the velocity; and the derivatives of these.
void Motion::place(std::uint32_t number, const std::vector<std::array<Interval, 6>>& derivatives, double half,
                   Instant& out) const {
  const Body& body = s_.bodies[number];
  BodyState s = out.bodies[body.parent];
  s.p = s.p + s.R * body.p;
  s.R = s.R * body.R;
  std::vector<MoveBounds>& bounds = out.moves[number];
  bounds.clear();
  require_bounded(s);
  for (const Move& move : body.moves) {
    const Turn* turn = move.kind == MoveKind::Turn ? &s_.segments[segment_].turns[move.turn] : nullptr;
    const Vector& axis = turn != nullptr ? turn->axis : move.axis;
    Interval value = move.offset, rate, acceleration;
    MoveBounds b{std::abs(move.offset), 0.0, 0.0, 0.0, 0.0};
    if (move.curve != kNone) {
      const auto& d = derivatives[move.curve];
      const double factor = std::abs(move.multiplier);
      value = move.multiplier * d[0] + Interval(move.offset);
      rate = move.multiplier * d[1];
      acceleration = move.multiplier * d[2];
      b.value = plus_up(b.value, times_up(factor, taylor_bound(d, 0, half)));
      b.rate = times_up(factor, taylor_bound(d, 1, half));
      b.acceleration = times_up(factor, taylor_bound(d, 2, half));
      b.jerk = times_up(factor, taylor_bound(d, 3, half));
      b.tube = times_up(factor, s_.segments[segment_].curves[move.curve].tube);
    }
    bounds.push_back(b);
    const Vector e = s.R * axis;
    if (move.kind == MoveKind::Translation) {
      s.v_dot = s.v_dot + acceleration * e + rate * cross(s.w, e);
      s.v = s.v + rate * e;
      s.p = s.p + value * e;
      require_bounded(s);
      continue;
    }
    const Vector pe = cross(s.p, e), we = cross(s.w, e);
    s.v_dot = s.v_dot + acceleration * pe + rate * (cross(s.v + cross(s.w, s.p), e) + cross(s.p, we));
    s.w_dot = s.w_dot + acceleration * e + rate * we;
    s.v = s.v + rate * pe;
    s.w = s.w + rate * e;
    s.R = s.R * rotation(axis, value);
    if (turn != nullptr) s.R = s.R * turn->start;
    require_bounded(s);
  }
  out.bodies[number] = s;
}

const Instant& Motion::instant(std::uint64_t t0, std::uint64_t t1) {
  const auto known = instants_.find(key(t0, t1));
  if (known != instants_.end()) return known->second;
  if (instants_.size() >= kMostInstants) instants_.clear();
  Instant& out = instants_[key(t0, t1)];
  const double middle = static_cast<double>(t0 + t1) * 0x1p-32, half = static_cast<double>(t1 - t0) * 0x1p-32;  // exact
  std::vector<std::array<Interval, 6>> derivatives;
  for (const Curve& curve : s_.segments[segment_].curves) derivatives.push_back(derivatives_at(curve, middle));
  out.bodies.resize(s_.bodies.size());
  out.moves.resize(s_.bodies.size());
  out.bodies[0].R = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}};
  for (std::uint32_t b = 1; b < s_.bodies.size(); ++b) place(b, derivatives, half, out);
  return out;
}

/// From A towards B. A point of A, seen from the frame beyond what has been passed, has derivatives bounded by F_1, F_2, F_3 and
/// lies within `lever` of the frame's origin. The product rule, with |R'| <= w, |R''| <= w^2 + a, |R'''| <= w^3 + 3 w a + j
/// for a rotation, and the plain sum for a translation, bounds them in the next frame.                              (M)
/// Sums and products of what is not negative, of which no result has more than 12 roundings for each step of the way: relative to
/// the result they are less than 12 * 600 * 2^-53 < 2^-40, and what underflows is far below kTiny.
void Motion::bound(const Instant& instant, Relative& out) const {
  if (way_.size() > 600) throw Unreadable("there are more than 600 moves between two bodies");
  LinearBound lever{0.0, 1.0}, first, second, third, tube;
  const auto add = [](LinearBound& sum, double factor, const LinearBound& x) {
    sum.a += factor * x.a;
    sum.b += factor * x.b;
  };
  for (std::size_t i = way_.size(); i-- > 0;) {
    if (way_[i].move < 0) {
      lever.a += s_.bodies[way_[i].body].distance;
      continue;
    }
    const auto& [value, w, a, j, d] = instant.moves[way_[i].body][static_cast<std::size_t>(way_[i].move)];
    if (s_.bodies[way_[i].body].moves[static_cast<std::size_t>(way_[i].move)].kind == MoveKind::Translation) {
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

const Relative& Motion::over(std::uint64_t t0, std::uint64_t t1) {
  const auto known = relatives_.find(key(t0, t1));
  if (known != relatives_.end()) return known->second;
  if (relatives_.size() >= kMostRelatives) relatives_.clear();
  const Instant& now = instant(t0, t1);
  Relative& out = relatives_[key(t0, t1)];
  const BodyState& a = now.bodies[a_];
  const BodyState& b = now.bodies[b_];
  if (b_ == 0) {
    out.at = a;
  } else {  // X_BA = X_B^-1 X_A, differentiated twice in B's moving frame
    const Matrix F = transposed(b.R);
    const Vector dw = a.w - b.w, dw_dot = a.w_dot - b.w_dot;
    const Vector dv = a.v - b.v + cross(dw, b.p);
    const Vector dv_dot = a.v_dot - b.v_dot + cross(dw_dot, b.p) + cross(dw, b.v + cross(b.w, b.p));
    out.at = {F * a.R, F * (a.p - b.p), F * dw, F * dv, F * (dw_dot - cross(b.w, dw)), F * (dv_dot - cross(b.w, dv))};
  }
  bound(now, out);
  return out;
}

}  // namespace pccd
