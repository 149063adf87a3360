// Replaces isolate_by_areas.cpp where Highway is not installed.
#include "planner_ccd/papers/fastccd/detail/isolate_by_areas.hpp"

namespace planner_ccd::leaf {

void isolate_by_areas_lanes(std::span<const VertexFaceMotion>, std::span<const FrontAnswer> front, const LeafOptions&,
                            std::span<IsolateAnswer, kFrontBlock> answers) {
  none_is_plain(front, answers);
}

void isolate_by_areas_lanes(std::span<const EdgeEdgeMotion>, std::span<const FrontAnswer> front, const LeafOptions&,
                            std::span<IsolateAnswer, kFrontBlock> answers) {
  none_is_plain(front, answers);
}

}  // namespace planner_ccd::leaf
