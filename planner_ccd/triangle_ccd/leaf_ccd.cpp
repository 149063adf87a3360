#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

#include "planner_ccd/papers/fastccd/cubic.hpp"
#include "planner_ccd/papers/space_time_ccd/space_time.hpp"
#include "planner_ccd/papers/van_waveren/plucker_leaf.hpp"
#include "planner_ccd/triangle_ccd/inclusion.hpp"

namespace planner_ccd {

LeafResult vertex_face_ccd(LeafKernel kernel, const VertexFaceMotion& motion, const LeafOptions& options) {
  switch (kernel) {
    case LeafKernel::Cubic: return cubic_vertex_face_ccd(motion, options);
    case LeafKernel::SpaceTime: return space_time_vertex_face_ccd(motion, options);
    case LeafKernel::Plucker: return plucker_vertex_face_ccd(motion, options);
    case LeafKernel::Inclusion: break;
  }
  return inclusion_vertex_face_ccd(motion, options);
}

LeafResult edge_edge_ccd(LeafKernel kernel, const EdgeEdgeMotion& motion, const LeafOptions& options) {
  switch (kernel) {
    case LeafKernel::Cubic: return cubic_edge_edge_ccd(motion, options);
    case LeafKernel::SpaceTime: return space_time_edge_edge_ccd(motion, options);
    case LeafKernel::Plucker: return plucker_edge_edge_ccd(motion, options);
    case LeafKernel::Inclusion: break;
  }
  return inclusion_edge_edge_ccd(motion, options);
}

}  // namespace planner_ccd
