#include "planner_ccd/papers/space_time_ccd/space_time.hpp"

#include "planner_ccd/papers/space_time_ccd/space_time_cells.hpp"

namespace planner_ccd {
namespace {

SpaceTimeResult intersect(const space_time::Primitive& primitive) {
  SpaceTimeResult result;
  space_time::Corners start;
  space_time::Corners end;
  for (int k = 0; k < 4; ++k) {
    start[k] = primitive.corners[k].start;
    end[k] = primitive.corners[k].end;
    if (!space_time::products_are_exact(start[k]) || !space_time::products_are_exact(end[k])) {
      result.verdict = Verdict::Undecided;
      return result;
    }
  }
  const space_time::Cells cells = space_time::cells_between(start, end, primitive.count_a);
  for (int k = 0; k < cells.count; ++k) {
    const space_time::Containment found = space_time::contains_origin(cells.simplices[k]);
    result.exact_determinants += found.exact_determinants;
    if (!found.inside) continue;
    if (result.verdict != Verdict::Contact || found.time < result.time) result.time = found.time;
    result.degenerate = result.degenerate || found.degenerate;
    result.verdict = Verdict::Contact;
  }
  return result;
}

}  // namespace

SpaceTimeResult space_time_vertex_face(const VertexFaceMotion& motion) {
  return intersect(space_time::ordered(motion));
}

SpaceTimeResult space_time_edge_edge(const EdgeEdgeMotion& motion) { return intersect(space_time::ordered(motion)); }

}  // namespace planner_ccd
