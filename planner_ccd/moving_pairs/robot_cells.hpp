#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "planner_ccd/moving_pairs/pair_cells.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// The certified cells of a robot's pairs of links: made once, asked in every scene. Immutable.
class RobotCells {
 public:
  RobotCells() = default;  ///< Of no pair.
  /// Of all pairs of links of `world`, for their margins there; `evaluations` may be spent on each.
  RobotCells(const CollisionWorld& world, std::int64_t evaluations);

  /// Cells that prove the two links apart by more than `margin`; null: none were made for the pair, or for so great a margin.
  std::shared_ptr<const PairCells> find(const std::string& a, const std::string& b, double margin) const;
  std::size_t memory() const;  ///< [bytes]

 private:
  struct Entry {
    double margin;  ///< [m]
    std::shared_ptr<const PairCells> cells;
  };
  std::map<std::pair<std::string, std::string>, Entry> of_links_;  ///< The lesser name first.
};

}  // namespace planner_ccd
