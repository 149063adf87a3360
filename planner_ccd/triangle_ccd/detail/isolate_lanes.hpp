#pragma once

#include "planner_ccd/triangle_ccd/detail/front_lanes.hpp"
#include "planner_ccd/triangle_ccd/detail/patch.hpp"

namespace planner_ccd::leaf {

/// What a kernel that stands on the coplanarity cubic does behind the front, for many queries at once and for the plain case: in the first
/// part of the time between extrema of the cubic that is not clear by (5) of coplanarity.hpp, the cubic crosses zero from
/// beyond its band to beyond its band, the root is found in a few steps, and one look there shows a contact, or proves that part while the others are clear. Operation by operation that of inclusion.cpp,
/// coplanarity.cpp and advance.cpp, as in front_lanes.hpp; whatever is not plain is left to them.
struct IsolateAnswer {
  Verdict verdict;  ///< Undecided: not plain.

  // Of a contact: [0, proved) is apart; when it is; the PatchPoint.
  double proved, time;
  double x, y, z, distance;
  int border;
  double alpha, beta;
};

/// For the inclusion kernel, which looks at every root: one answer for each of the front's answers that are not apart, in
/// their order. `max_iterations` > 1.
void isolate_lanes(std::span<const VertexFaceMotion> queries, std::span<const FrontAnswer> front,
                   const LeafOptions& options, std::span<IsolateAnswer, kFrontBlock> answers);
void isolate_lanes(std::span<const EdgeEdgeMotion> queries, std::span<const FrontAnswer> front,
                   const LeafOptions& options, std::span<IsolateAnswer, kFrontBlock> answers);

/// What isolate_lanes() says where there are no lanes.
inline void none_is_plain(std::span<const FrontAnswer> front, std::span<IsolateAnswer, kFrontBlock> answers) {
  std::size_t count = 0;
  for (const FrontAnswer& f : front) {
    answers[count].verdict = Verdict::Undecided;
    count += !f.apart;
  }
}

}  // namespace planner_ccd::leaf
