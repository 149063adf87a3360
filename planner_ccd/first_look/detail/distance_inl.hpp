// Vectors, poses and distances at sixteen instants. No include guard: this file is included in the namespace of the
// number type Lanes, which holds one number per instant. Each of its operations rounds once, so all number types
// compute the same bits.

/// A 3-vector at each instant.
struct Vector {
  Lanes x, y, z;
};
PLANNER_CCD_INLINE Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
PLANNER_CCD_INLINE Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
PLANNER_CCD_INLINE Vector operator*(const Lanes& s, const Vector& a) { return {s * a.x, s * a.y, s * a.z}; }
PLANNER_CCD_INLINE Lanes dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PLANNER_CCD_INLINE Vector next(const Vector& a) { return {next(a.x), next(a.y), next(a.z)}; }
PLANNER_CCD_INLINE Vector all3(const float* v) { return {all(v[0]), all(v[1]), all(v[2])}; }

struct Pose {
  Vector R[3], p;  ///< R by columns.

  PLANNER_CCD_INLINE Vector turn(const float* v) const {
    return all(v[0]) * R[0] + all(v[1]) * R[1] + all(v[2]) * R[2];
  }
  PLANNER_CCD_INLINE Vector place(const float* v) const { return turn(v) + p; }
  /// The world point `at`, in this frame.
  PLANNER_CCD_INLINE Vector local(const Vector& at) const {
    const Vector d = at - p;
    return {dot(R[0], d), dot(R[1], d), dot(R[2], d)};
  }
};

/// Sine and cosine for |x| <= kMostTurn, either off by less than 8 u, u = 2^-24: x = n pi / 2 + r with pi / 2 in three parts, of which the first
/// two have so few bits that their products with n are exact, and the polynomials of Cephes (Moshier). (MATHS.md 7a)
PLANNER_CCD_INLINE void sine_cosine(const Lanes& x, Lanes& sine, Lanes& cosine) {
  const Lanes whole = all(12582912.0f);  // 1.5 * 2^23: adding it and taking it off rounds to an integer
  const Lanes n = (x * all(6.36619772e-01f) + whole) - whole;
  const Lanes r = ((x - n * all(1.5703125f)) - n * all(4.837512969970703125e-4f)) - n * all(7.54978995489e-8f);
  const Lanes z = r * r;
  const Lanes s = r + (r * z) * (all(-1.6666654611e-1f) + z * (all(8.3321608736e-3f) + z * all(-1.9515295891e-4f)));
  const Lanes c =
      (all(1.0f) - all(0.5f) * z) +
      (z * z) * (all(4.166664568298827e-2f) + z * (all(-1.388731625493765e-3f) + z * all(2.443315711809948e-5f)));
  // n = k mod 4 with k in {-2, -1, 0, 1, 2}; odd is k for k = +-1 and else 0; even is 1 for k = 0, -1 for +-2 and else 0.
  const Lanes k = n - all(4.0f) * ((n * all(0.25f) + whole) - whole);
  const Lanes kk = k * k;
  const Lanes odd = k * (kk * (all(4.0f) - kk)) * all(1.0f / 3.0f);
  const Lanes even = (all(1.0f) - odd * odd) * (all(1.0f) - all(0.5f) * kk);
  sine = odd * c + even * s;
  cosine = even * c - odd * s;
}

/// A convex function of a point at each instant: its distance from a box, a cylinder or a ball's centre.
struct Distance {
  Vector l;  ///< The point.
  Vector n;  ///< Gradient; anything where f = 0.
  Lanes f;   ///< 0 inside.
};

/// Lower bound of f while the point moves along the segment from its place at one instant to that at the next: (22) of MATHS.md T14, the larger
/// of two lines, where they cross or at an end.
PLANNER_CCD_INLINE Lanes least_on_the_way(const Distance& d) {
  const Lanes f1 = next(d.f), zero = all(0.0f);
  const Vector l1 = next(d.l), n1 = next(d.n);
  const Vector step = l1 - d.l;
  const Lanes a = least(dot(d.n, step), zero), b = least(zero - dot(n1, step), zero);
  const Lanes share = least(greatest(((f1 - d.f) + b) / ((a + b) - all(1e-30f)), zero), all(1.0f));
  return greatest(greatest(d.f + a, f1 + b), d.f + share * a);
}

constexpr float kSquareShare = 64.0f * static_cast<float>(kFloatRoundoff);

/// Lower bound of the squared distance of a point from any set while it moves along the segment from its place at one instant to that at
/// the next, the squares of the distances there and of the step given: (21) of MATHS.md T14, with its rounding.
PLANNER_CCD_INLINE Lanes least_square_between(const Lanes& f2, const Lanes& f2_next, const Lanes& step2) {
  const Lanes m = least(f2, f2_next);
  const Lanes dip = greatest(step2 - absolute(f2_next - f2), all(0.0f));
  return m - all(0.25f) * dip - all(kSquareShare) * (m + step2);
}
PLANNER_CCD_INLINE Lanes least_square_on_the_way(const Lanes& f2, const Lanes& step2) {
  return least_square_between(f2, next(f2), step2);
}
PLANNER_CCD_INLINE Lanes least_square_to_point(const Lanes& f2, const Lanes& step2) {
  const Lanes f2_next = next(f2), m = least(f2, f2_next);
  const Lanes dip = greatest(step2 - absolute(f2_next - f2), all(0.0f));
  return m - dip * dip / (all(4.0f) * greatest(step2, all(1e-30f))) - all(kSquareShare) * (m + step2);
}

