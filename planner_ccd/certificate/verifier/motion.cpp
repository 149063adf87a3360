#include "planner_ccd/certificate/verifier/motion.hpp"

namespace pccd {
namespace {

/// All derivatives of the curve at t: its coefficients about t, by repeated division, times factorials.
std::array<NearNumber, 6> derivatives_at(const Curve& curve, double t) {
  std::array<NearNumber, 6> out;
  for (std::size_t i = 0; i < 6; ++i) out[i].x = curve.c[i];
  double factorial = 1.0;
  for (int i = 0; i <= curve.degree; factorial *= ++i) {
    for (int k = curve.degree; k-- > i;) out[k] = out[k] + t * out[k + 1];
    if (i > 1) out[i] = factorial * out[i];
  }
  return out;
}

/// Taylor's formula about the middle, which is exact for polynomials: |q^(s)| <= sum_j |q^(s+j)(m)| half^j / j!; half is a power of 2.
double taylor_bound(const std::array<NearNumber, 6>& derivatives, int degree, int order, double half) {
  constexpr double kPerFactorial[] = {1.0, 1.0, 1.0 / 2.0, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0};
  double sum = 0.0, power = 1.0;
  for (int j = 0; order + j <= degree; ++j, power *= half) {
    sum += derivatives[static_cast<std::size_t>(order + j)].magnitude() * (power * kPerFactorial[j]);
  }
  return above(sum);
}

}  // namespace

/// The body in the middle of the interval, after all those that carry it and are not known.
const Placed& Motion::place(std::uint32_t number, std::uint64_t t0, std::uint64_t t1) {
  const auto key_of = [&](std::uint32_t body) { return Key{body, t0 << 32 | t1, segment_}; };
  if (number == 0) return world_;
  if (const Placed* known = placed_.find(key_of(number))) return *known;
  bodies_.assign(1, number);
  BodyState state;
  for (std::uint32_t b = s_.bodies[number].parent; b != 0; b = s_.bodies[b].parent) {
    if (const Placed* known = placed_.find(key_of(b))) {
      state = known->state;
      break;
    }
    bodies_.push_back(b);
  }
  const double middle = static_cast<double>(t0 + t1) * 0x1p-32, half = static_cast<double>(t1 - t0) * 0x1p-32;  // exact
  for (;; bodies_.pop_back()) {
    Placed& placed = placed_.replace(key_of(bodies_.back()));
    placed.state = state;
    placed.moves.clear();
    move_on(s_.bodies[bodies_.back()], middle, half, placed);
    if (bodies_.size() == 1) return placed;
    state = placed.state;
  }
}

/// Where a move's axis e passes through the frame's origin p, both of them carried by what lies before, the move adds q' e to the
/// angular velocity and q' p x e to the velocity at the world's origin, or q' e to the velocity; and the derivatives of these.
void Motion::move_on(const Body& body, double middle, double half, Placed& out) const {
  BodyState& s = out.state;
  s.p = s.p + s.R * body.p;
  if (body.R.error > 0.0) s.R = s.R * body.R;  // else it is the identity
  for (const Move& move : body.moves) {
    const Turn* turn = move.kind == MoveKind::Turn ? &s_.segments[segment_].turns[move.turn] : nullptr;
    const Near& axis = turn != nullptr ? turn->axis : move.axis;
    NearNumber value{move.offset}, rate, acceleration;
    MoveBounds b{std::abs(move.offset), 0.0, 0.0, 0.0, 0.0};
    if (move.curve != kNone) {
      const Curve& curve = s_.segments[segment_].curves[move.curve];
      const auto d = derivatives_at(curve, middle);
      const double factor = std::abs(move.multiplier);
      const auto bound = [&](int order) { return up(factor * taylor_bound(d, curve.degree, order, half)); };
      value = move.multiplier * d[0] + NearNumber{move.offset};
      rate = move.multiplier * d[1];
      acceleration = move.multiplier * d[2];
      b = {up(b.value + bound(0)), bound(1), bound(2), bound(3), up(factor * curve.tube)};
    }
    out.moves.push_back(b);
    const Near e = s.R * axis, we = cross(s.w, e);
    if (move.kind == MoveKind::Translation) {
      s.v_dot = s.v_dot + acceleration * e + rate * we;
      s.v = s.v + rate * e;
      s.p = s.p + value * e;
    } else {
      const Near pe = cross(s.p, e);
      s.v_dot = s.v_dot + acceleration * pe + rate * (cross(s.v + cross(s.w, s.p), e) + cross(s.p, we));
      s.w_dot = s.w_dot + acceleration * e + rate * we;
      s.v = s.v + rate * pe;
      s.w = s.w + rate * e;
      s.R = s.R * rotation(axis, value);
      if (turn != nullptr) s.R = s.R * turn->start;
    }
  }
}

/// From A towards B. A point of A, seen from the frame beyond what has been passed, has derivatives bounded by F_1, F_2, F_3 and
/// lies within `lever` of the frame's origin. The product rule, with |R'| <= w, |R''| <= w^2 + a, |R'''| <= w^3 + 3 w a + j
/// for a rotation, and the plain sum for a translation, bounds them in the next frame.                              (M)
/// Sums and products of what is not negative, of which no result has more than 12 roundings for each step of the way: relative to
/// the result they are less than 12 * 600 * 2^-53 < 2^-40, and what underflows is far below kTiny.
void Motion::bound(std::uint32_t a, std::uint32_t b, std::uint64_t t0, std::uint64_t t1, Relative& out) {
  LinearBound lever{0.0, 1.0}, first, second, third, tube;
  const auto add = [](LinearBound& sum, double factor, const LinearBound& x) {
    sum.a += factor * x.a;
    sum.b += factor * x.b;
  };
  const auto pass = [&](const Move& move, const MoveBounds& bounds) {
    const auto& [value, w, acc, jerk, d] = bounds;
    if (move.kind == MoveKind::Translation) {
      lever.a += value + d;
      first.a += w, second.a += acc, third.a += jerk, tube.a += d;
      return;
    }
    add(third, 3.0 * w, second);
    add(third, 3.0 * (w * w + acc), first);
    add(third, w * (w * w + 3.0 * acc) + jerk, lever);
    add(second, 2.0 * w, first);
    add(second, w * w + acc, lever);
    add(first, w, lever);
    add(tube, d, lever);
  };
  std::vector<std::uint32_t> down;  // from the common ancestor to B
  while (a != b) {                  // parents have smaller numbers
    std::uint32_t& later = a > b ? a : b;
    const Body& body = s_.bodies[later];
    if (a > b) {
      const std::vector<MoveBounds>& bounds = place(a, t0, t1).moves;
      for (std::size_t i = bounds.size(); i-- > 0;) pass(body.moves[i], bounds[i]);
      lever.a += body.distance;
    } else {
      down.push_back(b);
    }
    later = body.parent;
  }
  for (std::size_t k = down.size(); k-- > 0;) {
    const Body& body = s_.bodies[down[k]];
    const std::vector<MoveBounds>& bounds = place(down[k], t0, t1).moves;
    lever.a += body.distance;
    for (std::size_t i = 0; i < bounds.size(); ++i) pass(body.moves[i], bounds[i]);
  }
  for (LinearBound* x : {&second, &third, &tube}) *x = {x->a * (1.0 + 0x1p-39) + kTiny, x->b * (1.0 + 0x1p-39) + kTiny};
  out.second = second, out.third = third, out.tube = tube;
}

const Relative& Motion::over(std::uint32_t a, std::uint32_t b, std::uint64_t t0, std::uint64_t t1) {
  const Key key{std::uint64_t{a} << 32 | b, t0 << 32 | t1, segment_};
  if (const Relative* known = relatives_.find(key)) return *known;
  BodyState s = place(a, t0, t1).state;
  if (b != 0) {  // X_BA = X_B^-1 X_A, differentiated twice in B's moving frame
    const BodyState& from = place(b, t0, t1).state;
    const Near dw = s.w - from.w, dw_dot = s.w_dot - from.w_dot, dv = s.v - from.v + cross(dw, from.p);
    const Near dv_dot = s.v_dot - from.v_dot + cross(dw_dot, from.p) + cross(dw, from.v + cross(from.w, from.p));
    const NearRotation back = transposed(from.R);
    s = {back * s.R,
         back * (s.p - from.p),
         back * dw,
         back * dv,
         back * (dw_dot - cross(from.w, dw)),
         back * (dv_dot - cross(from.w, dv))};
  }
  Relative& out = relatives_.replace(key);
  out.R = s.R, out.w = s.w, out.w_dot = s.w_dot;
  out.p[0] = s.p;
  out.p[1] = s.v + cross(s.w, s.p);
  out.p[2] = s.v_dot + cross(s.w_dot, s.p) + cross(s.w, out.p[1]);
  bound(a, b, t0, t1, out);
  return out;
}

}  // namespace pccd
