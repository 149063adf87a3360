#pragma once

#include "planner_ccd/triangle_ccd/detail/coplanarity.hpp"
#include "planner_ccd/triangle_ccd/detail/front_lanes.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd::leaf {

/// The front of the kernels based on the coplanarity cubic: it dismisses most primitive pairs, cheapest test first.
///
///   1. A coordinate axis keeps the patch away from the origin, by (6).
///   2. All Bernstein coefficients of the cubic are beyond its band, on one side.
///   3. One direction, that of the point nearest to the origin at a time when the cubic is likely to vanish, proves an
///      interval of time by (6), and the cubic has no near zero to the left and to the right of it.
///
/// Each step is a proof by itself; the kernel decides the rest. front_lanes.hpp does the same for many pairs at once.

/// What step 3 proves: all of [0, t_max], or [0, until).
struct FrontProof {
  bool all;
  double until;
};

FrontProof one_direction(const MovingPatch& patch, const Cubic& cubic, double separation, double t_max);

/// front_lanes without lanes.
template <class Motion>
std::size_t front_one_by_one(std::span<const Motion> queries, double separation, double t_max,
                             std::span<FrontAnswer, kFrontBlock> answers) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    if (axis_apart(queries[i], separation)) continue;
    const Cubic cubic = coplanarity_cubic(patch_frame(queries[i]), separation);
    if (cubic.never_near_zero()) continue;
    const FrontProof proof = one_direction(make_patch(queries[i]), cubic, separation, t_max);
    answers[count++] = {static_cast<std::uint32_t>(i), proof.all, proof.until};
  }
  return count;
}

inline LeafResult apart_result(const LeafOptions& options) {
  LeafResult result;
  result.verdict = Verdict::Free;
  result.t_lo = result.t_hi = options.t_max;
  return result;
}

/// `rest(motion, patch, cubic, options, result)` continues from result.t_lo and returns whether everything is proved
/// apart; otherwise it has filled in the result.
template <class Motion, class Rest>
void finish(const Motion& motion, const MovingPatch& patch, const Cubic& cubic, const FrontProof& front,
            const LeafOptions& options, const Rest& rest, LeafResult& result) {
  result.verdict = Verdict::Undecided;
  result.t_lo = front.until;
  result.iterations = 1;
  if (!front.all && !rest(motion, patch, cubic, options, result)) return;
  result.verdict = Verdict::Free;
  result.t_lo = options.t_max;
}

/// For pairs that neither an axis nor the signs of the cubic keep apart.
template <class Motion, class Rest>
[[gnu::noinline]] void examine(const Motion& motion, const Cubic& cubic, const LeafOptions& options, const Rest& rest,
                               LeafResult& result) {
  const MovingPatch patch = make_patch(motion);
  if (!std::isfinite(patch.size)) {
    result.verdict = Verdict::Undecided;
    result.t_lo = 0.0;
    return;
  }
  finish(motion, patch, cubic, one_direction(patch, cubic, options.min_separation, options.t_max), options, rest,
         result);
}

/// One pair, through the front and the kernel behind it.
template <class Motion, class Rest>
LeafResult decide(const Motion& motion, const LeafOptions& options, const Rest& rest) {
  LeafResult result = apart_result(options);
  if (axis_apart(motion, options.min_separation)) return result;
  const Cubic cubic = coplanarity_cubic(patch_frame(motion), options.min_separation);
  if (!cubic.never_near_zero()) examine(motion, cubic, options, rest, result);
  return result;
}

/// One pair that the front left open, with [0, proved) proved apart.
template <class Motion, class Rest>
LeafResult decide_rest(const Motion& motion, double proved, const LeafOptions& options, const Rest& rest) {
  LeafResult result;
  result.t_hi = options.t_max;
  const MovingPatch patch = make_patch(motion);
  if (!std::isfinite(patch.size)) return result;  // Undecided
  const Cubic cubic = coplanarity_cubic(patch_frame(motion), options.min_separation);
  finish(motion, patch, cubic, {false, proved}, options, rest, result);
  return result;
}

}  // namespace planner_ccd::leaf
#pragma GCC visibility pop
