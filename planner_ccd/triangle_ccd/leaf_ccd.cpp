#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {
namespace {

template <class Motion>
std::vector<LeafHit> one_by_one(const LeafKernel& kernel, std::span<const Motion> motions, const LeafOptions& options) {
  std::vector<LeafHit> hits;
  for (std::size_t i = 0; i < motions.size(); ++i) {
    LeafResult result = kernel.decide(motions[i], options);
    if (result.verdict != Verdict::Free) hits.push_back({i, std::move(result)});
  }
  return hits;
}

}  // namespace

std::vector<LeafHit> LeafKernel::decide_all(std::span<const VertexFaceMotion> motions,
                                            const LeafOptions& options) const {
  return one_by_one(*this, motions, options);
}

std::vector<LeafHit> LeafKernel::decide_all(std::span<const EdgeEdgeMotion> motions, const LeafOptions& options) const {
  return one_by_one(*this, motions, options);
}

}  // namespace planner_ccd
