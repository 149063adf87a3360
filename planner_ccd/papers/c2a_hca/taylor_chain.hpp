#pragma once

#include <vector>

#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/papers/c2a_hca/taylor_transform.hpp"

namespace planner_ccd {

/// How finely Taylor models cover an edge. Errors never depend on it, only tightness and cost do.
struct TaylorChainOptions {
  int order = 3;                   ///< 1 .. TaylorModel::kMaxDegree.
  double radians_per_piece = 2.0;  ///< [rad] > 0. Sum of all joints' turns within one piece of the edge.
  int max_pieces = 32;             ///< A power of two.
};

/// The edge cut into equal pieces, a power of two of them. Models hold on their own piece only.
std::vector<TimeDomain> taylor_pieces(const EdgeMotion& motion, const TaylorChainOptions& options);

/// The value of move k over a piece.
TaylorModel move_model(const EdgeMotion& motion, int k, const TimeDomain& piece, int order);

/// X_WorldBody of every body over a piece, by body index.
void world_poses(const EdgeMotion& motion, const TimeDomain& piece, int order, std::vector<TaylorTransform>& out);

}  // namespace planner_ccd
