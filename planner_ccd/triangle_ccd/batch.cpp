#include "planner_ccd/papers/fastccd/cubic.hpp"
#include "planner_ccd/triangle_ccd/detail/advance.hpp"
#include "planner_ccd/triangle_ccd/detail/front.hpp"
#include "planner_ccd/triangle_ccd/detail/isolate_lanes.hpp"
#include "planner_ccd/triangle_ccd/inclusion.hpp"

namespace planner_ccd {
namespace {

using leaf::FrontAnswer;
using leaf::IsolateAnswer;
using leaf::kFrontBlock;
using leaf::Suspicion;

LeafResult one(LeafKernel kernel, const VertexFaceMotion& m, const LeafOptions& options) {
  return vertex_face_ccd(kernel, m, options);
}

LeafResult one(LeafKernel kernel, const EdgeEdgeMotion& m, const LeafOptions& options) {
  return edge_edge_ccd(kernel, m, options);
}

void add(LeafHit&& hit, std::vector<LeafHit>& hits) {
  if (hit.result.verdict != LeafVerdict::Apart) hits.push_back(hit);
}

/// The contact that isolate_lanes found, after the look of the front and its own.
template <class Motion>
void set_plain_contact(const Motion& motion, const IsolateAnswer& answer, const LeafOptions& options,
                       LeafResult& result) {
  result.iterations = 2;
  leaf::PatchPoint witness;
  witness.direction = {answer.x, answer.y, answer.z};
  witness.distance = answer.distance;
  witness.border = answer.border;
  witness.alpha = answer.alpha, witness.beta = answer.beta;
  leaf::set_contact(result, motion, leaf::make_patch(motion),
                    {LeafVerdict::Contact, answer.proved, answer.time, witness, 1}, options.min_separation);
}

template <class Motion>
LeafResult rest(LeafKernel kernel, const Motion& motion, double proved, const LeafOptions& options) {
  return kernel == LeafKernel::Cubic ? cubic_rest(motion, proved, options) : inclusion_rest(motion, proved, options);
}

template <class Motion>
void decide_block(LeafKernel kernel, std::span<const Motion> motions, const LeafOptions& options, std::size_t from,
                  std::vector<LeafHit>& hits) {
  std::array<FrontAnswer, kFrontBlock> front_answers;
  const std::size_t count = leaf::front_lanes(motions, options.min_separation, options.t_max, front_answers);
  const std::span<const FrontAnswer> front(front_answers.data(), count);
  std::array<IsolateAnswer, kFrontBlock> answers;
  const Suspicion suspicion = kernel == LeafKernel::Cubic ? Suspicion::RootAndArea : Suspicion::Root;
  const bool look = options.max_iterations > 1;
  if (look) leaf::isolate_lanes(motions, front, suspicion, options, answers);
  const IsolateAnswer* answer = answers.data();
  for (const FrontAnswer& f : front) {
    if (f.apart) continue;
    const IsolateAnswer& a = *answer++;
    const LeafVerdict seen = look ? a.verdict : LeafVerdict::MayTouch;
    if (seen == LeafVerdict::Contact)
      set_plain_contact(motions[f.index], a, options, hits.emplace_back(LeafHit{from + f.index, {}}).result);
    else if (seen == LeafVerdict::MayTouch)
      add({from + f.index, rest(kernel, motions[f.index], f.until, options)}, hits);
  }
}

template <class Motion>
std::vector<LeafHit> decide_all(LeafKernel kernel, std::span<const Motion> motions, const LeafOptions& options) {
  std::vector<LeafHit> hits;
  if (kernel == LeafKernel::SpaceTime || kernel == LeafKernel::Plucker) {
    for (std::size_t i = 0; i < motions.size(); ++i) {
      add({i, one(kernel, motions[i], options)}, hits);
    }
    return hits;
  }
  for (std::size_t from = 0; from < motions.size(); from += kFrontBlock) {
    decide_block(kernel, motions.subspan(from, std::min(kFrontBlock, motions.size() - from)), options, from, hits);
  }
  return hits;
}

}  // namespace

std::vector<LeafHit> vertex_face_ccd(LeafKernel kernel, std::span<const VertexFaceMotion> motions,
                                     const LeafOptions& options) {
  return decide_all(kernel, motions, options);
}

std::vector<LeafHit> edge_edge_ccd(LeafKernel kernel, std::span<const EdgeEdgeMotion> motions,
                                   const LeafOptions& options) {
  return decide_all(kernel, motions, options);
}

}  // namespace planner_ccd
