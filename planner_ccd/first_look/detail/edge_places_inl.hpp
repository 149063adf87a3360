// Bodies and balls at sixteen instants of an edge, after distance_kept_inl.hpp in the same namespace.

class Places {
 public:
  PLANNER_CCD_INLINE Places(const Tables& tables, const Edge& edge, Findings& findings)
      : t_(tables), e_(edge), out_(findings) {}

 protected:
  const Tables& t_;
  const Edge& e_;
  Findings& out_;

  PLANNER_CCD_INLINE Pose pose(int body) const {
    const float* row = &out_.poses[static_cast<std::size_t>(body) * 12 * kInstants];
    const auto vector = [&](int i) { return vector_at(row + 3 * i * kInstants); };
    return {{vector(0), vector(1), vector(2)}, vector(3)};
  }

  void place_bodies() {
    alignas(64) float times[kInstants];
    for (int i = 0; i < kInstants; ++i) times[i] = static_cast<float>(instant(i));
    const Lanes t = load(times), zero = all(0.0f), one = all(1.0f);
    for (std::size_t k = 0; k < t_.moves.size(); ++k) {
      float* row = &out_.turns[k * 2 * kInstants];
      const Lanes value = e_.curves.empty() ? all(e_.start[k]) + t * all(e_.change[k]) : place_curve(k, t);
      store(value, row);
      if (!t_.moves[k].rotation) continue;
      Lanes sine, cosine;
      sine_cosine(value, sine, cosine);
      store(sine, row);
      store(cosine, row + kInstants);
    }
    set_pose(0, {{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}, {zero, zero, zero}});
    for (std::size_t b = 1; b < t_.bodies.size(); ++b) {
      const Body& body = t_.bodies[b];
      const float* parent = &out_.poses[static_cast<std::size_t>(body.parent) * 12 * kInstants];
      Pose at{{}, vector_at(parent + 9 * kInstants)};
      for (int i = 0; i < 3; ++i) {
        if (body.translation[i] != 0.0f) at.p = at.p + all(body.translation[i]) * vector_at(parent + 3 * i * kInstants);
      }
      if (body.quarters) {
        for (int i = 0; i < 3; ++i) {
          at.R[i] = vector_at(parent + 3 * body.source[i] * kInstants);
          if (body.sign[i] < 0.0f) at.R[i] = all(-1.0f) * at.R[i];
        }
      } else {
        const Pose of = pose(body.parent);
        for (int i = 0; i < 3; ++i) at.R[i] = of.turn(body.rotation + 3 * i);
      }
      const Edge::Free* free = body.free < 0 ? nullptr : &e_.free[body.free];
      if (free != nullptr) at.p = at.p + at.turn(free->before);
      for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
        const Move& move = e_.moves[k];
        const float* row = &out_.turns[static_cast<std::size_t>(k) * 2 * kInstants];
        if (move.rotation) {
          turn_about(move, load(row + kInstants), load(row), at);
        } else {
          at.p = at.p + load(row) * at.turn(move.axis);
        }
      }
      if (free != nullptr) at = {{at.turn(free->after), at.turn(free->after + 3), at.turn(free->after + 6)}, at.p};
      set_pose(static_cast<int>(b), at);
    }
    if (!e_.curves.empty()) bend_curves();
  }

  /// By Horner's rule: c[0] + c[1] t + ...
  template <int terms>
  PLANNER_CCD_INLINE static Lanes polynomial(const float (&c)[terms], const Lanes& t) {
    Lanes value = all(c[terms - 1]);
    for (int i = terms - 1; i-- > 0;) value = value * t + all(c[i]);
    return value;
  }

  /// The value of a move, and bounds of its first two derivatives on the pieces.
  Lanes place_curve(std::size_t k, const Lanes& t) {
    const Edge::Curve& of = e_.curves[k];
    float* row = &out_.rates[2 * k * kInstants];
    const Lanes rate = absolute(polynomial(of.rate, t)), bend = absolute(polynomial(of.bend, t));
    store(greatest(rate, next(rate)) + all(of.more_rate), row);
    store(greatest(bend, next(bend)) + all(of.more_bend), row + kInstants);
    return polynomial(of.value, t);
  }

  /// (20) with the second derivatives of the moves, on each piece: as FirstLook::bend. Rounding is relative to the two terms of the difference,
  /// fewer than 8 u for each move.
  void bend_curves() {
    const float rounding = 8.0f * static_cast<float>(kFloatRoundoff) * static_cast<float>(t_.moves.size() + 16);
    for (int i = 0; i < 4; ++i) store(all(0.0f), &out_.sums[i * kInstants]);
    for (std::size_t b = 1; b < t_.bodies.size(); ++b) {
      const Body& body = t_.bodies[b];
      const float* parent = &out_.sums[static_cast<std::size_t>(body.parent) * 4 * kInstants];
      Lanes W = load(parent), pulled = load(parent + kInstants), less = load(parent + 2 * kInstants),
            slid = load(parent + 3 * kInstants);
      float way = e_.way[b];  // before its slides, of which only planar and free joints have several
      for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
        if (!t_.moves[k].rotation) way -= up(static_cast<float>(e_.value[k]));
      }
      for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
        const float* row = &out_.rates[static_cast<std::size_t>(k) * 2 * kInstants];
        const Lanes w = load(row), a = load(row + kInstants);
        if (t_.moves[k].rotation) {
          less = less + all(way < 0.0f ? 0.0f : way) * (w * (W + W + w) + a);
          W = W + w;
          pulled = pulled + a;
        } else {
          slid = slid + (W + W) * w + a;
          way += down(static_cast<float>(e_.value[k]));
        }
      }
      float* row = &out_.sums[b * 4 * kInstants];
      store(W, row);
      store(pulled, row + kInstants);
      store(less, row + 2 * kInstants);
      store(slid, row + 3 * kInstants);
    }
    for (std::size_t m = 0; m < t_.movers.size(); ++m) {
      const Mover& mover = t_.movers[m];
      const float* row = &out_.sums[static_cast<std::size_t>(mover.body) * 4 * kInstants];
      const Lanes W = load(row), less = load(row + 2 * kInstants);
      const Lanes most =
          all(up(e_.way[mover.body] + mover.reach)) * (W * W + load(row + kInstants)) + load(row + 3 * kInstants);
      const Lanes bend = ((most - less) + all(rounding) * (most + less)) * all(up(static_cast<float>(kBendOfPiece)));
      store(bend, &out_.bends[m * kInstants]);
      // The last lane belongs to no piece, and repeats the end of the one before.
      out_.most_bend[m] = -least_of(all(0.0f) - bend);
    }
  }

  /// How far a ball's centre may leave the chord of a piece, in the world.
  PLANNER_CCD_INLINE Lanes bend(int m) const {
    return e_.curves.empty() ? all(e_.bend[m]) : load(&out_.bends[static_cast<std::size_t>(m) * kInstants]);
  }
  /// The same with whatever the tube may add; and the greatest of these.
  PLANNER_CCD_INLINE Lanes stray(int m) const {
    return e_.curves.empty() ? all(e_.stray[m])
                             : load(&out_.bends[static_cast<std::size_t>(m) * kInstants]) + all(e_.drift[m]);
  }
  PLANNER_CCD_INLINE float most_stray(int m) const {
    return e_.curves.empty() ? e_.stray[m] : out_.most_bend[m] + e_.drift[m];
  }

  static constexpr int kGroup = kInstants / 3;  ///< Movers placed at once.

  /// Places the single balls of movers, kGroup at most from `first` on, and their boxes.
  void place_movers(int first, int count) {
    Lanes least[kInstants], greatest[kInstants];
    for (int i = 0; i < kInstants; ++i) least[i] = greatest[i] = all(0.0f);
    for (int i = 0; i < count; ++i) {
      const Mover& mover = t_.movers[first + i];
      const Vector at = pose(mover.body).place(mover.around.center);
      put(at, &out_.around[static_cast<std::size_t>(first + i) * 3 * kInstants]);
      least[3 * i] = greatest[3 * i] = at.x;
      least[3 * i + 1] = greatest[3 * i + 1] = at.y;
      least[3 * i + 2] = greatest[3 * i + 2] = at.z;
      out_.balls_placed[first + i] = out_.displaced_known[first + i] = 0;
    }
    for (int n = kInstants / 2; n > 0; n /= 2) {
      for (int i = 0; i < n; ++i) {
        least[i] = least_of_pairs(least[2 * i], least[2 * i + 1]);
        greatest[i] = greatest_of_pairs(greatest[2 * i], greatest[2 * i + 1]);
      }
    }
    alignas(64) float low[kInstants], high[kInstants];
    store(least[0], low);
    store(greatest[0], high);
    for (int i = 0; i < 3 * count; ++i) {
      out_.low[3 * first + i] = low[i];
      out_.high[3 * first + i] = high[i];
    }
  }

  /// Distances of a point from the axis of a rotation, one of the moves of a body: it goes through the body's origin and is where
  /// the joint's turn leaves it.
  PLANNER_CCD_INLINE Lanes lever(int body, const Move& move, const Vector& at) const {
    const float* row = &out_.poses[static_cast<std::size_t>(body) * 12 * kInstants];
    const Vector arm = at - vector_at(row + 9 * kInstants);
    const Vector axis =
        move.main_axis >= 0 ? vector_at(row + 3 * move.main_axis * kInstants) : pose(body).turn(move.axis);
    const Vector v{axis.y * arm.z - axis.z * arm.y, axis.z * arm.x - axis.x * arm.z, axis.x * arm.y - axis.y * arm.x};
    return root(dot(v, v));
  }

  /// How far the centre of a mover's single ball may be displaced on the pieces in the tube (FirstLook::prepare_tube), which there is.
  Lanes displaced(int m) {
    float* row = &out_.displaced[static_cast<std::size_t>(m) * kInstants];
    if (out_.displaced_known[m] != 0) return load(row);
    const Tube::Mover& of = e_.tube.movers[m];
    const Vector at = around(m);
    Lanes sum = all(0.0f);
    for (int b = t_.movers[m].body; b != 0; b = t_.bodies[b].parent) {
      const Body& body = t_.bodies[b];
      for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
        const float error = e_.tube.error[k];
        if (error > 0.0f && t_.moves[k].rotation) sum = sum + all(error) * lever(b, t_.moves[k], at);
      }
    }
    for (std::uint64_t left = of.points; left != 0; left &= left - 1) {
      const Tube::Point& point = e_.tube.points[std::countr_zero(left)];
      const Vector arm = at - pose(point.body).place(point.at);
      sum = sum + all(point.turn) * root(dot(arm, arm));
    }
    sum = greatest(sum, next(sum)) * all(of.rounding) + all(of.constant);
    store(sum, row);
    out_.displaced_known[m] = 1;
    return sum;
  }
  /// How far a centre of A may leave the chord of a piece, in the frame of B: (20) along the way between them.
  Lanes relative_bend(const SelfPair& s) const {
    if (!e_.curves.empty()) return relative_bend_of_curves(s);
    double lever = s.reach, F1 = 0.0, F2 = 0.0;
    for (int i = s.first_step + s.step_count; i-- > s.first_step;) {
      const ChainStep& step = t_.steps[i];
      lever += step.offset_to_a + free_offset(step);
      const double w = e_.rate[step.move];
      if (t_.moves[step.move].rotation) {
        F2 += w * (2.0 * F1 + w * lever);
        F1 += w * lever;
      } else {
        lever += e_.value[step.move];
        F1 += w;
      }
    }
    return all(up(static_cast<float>(F2 * kBendOfPiece)));
  }
  /// [m] Of a joint that moves freely, counted with its first move.
  double free_offset(const ChainStep& step) const {
    const Body& body = t_.bodies[step.body];
    return body.free < 0 || step.move != body.first_move ? 0.0 : e_.free[body.free].length;
  }
  /// All terms are positive: rounding is a share of the sum.
  Lanes relative_bend_of_curves(const SelfPair& s) const {
    double lever = s.reach;
    Lanes F1 = all(0.0f), F2 = F1;
    for (int i = s.first_step + s.step_count; i-- > s.first_step;) {
      const ChainStep& step = t_.steps[i];
      lever += step.offset_to_a + free_offset(step);
      const float* row = &out_.rates[static_cast<std::size_t>(step.move) * 2 * kInstants];
      const Lanes w = load(row), a = load(row + kInstants);
      if (t_.moves[step.move].rotation) {
        const Lanes arm = all(up(static_cast<float>(lever)));
        F2 = F2 + (w * (F1 + F1 + w * arm) + a * arm);
        F1 = F1 + w * arm;
      } else {
        lever += e_.value[step.move];
        F2 = F2 + a;
        F1 = F1 + w;
      }
    }
    const auto rounding = static_cast<float>(1.0 + 16.0 * kFloatRoundoff * (s.step_count + 4));
    return F2 * all(rounding * static_cast<float>(kBendOfPiece));
  }

  /// How far the centre of A's single ball may be displaced in the frame of B on the pieces by the moves between them, and how far
  /// A may be turned: as FirstLook::prepare_tube, with the moves of the chain and its `bend`, as levers are the same in any frame.
  struct Displacement {
    Lanes of_center;
    float turn;
  };
  Displacement relative_tube(const SelfPair& s, const Lanes& bend) const {
    const Vector at = around(s.a);
    double turn = 0.0, shift = 0.0;
    Lanes sum = all(0.0f);
    for (int i = s.first_step; i < s.first_step + s.step_count; ++i) {
      const ChainStep& step = t_.steps[i];
      const Move& move = t_.moves[step.move];
      const float error = e_.tube.error[step.move];
      (move.rotation ? turn : shift) += error;
      if (move.rotation) sum = sum + all(error) * lever(step.body, move, at);
    }
    const auto rounding = static_cast<float>(1.0 + 2.0 * kFloatRoundoff * (s.step_count + 16));
    const double pads = 4.0 * turn * (static_cast<double>(e_.place) + e_.grain);
    const Lanes constant = all(up(static_cast<float>(shift + pads))) + all(up(static_cast<float>(turn))) * up(bend);
    return {greatest(sum, next(sum)) * all(rounding) + up(constant), up(static_cast<float>(turn))};
  }

  PLANNER_CCD_INLINE Vector around(int m) const {
    return vector_at(&out_.around[static_cast<std::size_t>(m) * 3 * kInstants]);
  }

  PLANNER_CCD_INLINE Vector ball(int b) const {
    return vector_at(&out_.balls[static_cast<std::size_t>(b) * 3 * kInstants]);
  }
  void place_balls(int m) {
    if (out_.balls_placed[m] != 0) return;
    out_.balls_placed[m] = 1;
    const Mover& mover = t_.movers[m];
    const Pose at = pose(mover.body);
    for (int b = mover.first_ball; b < mover.first_ball + mover.ball_count; ++b) {
      put(at.place(t_.balls[b].center), &out_.balls[static_cast<std::size_t>(b) * 3 * kInstants]);
    }
  }

 private:
  PLANNER_CCD_INLINE static Vector vector_at(const float* row) {
    return {load(row), load(row + kInstants), load(row + 2 * kInstants)};
  }
  PLANNER_CCD_INLINE static void put(const Vector& v, float* row) {
    store(v.x, row);
    store(v.y, row + kInstants);
    store(v.z, row + 2 * kInstants);
  }
  PLANNER_CCD_INLINE void set_pose(int body, const Pose& pose) {
    float* row = &out_.poses[static_cast<std::size_t>(body) * 12 * kInstants];
    const auto put_vector = [&](int i, const Vector& v) {
      store(v.x, row + 3 * i * kInstants);
      store(v.y, row + (3 * i + 1) * kInstants);
      store(v.z, row + (3 * i + 2) * kInstants);
    };
    for (int i = 0; i < 3; ++i) put_vector(i, pose.R[i]);
    put_vector(3, pose.p);
  }

  PLANNER_CCD_INLINE static void turn_in_plane(const Lanes& c, const Lanes& s, Vector& a, Vector& b) {
    const Vector x = a, y = b;
    a = c * x + s * y;
    b = c * y - s * x;
  }
  /// As turn_about() of robot/detail/forward_pass_inl.hpp.
  PLANNER_CCD_INLINE static void turn_about(const Move& move, const Lanes& c, const Lanes& s, Pose& pose) {
    switch (move.main_axis) {
      case 0: return turn_in_plane(c, s, pose.R[1], pose.R[2]);
      case 1: return turn_in_plane(c, s, pose.R[2], pose.R[0]);
      case 2: return turn_in_plane(c, s, pose.R[0], pose.R[1]);
      default: break;
    }
    const Lanes ax = all(move.axis[0]), ay = all(move.axis[1]), az = all(move.axis[2]);
    const Lanes rest = all(1.0f) - c;
    const Lanes kx = rest * ax, ky = rest * ay, kz = rest * az, sx = s * ax, sy = s * ay, sz = s * az;
    const Vector x = pose.R[0], y = pose.R[1], z = pose.R[2];
    pose.R[0] = (kx * ax + c) * x + (ky * ax + sz) * y + (kz * ax - sy) * z;
    pose.R[1] = (kx * ay - sz) * x + (ky * ay + c) * y + (kz * ay + sx) * z;
    pose.R[2] = (kx * az + sy) * x + (ky * az - sx) * y + (kz * az + c) * z;
  }
};
