// A look at sixteen instants of an edge, after edge_places_inl.hpp in the same namespace.

/// Input that is not finite proves nothing: values and tables are finite and not large (FirstLook ensures that), so
/// that nothing overflows; divisors are at least 1e-30, and where that matters f is 0, below every required distance.
class Look : private Places {
 public:
  PLANNER_CCD_INLINE Look(const Tables& tables, const Edge& edge, Until until, Findings& findings)
      : Places(tables, edge, findings), until_(until) {}

  void run(Part part) {
    if (part == Part::Obstacles) {
      at_obstacles();
    } else {
      at_links();
    }
  }

 private:
  static constexpr int kMostTries = 4;

  const Until until_;

  void at_obstacles() {
    if (out_.movers_left == static_cast<int>(t_.movers.size())) place_bodies();
    const std::size_t before = out_.overlaps.size();
    // From the tip: the bodies that move farthest meet most.
    while (out_.movers_left > 0) {
      const int end = out_.movers_left, first = std::max(0, end - kGroup);
      place_movers(first, end - first);
      out_.movers_left = first;
      for (int m = end; m-- > first;) {
        if (e_.margin[m] >= 0.0f) against_obstacles(m);
        if (done()) return;
      }
      if (until_ == Until::AnyContact && out_.overlaps.size() > before) return;
    }
  }

  void at_links() {
    for (std::size_t s = 0; s < t_.self.size(); ++s) {
      against_link(static_cast<int>(s));
      if (done()) return;
    }
  }

  bool done() const { return until_ == Until::AnyContact && out_.hit_pair >= 0; }
  /// Instants before the earliest contact found, and the pieces before it.
  std::uint32_t before_hit() const { return (1u << out_.hit_instant) - 1u; }

  void hit(int pair, std::uint32_t instants) {
    const int first = std::countr_zero(instants);
    if (until_ == Until::End || first >= out_.hit_instant) return;
    out_.hit_instant = first;
    out_.hit_pair = pair;
  }

  void open(int pair, std::uint32_t pieces) {
    if (pieces == 0) return;
    out_.opened.push_back({pair, pieces});
  }

  /// Radius about the centre of a mover's single ball within which obstacles matter, except for the volumes' own
  /// rounding.
  PLANNER_CCD_INLINE float room(int m) const {
    const Mover& mover = t_.movers[m];
    return up(mover.around.radius + e_.margin[m] + most_stray(m) + e_.place + e_.grain);
  }

  void against_obstacles(int m) {
    const float around = room(m);
    Lanes low[3], high[3];
    for (int i = 0; i < 3; ++i) {
      low[i] = all(out_.low[3 * m + i] - around);
      high[i] = all(out_.high[3 * m + i] + around);
    }
    const Box box{{low[0], low[1], low[2]}, {high[0], high[1], high[2]}};
    against(t_.resting, m, box);
    if (e_.objects != nullptr && !done()) against(*e_.objects->tree, m, box);
  }

  /// The same number in all lanes.
  struct Box {
    Lanes low[3], high[3];
  };
  /// A bit for each of the boxes that meets another one.
  PLANNER_CCD_INLINE static std::uint32_t meet(const Boxes& boxes, const Box& box) {
    std::uint32_t apart = 0;
    for (int i = 0; i < 3; ++i) {
      apart |= greater(load(boxes.lower[i]), box.high[i]) | greater(box.low[i], load(boxes.upper[i]));
    }
    return ~apart & 0xFFFFu;
  }

  void against(const ObstacleTree& tree, int m, const Box& box) {
    std::vector<const ObstacleTree::Node*>& left = out_.nodes;
    left.clear();
    if (tree.root() != nullptr) left.push_back(tree.root());
    while (!left.empty()) {
      const ObstacleTree::Node& node = *left.back();
      left.pop_back();
      for (std::uint32_t near = meet(node.boxes, box); near != 0; near &= near - 1) {
        const int i = std::countr_zero(near);
        if (node.leaf) {
          against_obstacle(m, *node.obstacle[i], box);
        } else {
          left.push_back(node.child[i].get());
        }
        if (done()) return;
      }
    }
  }

