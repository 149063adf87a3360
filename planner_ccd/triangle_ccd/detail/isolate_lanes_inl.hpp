// isolate_lanes of isolate_lanes.hpp, one query per lane. `Suspicion` defines which roots a kernel examines. It has
//
//   static constexpr bool kByAreas;           // false: every root is
//   test<shape>(patch, t, half_width, separation)  // false proves the times within half_width of t apart
//
// Included once for every instruction set, so the guard is Highway's toggle.
#if defined(PLANNER_CCD_ISOLATE_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef PLANNER_CCD_ISOLATE_LANES_INL
#undef PLANNER_CCD_ISOLATE_LANES_INL
#else
#define PLANNER_CCD_ISOLATE_LANES_INL
#endif

#include <hwy/highway.h>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/isolate_lanes.hpp"
#include "planner_ccd/triangle_ccd/detail/patch_lanes_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace planner_ccd::leaf::HWY_NAMESPACE {

constexpr int kRootSteps = 6;

/// Pieces of coplanarity.hpp: the cubic as a polynomial in t, with the whole band.
struct Piece {
  Lanes c0, c1, c2, c3, band;
  Mask one;        ///< It is one piece, by (10).
  Mask near_zero;  ///< Cubic::always_near_zero.

  HWY_INLINE explicit Piece(const CubicLanes& p) {
    const Lanes d0 = p.b1 - p.b0, d1 = p.b2 - p.b1, d2 = p.b3 - p.b2;
    c0 = p.b0;
    c1 = all(3.0) * d0;
    c2 = all(3.0) * ((p.b0 - all(2.0) * p.b1) + p.b2);
    c3 = (p.b3 - p.b0) + all(3.0) * (p.b1 - p.b2);
    const Lanes m = hn::Max(larger(p.b0, p.b1), larger(p.b2, p.b3));
    const Lanes c =
        hn::Abs(p.b0) + all(3.0) * hn::Abs(d0) + all(3.0) * hn::Abs((p.b0 - all(2.0) * p.b1) + p.b2) + hn::Abs(c3);
    band = (p.band + all(kUnitRoundoff) * (all(160.0) * m + all(116.0) * c)) * all(kRoundUp);
    band = hn::IfThenElse(c < all(1e-140), band + all(2.0) * c, band);
    band = hn::IfThenElse(c < all(1e140), band, all(std::numeric_limits<double>::infinity()));

    near_zero = hn::Not(m > band);
    const Mask rising = hn::And(hn::And(d0 >= zero(), d1 >= zero()), d2 >= zero());
    const Mask falling = hn::And(hn::And(d0 <= zero(), d1 <= zero()), d2 <= zero());
    const Mask s0 = p.b0 > zero(), s1 = p.b1 > zero(), s2 = p.b2 > zero(), s3 = p.b3 > zero();
    const Mask once = hn::And(hn::Xor(s0, s3), hn::Not(hn::And(hn::Xor(s0, s1), hn::Xor(s1, s2))));
    const Lanes smallest = hn::Min(hn::Min(hn::Abs(p.b0), hn::Abs(p.b1)), hn::Min(hn::Abs(p.b2), hn::Abs(p.b3)));
    one = hn::Or(hn::Or(rising, falling), hn::And(once, smallest > band));
  }

  HWY_INLINE Lanes at(Lanes t) const { return ((c3 * t + c2) * t + c1) * t + c0; }
  HWY_INLINE Lanes slope(Lanes t) const { return (all(3.0) * c3 * t + all(2.0) * c2) * t + c1; }
  HWY_INLINE Lanes householder_step(Lanes t, Lanes f) const {
    const Lanes inverse = all(1.0) / slope(t), newton = f * inverse;
    return t - newton * (all(1.0) + newton * (all(3.0) * c3 * t + c2) * inverse);
  }
  HWY_INLINE Mask beyond(Lanes t, Mask positive) const {
    const Lanes f = at(t);
    return hn::Or(hn::And(positive, f > band), hn::AndNot(positive, f < hn::Neg(band)));
  }
};

/// The remaining time: the first part of [from, end] between extrema that is not clear.
struct Part {
  Lanes a, b, at_a, at_b;
  Mask none;  ///< All are clear.
  Mask last;  ///< The parts after it are clear.
};

HWY_INLINE Mask clear(const Piece& p, Lanes at_a, Lanes at_b) {
  const Lanes below = hn::Neg(p.band);
  return hn::Or(hn::And(at_a > p.band, at_b > p.band), hn::And(at_a < below, at_b < below));
}

