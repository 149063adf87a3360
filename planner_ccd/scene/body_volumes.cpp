#include "planner_ccd/scene/body_volumes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/scene/single.hpp"

namespace planner_ccd {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// Error bound, with a factor to spare, of coordinates in a volume's frame computed in double from numbers of this
/// size.
double slack(double size) { return 64.0 * kUnitRoundoff * size; }

/// The frame of a volume to be filled. Coordinates are computed with the rounded axes.
struct Frame {
  RoundVolume volume;
  Matrix3d axes;
  Vector3d center;

  Frame(const Matrix3d& wanted, const Vector3d& at) {
    volume.axes = single(wanted);
    volume.center = single(at);
    axes = volume.axes.cast<double>();
    center = volume.center.cast<double>();
  }
  Vector3d place(const Vector3d& p) const { return axes.transpose() * (p - center); }
};

Matrix3d frame_about(const Vector3d& axis) {
  Matrix3d R;
  R.col(2) = axis;
  R.col(0) = axis.unitOrthogonal();
  R.col(1) = axis.cross(R.col(0));
  return R;
}

/// A ball, a capsule or a cylinder, widened by its rounding errors; the rind makes up for that.
RoundVolume volume_of_shape(const Primitive& p) {
  const Vector3d edge = p.corners[1] - p.corners[0];
  const double length = edge.norm(), size = p.corners[0].norm() + p.corners[1].norm() + p.radius;
  Frame frame(length > 0.0 ? frame_about(edge / length) : Matrix3d(Matrix3d::Identity()),
              0.5 * (p.corners[0] + p.corners[1]));
  RoundVolume& v = frame.volume;
  Vector3d most = Vector3d::Zero();
  for (int i = 0; i < 2; ++i) most = most.cwiseMax(frame.place(p.corners[i]).cwiseAbs());
  // The axis may be tilted and shifted in the rounded frame: by at most this, anywhere on it.
  const double off = std::hypot(most[0], most[1]) + slack(size);
  v.cylinder = p.kind == PrimitiveKind::Cylinder;
  v.half[2] = float_up(most[2] + slack(size));
  if (v.cylinder) {
    // The ends lie off to opposite sides, so that the discs are tilted by 2 off / length: the rim reaches that share of the
    // radius farther. The axes as rounded change lengths by less than 8 u in float.
    const double rim = length > 0.0 ? 2.0 * p.radius * off / length : 0.0, stretch = 8.0 * kFloatRoundoff * p.radius;
    v.half[0] = v.half[1] = float_up(p.radius + off + stretch);
    v.half[2] = float_up(most[2] + rim + stretch + slack(size));
  } else {
    v.radius = float_up(p.radius + off + 8.0 * kFloatRoundoff * (p.radius + size));
  }
  v.rind = float_up(4.0 * off + 64.0 * kFloatRoundoff * size + (length > 0.0 ? 8.0 * p.radius * off / length : 0.0));
  return v;
}

/// Three orthogonal axes, along the normals of the largest triangles if possible.
Matrix3d face_axes(const SsvTree& tree, int first, int last) {
  Matrix3d R = Matrix3d::Identity();
  const auto largest = [&](auto&& fits) {
    Vector3d best = Vector3d::Zero();
    for (int i = 0; i < tree.primitive_count(); ++i) {
      const std::int32_t number = tree.soup().primitives[i].number();
      if (number < first || number >= last) continue;
      const Triangle t = tree.triangle(i);
      const Vector3d n = (t[1] - t[0]).cross(t[2] - t[0]);
      if (n.squaredNorm() > best.squaredNorm() && fits(n)) best = n;
    }
    return best;
  };
  const Vector3d x = largest([](const Vector3d&) { return true; });
  if (x.squaredNorm() == 0.0) return R;
  R.col(0) = x.normalized();
  const Vector3d y = largest([&](const Vector3d& n) { return std::abs(n.dot(R.col(0))) < 1e-4 * n.norm(); });
  R.col(1) =
      y.squaredNorm() > 0.0 ? Vector3d((y - y.dot(R.col(0)) * R.col(0)).normalized()) : R.col(0).unitOrthogonal();
  R.col(2) = R.col(0).cross(R.col(1));
  return R;
}

/// The triangles of one mesh of the body.
struct Surface {
  const SsvTree& tree;
  int first, last;  ///< Numbers of its triangles: [first, last).

  template <typename Take>
  void triangles(Take&& take) const {
    for (int i = 0; i < tree.primitive_count(); ++i) {
      const std::int32_t number = tree.soup().primitives[i].number();
      if (number >= first && number < last) take(tree.triangle(i));
    }
  }
  /// The surface alone as a body, for inside tests. Built if the tree contains more.
  const SsvTree& alone() {
    if (tree.soup().sources.size() == 1) return tree;
    if (!built) built = build();
    return *built;
  }
  std::optional<SsvTree> built = std::nullopt;