  struct Asked {
    int pair;  ///< -1: it is not checked.
    float margin;
  };
  Asked pair_with(int m, const Obstacle& o) const {
    if (o.resting() >= 0) {
      const int pair =
          t_.pair_of[static_cast<std::size_t>(m) * t_.resting_count + static_cast<std::size_t>(o.resting())];
      return {pair, pair < 0 ? 0.0f : t_.margin_of_pair[pair]};
    }
    const Around& objects = *e_.objects;
    const int row = t_.movers[m].row;
    const ObjectRules::Rule& rule = objects.rules->of(o, row);
    if (!rule.checked) return {-1, 0.0f};
    const int pair = objects.first_pair + o.place() * objects.rows + row;
    return {pair, o.displaced() > 0.0 ? up(static_cast<float>(ObjectRules::margin(rule, o))) : rule.margin};
  }

  /// Where surfaces are apart at the start, one may still contain the other.
  void against_obstacle(int m, const Obstacle& o, const Box& box) {
    const Asked asked = pair_with(m, o);
    if (asked.pair < 0) return;
    const ObstacleVolumes& of = o.volumes();
    const Field* field = of.field ? &*of.field : nullptr;
    std::uint32_t opened = 0;
    for (std::uint32_t near = of.volumes.size() == 1 ? 1u : meet(of.boxes, box); near != 0; near &= near - 1) {
      opened |= against_volume(m, {of.volumes[std::countr_zero(near)], field, asked.margin}, asked.pair);
      if (done()) break;
    }
    open(asked.pair, opened);
    if ((opened & 1u) == 0 && !(t_.movers[m].filled && of.filled)) out_.unsure_within.push_back(asked.pair);
  }

  /// Returns the pieces that are left open.
  std::uint32_t against_volume(int m, const Target& to, int pair) {
    Lanes deepest = all(-1e30f);
    const std::uint32_t opened = approach(m, to, deepest);
    const std::uint32_t overlapping = opened == 0 ? 0 : greater(deepest, all(0.0f)) & before_hit();
    if (overlapping == 0) return opened;
    out_.overlaps.push_back({pair, m, &to.volume, overlapping, 0.0f, 0});
    Overlap& overlap = out_.overlaps.back();
    if (to.volume.rind >= 0.0f) {
      try_witnesses(overlap, to);
    } else {
      alignas(64) float depth[kInstants];
      store(deepest, depth);
      find_deepest(depth, overlap);
    }
    return opened;
  }

  /// The pieces on which the mover may come nearer to the volume than the margin, and how deep its balls are in it at the
  /// instants, where they are.
  PLANNER_CCD_INLINE std::uint32_t approach(int m, const Target& to, Lanes& deepest) {
    const Mover& mover = t_.movers[m];
    const Volume& volume = to.volume;
    const Vector single = around(m);
    const float pads = to.margin + e_.place + e_.grain + volume.radius + volume.grain;
    std::uint32_t left = beside(to, single, kAllPieces & before_hit(), all(mover.around.radius + pads) + stray(m));
    if (left == 0) return 0;
    // Distance that a ball's centre, apart from its radius, must keep from the box or the cylinder on every chord.
    Lanes apart = all(pads) + bend(m);
    float turn = 0.0f;
    if (e_.tube.any) {
      apart = apart + displaced(m);
      turn = e_.tube.movers[m].turn;
      left = beside(to, single, left, all(mover.around.radius) + apart);
      if (left == 0) return 0;
    }
    place_balls(m);
    std::uint32_t opened = 0;
    for (int b = mover.first_ball; b < mover.first_ball + mover.ball_count; ++b) {
      const Ball& of = t_.balls[b];
      const Near here = near(to, ball(b), left, all(of.radius + turn * t_.offset[b]) + apart);
      if (here.pieces == 0) continue;
      opened |= here.pieces;
      deepest = greatest(deepest, all(of.radius + volume.radius) - here.height);
    }
    return opened & before_hit();
  }

  /// A point less than this above the box or cylinder is within `near` of what the obstacle encloses; so is a ball
  /// around a point lower than this by the ball's radius.
  PLANNER_CCD_INLINE float within(const Volume& v, float near) const {
    return down(down(near + v.radius) - up(v.rind + e_.place + 2.0f * (e_.grain + v.grain)));
  }