/// The constructor of Pieces, and Pieces::clear.
HWY_INLINE Part first_part(const Piece& p, Lanes from, Lanes end) {
  const Lanes a = all(3.0) * p.c3, discriminant = p.c2 * p.c2 - a * p.c1;
  const Lanes q = hn::Neg(p.c2 + hn::CopySign(hn::Sqrt(discriminant), p.c2));
  const Lanes x = q / a, y = p.c1 / q;
  const Lanes r1 = hn::IfThenElse(x > y, y, x), r2 = hn::IfThenElse(x > y, x, y);
  const Mask extrema = hn::AndNot(p.one, discriminant >= zero());
  const Mask in1 = hn::And(extrema, hn::And(r1 > from, r1 < end));
  const Mask in2 = hn::And(extrema, hn::And(r2 > from, r2 < end));
  const Mask second = hn::Or(in1, in2), third = hn::And(in1, in2);
  const Lanes k1 = hn::IfThenElse(in1, r1, hn::IfThenElse(in2, r2, end)), k2 = hn::IfThenElse(third, r2, end);

  const Lanes f0 = p.at(from), f1 = p.at(k1), f2 = p.at(k2), f3 = p.at(end);
  const Mask clear0 = clear(p, f0, f1);
  const Mask clear1 = hn::Or(hn::Not(second), clear(p, f1, f2)), clear2 = hn::Or(hn::Not(third), clear(p, f2, f3));
  const auto chosen = [&](Lanes x0, Lanes x1, Lanes x2)
                          HWY_ATTR { return hn::IfThenElse(clear0, hn::IfThenElse(clear1, x2, x1), x0); };
  const Mask last = hn::Or(hn::And(clear0, clear1), hn::And(clear2, hn::Or(clear0, clear1)));
  return {chosen(from, k1, k2),
          chosen(k1, k2, end),
          chosen(f0, f1, f2),
          chosen(f1, f2, f3),
          hn::And(clear0, hn::And(clear1, clear2)),
          last};
}

struct Root {
  Lanes t;
  Mask found;
};

/// Pieces::root on a part at whose ends the signs differ; not found when it takes more than kRootSteps.
HWY_INLINE Root find_root(const Piece& p, const Part& part, Mask wanted, Lanes resolution) {
  const Mask rising = part.at_a <= zero();
  const Lanes secant = part.a + (part.b - part.a) * (part.at_a / (part.at_a - part.at_b));
  const Lanes better = p.householder_step(secant, p.at(secant));
  Lanes t = hn::IfThenElse(hn::And(better > part.a, better < part.b), better, secant);
  Lanes lo = part.a, hi = part.b;
  Root root{zero(), zero() > all(1.0)};
  for (int i = 0; i < kRootSteps; ++i) {
    const Lanes f = p.at(t);
    const Mask left = hn::Not(hn::Xor(f < zero(), rising));
    lo = hn::IfThenElse(left, t, lo);
    hi = hn::IfThenElse(left, hi, t);
    Lanes next = p.householder_step(t, f);
    next = hn::IfThenElse(hn::And(next >= lo, next <= hi), next, all(0.5) * (lo + hi));
    const Mask close = hn::AndNot(root.found, hn::Abs(next - t) <= resolution);
    root.t = hn::IfThenElse(close, next, root.t);
    root.found = hn::Or(root.found, close);
    if (hn::AllFalse(Tag(), hn::AndNot(root.found, wanted))) break;
    t = next;
  }
  return root;
}

/// The suspect of Pieces::near_zero around a root, where its first width will do.
struct Suspect {
  Lanes lo, hi;
  Mask known;
};

HWY_INLINE Suspect around(const Piece& p, const Root& root, const Part& part, Mask falls, Lanes resolution) {
  const Lanes wide = all(1.25) * p.band / hn::Abs(p.slope(root.t));
  const Lanes e = hn::IfThenElse(resolution < wide, wide, resolution);
  const Lanes lo = root.t - e, hi = root.t + e;
  const Mask lo_in = lo > part.a, hi_in = hi < part.b;
  const Mask lo_known = hn::Or(hn::Not(lo_in), p.beyond(lo, falls));
  const Mask hi_known = hn::Or(hn::Not(hi_in), p.beyond(hi, hn::Not(falls)));
  const Mask known = hn::And(root.found, hn::And(lo_known, hi_known));
  return {hn::IfThenElse(lo_in, lo, part.a), hn::IfThenElse(hi_in, hi, part.b), known};
}

