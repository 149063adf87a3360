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
      const Lanes value = all(e_.start[k]) + t * all(e_.change[k]);
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
      for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
        const Move& move = t_.moves[k];
        const float* row = &out_.turns[static_cast<std::size_t>(k) * 2 * kInstants];
        if (move.rotation) {
          turn_about(move, load(row + kInstants), load(row), at);
        } else {
          at.p = at.p + load(row) * at.turn(move.axis);
        }
      }
      set_pose(static_cast<int>(b), at);
    }
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
  /// How far a centre of A may leave the chord of a piece, in the frame of B: as in FirstLook::bend.
  float relative_bend(const SelfPair& s) const {
    double lever = s.reach, F1 = 0.0, F2 = 0.0;
    for (int i = s.first_step + s.step_count; i-- > s.first_step;) {
      const ChainStep& step = t_.steps[i];
      lever += step.offset_to_a;
      const double w = e_.rate[step.move];
      if (t_.moves[step.move].rotation) {
        F2 += w * (2.0 * F1 + w * lever);
        F1 += w * lever;
      } else {
        lever += e_.value[step.move];
        F1 += w;
      }
    }
    return up(static_cast<float>(F2 * kBendOfPiece));
  }

  /// How far the centre of A's single ball may be displaced in the frame of B on the pieces by the moves between them, and how far
  /// A may be turned: as FirstLook::prepare_tube, with the moves of the chain and its `bend`, as levers are the same in any frame.
  struct Displacement {
    Lanes of_center;
    float turn;
  };
  Displacement relative_tube(const SelfPair& s, float bend) const {
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
    const float constant = up(static_cast<float>(shift + turn * bend + pads));
    return {greatest(sum, next(sum)) * all(rounding) + all(constant), up(static_cast<float>(turn))};
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
