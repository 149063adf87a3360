#include "planner_ccd/scene/swept_box.hpp"

#include <limits>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

Eigen::AlignedBox3d swept_box(const Ssv& volume, const PairState& state, const PairMotion& motion, double half_width,
                              double pad) {
  Eigen::AlignedBox3d box;
  const Eigen::Vector3d origin = state.R_BA * volume.origin + state.p_BA;
  const Eigen::Vector3d edge0 = state.R_BA * volume.edge0;
  const Eigen::Vector3d edge1 = state.R_BA * volume.edge1;
  const double third = half_width / 3.0 * motion.jerk_bound();
  for (int j = 0; j < volume.corner_count(); ++j) {
    Eigen::Vector3d c = origin;
    if (j & 1) c += edge0;
    if (j & 2) c += edge1;
    const Eigen::Vector3d velocity = state.velocity(c);
    const Eigen::Array3d bend = (state.v_dot + state.w_dot.cross(c) + state.w.cross(velocity)).array().abs() + third;
    const Eigen::Vector3d travel =
        half_width * kRoundUp * (velocity.array().abs() + 0.5 * half_width * bend.min(motion.acceleration_bound()));
    box.extend(Eigen::Vector3d(c - travel));
    box.extend(Eigen::Vector3d(c + travel));
  }
  // A pad that is not a number excludes nothing.
  const double around = pad >= 0.0 ? volume.radius + pad : std::numeric_limits<double>::infinity();
  box.min().array() -= around;
  box.max().array() += around;
  return box;
}

}  // namespace planner_ccd
