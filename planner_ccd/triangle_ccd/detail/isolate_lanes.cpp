// Highway compiles this file once for every instruction set (foreach_target.h includes it repeatedly).
#include "planner_ccd/triangle_ccd/detail/isolate_lanes.hpp"

// Vectors of unknown length cannot be struct members, and SSSE3 without SSE4 is not worth its code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "planner_ccd/triangle_ccd/detail/isolate_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "planner_ccd/triangle_ccd/detail/isolate_lanes_inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace planner_ccd::leaf::HWY_NAMESPACE {

/// Every root.
struct EveryRoot {
  static constexpr bool kByAreas = false;
};

void isolate_vf(const double* first, std::span<const FrontAnswer> front, const LeafOptions& options,
                IsolateAnswer* answers) {
  isolate<PatchShape::Triangle, EveryRoot>(first, front, options, answers);
}

void isolate_ee(const double* first, std::span<const FrontAnswer> front, const LeafOptions& options,
                IsolateAnswer* answers) {
  isolate<PatchShape::Parallelogram, EveryRoot>(first, front, options, answers);
}

}  // namespace planner_ccd::leaf::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace planner_ccd::leaf {
namespace {

HWY_EXPORT(isolate_vf);
HWY_EXPORT(isolate_ee);

}  // namespace

void isolate_lanes(std::span<const VertexFaceMotion> queries, std::span<const FrontAnswer> front,
                   const LeafOptions& options, std::span<IsolateAnswer, kFrontBlock> answers) {
  HWY_DYNAMIC_DISPATCH(isolate_vf)(numbers(queries), front, options, answers.data());
}

void isolate_lanes(std::span<const EdgeEdgeMotion> queries, std::span<const FrontAnswer> front,
                   const LeafOptions& options, std::span<IsolateAnswer, kFrontBlock> answers) {
  HWY_DYNAMIC_DISPATCH(isolate_ee)(numbers(queries), front, options, answers.data());
}

}  // namespace planner_ccd::leaf
#endif
