#include "planner_ccd/moving_pairs/robot_cells.hpp"

#include <algorithm>
#include <tuple>

namespace planner_ccd {

RobotCells::RobotCells(const CollisionWorld& world, std::int64_t evaluations) : evaluations_(evaluations) {
  for (int p = 0; p < static_cast<int>(world.problem().pairs.size()); ++p) {
    const Collider& a = world.colliders()[world.collider_a(p)];
    const Collider& b = world.colliders()[world.collider_b(p)];
    if (!a.is_link || !b.is_link) continue;
    entries_.push_back({std::min(a.name, b.name), std::max(a.name, b.name), world.problem().pairs[p].margin,
                        std::make_shared<const PairCells>(PairCells::build(world.problem(), p, evaluations))});
  }
  sort();
}

void RobotCells::sort() {
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& x, const Entry& y) { return std::tie(x.a, x.b) < std::tie(y.a, y.b); });
}

std::shared_ptr<const PairCells> RobotCells::find(const std::string& a, const std::string& b, double margin) const {
  const auto links = std::minmax(a, b);
  const auto found = std::lower_bound(entries_.begin(), entries_.end(), links, [](const Entry& e, const auto& wanted) {
    return std::tie(e.a, e.b) < std::tie(wanted.first, wanted.second);
  });
  const bool there = found != entries_.end() && found->a == links.first && found->b == links.second;
  return there && margin <= found->margin ? found->cells : nullptr;
}

std::size_t RobotCells::memory() const {
  std::size_t bytes = 0;
  for (const Entry& entry : entries_) bytes += entry.cells->memory();
  return bytes;
}

}  // namespace planner_ccd
