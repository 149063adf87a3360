// Replaces forward_lanes.cpp where Highway is not installed.
#include "planner_ccd/robot/kinematics_lanes.hpp"

namespace planner_ccd {

void forward_kinematics(const MoveChain& chain, MoveLanes& moves, KinematicsLanes& out) {
  const std::size_t count = chain.moves.size();
  std::vector<double> value(count), rate(count), acceleration(count);
  Kinematics one;
  one.resize(chain);
  for (int lane = 0; lane < kKinematicsLanes; ++lane) {
    for (std::size_t k = 0; k < count; ++k) {
      value[k] = moves.value[k * kKinematicsLanes + lane];
      rate[k] = moves.rate[k * kKinematicsLanes + lane];
      acceleration[k] = moves.acceleration[k * kKinematicsLanes + lane];
    }
    forward_kinematics(chain, value, rate, acceleration, one);
    out.set(lane, one);
  }
}

}  // namespace planner_ccd
