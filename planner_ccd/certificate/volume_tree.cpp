#include "planner_ccd/certificate/detail/volume_tree.hpp"

#include <cmath>
#include <limits>

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

int first_below(const SsvTree& tree, int node) {
  while (!tree.is_leaf(node)) node = tree.left(node);
  return tree.first_primitive(node);
}
int end_below(const SsvTree& tree, int node) {
  while (!tree.is_leaf(node)) node = tree.right(node);
  return tree.first_primitive(node) + tree.primitive_count(node);
}

double along(const Vector3d& from_base, const Vector3d& edge) {
  const double squares = edge.squaredNorm();
  return squares > 0.0 ? std::clamp(from_base.dot(edge) / squares, 0.0, 1.0) : 0.0;
}

/// A single that is above x by more than a verifier's rounding.
float rounded_up(double x) {
  float f = static_cast<float>(x);
  for (int i = 0; i < 2; ++i) f = std::nextafter(f, std::numeric_limits<float>::infinity());
  return f;
}

}  // namespace

VolumeTree::VolumeTree(const SsvTree& tree) : tree_(&tree) { add(0, 0, tree.primitive_count()); }

Ssv VolumeTree::volume(int i) const {
  Ssv v = tree_->volume(node(i).in_tree);
  v.radius = node(i).radius;
  return v;
}

int VolumeTree::add(int in_tree, int first, int last) {
  Node n{in_tree, first, last};
  n.primitive = last - first == 1;
  const Ssv generator = tree_->volume(in_tree);
  double radius = 0.0;
  for (int i = first; i < last; ++i) {
    const Primitive p = tree_->primitive(i);
    radius = std::max(radius, radius_for(generator, p));
    if (!n.primitive) continue;
    for (const Vector3d& c : p.corners) {
      n.reach = std::max(n.reach, c.norm() + (p.kind == PrimitiveKind::Cylinder ? p.radius : 0.0));
    }
  }
  // Coordinates of the generator are rounded relative to where it is.
  n.radius = rounded_up(radius + 1e-14 * (generator.origin.norm() + generator.edge0.norm() + generator.edge1.norm()));
  if (!n.primitive) {
    for (int k = 0; k < 4; ++k) n.reach = std::max(n.reach, generator.corner(k).norm());
  }
  n.reach *= 1.0 + 1e-9;
  nodes_.push_back(n);
  return static_cast<int>(nodes_.size()) - 1;
}

/// What a verifier will want: the distance of each corner from the nearest point of the generator, plus the primitive's radius; of
/// a cylinder's discs the same with the disc's own extent across its axis.
double VolumeTree::radius_for(const Ssv& generator, const Primitive& p) const {
  double radius = 0.0;
  const bool cylinder = p.kind == PrimitiveKind::Cylinder;
  for (int k = 0; k < (cylinder ? 2 : 3); ++k) {
    const Vector3d from_base = p.corners[static_cast<std::size_t>(k)] - generator.origin;
    const Vector3d off = from_base - along(from_base, generator.edge0) * generator.edge0 -
                         along(from_base, generator.edge1) * generator.edge1;
    if (!cylinder) {
      radius = std::max(radius, off.norm() + p.radius);
      continue;
    }
    const Vector3d axis = (p.corners[1] - p.corners[0]).normalized();
    const double axial = axis.dot(off);
    radius = std::max(radius, std::hypot(axial, (off - axial * axis).norm() + p.radius));
  }
  return radius;
}

void VolumeTree::open(int i) {
  const Node n = node(i);
  if (n.primitive || n.left >= 0) return;
  int left = 0, right = 0;
  if (!tree_->is_leaf(n.in_tree)) {
    const int l = tree_->left(n.in_tree), r = tree_->right(n.in_tree);
    left = add(l, first_below(*tree_, l), end_below(*tree_, l));
    right = add(r, first_below(*tree_, r), end_below(*tree_, r));
  } else {
    const int middle = (n.first + n.last) / 2;
    left = add(n.in_tree, n.first, middle);
    right = add(n.in_tree, middle, n.last);
  }
  nodes_[static_cast<std::size_t>(i)].left = left;
  nodes_[static_cast<std::size_t>(i)].right = right;
}

double VolumeTree::greatest(int i, const Vector3d& g) const {
  if (!node(i).primitive) {
    const Ssv v = tree_->volume(node(i).in_tree);
    return g.dot(v.origin) + std::max(0.0, g.dot(v.edge0)) + std::max(0.0, g.dot(v.edge1));
  }
  const Primitive p = tree_->primitive(node(i).first);
  const double most = std::max(g.dot(p.corners[0]), g.dot(p.corners[1]));
  if (p.kind != PrimitiveKind::Cylinder) return std::max(most, g.dot(p.corners[2]));
  const Vector3d axis = (p.corners[1] - p.corners[0]).normalized();
  return most + p.radius * g.cross(axis).norm();
}

double VolumeTree::radius(int i) const {
  if (!node(i).primitive) return node(i).radius;
  const Primitive p = tree_->primitive(node(i).first);
  return p.kind == PrimitiveKind::Cylinder ? 0.0 : p.radius;
}

void VolumeTree::write(ByteWriter& out) const {
  for (int k = 0; k < 3; ++k) out.number(tree_->bounding_center()[k]);
  std::vector<int> open{0};
  while (!open.empty()) {
    const Node& n = node(open.back());
    open.pop_back();
    const bool split = n.left >= 0;
    const float* packed = tree_->packed(n.in_tree);
    const int type = n.primitive ? 3 : static_cast<int>(tree_->volume(n.in_tree).type);
    out.u8(static_cast<std::uint64_t>(type + (split ? 4 : 0)));
    if (!n.primitive) {
      out.small(n.radius);
      for (int k = 0; k < 3 * (type + 1); ++k) out.small(packed[k]);
    }
    if (!split) continue;
    out.u32(static_cast<std::uint64_t>(node(n.left).last));
    open.push_back(n.right);
    open.push_back(n.left);
  }
}

}  // namespace planner_ccd
