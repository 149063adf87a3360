#pragma once

#include <Eigen/Geometry>
#include <set>
#include <string>
#include <vector>

#include "planner_ccd/scene/scene.hpp"

namespace planner_ccd {

/// What happened to a scene, as far as it can matter to an edge that was checked before.
struct SceneChange {
  /// A new or moved object.
  struct Arrival {
    std::string name;
    Eigen::AlignedBox3d box;  ///< World; grown by the greatest margin any pair of it may have.
    double moved;             ///< [m] No point of it has moved farther; infinite for a new object.
  };

  bool everything = false;        ///< Rules or attached objects have changed: nothing known before holds.
  std::vector<Arrival> arrivals;  ///< New and moved objects.
  std::set<std::string>
      departed;  ///< Objects that are gone, moved or replaced: earlier contacts with them no longer hold.
};

/// `margin` is that of pairs the scenes do not name.
///
/// How far an object moved: a point p of it goes to X_after X_before^-1 p, so the distance it moves is the length of an affine
/// function of p, which is convex: within a box it is greatest at a corner.
SceneChange compare(const Scene& before, const Scene& after, double margin);

}  // namespace planner_ccd
