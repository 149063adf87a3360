#include "planner_ccd/query/detail/checker_parts.hpp"

#include <algorithm>
#include <limits>
#include <map>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"
#include "planner_ccd/scene/same_scene.hpp"

namespace planner_ccd {
namespace {

/// Existing cells for links, and for unchanged attached objects.
MovingPairs::KnownCells cells_of(const WorldParts* before, const Scene& scene) {
  if (before == nullptr) return {};
  const auto stays = [&](const std::string& name) {
    const auto of_name = [&](const AttachedObject& held) { return held.object.name == name; };
    const auto& held = before->scene.attached;
    const auto was = std::find_if(held.begin(), held.end(), of_name);
    if (was == held.end()) return before->robot->find_link(name) >= 0;
    const auto is = std::find_if(scene.attached.begin(), scene.attached.end(), of_name);
    return is != scene.attached.end() && same_attached(*was, *is);
  };
  struct Known {
    double margin;
    std::shared_ptr<const PairCells> cells;
  };
  std::map<std::pair<std::string, std::string>, Known> known;
  const CollisionWorld& world = before->world;
  for (const MovingPairs::Pair& pair : before->moving_pairs.pairs()) {
    const std::string& a = world.colliders()[static_cast<std::size_t>(world.collider_a(pair.pair))].name;
    const std::string& b = world.colliders()[static_cast<std::size_t>(world.collider_b(pair.pair))].name;
    if (!stays(a) || !stays(b)) continue;
    known[std::minmax(a, b)] = {world.problem().pairs[static_cast<std::size_t>(pair.pair)].margin, pair.cells};
  }
  return [known = std::move(known)](const std::string& a, const std::string& b,
                                    double margin) -> std::shared_ptr<const PairCells> {
    const auto found = known.find(std::minmax(a, b));
    return found != known.end() && found->second.margin == margin ? found->second.cells : nullptr;
  };
}

}  // namespace

WorldParts::WorldParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& given, const CheckerOptions& asked,
                       const WorldParts* before)
    : prepared((require_ieee_arithmetic(), std::move(of_robot))),
      robot(prepared->robot),
      scene(given),
      options(asked),
      world(*robot, prepared->trees, scene, prepared->matrix, Margins(options.margin, options.self_margin)),
      moving_pairs(world, prepared->cells, options.cell_evaluations, cells_of(before, scene)) {}

void CheckerParts::collect(EdgeState& edge, CandidateScratch& scratch, std::vector<Candidate>& out) const {
  broad_phase.collect(edge, scratch.boxes, out);
  moving_pairs.ask_cells(edge.motion(), scratch.moving);
  moving_pairs.collect(edge, scratch.moving, std::numeric_limits<double>::infinity(), out);
}

const CheckerParts& parts_of(const PathChecker& checker) { return snapshot_of(checker).in_full(); }

}  // namespace planner_ccd
