// Forward kinematics over any number type: double, or vectors of them with one instant a lane. No include guard: this file
// is included in the namespace of the number type, which must offer + - * among numbers. All compute the same bits.

/// A vector of numbers of type L.
template <typename L>
struct Triple {
  L x, y, z;
};
template <typename L>
PLANNER_CCD_INLINE Triple<L> operator+(const Triple<L>& a, const Triple<L>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <typename L>
PLANNER_CCD_INLINE Triple<L> operator-(const Triple<L>& a, const Triple<L>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <typename L>
PLANNER_CCD_INLINE Triple<L> operator*(L s, const Triple<L>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <typename L>
PLANNER_CCD_INLINE Triple<L> cross(const Triple<L>& a, const Triple<L>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/// BodyState, its rotation by columns.
template <typename L>
struct BodyPass {
  Triple<L> R[3], p, w, v, w_dot, v_dot;
};

/// R v for a vector that is the same in all lanes. `num` converts a double to a number.
template <typename L, typename Num>
PLANNER_CCD_INLINE Triple<L> turned(const BodyPass<L>& s, const Eigen::Vector3d& v, const Num& num) {
  return (num(v[0]) * s.R[0] + num(v[1]) * s.R[1]) + num(v[2]) * s.R[2];
}

template <typename L, typename Num>
PLANNER_CCD_INLINE void turn_by(const Eigen::Matrix3d& R, BodyPass<L>& s, const Num& num) {
  const Triple<L> x = turned(s, R.col(0), num), y = turned(s, R.col(1), num);
  s.R[2] = turned(s, R.col(2), num);
  s.R[0] = x;
  s.R[1] = y;
}

/// R <- R * (rotation about the move's axis), c and s being the angle's cosine and sine; Rodrigues' formula unless the axis
/// is x, y or z.
template <typename L, typename Num>
PLANNER_CCD_INLINE void turn_about(const Move& move, L c, L s, BodyPass<L>& body, const Num& num) {
  if (move.main_axis >= 0) {
    const int i = (move.main_axis + 1) % 3, j = (move.main_axis + 2) % 3;
    const Triple<L> x = body.R[i], y = body.R[j];
    body.R[i] = c * x + s * y;
    body.R[j] = c * y - s * x;
    return;
  }
  const L ax = num(move.axis[0]), ay = num(move.axis[1]), az = num(move.axis[2]);
  const L rest = num(1.0) - c;
  const L kx = rest * ax, ky = rest * ay, kz = rest * az, sx = s * ax, sy = s * ay, sz = s * az;
  const Triple<L> x = body.R[0], y = body.R[1], z = body.R[2];
  body.R[0] = ((kx * ax + c) * x + (ky * ax + sz) * y) + (kz * ax - sy) * z;
  body.R[1] = ((kx * ay - sz) * x + (ky * ay + c) * y) + (kz * ay + sx) * z;
  body.R[2] = ((kx * az + sy) * x + (ky * az - sx) * y) + (kz * az + c) * z;
}

/// Sine and cosine for |x| <= kAnglesInLanes: either is off by less than 4 u = 2 * 2^-52, the half of kLibmUlps. pi / 2 is in two parts, of which
/// the first has 33 bits, so that the reduction is exact; the polynomials are those of fdlibm (Sun Microsystems, 1993). (MATHS.md 8a)
template <typename L, typename Num>
PLANNER_CCD_INLINE void sine_cosine(L x, const Num& num, L& sine, L& cosine) {
  const L whole = num(0x1.8p52);  // adding it and taking it off rounds to an integer
  const L n = (x * num(6.36619772367581382433e-01) + whole) - whole;
  const L r = (x - n * num(1.57079632673412561417e+00)) - n * num(6.07710050650619224932e-11);
  const L z = r * r;
  const L s =
      r + (r * z) * (num(-1.66666666666666324348e-01) +
                     z * (num(8.33333333332248946124e-03) +
                          z * (num(-1.98412698298579493134e-04) +
                               z * (num(2.75573137070700676789e-06) +
                                    z * (num(-2.50507602534068634195e-08) + z * num(1.58969099521155010221e-10))))));
  const L c =
      (num(1.0) - num(0.5) * z) +
      (z * z) * (num(4.16666666666666019037e-02) +
                 z * (num(-1.38888888888741095749e-03) +
                      z * (num(2.48015872894767294178e-05) +
                           z * (num(-2.75573143513906633035e-07) +
                                z * (num(2.08757232129817482790e-09) + z * num(-1.13596475577881948265e-11))))));
  // n = k mod 4 with k in {-2, -1, 0, 1, 2}; odd is k for k = +-1 and else 0; even is 1 for k = 0, -1 for +-2 and else 0.
  const L k = n - num(4.0) * ((n * num(0.25) + whole) - whole);
  const L kk = k * k;
  const L odd = k * (kk * (num(4.0) - kk)) * num(1.0 / 3.0);
  const L even = (num(1.0) - odd * odd) * (num(1.0) - num(0.5) * kk);
  sine = odd * c + even * s;
  cosine = even * c - odd * s;
}

/// Storage offers value(k), rate(k) and acceleration(k) of move k, turn(k, sine, cosine) of its angle, body(b), and
/// set_body(b, state) and set_move(k, axis, origin) for the results.
template <typename L, typename Num, typename Storage>
PLANNER_CCD_INLINE void forward_pass(const MoveChain& chain, const Num& num, Storage& storage) {
  const RobotModel& robot = *chain.robot;
  BodyPass<L> s = storage.body(0);
  int at = 0;  // the body of state s
  for (int b = 1; b < static_cast<int>(chain.bodies.size()); ++b) {
    const Body& body = robot.bodies()[b];
    const BodyMoves& m = chain.bodies[b];
    if (body.parent != at) s = storage.body(body.parent);
    const Pose& X_ParentJoint = robot.joints()[body.joint].X_ParentBodyJoint;
    s.p = s.p + turned(s, X_ParentJoint.translation(), num);
    if (m.turned) turn_by(X_ParentJoint.linear(), s, num);
    if (m.has_offset) {
      s.p = s.p + turned(s, m.before.translation(), num);
      turn_by(m.before.linear(), s, num);
    }
    for (int k = m.first; k < m.first + m.count; ++k) {
      const Move& move = chain.moves[k];
      const Triple<L> axis = move.main_axis >= 0 ? s.R[move.main_axis] : turned(s, move.axis, num);
      storage.set_move(k, axis, s.p);
      // What the move adds to the twist turns with the frame it starts from, and its axis goes with that frame's origin.
      const Triple<L> added = storage.rate(k) * axis;
      const Triple<L> added_dot = storage.acceleration(k) * axis + cross(s.w, added);
      if (move.kind == MoveKind::Rotation) {
        s.v_dot = s.v_dot + (cross(s.v + cross(s.w, s.p), added) + cross(s.p, added_dot));
        s.w_dot = s.w_dot + added_dot;
        s.v = s.v + cross(s.p, added);
        s.w = s.w + added;
        L sine = num(0.0), cosine = num(1.0);
        storage.turn(k, sine, cosine);
        turn_about(move, cosine, sine, s, num);
      } else {
        s.v_dot = s.v_dot + added_dot;
        s.v = s.v + added;
        s.p = s.p + storage.value(k) * axis;
      }
    }
    if (m.has_offset) {
      s.p = s.p + turned(s, m.after.translation(), num);
      turn_by(m.after.linear(), s, num);
    }
    storage.set_body(b, s);
    at = b;
  }
}
