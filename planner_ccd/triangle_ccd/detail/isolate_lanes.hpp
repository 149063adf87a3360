#pragma once

#include "planner_ccd/triangle_ccd/detail/front_lanes.hpp"
#include "planner_ccd/triangle_ccd/detail/patch.hpp"

namespace planner_ccd::leaf {

/// What a kernel based on the coplanarity cubic does behind the front, for many queries at once, in the plain case: in
/// the first part of the time between extrema of the cubic that is not clear by (10), the cubic
/// crosses from beyond its band on one side to beyond it on the other, the root is found in a few steps, and one
/// evaluation there shows a contact, or proves that part while the others are clear. Operation by operation as in
/// inclusion.cpp, coplanarity.cpp and advance.cpp (see front_lanes.hpp), which handle all other cases.
struct IsolateAnswer {
  Verdict verdict;  ///< Undecided: not plain.

  // For a contact: [0, proved) is apart; its time; the PatchPoint.
  double proved, time;
  double x, y, z, distance;
  int border;
  double alpha, beta;
};

/// For the inclusion kernel, which examines every root: one answer for each of the front's answers that are not apart,
/// in their order. `max_iterations` > 1.
void isolate_lanes(std::span<const VertexFaceMotion> queries, std::span<const FrontAnswer> front,
                   const LeafOptions& options, std::span<IsolateAnswer, kFrontBlock> answers);
void isolate_lanes(std::span<const EdgeEdgeMotion> queries, std::span<const FrontAnswer> front,
                   const LeafOptions& options, std::span<IsolateAnswer, kFrontBlock> answers);

/// The answers of isolate_lanes() in a build without lanes.
inline void none_is_plain(std::span<const FrontAnswer> front, std::span<IsolateAnswer, kFrontBlock> answers) {
  std::size_t count = 0;
  for (const FrontAnswer& f : front) {
    answers[count].verdict = Verdict::Undecided;
    count += !f.apart;
  }
}

}  // namespace planner_ccd::leaf
