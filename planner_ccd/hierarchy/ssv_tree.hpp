#pragma once

#include <Eigen/Geometry>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/geometry/ssv.hpp"
#include "planner_ccd/geometry/triangle_distance.hpp"
#include "planner_ccd/hierarchy/primitive.hpp"
#include "planner_ccd/hierarchy/primitive_soup.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

class BallSet;

/// A binary tree of swept-sphere volumes over the primitives of one body, in the body's frame. Immutable; flat arrays;
/// children are neighbours. No path from the root is longer than kMaxDepth.
class SsvTree {
 public:
  static constexpr int kMaxDepth = 80;

  /// Over all primitives of the geometries, each placed by Geometry::pose: the placed, rounded coordinates are the
  /// model. Throws InputError naming `name` for input that validate() rejects and for an empty list.
  static SsvTree build(const std::vector<Geometry>& geometry, const std::string& name);

  const std::string& name() const { return name_; }  ///< As given to build(); used in messages.

  int node_count() const { return static_cast<int>(nodes_.size()); }  ///< Node 0 is the root.
  bool is_leaf(int node) const { return (nodes_[node].info & kCountMask) != 0; }
  int left(int node) const { return nodes_[node].link; }
  int right(int node) const { return nodes_[node].link + 1; }
  int first_primitive(int leaf) const { return nodes_[leaf].link; }
  int primitive_count(int leaf) const { return (nodes_[leaf].info & kCountMask) >> kCountShift; }

  /// Contains every primitive below the node.
  Ssv volume(int node) const;
  /// [m] Longest extent of the node's volume, to 1 %: the larger of two nodes is the one to descend.
  double size(int node) const { return std::bit_cast<float>(nodes_[node].info & 0xFFFF0000u); }

  int primitive_count() const { return soup_.count(); }
  Primitive primitive(int i) const;
  /// The corners alone, for bodies known to be made of triangles.
  Triangle triangle(int i) const;

  Eigen::Vector3d bounding_center() const { return center_; }
  double bounding_radius() const { return bounding_radius_; }
  double center_distance() const { return center_distance_; }  ///< [m] |bounding_center()|
  /// [m] No point of the body is farther from the origin.
  double reach() const { return center_distance_ + bounding_radius_; }
  /// [m] No point of the body is farther from the origin, and no corner of a volume, which may be: bounds of accelerations
  /// are needed for these (certified_span, swept_box).
  double lever() const;
  Eigen::AlignedBox3d bounds() const { return bounds_; }
  /// [m] Bounds the distance from bounding_center() of every point of any generator, and the sum |origin| + |edges| +
  /// radius.
  double volume_reach() const { return volume_reach_; }
  /// A node as stored, twelve words: origin relative to bounding_center(), edge0, edge1, radius, link, info.
  const float* packed(int node) const { return nodes_[node].origin; }
  std::size_t memory() const;  ///< [bytes]

  /// True if the whole body has an inside, so that anything in it is found: every part of every mesh encloses something
  /// (geometry/mesh_shells.hpp). Rounded and convex shapes always do.
  bool has_inside() const { return open_parts() == 0; }
  int open_parts() const;  ///< Parts of meshes without an inside. Only their surface is an obstacle.
  /// Everything below as stored, in the order of the leaves: for the queries of this folder.
  const PrimitiveSoup& soup() const { return soup_; }

 private:
  friend class SsvTreeBuilder;
  friend class GrainTreeBuilder;

  static constexpr std::uint32_t kTypeMask = 3u, kCountShift = 2u, kCountMask = 0xFFFCu;

  /// A generator in single precision relative to center_, 48 bytes. The radius was computed for the generator as
  /// decoded.
  struct alignas(16) Node {
    float origin[3], edge0[3], edge1[3], radius;
    std::int32_t link;   ///< Left child, or first primitive of a leaf.
    std::uint32_t info;  ///< Bits 0-1 type, 2-15 number of primitives (0: inner node), 16-31 size, a shortened float.
  };

  std::string name_;
  std::vector<Node> nodes_;
  PrimitiveSoup soup_;  ///< Primitives and vertices in the order of the leaves.
  Eigen::AlignedBox3d bounds_;
  Eigen::Vector3d center_ = Eigen::Vector3d::Zero();
  double center_distance_ = 0.0;
  double bounding_radius_ = 0.0;
  double volume_reach_ = 0.0;

  /// While it is built. The generator is rounded to single precision first, and the radius computed for the stored
  /// generator, so that the node encloses all balls, each grown by `more` [m].
  void store(int node, const Ssv& v, const BallSet& balls, double more);
};

inline Ssv SsvTree::volume(int node) const {
  const Node& n = nodes_[node];
  Ssv v;
  for (int k = 0; k < 3; ++k) {
    v.origin[k] = center_[k] + static_cast<double>(n.origin[k]);
    v.edge0[k] = n.edge0[k];
    v.edge1[k] = n.edge1[k];
  }
  v.radius = n.radius;
  v.type = static_cast<SsvType>(n.info & kTypeMask);
  return v;
}

inline Triangle SsvTree::triangle(int i) const {
  const PrimitiveRecord& r = soup_.primitives[i];
  return {soup_.vertices[r.vertex[0]], soup_.vertices[r.vertex[1]], soup_.vertices[r.vertex[2]]};
}

}  // namespace planner_ccd
#pragma GCC visibility pop
