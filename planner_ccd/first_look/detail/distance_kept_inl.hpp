// A point on its way past an obstacle, after distance_inl.hpp in the same namespace.

/// The squares of the steps of a point from its places at the instants to the next ones.
PLANNER_CCD_INLINE Lanes squared_steps(const Vector& at) {
  const Vector step = next(at) - at;
  return dot(step, step);
}

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
/// Distances and steps are those of the same places, as computed in the volume's or the field's frame: the rounding of these is relative to
/// the frame's size, and (21) of MATHS.md T14 would not bear it in one of the two alone.
///
/// Chords are halved if that may help: of half a chord a quarter of the square is lost.
PLANNER_CCD_INLINE Near near_grains(const Field& field, const Vector& at, std::uint32_t pieces, const Lanes& needed) {
  const Vector p = place_in(field, at);
  const Lanes limit = square(needed), f2 = square_clearance(field, p), f2_next = next(f2);
  pieces &= ~greater(least_square_between(f2, f2_next, squared_steps(p)), limit);
  if ((pieces & greater(least(f2, f2_next), limit)) != 0) {
    const Vector middle = p + all(0.5f) * (next(p) - p), first = middle - p, second = next(p) - middle;
    const Lanes f2_middle = square_clearance(field, middle);
    pieces &= ~(greater(least_square_between(f2, f2_middle, dot(first, first)), limit) &
                greater(least_square_between(f2_middle, f2_next, dot(second, second)), limit));
  }
  return {pieces, root(f2)};
}
/// The pieces on which a point may come nearer than needed, by squares alone.
PLANNER_CCD_INLINE std::uint32_t beside(const Target& to, const Vector& at, std::uint32_t pieces, const Lanes& needed) {
  if (to.field != nullptr) return near_grains(*to.field, at, pieces, needed).pieces;
  const Vector l = place_in(to.volume, at);
  const Lanes f2 = square_distance(to.volume, l);
  return pieces & ~greater(least_square_on_the_way(f2, squared_steps(l)), square(needed));
}
PLANNER_CCD_INLINE Near near(const Target& to, const Vector& at, std::uint32_t pieces, const Lanes& needed) {
  if (to.field != nullptr) return near_grains(*to.field, at, pieces, needed);
  const Volume& volume = to.volume;
  const Vector l = place_in(volume, at);
  pieces &= ~greater(least_square_on_the_way(square_distance(volume, l), squared_steps(l)), square(needed));
  if (pieces == 0) return {0, needed};
  pieces &= ~greater(least_on_the_way(distance_of(volume, l)), up(needed));
  return {pieces, pieces == 0 ? needed : height_above(volume, l)};
}
