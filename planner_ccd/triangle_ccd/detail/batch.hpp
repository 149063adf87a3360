#pragma once

#include "planner_ccd/triangle_ccd/detail/advance.hpp"
#include "planner_ccd/triangle_ccd/detail/front.hpp"
#include "planner_ccd/triangle_ccd/detail/isolate_lanes.hpp"

namespace planner_ccd::leaf {

/// Many queries of a kernel behind the front: the front in lanes, then isolate_lanes(), then, for cases that are not
/// plain, the kernel's `rest(motion, proved, options)`, one by one.

/// The contact found by isolate_lanes.
template <class Motion>
void set_plain_contact(const Motion& motion, const IsolateAnswer& answer, const LeafOptions& options,
                       LeafResult& result) {
  result.iterations = 2;
  PatchPoint witness;
  witness.direction = {answer.x, answer.y, answer.z};
  witness.distance = answer.distance;
  witness.border = answer.border;
  witness.alpha = answer.alpha, witness.beta = answer.beta;
  set_contact(result, motion, make_patch(motion), {Verdict::Contact, answer.proved, answer.time, witness, 1},
              options.min_separation);
}

template <class Motion, class Isolate, class Rest>
void decide_block(std::span<const Motion> motions, const LeafOptions& options, std::size_t from, const Isolate& isolate,
                  const Rest& rest, std::vector<LeafHit>& hits) {
  std::array<FrontAnswer, kFrontBlock> front_answers;
  const std::size_t count = front_lanes(motions, options.min_separation, options.t_max, front_answers);
  const std::span<const FrontAnswer> front(front_answers.data(), count);
  std::array<IsolateAnswer, kFrontBlock> answers;
  const bool look = options.max_iterations > 1;
  if (look) isolate(motions, front, options, std::span<IsolateAnswer, kFrontBlock>(answers));
  const IsolateAnswer* answer = answers.data();
  for (const FrontAnswer& f : front) {
    if (f.apart) continue;
    const IsolateAnswer& a = *answer++;
    const Verdict seen = look ? a.verdict : Verdict::Undecided;
    if (seen == Verdict::Contact) {
      set_plain_contact(motions[f.index], a, options, hits.emplace_back(LeafHit{from + f.index, {}}).result);
    } else if (seen == Verdict::Undecided) {
      LeafHit hit{from + f.index, rest(motions[f.index], f.until, options)};
      if (hit.result.verdict != Verdict::Free) hits.push_back(std::move(hit));
    }
  }
}

template <class Motion, class Isolate, class Rest>
std::vector<LeafHit> decide_blocks(std::span<const Motion> motions, const LeafOptions& options, const Isolate& isolate,
                                   const Rest& rest) {
  std::vector<LeafHit> hits;
  for (std::size_t from = 0; from < motions.size(); from += kFrontBlock) {
    decide_block(motions.subspan(from, std::min(kFrontBlock, motions.size() - from)), options, from, isolate, rest,
                 hits);
  }
  return hits;
}

}  // namespace planner_ccd::leaf
