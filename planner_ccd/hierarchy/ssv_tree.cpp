#include "planner_ccd/hierarchy/ssv_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "planner_ccd/geometry/ssv_fit.hpp"
#include "planner_ccd/hierarchy/grain_tree_builder.hpp"
#include "planner_ccd/hierarchy/ssv_tree_builder.hpp"
#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/float_environment.hpp"
#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {
namespace {

/// Single precision, to nearest. Separate functions: otherwise GCC 12 at -O3 (SLP vectoriser) passes the unrounded
/// double to readers of the stored float, and the radius would be computed for another generator than the stored one
/// (ssv_tree_test then finds vertices outside their volumes).
[[gnu::noinline]] float to_float(double x) { return static_cast<float>(x); }
[[gnu::noinline]] void round(const Eigen::Vector3d& v, float (&out)[3]) {
  for (int k = 0; k < 3; ++k) out[k] = static_cast<float>(v[k]);
}

/// Single precision, towards +infinity.
float round_up(double x) {
  const float f = to_float(x);
  return static_cast<double>(f) < x ? std::nextafterf(f, std::numeric_limits<float>::infinity()) : f;
}

}  // namespace

SsvTree SsvTree::build(const std::vector<Geometry>& geometry, const std::string& name) {
  require_ieee_arithmetic();
  PrimitiveSoup soup = make_soup(geometry, name);
  SsvTree tree = soup.grains ? GrainTreeBuilder(std::move(soup)).build() : SsvTreeBuilder(std::move(soup)).build();
  tree.name_ = name;
  return tree;
}

void SsvTree::store(int node, const Ssv& v, const BallSet& balls, double more) {
  Node& n = nodes_[node];
  round(v.origin - center_, n.origin);
  round(v.edge0, n.edge0);
  round(v.edge1, n.edge1);
  const double square0 = v.edge0.squaredNorm(), square1 = v.edge1.squaredNorm();
  const double extent = std::sqrt(std::max(square0, square1)) + 2.0 * (v.radius + more);
  n.info = (std::bit_cast<std::uint32_t>(static_cast<float>(extent)) & 0xFFFF0000u) |
           static_cast<std::uint32_t>(v.type) | (n.info & kCountMask);
  const double covering = covering_radius(volume(node), balls);
  n.radius = round_up(more > 0.0 ? add_up(covering, more) : covering);
  // A sum of four is at most twice the root of the sum of squares, so most nodes cannot reach farther.
  const double square = (v.origin - center_).squaredNorm(), radius = n.radius;
  const double known = volume_reach_;
  if (4.001 * (square + square0 + square1 + radius * radius) <= known * known) return;
  const double reach = std::sqrt(square) + std::sqrt(square0) + std::sqrt(square1) + radius;
  volume_reach_ = std::max(known, 1.0001 * reach);
}

Primitive SsvTree::primitive(int i) const {
  if (soup_.grains) return soup_.grains[i];
  const PrimitiveRecord& record = soup_.primitives[i];
  const int geometry = soup_.source_index(record);
  const PrimitiveSource& source = soup_.sources[geometry];
  return {source.kind, triangle(i), source.radius, geometry,
          source.has_triangles ? record.number() - source.begin : -1};
}

double SsvTree::lever() const {
  double lever = reach();
  for (int node = 0; node < node_count(); ++node) {
    const Ssv v = volume(node);
    for (int i = 0; i < v.corner_count(); ++i) lever = std::max(lever, v.corner(i).norm() * kRoundUp);
  }
  return lever;
}

int SsvTree::open_parts() const {
  int parts = 0;
  for (const PrimitiveSource& s : soup_.sources) parts += s.open_parts;
  return parts;
}

std::size_t SsvTree::memory() const {
  return sizeof(*this) + nodes_.size() * sizeof(Node) + soup_.primitives.size() * sizeof(PrimitiveRecord) +
         soup_.vertices.size() * sizeof(Eigen::Vector3d) + soup_.sources.size() * sizeof(PrimitiveSource) +
         soup_.components.size() * sizeof(SurfaceComponent) + soup_.shells.size() * sizeof(SoupShell) +
         soup_.shell_of.size() * sizeof(std::int32_t);
}

}  // namespace planner_ccd
