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

/// Continuous collision of two primitives whose corners move linearly.                     (MATHS.md 5)
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

/// How queries are decided. Immutable and without state, so one serves all threads. The library's own is inclusion_kernel();
/// papers/ has those of the papers, and README.md of this folder compares them.
///
/// Searches believe what a kernel says, so a kernel must never answer Free, or a t_lo, that it has not proved: what it cannot
/// decide is Undecided.
class LeafKernel {
 public:
  virtual ~LeafKernel() = default;
  virtual std::string_view name() const = 0;

  /// Vertex against closed face.
  virtual LeafResult decide(const VertexFaceMotion& motion, const LeafOptions& options) const = 0;
  /// Closed edge against closed edge.
  virtual LeafResult decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const = 0;

  /// Many queries at once: the hits in their order, each with the result that decide() gives it, bit for bit; all other
  /// queries are Free. Here one by one; a kernel may be quicker.
  virtual std::vector<LeafHit> decide_all(std::span<const VertexFaceMotion> motions, const LeafOptions& options) const;
  virtual std::vector<LeafHit> decide_all(std::span<const EdgeEdgeMotion> motions, const LeafOptions& options) const;

  /// Whether triangle_ccd() may ask about a part of the time first. Its ends are rounded, so a kernel that decides motions of
  /// one kind exactly would be asked about motions of another.
  virtual bool takes_parts() const { return false; }
  /// Whether a triangle that turns about or slides along one axis is left to axis_triangle_ccd(), which needs no chord.
  virtual bool leaves_axis_motion() const { return false; }
};

/// The kernel of inclusion.hpp: what is used when no other is asked for.
const std::shared_ptr<const LeafKernel>& inclusion_kernel();

/// Two triangles: the first of 6 vertex-face and 9 edge-edge contacts, or an overlap at t = 0. Hopeless pairs are
/// dismissed before any of those is looked at.
LeafResult triangle_ccd(const LeafKernel& kernel, const TriangleMotion& a, const TriangleMotion& b,
                        const LeafOptions& options);

}  // namespace planner_ccd
#pragma GCC visibility pop
