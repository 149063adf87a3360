#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "planner_ccd/math/sha256.hpp"
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

  struct Entry {
    std::string a, b;  ///< Links, the lesser name first.
    double margin;     ///< [m]
    std::shared_ptr<const PairCells> cells;
  };
  const std::vector<Entry>& entries() const { return entries_; }  ///< By a, then b.
  std::int64_t evaluations() const { return evaluations_; }       ///< That could be spent on each pair.
  std::size_t memory() const;                                     ///< [bytes]

  /// What the proofs are about, and nothing else: geometry of the links, joints with their limits, pairs with their margins, and
  /// the version of format and proof.
  static Sha256::Digest key(const CollisionWorld& world);
  /// As bytes, with the key of `world`, of which these are, and a checksum.
  std::string format(const CollisionWorld& world) const;
  /// Back from bytes. Throws InputError, naming `name`, for anything but what format() wrote of a world with the same key. The
  /// proofs themselves are not gone through again: who can write the bytes, and their checksum, is believed.
  static RobotCells parse(std::string_view bytes, const CollisionWorld& world, const std::string& name);

 private:
  std::vector<Entry> entries_;
  std::int64_t evaluations_ = 0;

  void sort();
};

}  // namespace planner_ccd
