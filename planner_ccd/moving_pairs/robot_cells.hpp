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

/// The certified cells of a robot's pairs of links: made once, used in every scene. Immutable.
class RobotCells {
 public:
  RobotCells() = default;  ///< Without pairs.
  /// For all pairs of links of `world`, with their margins there; spends at most `evaluations` on each.
  RobotCells(const CollisionWorld& world, std::int64_t evaluations);

  /// Cells that prove the two links apart by more than `margin`; null if there are none for the pair, or not for this
  /// margin.
  std::shared_ptr<const PairCells> find(const std::string& a, const std::string& b, double margin) const;

  struct Entry {
    std::string a, b;  ///< Links, the lesser name first.
    double margin;     ///< [m]
    std::shared_ptr<const PairCells> cells;
  };
  const std::vector<Entry>& entries() const { return entries_; }  ///< By a, then b.
  std::int64_t evaluations() const { return evaluations_; }       ///< Allowed per pair.
  std::size_t memory() const;                                     ///< [bytes]

  /// Hash of what the proofs depend on: geometry of the links, joints with their limits, pairs with their margins, and
  /// the version of format and proof.
  static Sha256::Digest key(const CollisionWorld& world);
  /// Serialised, with the key of `world`, for which the cells must have been made, and a checksum.
  std::string format(const CollisionWorld& world) const;
  /// Restores the result of format() for a world with the same key. Throws InputError, naming `name`, for any other
  /// bytes. The proofs are not verified again: whoever can write the bytes and their checksum is trusted.
  static RobotCells parse(std::string_view bytes, const CollisionWorld& world, const std::string& name);

 private:
  std::vector<Entry> entries_;
  std::int64_t evaluations_ = 0;

  void sort();
};

}  // namespace planner_ccd
