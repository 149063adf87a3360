#include "planner_ccd/scene/box_index.hpp"

#include "planner_ccd/papers/sap_gjk_lecture/sweep_and_prune.hpp"
#include "planner_ccd/scene/box_tree.hpp"

namespace planner_ccd {

std::unique_ptr<BoxIndex> make_box_index(BoxIndexKind kind, std::vector<Eigen::AlignedBox3d> boxes) {
  if (kind == BoxIndexKind::SweepAndPrune) return std::make_unique<SweepAndPrune>(std::move(boxes));
  return std::make_unique<BoxTree>(std::move(boxes));
}

}  // namespace planner_ccd
