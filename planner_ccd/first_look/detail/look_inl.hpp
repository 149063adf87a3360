// A look at sixteen instants of an edge, after distance_inl.hpp in the same namespace.

/// Not finite in, nothing proved out: values and tables are finite and not large (FirstLook sees to that), so that nothing
/// overflows; what is divided by is at least 1e-30, and where that matters f is 0 and below whatever is needed.
class Look {
 public:
  PLANNER_CCD_INLINE Look(const Tables& tables, const Edge& edge, Until until, Findings& findings)
      : t_(tables), e_(edge), until_(until), out_(findings) {}

  void run() {
    out_.overlaps.clear();
    out_.opened.clear();
    out_.unsure_within.clear();
    out_.hit_pair = -1;
    out_.hit_instant = kInstants;
    place_bodies();
    for (std::size_t m = t_.movers.size(); m-- > 0;) {
      against_obstacles(static_cast<int>(m));
      if (done()) return;
    }
    for (std::size_t s = 0; s < t_.self.size(); ++s) {
      against_link(static_cast<int>(s));
      if (done()) return;
    }
    for (Overlap& overlap : out_.overlaps) {
      if (overlap.volume >= 0) {
        try_points(overlap);
      } else {
        const SelfPair& s = t_.self[-1 - overlap.volume];
        try_points_of_link(s.pair, t_.movers[s.a], t_.movers[s.b]);
        if (!done()) try_points_of_link(s.pair, t_.movers[s.b], t_.movers[s.a]);
      }
      if (done()) return;
    }
  }

 private:
  const Tables& t_;
  const Edge& e_;
  const Until until_;
  Findings& out_;

  bool done() const { return until_ == Until::AnyContact && out_.hit_pair >= 0; }
  /// Instants before the earliest contact found, and the pieces before it.
  std::uint32_t before_hit() const { return (1u << out_.hit_instant) - 1u; }

  PLANNER_CCD_INLINE static float up(float x) { return x * static_cast<float>(kFloatRoundUp); }
  PLANNER_CCD_INLINE static float down(float x) {
    return x - (x < 0.0f ? -x : x) * static_cast<float>(kFloatRoundUp - 1.0);
  }

  void hit(int pair, std::uint32_t instants) {
    const int first = std::countr_zero(instants);
    if (until_ == Until::End || first >= out_.hit_instant) return;
    out_.hit_instant = first;
    out_.hit_pair = pair;
  }

  void open(int pair, std::uint32_t pieces) {
    if (pieces == 0) return;
    if (out_.open[pair] == 0) out_.opened.push_back(pair);
    out_.open[pair] |= pieces;
  }

  PLANNER_CCD_INLINE Pose pose(int body) const {
    const float* row = &out_.poses[static_cast<std::size_t>(body) * 12 * kInstants];
    const auto vector = [&](int i) {
      return Vector{load(row + 3 * i * kInstants), load(row + (3 * i + 1) * kInstants),
                    load(row + (3 * i + 2) * kInstants)};
    };
    return {{vector(0), vector(1), vector(2)}, vector(3)};
  }
  PLANNER_CCD_INLINE void set_pose(int body, const Pose& pose) {
    float* row = &out_.poses[static_cast<std::size_t>(body) * 12 * kInstants];
    const auto put = [&](int i, const Vector& v) {
      store(v.x, row + 3 * i * kInstants);
      store(v.y, row + (3 * i + 1) * kInstants);
      store(v.z, row + (3 * i + 2) * kInstants);
    };
    for (int i = 0; i < 3; ++i) put(i, pose.R[i]);
    put(3, pose.p);
  }

