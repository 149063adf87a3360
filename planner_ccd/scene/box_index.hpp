#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace planner_ccd {

/// State of one moving box since an index was last asked about it, from which SweepAndPrune continues. Scratch memory
/// of one thread; an index's answers do not depend on it.
struct BoxTrace {
  std::uint64_t index = 0;            ///< Its owner; 0: none yet.
  std::array<int, 3> lowers{};        ///< By axis: number of resting boxes that begin at or below the moving box's end.
  std::array<int, 3> uppers{};        ///< By axis: number of those that end below the moving box's beginning.
  std::vector<std::uint8_t> missing;  ///< By box: how many of the six conditions fail.
  std::vector<int> met;               ///< Boxes for which none fails, unordered.
  std::vector<int> place;             ///< By box: its index in `met`.
};

/// The resting boxes of a scene, queried with moving boxes. Immutable.
class BoxIndex {
 public:
  virtual ~BoxIndex() = default;

  int count() const { return static_cast<int>(boxes_.size()); }
  const Eigen::AlignedBox3d& box(int i) const { return boxes_[i]; }

  /// Appends the indices of all boxes that share a point with `query`, in ascending order. `trace` belongs to the
  /// moving box; a new one is valid too.
  virtual void meet(const Eigen::AlignedBox3d& query, BoxTrace& trace, std::vector<int>& out) const = 0;

 protected:
  explicit BoxIndex(std::vector<Eigen::AlignedBox3d> boxes) : boxes_(std::move(boxes)) {}

  std::vector<Eigen::AlignedBox3d> boxes_;
};

/// Makes an index to use instead of the default BoxTree. Immutable.
class BoxIndexFactory {
 public:
  virtual ~BoxIndexFactory() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<BoxIndex> make(std::vector<Eigen::AlignedBox3d> boxes) const = 0;
};

}  // namespace planner_ccd
