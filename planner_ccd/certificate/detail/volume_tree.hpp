#pragma once

#include <vector>

#include "planner_ccd/certificate/detail/bytes.hpp"
#include "planner_ccd/hierarchy/ssv_tree.hpp"

namespace planner_ccd {

/// The volumes of a collider that proofs have used so far: the nodes of its tree, opened down to single primitives. Their radii
/// are made anew, so that a verifier's check of them succeeds.
class VolumeTree {
 public:
  explicit VolumeTree(const SsvTree& tree);

  struct Node {
    int in_tree;  ///< The tree's node; of several nodes in one leaf of the tree all have that leaf.
    int first, last;
    int left = -1, right = -1;
    bool primitive = false;
    float radius = 0.0F;
    double reach = 0.0;  ///< [m] No point of the generator is farther from the origin.
  };

  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  /// Makes the two parts of a node that is no primitive.
  void open(int node);
  const SsvTree& tree() const { return *tree_; }
  /// The generator; the radius is the node's own.
  Ssv volume(int node) const;
  /// max of g . c over the generator (of a primitive: its corners or discs).
  double greatest(int node, const Eigen::Vector3d& g) const;
  double radius(int node) const;
  /// All nodes in preorder.
  void write(ByteWriter& out) const;

 private:
  const SsvTree* tree_;
  std::vector<Node> nodes_;

  int add(int in_tree, int first, int last);
  double radius_for(const Ssv& generator, const Primitive& primitive) const;
};

}  // namespace planner_ccd