 private:
  SsvTree build() const {
    auto mesh = std::make_shared<TriangleMesh>();
    triangles([&](const Triangle& t) {
      const int at = static_cast<int>(mesh->vertices.size());
      for (int k = 0; k < 3; ++k) mesh->vertices.push_back(t[k]);
      mesh->triangles.emplace_back(at, at + 1, at + 2);
    });
    Geometry geometry;
    geometry.shape = MeshPtr(std::move(mesh));
    return SsvTree::build({geometry}, "surface");
  }
};

/// The box along the axes around all triangles.
Frame box_about(const Surface& surface, const Matrix3d& axes) {
  Eigen::AlignedBox3d bounds;
  surface.triangles([&](const Triangle& t) {
    for (int k = 0; k < 3; ++k) bounds.extend(Vector3d(axes.transpose() * t[k]));
  });
  Frame frame(axes, axes * bounds.center());
  Vector3d most = Vector3d::Zero();
  surface.triangles([&](const Triangle& t) {
    for (int k = 0; k < 3; ++k) most = most.cwiseMax(frame.place(t[k]).cwiseAbs());
  });
  const double size = frame.center.norm() + most.norm();
  for (int k = 0; k < 3; ++k) frame.volume.half[k] = float_up(most[k] + slack(size));
  return frame;
}

/// If every triangle lies along a face of the box, nothing deeper than the least such depth meets the surface: it is enclosed
/// when the middle is.
std::optional<RoundVolume> as_box(Surface& surface, const Frame& box) {
  const Vector3d half = box.volume.half.cast<double>();
  double rind = 0.0;
  surface.triangles([&](const Triangle& t) {
    double nearest = std::numeric_limits<double>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
      for (const double side : {-1.0, 1.0}) {
        double deepest = 0.0;
        for (int k = 0; k < 3; ++k) deepest = std::max(deepest, half[axis] - side * box.place(t[k])[axis]);
        nearest = std::min(nearest, deepest);
      }
    }
    rind = std::max(rind, nearest);
  });
  rind += slack(box.center.norm() + half.norm());
  if (!(rind < 0.05 * half.minCoeff())) return std::nullopt;
  if (inside(surface.alone(), box.center) != Containment::Inside) return std::nullopt;
  RoundVolume v = box.volume;
  v.rind = float_up(rind);
  return v;
}

/// The cylinder about axis k of the box, if it is the smaller of the two. It has a rind if a cylinder smaller by that
/// is apart from the surface and its middle is enclosed.
std::optional<RoundVolume> as_cylinder(Surface& surface, const Frame& box, int k) {
  Matrix3d axes;
  for (int i = 0; i < 3; ++i) axes.col(i) = box.axes.col((k + 1 + i) % 3);
  Frame frame(axes, box.center);
  double across = 0.0, along = 0.0;
  surface.triangles([&](const Triangle& t) {
    for (int i = 0; i < 3; ++i) {
      const Vector3d l = frame.place(t[i]);
      across = std::max(across, std::hypot(l[0], l[1]));
      along = std::max(along, std::abs(l[2]));
    }
  });
  const Vector3d half = box.volume.half.cast<double>();
  if (std::numbers::pi * across * across * along >= 0.95 * 4.0 * half[0] * half[1] * half[2]) return std::nullopt;
  const double size = frame.center.norm() + across + along;
  RoundVolume& v = frame.volume;
  v.cylinder = true;
  v.half[0] = v.half[1] = float_up((across + slack(size)) * kRoundUp);
  v.half[2] = float_up(along + slack(size));
  const SsvTree& alone = surface.alone();
  if (inside(alone, frame.center) != Containment::Inside) return std::nullopt;
  const Eigen::Isometry3d here = Eigen::Isometry3d::Identity();
  for (const double share : {0.005, 0.02, 0.1}) {
    const double rind = share * std::min<double>(v.half[0], v.half[2]);
    Geometry g;
    // The placed cylinder has orthonormal axes, the volume's are so to 8 u in float: places differ by less than `grown`.
    Matrix3d R = frame.axes;
    R.col(0).normalize();
    R.col(1) = (R.col(1) - R.col(1).dot(R.col(0)) * R.col(0)).normalized();
    R.col(2) = R.col(0).cross(R.col(1));
    const double grown = 64.0 * kFloatRoundoff * size;
    g.shape = Cylinder{v.half[0] - rind + grown, 2.0 * (v.half[2] - rind + grown)};
    g.pose.linear() = R;
    g.pose.translation() = frame.center;
    if (!(rind > 2.0 * grown)) continue;
    const SsvTree smaller = SsvTree::build({g}, "inner cylinder");
    if (collide(smaller, here, alone, here, {.containment = false}).collide) continue;
    v.rind = float_up(rind);
    return v;
  }
  return std::nullopt;
}

