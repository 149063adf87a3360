#pragma once

#include "planner_ccd/triangle_ccd/detail/front_lanes.hpp"
#include "planner_ccd/triangle_ccd/detail/patch.hpp"

namespace planner_ccd::leaf {

/// What the inclusion and the cubic kernel do behind the front, for many queries at once and for the plain case: in the first
/// part of the time between extrema of the cubic that is not clear by (5) of coplanarity.hpp, the cubic crosses zero from
/// beyond its band to beyond its band, the root is found in a few steps, and one look there (for the cubic kernel after the
/// area test) shows a contact, or proves that part while the others are clear. Operation by operation that of inclusion.cpp,
/// cubic.cpp, coplanarity.cpp, area_test.cpp and advance.cpp, as in front_lanes.hpp; whatever is not plain is left to them.
struct IsolateAnswer {
  LeafVerdict verdict;  ///< MayTouch: not plain.

  // Of a contact: [0, proved) is apart; when it is; the PatchPoint.
  double proved, time;
  double x, y, z, distance;
  int border;
  double alpha, beta;
};

/// What makes a time suspect: Inclusion looks at every root, Cubic at those that pass the area test.
enum class Suspicion { Root, RootAndArea };

/// One answer for each of the front's answers that are not apart, in their order; their number. `max_iterations` > 1.
std::size_t isolate_lanes(std::span<const VertexFaceMotion> queries, std::span<const FrontAnswer> front,
                          Suspicion suspicion, const LeafOptions& options,
                          std::span<IsolateAnswer, kFrontBlock> answers);
std::size_t isolate_lanes(std::span<const EdgeEdgeMotion> queries, std::span<const FrontAnswer> front,
                          Suspicion suspicion, const LeafOptions& options,
                          std::span<IsolateAnswer, kFrontBlock> answers);

}  // namespace planner_ccd::leaf
