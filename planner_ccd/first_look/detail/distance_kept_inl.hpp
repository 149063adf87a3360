// A point on its way past an obstacle, after distance_inl.hpp in the same namespace.

/// The path of a point: its places, and the squares of its steps to the next ones.
struct Way {
  Vector at;
  Lanes step2;
};

PLANNER_CCD_INLINE float up(float x) { return x * static_cast<float>(kFloatRoundUp); }
PLANNER_CCD_INLINE Lanes up(const Lanes& x) { return x * all(static_cast<float>(kFloatRoundUp)); }
PLANNER_CCD_INLINE float down(float x) { return x - (x < 0.0f ? -x : x) * static_cast<float>(kFloatRoundUp - 1.0); }

/// The squared distance that a centre must keep.
PLANNER_CCD_INLINE Lanes square(const Lanes& needed) { return up(up(needed) * needed); }

/// A point beside a volume.
struct Near {
  std::uint32_t pieces;  ///< On which it may come nearer than needed.
  Lanes height;          ///< Above the volume, or the grains, at the instants; not set if it keeps away.
};
/// Chords are halved if that may help: of half a chord a quarter of the square is lost.
PLANNER_CCD_INLINE Near near_grains(const Field& field, const Way& way, std::uint32_t pieces, const Lanes& needed) {
  const Lanes limit = square(needed), f2 = square_clearance(field, way.at), f2_next = next(f2);
  pieces &= ~greater(least_square_between(f2, f2_next, way.step2), limit);
  if ((pieces & greater(least(f2, f2_next), limit)) != 0) {
    const Vector middle = way.at + all(0.5f) * (next(way.at) - way.at);
    const Lanes step2 = all(0.25f) * way.step2, f2_middle = square_clearance(field, middle);
    pieces &= ~(greater(least_square_between(f2, f2_middle, step2), limit) &
                greater(least_square_between(f2_middle, f2_next, step2), limit));
  }
  return {pieces, root(f2)};
}
/// The pieces on which a point may come nearer than needed, by squares alone.
PLANNER_CCD_INLINE std::uint32_t beside(const Target& to, const Way& way, std::uint32_t pieces, const Lanes& needed) {
  if (to.field != nullptr) return near_grains(*to.field, way, pieces, needed).pieces;
  const Lanes f2 = square_distance(to.volume, place_in(to.volume, way.at));
  return pieces & ~greater(least_square_on_the_way(f2, way.step2), square(needed));
}
PLANNER_CCD_INLINE Near near(const Target& to, const Way& way, std::uint32_t pieces, const Lanes& needed) {
  if (to.field != nullptr) return near_grains(*to.field, way, pieces, needed);
  const Volume& volume = to.volume;
  const Vector l = place_in(volume, way.at);
  pieces &= ~greater(least_square_on_the_way(square_distance(volume, l), way.step2), square(needed));
  if (pieces == 0) return {0, needed};
  pieces &= ~greater(least_on_the_way(distance_of(volume, l)), up(needed));
  return {pieces, pieces == 0 ? needed : height_above(volume, l)};
}
