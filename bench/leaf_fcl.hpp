#pragma once

#include <fcl/narrowphase/detail/traversal/collision/intersect.h>

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::bench {

/// FCL's continuous tests, solved by Newton's iteration on intervals.
inline bool fcl_newton(const VertexFaceMotion& m) {
  double time;
  Eigen::Vector3d point;
  const auto& f = m.face;
  return fcl::detail::Intersect<double>::intersect_VF(f[0].start, f[1].start, f[2].start, m.vertex.start, f[0].end,
                                                      f[1].end, f[2].end, m.vertex.end, &time, &point);
}

inline bool fcl_newton(const EdgeEdgeMotion& m) {
  double time;
  Eigen::Vector3d point;
  return fcl::detail::Intersect<double>::intersect_EE(m.a[0].start, m.a[1].start, m.b[0].start, m.b[1].start,
                                                      m.a[0].end, m.a[1].end, m.b[0].end, m.b[1].end, &time, &point);
}

}  // namespace planner_ccd::bench
