#pragma once

#include <cstddef>
#include <memory>
#include <mutex>

#include "planner_ccd/first_look/body_volumes.hpp"
#include "planner_ccd/first_look/look_tables.hpp"
#include "planner_ccd/hierarchy/deferred_tree.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// For bodies made of grains, of which there are too many for a volume each. All in the frame of the tree.

/// The box of the centres, widened by the common radius.
BodyVolumes box_of_grains(const SsvTree& tree);

/// Clearances within that box. Grains may enter a cube unnoticed by less than 8 u times the box's distance and size, u = 2^-24, which
/// Volume::grain covers together with the rounding of square_clearance().
/// `bodies`: how many such bodies share the memory.
look::Field field_of_grains(const SsvTree& tree, std::ptrdiff_t bodies = 1);

/// Both of an obstacle that came after the look was made (FirstLook::meet), made on first use.
class GrainObstacle {
 public:
  explicit GrainObstacle(std::shared_ptr<DeferredTree> tree) : tree_(std::move(tree)) {}

  struct Parts {
    look::Volume box;
    look::Field field;
  };
  const Parts& get() const;  ///< Thread-safe.

 private:
  std::shared_ptr<DeferredTree> tree_;
  mutable std::once_flag once_;
  mutable Parts parts_;
};

}  // namespace planner_ccd
