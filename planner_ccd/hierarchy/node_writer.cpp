#include "planner_ccd/hierarchy/node_writer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

/// Single precision, to nearest. Separate functions: otherwise GCC 12 at -O3 (SLP vectoriser) passes the unrounded
/// double to readers of the stored float, and the radius would be computed for another generator than the stored one
/// (ssv_tree_test then finds vertices outside their volumes).
[[gnu::noinline]] float to_float(double x) { return static_cast<float>(x); }
[[gnu::noinline]] void store(const Vector3d& v, float (&out)[3]) {
  for (int k = 0; k < 3; ++k) out[k] = static_cast<float>(v[k]);
}

/// Single precision, towards +infinity.
float round_up(double x) {
  const float f = to_float(x);
  return static_cast<double>(f) < x ? std::nextafterf(f, std::numeric_limits<float>::infinity()) : f;
}

}  // namespace

void NodeWriter::write(SsvTree& tree, int node, const Ssv& volume, const BallSet& balls, double more) {
  SsvTree::Node& n = tree.nodes_[node];
  store(volume.origin - tree.center_, n.origin);
  store(volume.edge0, n.edge0);
  store(volume.edge1, n.edge1);
  const double square0 = volume.edge0.squaredNorm(), square1 = volume.edge1.squaredNorm();
  const double extent = std::sqrt(std::max(square0, square1)) + 2.0 * (volume.radius + more);
  n.info = (std::bit_cast<std::uint32_t>(static_cast<float>(extent)) & 0xFFFF0000u) |
           static_cast<std::uint32_t>(volume.type) | (n.info & SsvTree::kCountMask);
  const double covering = covering_radius(tree.volume(node), balls);
  n.radius = round_up(more > 0.0 ? add_up(covering, more) : covering);
  // A sum of four is at most twice the root of the sum of squares, so most nodes cannot reach farther.
  const double square = (volume.origin - tree.center_).squaredNorm(), radius = n.radius;
  const double known = tree.volume_reach_;
  if (4.001 * (square + square0 + square1 + radius * radius) <= known * known) return;
  const double reach = std::sqrt(square) + std::sqrt(square0) + std::sqrt(square1) + radius;
  tree.volume_reach_ = std::max(known, 1.0001 * reach);
}

}  // namespace planner_ccd
