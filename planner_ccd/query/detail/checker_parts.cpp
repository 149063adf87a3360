#include "planner_ccd/query/detail/checker_parts.hpp"

#include <algorithm>
#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/query/detail/checker_snapshot.hpp"

namespace planner_ccd {

CheckerParts::CheckerParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& given,
                           const CheckerOptions& asked)
    : prepared((require_ieee_arithmetic(), std::move(of_robot))),
      robot(prepared->robot),
      scene(given),
      options(asked),
      world(*robot, prepared->trees, scene, prepared->matrix, Margins(options.margin, options.self_margin)),
      moving_pairs(world, prepared->cells, options.cell_evaluations),
      broad_phase(world, moving_pairs.resting(), options.broad_phase.get()),
      first_look(world, prepared->covers, &moving_pairs) {
  for (int r = 0; r < static_cast<int>(world.problem().pairs.rows().size()); ++r) {
    const RestingRow& row = world.problem().pairs.rows()[static_cast<std::size_t>(r)];
    const std::string& mover = world.colliders()[static_cast<std::size_t>(world.mover_of_row(r))].name;
    const bool allowed = std::any_of(scene.allow.begin(), scene.allow.end(), [&](const AllowedPair& p) {
      return (p.a == "*" && (p.b == "*" || p.b == mover)) || (p.b == "*" && p.a == mover);
    });
    double margin = row.margin;
    for (const auto& [resting, of_it] : row.margins) margin = std::max(margin, of_it);
    rows.push_back({margin, !allowed});
  }
  const auto is_link = [&](int i) { return world.colliders()[static_cast<std::size_t>(i)].is_link; };
  first_object = static_cast<int>(std::count_if(world.resting().begin(), world.resting().end(), is_link));
}

void CheckerParts::collect(EdgeState& edge, CandidateScratch& scratch, std::vector<Candidate>& out) const {
  broad_phase.collect(edge, scratch.boxes, out);
  moving_pairs.ask_cells(edge.motion(), scratch.moving);
  moving_pairs.collect(edge, scratch.moving, std::numeric_limits<double>::infinity(), out);
}

const CheckerParts& parts_of(const PathChecker& checker) { return *snapshot_of(checker).in_full()->base(); }

}  // namespace planner_ccd
