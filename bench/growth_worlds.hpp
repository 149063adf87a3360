#pragma once

#include "bench/scenarios/scenario.hpp"

namespace planner_ccd::bench {

/// arm_clutter with every mesh triangle cut into four, `times` times over: the same surfaces.
World finer_arm_clutter(int times);

/// Our 7R arm among boxes that float where it can reach. "The same crowding" can mean two things:
enum class Crowding {
  Share,    ///< The boxes fill the same share of the same room: more of them are smaller.
  Density,  ///< As many boxes of the same size in a cubic metre: the room grows.
};
World arm_among_boxes(int boxes, Crowding crowding);

/// A chain of `joints` revolute joints, 1.4 m long, every other axis across, among 30 boxes.
World chain_among_boxes(int joints);

}  // namespace planner_ccd::bench
