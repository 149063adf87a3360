#pragma once

#include "planner_ccd/triangle_ccd/detail/isolate_lanes.hpp"

namespace planner_ccd::leaf {

/// isolate_lanes() for the cubic kernel: a root is looked at when it passes the area test.
void isolate_by_areas_lanes(std::span<const VertexFaceMotion> queries, std::span<const FrontAnswer> front,
                            const LeafOptions& options, std::span<IsolateAnswer, kFrontBlock> answers);
void isolate_by_areas_lanes(std::span<const EdgeEdgeMotion> queries, std::span<const FrontAnswer> front,
                            const LeafOptions& options, std::span<IsolateAnswer, kFrontBlock> answers);

}  // namespace planner_ccd::leaf