  /// First in the world, where both centres leave their chords; then by certified cells; then with A's balls in the
  /// frame of B, where motion common to both does not count. Rounding there: the places of A and of B, and B's axes
  /// times the distance, each at most as much again.
  void against_link(int index) {
    const SelfPair& s = t_.self[index];
    const Mover &a = t_.movers[s.a], &b = t_.movers[s.b];
    const float margin = t_.margin_of_pair[s.pair];
    const std::uint32_t wanted = kAllPieces & before_hit();
    const Vector between = around(s.a) - around(s.b);
    const float pads = a.around.radius + b.around.radius + margin + 2.0f * (e_.place + e_.grain);
    std::uint32_t left = wanted & ~clear(between, all(pads) + stray(s.a) + stray(s.b));
    if (left == 0) return;
    if (loose(index)) {  // what follows proves nothing of such pairs
      left &= ~clear(between, all(pads) + bend(s.a) + bend(s.b) + (displaced(s.a) + displaced(s.b)));
      if (left == 0) return;
    }
    const Known::Parts known = e_.known != nullptr ? e_.known->ask(index) : Known::Parts{};
    left &= known.open;
    // Where single balls or cells prove the bodies apart, neither contains the other. If one contains the other at t =
    // 0 and not there, the surfaces meet on the way, which is a contact, but an earlier one.
    const std::uint32_t outside = wanted & ~left;
    if (left != 0) left = against_link_closely(index, left, known.likely);
    const bool sure = until_ == Until::AnyContact ? outside != 0 : (outside & 1u) != 0;
    if (!sure && (left & 1u) == 0 && !(a.filled && b.filled)) out_.unsure_within.push_back(s.pair);
  }

  /// Whether more than joints displaces one of the links relative to the other.
  PLANNER_CCD_INLINE bool loose(int index) const { return e_.tube.any && e_.tube.loose[index] != 0; }

  /// Pieces on which a point, with its uncertainty, passes the origin at more than `needed`.
  PLANNER_CCD_INLINE static std::uint32_t clear(const Vector& d, const Lanes& needed) {
    const Vector step = next(d) - d;
    return greater(least_square_to_point(dot(d, d), dot(step, step)), square(needed));
  }

  /// Examines those of the pieces that are not proved with all balls, and returns the ones left open.
  std::uint32_t against_link_closely(int index, std::uint32_t pieces, std::uint32_t likely) {
    const SelfPair& s = t_.self[index];
    const Mover &a = t_.movers[s.a], &b = t_.movers[s.b];
    const float margin = t_.margin_of_pair[s.pair], off = 4.0f * (e_.place + e_.grain);
    // Balls prove nothing where they overlap anyway, nor where more than joints displaces one relative to the other.
    const bool near = s.near || loose(index);
    const Lanes bend = relative_bend(s);
    Lanes apart = all(margin + off) + bend;
    float turn = 0.0f;
    if (e_.tube.any && !near) {
      const Displacement tube = relative_tube(s, bend);
      apart = apart + tube.of_center;
      turn = tube.turn;
    }
    const Pose frame = pose(b.body);
    place_balls(s.a);
    std::uint32_t opened = near ? pieces : 0;
    Lanes deepest = all(-1e30f);
    for (int j = a.first_ball; j < a.first_ball + a.ball_count; ++j) {
      const Ball& of_a = t_.balls[j];
      const Vector at = frame.local(ball(j));
      const Lanes of_ball = all(of_a.radius + turn * t_.offset[j]) + apart;
      const std::uint32_t here =
          near ? pieces : pieces & ~clear(at - all3(b.around.center), all(b.around.radius) + of_ball);
      if (here == 0) continue;
      for (int k = b.first_ball; k < b.first_ball + b.ball_count; ++k) {
        const Ball& of_b = t_.balls[k];
        const Vector d = at - all3(of_b.center);
        if (!near) {
          const std::uint32_t left = here & ~clear(d, all(of_b.radius) + of_ball);
          if (left == 0) continue;
          opened |= left;
        }
        deepest = greatest(deepest, all(of_a.radius + of_b.radius) - root(dot(d, d)));
      }
    }
    opened &= before_hit();
    open(s.pair, opened);
    note_overlap(index, deepest, (opened | opened << 1) & before_hit(), likely);
    return opened;
  }

  static void find_deepest(const float* depth, Overlap& overlap) {
    for (std::uint32_t left = overlap.instants; left != 0; left &= left - 1) {
      const int i = std::countr_zero(left);
      if (depth[i] > overlap.depth) overlap.depth = depth[i], overlap.instant = i;
    }
  }

