#pragma once

#include "bench/scenarios/scenario.hpp"

namespace planner_ccd::bench {

/// arm_clutter with every mesh triangle divided into four, `times` times over: the same surfaces.
World finer_arm_clutter(int times);

/// Our 7R arm among boxes floating within its reach. How crowding scales:
enum class Crowding {
  Share,    ///< The boxes fill a fixed share of a fixed room: more boxes are smaller.
  Density,  ///< Boxes of fixed size at a fixed density: the room grows.
};
World arm_among_boxes(int boxes, Crowding crowding);

/// A chain of `joints` revolute joints, 1.4 m long, every other axis across, among 30 boxes.
World chain_among_boxes(int joints);

}  // namespace planner_ccd::bench
