#include "planner_ccd/moving_pairs/robot_cells.hpp"

#include <algorithm>

namespace planner_ccd {

RobotCells::RobotCells(const CollisionWorld& world, std::int64_t evaluations) {
  for (int p = 0; p < static_cast<int>(world.problem().pairs.size()); ++p) {
    const Collider& a = world.colliders()[world.collider_a(p)];
    const Collider& b = world.colliders()[world.collider_b(p)];
    if (!a.is_link || !b.is_link) continue;
    of_links_[std::minmax(a.name, b.name)] = {
        world.problem().pairs[p].margin,
        std::make_shared<const PairCells>(PairCells::build(world.problem(), p, evaluations))};
  }
}

std::shared_ptr<const PairCells> RobotCells::find(const std::string& a, const std::string& b, double margin) const {
  const auto found = of_links_.find(std::minmax(a, b));
  return found != of_links_.end() && margin <= found->second.margin ? found->second.cells : nullptr;
}

std::size_t RobotCells::memory() const {
  std::size_t bytes = 0;
  for (const auto& [links, entry] : of_links_) bytes += entry.cells->memory();
  return bytes;
}

}  // namespace planner_ccd