  /// Records where the balls overlap most at one of the instants. Witnesses are tried at a few of these, where contact
  /// is likely.
  void note_overlap(int index, const Lanes& deepest, std::uint32_t instants, std::uint32_t likely) {
    const SelfPair& s = t_.self[index];
    alignas(64) float depth[kInstants];
    store(deepest, depth);
    Overlap overlap{s.pair, s.a, nullptr, instants & greater(deepest, all(0.0f)), 0.0f, 0};
    if (overlap.instants == 0) return;
    find_deepest(depth, overlap);
    if (!s.near) out_.overlaps.push_back(overlap);  // others overlap where they are near each other
    // The first contact is worth all overlaps.
    const bool any = until_ == Until::AnyContact;
    std::uint32_t tries = any ? overlap.instants & likely : overlap.instants;
    while (any && std::popcount(tries) > kMostTries) {
      int shallowest = std::countr_zero(tries);
      for (int i = shallowest + 1; i < kInstants; ++i) {
        if ((tries >> i & 1u) != 0 && depth[i] < depth[shallowest]) shallowest = i;
      }
      tries &= ~(1u << shallowest);
    }
    if (!try_witnesses_of_link(s.pair, tries, s.a, s.b)) try_witnesses_of_link(s.pair, tries, s.b, s.a);
  }

  /// Points of a mover's surface and balls inside it, in the world at one instant, one per lane.
  struct Witnesses {
    Vector at;
    Lanes radius;
  };
  PLANNER_CCD_INLINE Witnesses witnesses(int m, int row, int instant) const {
    const Mover& mover = t_.movers[m];
    const float* of_body = pose_at(mover, instant);
    const auto column = [&](int i) {
      const float* x = of_body + 3 * i * kInstants;
      return Vector{all(x[0]), all(x[kInstants]), all(x[2 * kInstants])};
    };
    const float* rows = &t_.witnesses[static_cast<std::size_t>(mover.first_witnesses + row) * 4 * kInstants];
    return {load(rows) * column(0) + load(rows + kInstants) * column(1) + load(rows + 2 * kInstants) * column(2) +
                column(3),
            load(rows + 3 * kInstants)};
  }
  PLANNER_CCD_INLINE const float* pose_at(const Mover& mover, int instant) const {
    return &out_.poses[static_cast<std::size_t>(mover.body) * 12 * kInstants + instant];
  }
  /// Not more than a + b.
  PLANNER_CCD_INLINE static Lanes sum_down(const Lanes& a, const Lanes& b) {
    const Lanes sum = a + b;
    return sum - all(static_cast<float>(kFloatRoundUp - 1.0)) * (absolute(a) + absolute(b));
  }

  /// Do witnesses of a enter b's cores? Rounding is that of against_link_closely().
  bool try_witnesses_of_link(int pair, std::uint32_t instants, int a, int b) {
    const Mover& of = t_.movers[b];
    const float near = down(t_.margin_of_pair[pair] - up(4.0f * (e_.place + e_.grain)));
    for (std::uint32_t left = instants & before_hit(); left != 0; left &= left - 1) {
      const int instant = std::countr_zero(left);
      const float* X = pose_at(of, instant);
      for (int row = 0; row < kWitnessRows; ++row) {
        const Witnesses w = witnesses(a, row, instant);
        for (int k = of.first_core; k < of.first_core + of.core_count; ++k) {
          const Ball& core = t_.cores[k];
          const auto center = [&](int i) {
            return X[i * kInstants] * core.center[0] + X[(3 + i) * kInstants] * core.center[1] +
                   X[(6 + i) * kInstants] * core.center[2] + X[(9 + i) * kInstants];
          };
          const Vector d = w.at - Vector{all(center(0)), all(center(1)), all(center(2))};
          const Lanes reach = greatest(sum_down(w.radius, all(down(core.radius + near))), all(0.0f));
          if (greater(reach * reach * all(static_cast<float>(2.0 - kFloatRoundUp)), dot(d, d)) == 0) continue;
          hit(pair, 1u << instant);
          return true;
        }
      }
    }
    return false;
  }

  /// Do witnesses of the mover enter the obstacle, which has an inside?
  void try_witnesses(Overlap& overlap, const Target& to) {
    const Volume& volume = to.volume;
    const Lanes limit = all(within(volume, to.margin));
    float deepest = 1e30f;
    for (std::uint32_t left = overlap.instants & before_hit(); left != 0; left &= left - 1) {
      const int instant = std::countr_zero(left);
      for (int row = 0; row < kWitnessRows; ++row) {
        const Witnesses w = witnesses(overlap.mover, row, instant);
        const Lanes height = height_above(volume, place_in(volume, w.at));
        if (greater(sum_down(limit, w.radius), height) != 0) return hit(overlap.pair, 1u << instant);
        const float least = least_of(height - w.radius);
        if (least < deepest) deepest = least, overlap.instant = instant;
      }
    }
    overlap.depth = volume.radius - deepest;
  }
};
