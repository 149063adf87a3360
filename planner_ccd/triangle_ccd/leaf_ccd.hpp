#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "planner_ccd/geometry/triangle_distance.hpp"
#include "planner_ccd/math/verdict.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Continuous collision of two primitives whose corners move linearly. (MATHS.md 5)
///
/// A corner is at x(t) = (1 - t) start + t end, in exact arithmetic; the query is about t in [0, t_max], t_max <= 1.
/// Free is a proof under rounding, whatever the kernel; faces and edges are closed, and may be degenerate (equal or
/// collinear corners). A coordinate that is not finite gives Undecided.

struct MovingPoint {
  Eigen::Vector3d start;  ///< [m] at t = 0
  Eigen::Vector3d end;    ///< [m] at t = 1
};

/// A is the vertex, B the face.
struct VertexFaceMotion {
  MovingPoint vertex;
  std::array<MovingPoint, 3> face;
};

struct EdgeEdgeMotion {
  std::array<MovingPoint, 2> a;
  std::array<MovingPoint, 2> b;
};

using TriangleMotion = std::array<MovingPoint, 3>;

struct LeafOptions {
  double min_separation = 0.0;   ///< [m] >= 0. Free means distance > min_separation; at 0 it means disjoint.
  double tolerance = 1e-6;       ///< [m] > 0. May turn Free into Contact, never the reverse.
  double t_max = 1.0;            ///< In [0, 1].
  int max_iterations = 100'000;  ///< > 0. Subdivisions or root steps of one primitive pair, then Undecided.
};

struct LeafResult {
  Verdict verdict = Verdict::Undecided;  ///< Free: up to t_max. Undecided counts as contact.
  double t_lo = 0.0;                     ///< Proved apart on [0, t_lo). Free: t_max.
  double t_hi = 0.0;                     ///< Contact: the time of the witness, >= t_lo. Otherwise t_max.

  // The witness; meaningful for Contact only.
  std::array<double, 3> weights_a{};     ///< Convex weights of A's corners; unused ones are 0 (vertex: {1,0,0}).
  std::array<double, 3> weights_b{};     ///< The same for B.
  Feature feature_a = Feature::Vertex0;  ///< Where the witness lies; an edge query uses Vertex0, Vertex1 and Edge01.
  Feature feature_b = Feature::Vertex0;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< [m] Witness points at t_hi, to rounding.
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();  ///< Unit, from A towards B before contact where that is defined.
  double tolerance_reached = 0.0;  ///< [m] Witness distance less min_separation, rounded up, not below 0.

  int iterations = 0;
};

/// One query of many that is not Free.
struct LeafHit {
  std::size_t index;
  LeafResult result;
};

/// Decides queries. Immutable and stateless, so one serves all threads. The default is inclusion_kernel(); papers/ has
/// those of the papers, and README.md of this folder compares them.
///
/// Searches trust a kernel's answers, so it must never return Free, or a t_lo, without proof: what it cannot decide is
/// Undecided.
class LeafKernel {
 public:
  virtual ~LeafKernel() = default;
  virtual std::string_view name() const = 0;

  /// Vertex against closed face.
  virtual LeafResult decide(const VertexFaceMotion& motion, const LeafOptions& options) const = 0;
  /// Closed edge against closed edge.
  virtual LeafResult decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const = 0;

  /// Many queries at once: returns the hits in order, each with the same result as decide(), bit for bit; all other
  /// queries are Free. By default one by one; a kernel may be faster.
  virtual std::vector<LeafHit> decide_all(std::span<const VertexFaceMotion> motions, const LeafOptions& options) const;
  virtual std::vector<LeafHit> decide_all(std::span<const EdgeEdgeMotion> motions, const LeafOptions& options) const;

  /// Whether triangle_ccd() may first ask about a part of the time. The part's ends are rounded, so a kernel that
  /// decides motions of one kind exactly would get motions of another kind.
  virtual bool takes_parts() const { return false; }
  /// Whether axis_triangle_ccd(), which needs no chord, handles triangles that turn about or slide along one axis.
  virtual bool leaves_axis_motion() const { return false; }
};

/// The kernel of inclusion.cpp: the default.
const std::shared_ptr<const LeafKernel>& inclusion_kernel();

/// Two triangles: the first of 6 vertex-face and 9 edge-edge contacts, or an overlap at t = 0. Hopeless pairs are
/// dismissed before any of those is looked at.
LeafResult triangle_ccd(const LeafKernel& kernel, const TriangleMotion& a, const TriangleMotion& b,
                        const LeafOptions& options);

}  // namespace planner_ccd
#pragma GCC visibility pop
