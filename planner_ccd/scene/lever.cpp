#include "planner_ccd/scene/lever.hpp"

#include <algorithm>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

double lever_of(const SsvTree& tree) {
  double lever = tree.reach();
  for (int node = 0; node < tree.node_count(); ++node) {
    const Ssv volume = tree.volume(node);
    for (int i = 0; i < volume.corner_count(); ++i) lever = std::max(lever, volume.corner(i).norm() * kRoundUp);
  }
  return lever;
}

}  // namespace planner_ccd
