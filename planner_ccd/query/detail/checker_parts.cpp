#include "planner_ccd/query/detail/checker_parts.hpp"

#include <limits>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"

namespace planner_ccd {

CheckerParts::CheckerParts(std::shared_ptr<const PreparedParts> of_robot, const Scene& scene,
                           const CheckerOptions& options)
    : prepared((require_ieee_arithmetic(), std::move(of_robot))),
      robot(prepared->robot),
      world(*robot, prepared->trees, scene, prepared->matrix, Margins(options.margin, options.self_margin)),
      moving_pairs(world, prepared->cells, options.cell_evaluations),
      broad_phase(world, moving_pairs.resting(), options.broad_phase.get()),
      first_look(world, prepared->covers, &moving_pairs) {}

void CheckerParts::collect(EdgeState& edge, CandidateScratch& scratch, std::vector<Candidate>& out) const {
  broad_phase.collect(edge, scratch.boxes, out);
  moving_pairs.ask_cells(edge.motion(), scratch.moving);
  moving_pairs.collect(edge, scratch.moving, std::numeric_limits<double>::infinity(), out);
}

const CheckerParts& parts_of(const PathChecker& checker) {
  if (checker.parts_ == nullptr) throw InputError("this PathChecker was moved from");
  return *checker.parts_;
}

}  // namespace planner_ccd
