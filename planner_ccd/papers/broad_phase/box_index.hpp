#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <string_view>
#include <vector>

namespace planner_ccd {

/// The resting boxes of a scene, queried with moving boxes. Immutable.
class BoxIndex {
 public:
  /// What an index keeps of a moving box from one query to the next. Answers do not depend on it.
  struct Trace {
    virtual ~Trace() = default;
  };

  virtual ~BoxIndex() = default;

  int count() const { return static_cast<int>(boxes_.size()); }
  const Eigen::AlignedBox3d& box(int i) const { return boxes_[i]; }

  /// Appends the indices of all boxes that share a point with `query`, in ascending order. `trace` belongs to the
  /// moving box and to one thread; null, or of another index, is valid too.
  virtual void meet(const Eigen::AlignedBox3d& query, std::unique_ptr<Trace>& trace, std::vector<int>& out) const = 0;

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
