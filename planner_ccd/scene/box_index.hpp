#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace planner_ccd {

/// Where one moving box was when an index was last asked for it: what lets SweepAndPrune go on from there. Scratch memory of
/// one thread; an index's answers do not depend on it.
struct BoxTrace {
  std::uint64_t index = 0;            ///< Its owner; 0: none yet.
  std::array<int, 3> lowers{};        ///< By axis: how many resting boxes begin at or below the moving box's end.
  std::array<int, 3> uppers{};        ///< By axis: how many end below the moving box's beginning.
  std::vector<std::uint8_t> missing;  ///< By box: conditions of six that are not met.
  std::vector<int> met;               ///< Boxes that miss none, in no order.
  std::vector<int> place;             ///< By box: its place in `met`.
};

/// The resting boxes of a scene, asked by boxes that move. Immutable.
class BoxIndex {
 public:
  virtual ~BoxIndex() = default;

  int count() const { return static_cast<int>(boxes_.size()); }
  const Eigen::AlignedBox3d& box(int i) const { return boxes_[i]; }

  /// Appends the indices of all boxes that share a point with `query`, in ascending order. `trace` is the moving box's own;
  /// a fresh one will do.
  virtual void meet(const Eigen::AlignedBox3d& query, BoxTrace& trace, std::vector<int>& out) const = 0;

 protected:
  explicit BoxIndex(std::vector<Eigen::AlignedBox3d> boxes) : boxes_(std::move(boxes)) {}

  std::vector<Eigen::AlignedBox3d> boxes_;
};

/// Another index than the library's own (BoxTree). Immutable.
class BoxIndexFactory {
 public:
  virtual ~BoxIndexFactory() = default;
  virtual std::string_view name() const = 0;
  virtual std::unique_ptr<BoxIndex> make(std::vector<Eigen::AlignedBox3d> boxes) const = 0;
};

}  // namespace planner_ccd
