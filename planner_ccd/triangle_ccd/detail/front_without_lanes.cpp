// Replaces front_lanes.cpp, isolate_lanes.cpp and pair_lanes.cpp where Highway is not installed.
#include "planner_ccd/triangle_ccd/detail/front.hpp"
#include "planner_ccd/triangle_ccd/detail/isolate_lanes.hpp"
#include "planner_ccd/triangle_ccd/detail/pair_two_by_two.hpp"

namespace planner_ccd::leaf {
std::size_t front_lanes(std::span<const VertexFaceMotion> queries, double separation, double t_max,
                        std::span<FrontAnswer, kFrontBlock> answers) {
  return front_one_by_one(queries, separation, t_max, answers);
}

std::size_t front_lanes(std::span<const EdgeEdgeMotion> queries, double separation, double t_max,
                        std::span<FrontAnswer, kFrontBlock> answers) {
  return front_one_by_one(queries, separation, t_max, answers);
}

void isolate_lanes(std::span<const VertexFaceMotion>, std::span<const FrontAnswer> front, const LeafOptions&,
                   std::span<IsolateAnswer, kFrontBlock> answers) {
  none_is_plain(front, answers);
}

void isolate_lanes(std::span<const EdgeEdgeMotion>, std::span<const FrontAnswer> front, const LeafOptions&,
                   std::span<IsolateAnswer, kFrontBlock> answers) {
  none_is_plain(front, answers);
}

double proved_share(const TrianglePairMotion& pair, std::span<const Vector3x2> directions, double separation) {
  return proved_share_two_by_two(pair, directions, separation);
}

std::vector<std::string> instruction_sets() { return {"none"}; }
void use_instruction_set(const std::string&) {}

}  // namespace planner_ccd::leaf