/// The squared distance alone, as in distance_of().
PLANNER_CCD_INLINE Lanes square_distance(const Volume& v, const Vector& l) {
  const Lanes zero = all(0.0f), vz = greatest(absolute(l.z) - all(v.half[2]), zero);
  if (v.cylinder) {
    const Lanes out = greatest(root(l.x * l.x + l.y * l.y) - all(v.half[0]), zero);
    return out * out + vz * vz;
  }
  const Lanes vx = greatest(absolute(l.x) - all(v.half[0]), zero), vy = greatest(absolute(l.y) - all(v.half[1]), zero);
  return vx * vx + vy * vy + vz * vz;
}

/// The distance outside; inside, minus the depth.
PLANNER_CCD_INLINE Lanes height_above(const Volume& v, const Vector& l) {
  const Lanes zero = all(0.0f), ez = absolute(l.z) - all(v.half[2]), vz = greatest(ez, zero);
  if (v.cylinder) {
    const Lanes e = root(l.x * l.x + l.y * l.y) - all(v.half[0]), out = greatest(e, zero), deepest = greatest(e, ez);
    return where_positive(deepest, root(out * out + vz * vz), deepest);
  }
  const Lanes ex = absolute(l.x) - all(v.half[0]), ey = absolute(l.y) - all(v.half[1]);
  const Lanes vx = greatest(ex, zero), vy = greatest(ey, zero), deepest = greatest(greatest(ex, ey), ez);
  return where_positive(deepest, root(vx * vx + vy * vy + vz * vz), deepest);
}

/// Distance and gradient of the point l from a box or cylinder.
PLANNER_CCD_INLINE Distance distance_of(const Volume& v, const Vector& l) {
  const Lanes zero = all(0.0f);
  const Lanes ez = absolute(l.z) - all(v.half[2]), vz = greatest(ez, zero);
  Distance d;
  d.l = l;
  if (v.cylinder) {
    const Lanes rho = root(l.x * l.x + l.y * l.y), e = rho - all(v.half[0]), out = greatest(e, zero);
    d.f = root(out * out + vz * vz);
    const Lanes inverse = all(1.0f) / greatest(d.f, all(1e-30f)), across = (out * inverse) / greatest(rho, all(1e-30f));
    d.n = {across * l.x, across * l.y, with_sign(vz * inverse, l.z)};
  } else {
    const Lanes ex = absolute(l.x) - all(v.half[0]), ey = absolute(l.y) - all(v.half[1]);
    const Lanes vx = greatest(ex, zero), vy = greatest(ey, zero);
    d.f = root(vx * vx + vy * vy + vz * vz);
    const Lanes inverse = all(1.0f) / greatest(d.f, all(1e-30f));
    d.n = {with_sign(vx * inverse, l.x), with_sign(vy * inverse, l.y), with_sign(vz * inverse, l.z)};
  }
  return d;
}

PLANNER_CCD_INLINE Vector place_in(const Volume& v, const Vector& at) {
  const Vector d = at - all3(v.center);
  return {dot(all3(v.axes), d), dot(all3(v.axes + 3), d), dot(all3(v.axes + 6), d)};
}

/// The world point `at`, from where a field begins.
PLANNER_CCD_INLINE Vector place_in(const Field& field, const Vector& at) { return at - all3(field.lower); }

/// Lower bound of the squared distance of a point, placed in a field, from the centres there. Let q be the point of the field's
/// box nearest to p: every y in the box is at |p - y|^2 >= |p - q|^2 + |q - y|^2. Numbers of cubes are computed with three
/// roundings of coordinates in the box, which Volume::grain covers: that cube is within 4 u times the box's size of q.
PLANNER_CCD_INLINE Lanes square_clearance(const Field& field, const Vector& p) {
  const Lanes zero = all(0.0f);
  const auto within = [&](const Lanes& x, int k) { return least(greatest(x, zero), all(field.extent[k])); };
  const Vector q{within(p.x, 0), within(p.y, 1), within(p.z, 2)}, out = p - q;
  const auto cube = [&](const Lanes& x, int k) { return least(whole(x * all(field.per_metre)), all(field.last[k])); };
  const Vector c{cube(q.x, 0), cube(q.y, 1), cube(q.z, 2)};
  const Lanes four = all(4.0f), quarter = all(0.25f);
  const Vector b{whole(c.x * quarter), whole(c.y * quarter), whole(c.z * quarter)};
  const Vector r = c - four * b;
  const Lanes brick = (b.z * all(field.bricks[1]) + b.y) * all(field.bricks[0]) + b.x;
  const Lanes number = brick * all(64.0f) + ((r.z * four + r.y) * four + r.x);
  const Lanes bound = all(field.unit) * bytes_of(field.bounds.data(), number);
  return dot(out, out) + bound * bound;
}