RoundVolume volume_of_node(const SsvTree& tree, int node) {
  const Ssv s = tree.volume(node);
  Matrix3d axes = Matrix3d::Identity();
  if (s.edge0.squaredNorm() > 0.0) {
    const Vector3d x = s.edge0.normalized();
    const Vector3d rest = s.edge1 - s.edge1.dot(x) * x;
    const Vector3d y = rest.squaredNorm() > 0.0 ? Vector3d(rest.normalized()) : x.unitOrthogonal();
    axes << x, y, x.cross(y);
  }
  Frame frame(axes, s.origin + 0.5 * (s.edge0 + s.edge1));
  Vector3d most = Vector3d::Zero();
  for (int i = 0; i < s.corner_count(); ++i) most = most.cwiseMax(frame.place(s.corner(i)).cwiseAbs());
  const double size = frame.center.norm() + most.norm() + s.radius;
  for (int k = 0; k < 3; ++k) frame.volume.half[k] = float_up(most[k] + slack(size));
  frame.volume.radius = float_up(s.radius * (1.0 + 8.0 * kFloatRoundoff) + slack(size));
  return frame.volume;
}

/// The nodes that together contain everything, the largest opened first.
std::vector<int> cut_of(const SsvTree& tree, int most) {
  std::vector<int> nodes{0};
  while (static_cast<int>(nodes.size()) < most) {
    int largest = -1;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (tree.is_leaf(nodes[i])) continue;
      if (largest < 0 || tree.size(nodes[i]) > tree.size(nodes[largest])) largest = static_cast<int>(i);
    }
    if (largest < 0) break;
    const int node = nodes[largest];
    nodes[largest] = tree.left(node);
    nodes.push_back(tree.right(node));
  }
  return nodes;
}

}  // namespace

BodyVolumes volumes_of(const SsvTree& tree, int most) {
  const PrimitiveSoup& soup = tree.soup();
  BodyVolumes out;
  const auto by_nodes = [&] {
    out.volumes.clear();
    for (const int node : cut_of(tree, most)) out.volumes.push_back(volume_of_node(tree, node));
    // A single volume is convex, as are shapes other than meshes; between several volumes a surface may have hollows.
    out.filled = out.volumes.size() == 1 || soup.shells.empty();
  };
  constexpr std::size_t kMostShapes = 16;
  constexpr int kMostTriangles = 1000;
  if (soup.grains || soup.sources.size() > kMostShapes || tree.primitive_count() > kMostTriangles) {
    by_nodes();
    return out;
  }
  out.filled = true;
  for (std::size_t s = 0; s < soup.sources.size(); ++s) {
    const int first = soup.sources[s].begin;
    const int last = s + 1 < soup.sources.size() ? soup.sources[s + 1].begin : tree.primitive_count();
    if (!soup.sources[s].has_triangles) {
      for (int i = 0; i < tree.primitive_count(); ++i) {
        if (soup.primitives[i].number() == first) out.volumes.push_back(volume_of_shape(tree.primitive(i)));
      }
      continue;
    }
    Surface surface{tree, first, last};
    const Frame box = box_about(surface, face_axes(tree, first, last));
    std::optional<RoundVolume> found = as_box(surface, box);
    for (int k = 0; k < 3 && !found; ++k) found = as_cylinder(surface, box, k);
    if (!found && soup.sources.size() == 1) {
      by_nodes();
      return out;
    }
    out.volumes.push_back(found ? *found : box.volume);
  }
  return out;
}

/// u times the size of the numbers from which a place in the volume's frame is computed.
look::Volume look_volume(const RoundVolume& v) {
  look::Volume out{};
  std::copy(v.axes.data(), v.axes.data() + 9, out.axes);
  std::copy(v.center.data(), v.center.data() + 3, out.center);
  std::copy(v.half.data(), v.half.data() + 3, out.half);
  out.radius = v.radius;
  out.rind = v.rind < 0.0f ? -1.0f : 2.0f * v.rind;
  out.grain =
      float_up(64.0 * kFloatRoundoff * (v.center.cast<double>().norm() + v.half.cast<double>().norm() + v.radius));
  out.cylinder = v.cylinder;
  return out;
}

}  // namespace planner_ccd