/// The result of one evaluation at the middle of a suspect: the first step of advance.cpp.
struct Look {
  Mask apart, contact;
  Lanes proved, time, distance;
  Nearest witness;
};

template <PatchShape shape, class Suspicion>
HWY_INLINE Look look(const Queries& q, Lanes from, const LeafOptions& options) {
  const Piece p(coplanarity_cubic(frame<shape>(q), options.min_separation));
  const Patch patch = make_patch<shape>(q);
  const Part part = first_part(p, from, all(options.t_max));
  const Mask falls = hn::And(part.at_a > p.band, part.at_b < hn::Neg(p.band));
  const Mask crosses = hn::Or(falls, hn::And(part.at_a<hn::Neg(p.band), part.at_b> p.band));

  const Lanes resolution = all(0.1 * options.tolerance) / patch.size;
  const Root root = find_root(p, part, crosses, all(0.25) * resolution);
  const Suspect on = around(p, root, part, falls, resolution);
  const Lanes t = all(0.5) * (on.lo + on.hi);
  const Mask is_short = (on.hi - on.lo) * all(4.0) * patch.size <= all(options.tolerance);
  Mask plain = hn::And(crosses, hn::And(on.known, is_short)), none = part.none;

  const Nearest witness = nearest_point<shape>(patch, t);
  const Times proved = certified_times<shape>(patch, witness.direction, options.min_separation);
  Mask apart = hn::And(proved.lo <= on.lo, proved.hi >= on.hi);
  if constexpr (Suspicion::kByAreas) {
    if (!(options.min_separation > 0)) {  // the reduction is not plain
      plain = hn::AndNot(p.near_zero, plain);
      none = hn::AndNot(p.near_zero, none);
    }
    const Lanes half_width = all(0.5) * (on.hi - on.lo) * all(1 + 8 * kUnitRoundoff) + all(kUnitRoundoff);
    apart = hn::Or(apart, hn::Not(Suspicion::template test<shape>(patch, t, half_width, options.min_separation)));
  }
  const Lanes distance = hn::Sqrt(witness.squared);
  const Lanes up = distance * all(1 + 8 * kUnitRoundoff) + all(32 * kUnitRoundoff) * patch.size;
  const Mask near = up <= all(options.min_separation + options.tolerance);
  const Mask all_apart = hn::Or(none, hn::And(hn::And(plain, apart), part.last));
  return {all_apart, hn::And(plain, hn::AndNot(apart, near)), on.lo, t, distance, witness};
}

HWY_INLINE void store(const Look& look, std::size_t lanes, IsolateAnswer* answers) {
  const std::size_t apart = bits(look.apart), contact = bits(look.contact);
  for (std::size_t l = 0; l < lanes; ++l) {
    answers[l].verdict = ((apart >> l) & 1) ? Verdict::Free : Verdict::Undecided;
  }
  if (contact == 0) return;
  const Stored proved(look.proved), time(look.time), distance(look.distance), border(look.witness.border);
  const Stored alpha(look.witness.alpha), beta(look.witness.beta);
  const Stored x(look.witness.direction.x), y(look.witness.direction.y), z(look.witness.direction.z);
  for (std::size_t l = 0; l < lanes; ++l) {
    if (!((contact >> l) & 1)) continue;
    answers[l] = {Verdict::Contact, proved[l], time[l], x[l], y[l], z[l], distance[l], static_cast<int>(border[l]),
                  alpha[l],         beta[l]};
  }
}

template <PatchShape shape, class Suspicion>
HWY_INLINE void isolate(const double* first, std::span<const FrontAnswer> front, const LeafOptions& options,
                        IsolateAnswer* answers) {
  Open open;
  open.first = first;
  alignas(64) double from[kFrontBlock + kLanes];
  for (const FrontAnswer& f : front) {
    open.index[open.count] = f.index;
    from[open.count] = f.until;
    open.count += !f.apart;
  }
  for (std::size_t l = 0; l < kLanes; ++l) from[open.count + l] = 0.0;
  for (std::size_t i = 0; i < open.count; i += kLanes) {
    store(look<shape, Suspicion>(open.at(i), hn::Load(Tag(), from + i), options), std::min(kLanes, open.count - i),
          answers + i);
  }
}

}  // namespace planner_ccd::leaf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