  /// As turn_about() of robot/detail/forward_pass_inl.hpp.
  PLANNER_CCD_INLINE static void turn_about(const Move& move, const Lanes& c, const Lanes& s, Pose& pose) {
    if (move.main_axis >= 0) {
      const int i = (move.main_axis + 1) % 3, j = (move.main_axis + 2) % 3;
      const Vector x = pose.R[i], y = pose.R[j];
      pose.R[i] = c * x + s * y;
      pose.R[j] = c * y - s * x;
      return;
    }
    const Lanes ax = all(move.axis[0]), ay = all(move.axis[1]), az = all(move.axis[2]);
    const Lanes rest = all(1.0f) - c;
    const Lanes kx = rest * ax, ky = rest * ay, kz = rest * az, sx = s * ax, sy = s * ay, sz = s * az;
    const Vector x = pose.R[0], y = pose.R[1], z = pose.R[2];
    pose.R[0] = (kx * ax + c) * x + (ky * ax + sz) * y + (kz * ax - sy) * z;
    pose.R[1] = (kx * ay - sz) * x + (ky * ay + c) * y + (kz * ay + sx) * z;
    pose.R[2] = (kx * az + sy) * x + (ky * az - sx) * y + (kz * az + c) * z;
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
    Pose at{{{one, zero, zero}, {zero, one, zero}, {zero, zero, one}}, {zero, zero, zero}};
    set_pose(0, at);
    int is = 0;  // the body whose pose `at` is
    for (std::size_t b = 1; b < t_.bodies.size(); ++b) {
      const Body& body = t_.bodies[b];
      if (body.parent != is) at = pose(body.parent);
      at.p = at.place(body.translation);
      if (body.turn == Body::Turn::Quarters) {
        const Vector R[3] = {at.R[0], at.R[1], at.R[2]};
        for (int i = 0; i < 3; ++i) at.R[i] = all(body.sign[i]) * R[body.source[i]];
      } else if (body.turn == Body::Turn::Any) {
        const Vector x = at.turn(body.rotation), y = at.turn(body.rotation + 3);
        at.R[2] = at.turn(body.rotation + 6);
        at.R[0] = x;
        at.R[1] = y;
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
      is = static_cast<int>(b);
    }
  }

  /// One mover at all instants.
  struct Placed {
    const Mover& mover;
    Pose at;
    Vector around;
    Lanes step;  ///< [m] From one instant to the next, of `around`, and
    Vector balls[kMostBalls];
    Lanes steps[kMostBalls];  ///< of `balls`.
    bool placed = false;      ///< Whether `balls` are.
  };

  PLANNER_CCD_INLINE Placed placed(int m) const {
    Placed p{t_.movers[m], pose(t_.movers[m].body), {}, {}, {}, {}};
    p.around = p.at.place(p.mover.around.center);
    p.step = length(next(p.around) - p.around);
    return p;
  }
  PLANNER_CCD_INLINE void place_balls(Placed& p) const {
    if (p.placed) return;
    p.placed = true;
    for (int j = 0; j < p.mover.ball_count; ++j) {
      p.balls[j] = p.at.place(t_.balls[p.mover.first_ball + j].center);
      p.steps[j] = length(next(p.balls[j]) - p.balls[j]);
    }
  }

  void against_obstacles(int m) {
    const Mover& mover = t_.movers[m];
    if (mover.chain < 0) return;
    Placed p = placed(m);
    const float around = up(mover.around.radius + mover.margin + e_.bend[mover.chain] + e_.place + e_.grain);
    const float lower[3] = {least_of(p.around.x) - around, least_of(p.around.y) - around,
                            least_of(p.around.z) - around};
    const float upper[3] = {greatest_of(p.around.x) + around, greatest_of(p.around.y) + around,
                            greatest_of(p.around.z) + around};
    for (std::size_t first = 0; first < t_.lower[0].size(); first += kInstants) {
      std::uint32_t apart = 0;
      for (int i = 0; i < 3; ++i) {
        apart |= greater(load(&t_.lower[i][first]), all(upper[i])) | greater(all(lower[i]), load(&t_.upper[i][first]));
      }
      for (std::uint32_t near = ~apart & 0xFFFFu; near != 0; near &= near - 1) {
        against_volume(m, p, static_cast<int>(first) + std::countr_zero(near));
        if (done()) return;
      }
    }
    const auto may_be_within = [&](int o) {
      const Obstacle& obstacle = t_.obstacles[o];
      const int pair = t_.pair_of[static_cast<std::size_t>(m) * t_.obstacles.size() + o];
      if (pair < 0 || (out_.open[pair] & 1u) != 0) return;
      for (int i = 0; i < 3; ++i) {
        if (obstacle.lower[i] > upper[i] || lower[i] > obstacle.upper[i]) return;
      }
      out_.unsure_within.push_back(pair);
    };
    if (mover.filled) {
      for (const int o : t_.hollow) may_be_within(o);
    } else {
      for (std::size_t o = 0; o < t_.obstacles.size(); ++o) may_be_within(static_cast<int>(o));
    }
  }

  void against_volume(int m, Placed& p, int v) {
    const Volume& volume = t_.volumes[v];
    const int pair = t_.pair_of[static_cast<std::size_t>(m) * t_.obstacles.size() + volume.obstacle];
    if (pair < 0) return;
    const Mover& mover = p.mover;
    const float margin = t_.margin_of_pair[pair];
    // What a ball's radius is added to: how far its centre must keep from the box or the cylinder on every chord.
    const float apart = margin + e_.bend[mover.chain] + e_.place + e_.grain + volume.radius + volume.grain;
    const std::uint32_t wanted = kAllPieces & before_hit();
    std::uint32_t left = wanted;
    left &= ~greater(least_on_the_way(bare_distance(volume, place_in(volume, p.around), nullptr), p.step),
                     all(up(mover.around.radius + apart)));
    if (left == 0) return;
    place_balls(p);
    std::uint32_t opened = 0, overlapping = 0;
    for (int j = 0; j < mover.ball_count; ++j) {
      const Ball& ball = t_.balls[mover.first_ball + j];
      const Vector l = place_in(volume, p.balls[j]);
      const Lanes needed = all(up(ball.radius + apart));
      Lanes depth;
      const Lanes f = bare_distance(volume, l, &depth);
      std::uint32_t here = left & ~greater(least_on_the_way(f, p.steps[j]), needed);
      if (here == 0) continue;
      here &= ~greater(least_on_the_way(distance_of(volume, l)), needed);
      opened |= here;
      overlapping |= ~greater(depth, all(ball.radius + volume.radius));
      if (!(ball.core > 0.0f) || volume.rind < 0.0f) continue;
      const std::uint32_t touching = greater(all(within(volume, margin + ball.core)), depth) & before_hit();
      if (touching == 0) continue;
      hit(pair, touching);
      if (done()) return;
    }
    open(pair, opened & before_hit());
    overlapping &= before_hit();
    if (opened != 0 && overlapping != 0) out_.overlaps.push_back({pair, m, v, overlapping, 0.0f, 0});
  }

  /// A point that is less than this above the box or cylinder is within `near` of what the obstacle encloses.
  PLANNER_CCD_INLINE float within(const Volume& v, float near) const {
    return down(down(near + v.radius) - up(v.rind + e_.place + 2.0f * (e_.grain + v.grain)));
  }

  /// Places of A's points are taken in B's frame: kinematics' error of A and of B, and of B's axes times the distance, which is
  /// at most as much again for each.
  void against_link(int index) {
    const SelfPair& s = t_.self[index];
    if (s.near) {
      open(s.pair, kAllPieces & before_hit());
      return;
    }
    Placed p = placed(s.a);
    const Mover &a = t_.movers[s.a], &b = t_.movers[s.b];
    const Pose frame = pose(b.body);
    const float margin = t_.margin_of_pair[s.pair], off = 4.0f * (e_.place + e_.grain);
    const float apart = margin + e_.bend[s.chain] + off;
    const std::uint32_t wanted = kAllPieces & before_hit();
    const auto proved = [&](const Vector& at, const Ball& of_a, const Ball& of_b, Lanes* gap) {
      const Vector d = at - all3(of_b.center);
      const Lanes f = root(dot(d, d));
      if (gap != nullptr) *gap = f;
      const Lanes inverse = all(1.0f) / greatest(f, all(1e-30f));
      return greater(least_on_the_way({d, inverse * d, f}), all(up(of_a.radius + of_b.radius + apart)));
    };
    const std::uint32_t by_spheres = proved(frame.local(p.around), a.around, b.around, nullptr);
    std::uint32_t left = wanted & ~by_spheres;
    std::uint32_t opened = 0, overlapping = 0;
    if (left != 0) {
      place_balls(p);
      Lanes deepest = all(-1e30f);
      for (int j = 0; j < a.ball_count; ++j) {
        const Ball& of_a = t_.balls[a.first_ball + j];
        const Vector at = frame.local(p.balls[j]);
        const std::uint32_t here = left & ~proved(at, of_a, b.around, nullptr);
        if (here == 0) continue;
        for (int k = 0; k < b.ball_count; ++k) {
          const Ball& of_b = t_.balls[b.first_ball + k];
          Lanes gap;
          opened |= here & ~proved(at, of_a, of_b, &gap);
          deepest = greatest(deepest, all(of_a.radius + of_b.radius) - gap);
          if (!(of_a.core > 0.0f) || !(of_b.core > 0.0f)) continue;
          const float reach = down(down(of_a.core + of_b.core + margin) - up(off));
          const std::uint32_t touching = greater(all(reach), gap) & before_hit();
          if (touching == 0) continue;
          hit(s.pair, touching);
          if (done()) return;
        }
      }
      overlapping = greater(deepest, all(0.0f)) & before_hit();
      opened &= before_hit();
      open(s.pair, opened);
      if (opened != 0 && overlapping != 0) {
        const float most = greatest_of(deepest);
        const int instant = std::countr_zero(~greater(all(most), deepest));
        out_.overlaps.push_back({s.pair, s.a, -1 - index, overlapping, most, instant});
      }
    }
    if (by_spheres == 0 && (opened & 1u) == 0 && !(a.filled && b.filled)) out_.unsure_within.push_back(s.pair);
  }

  PLANNER_CCD_INLINE const float* point(const Mover& m, int i) const {
    return &t_.points[3 * static_cast<std::size_t>(m.first_point + i)];
  }

  /// Points of a's surface, inside of b's cores? Rounding is that of against_link().
  void try_points_of_link(int pair, const Mover& a, const Mover& b) {
    const Pose of_a = pose(a.body), of_b = pose(b.body);
    const float margin = t_.margin_of_pair[pair], off = up(4.0f * (e_.place + e_.grain));
    for (int k = 0; k < b.ball_count; ++k) {
      const Ball& ball = t_.balls[b.first_ball + k];
      const float reach = down(down(ball.core + margin) - off);
      if (!(ball.core > 0.0f) || !(reach > 0.0f)) continue;
      const Vector core = of_b.place(ball.center);
      const Lanes most = all(reach * reach * static_cast<float>(2.0 - kFloatRoundUp));
      for (int i = 0; i < a.point_count; ++i) {
        const Vector d = of_a.place(point(a, i)) - core;
        const std::uint32_t inside = greater(most, dot(d, d)) & before_hit();
        if (inside == 0) continue;
        hit(pair, inside);
        if (done()) return;
      }
    }
  }

  /// Points of the mover's surface, inside of the obstacle?
  void try_points(Overlap& overlap) {
    const Mover& mover = t_.movers[overlap.mover];
    const Volume& volume = t_.volumes[overlap.volume];
    const Pose at = pose(mover.body);
    const Lanes limit = all(within(volume, t_.margin_of_pair[overlap.pair]));
    Lanes deepest = all(1e30f);
    for (int i = 0; i < mover.point_count; ++i) {
      Lanes depth;
      bare_distance(volume, place_in(volume, at.place(point(mover, i))), &depth);
      deepest = least(deepest, depth);
      if (volume.rind < 0.0f) continue;
      const std::uint32_t inside = greater(limit, depth) & before_hit();
      if (inside == 0) continue;
      hit(overlap.pair, inside);
      if (done()) return;
    }
    const float most = least_of(deepest);
    overlap.depth = volume.radius - most;
    overlap.instant = std::countr_zero(~greater(deepest, all(most)));
  }
};
