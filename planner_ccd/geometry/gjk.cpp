#include "planner_ccd/geometry/gjk.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "planner_ccd/math/rounding.hpp"

/// GJK, with a certificate that does not depend on it. (MATHS.md 10d)
///
/// Gilbert, Johnson and Keerthi's iteration is used only as a source of directions and points: every direction gives a lower bound (38) of the
/// distance, every two points an upper one, so the best of both is a valid answer however it goes, and its length is bounded. Where the
/// difference is too short to have a direction, the normal of the last simplex is tried.
namespace planner_ccd {
namespace {

using Eigen::Vector3d;

constexpr double kPad = 48.0 * kUnitRoundoff;

/// Up to four points w = b - a of the difference of two bodies, with the a and b they come from, and weights that make
/// the point of their hull closest to the origin.
struct Simplex {
  Vector3d a[4], b[4], w[4];
  double weight[4] = {0.0, 0.0, 0.0, 0.0};  ///< >= 0, sum 1 to rounding.
  int size = 0;

  void add(const Vector3d& point_a, const Vector3d& point_b) {
    a[size] = point_a;
    b[size] = point_b;
    w[size] = point_b - point_a;
    weight[size] = 0.0;
    ++size;
  }

  Vector3d point_a() const { return combined(a); }
  Vector3d point_b() const { return combined(b); }

  /// Finds the weights, given that the point added last belongs to the closest face, and drops the points without
  /// weight.
  ///
  /// All faces that contain the new point (one vertex, three edges, three triangles, the solid) are asked, and the
  /// nearest whose foot is inside is taken. A foot missed by rounding at a border is found on the neighbouring face.
  void reduce();

 private:
  Vector3d combined(const Vector3d* points) const {
    Vector3d sum = Vector3d::Zero();
    for (int i = 0; i < size; ++i) sum += weight[i] * points[i];
    return sum;
  }
};

struct Foot {
  double distance2;
  std::array<double, 4> weight{};
};

void take_nearer(Foot& best, const Foot& foot) {
  if (foot.distance2 < best.distance2) best = foot;
}

void try_edge(const Vector3d* w, int p, int q, Foot& best) {
  const Vector3d e = w[q] - w[p];
  const double ee = e.squaredNorm();
  const double along = -w[p].dot(e);
  if (!(along > 0.0 && along < ee)) return;
  const double t = along / ee;
  Foot foot{(w[p] + t * e).squaredNorm()};
  foot.weight[p] = 1.0 - t;
  foot.weight[q] = t;
  take_nearer(best, foot);
}

void try_triangle(const Vector3d* w, int p, int q, int r, Foot& best) {
  const Vector3d e = w[q] - w[p];
  const Vector3d f = w[r] - w[p];
  const Vector3d n = e.cross(f);
  const double nn = n.squaredNorm();
  const Vector3d side = n.cross(w[p]);
  const double v = -side.dot(f);
  const double u = side.dot(e);
  if (!(v > 0.0 && u > 0.0 && v + u < nn)) return;
  const double h = n.dot(w[p]);
  Foot foot{h * h / nn};
  foot.weight[q] = v / nn;
  foot.weight[r] = u / nn;
  foot.weight[p] = 1.0 - (v + u) / nn;
  take_nearer(best, foot);
}

void try_solid(const Vector3d* w, Foot& best) {
  // Weights are the volumes that the origin forms with the opposite faces.
  const double v0 = w[1].dot(w[2].cross(w[3]));
  const double v1 = -w[0].dot(w[2].cross(w[3]));
  const double v2 = w[0].dot(w[1].cross(w[3]));
  const double v3 = -w[0].dot(w[1].cross(w[2]));
  const bool inside = (v0 > 0.0 && v1 > 0.0 && v2 > 0.0 && v3 > 0.0) || (v0 < 0.0 && v1 < 0.0 && v2 < 0.0 && v3 < 0.0);
  if (!inside) return;
  const double sum = v0 + v1 + v2 + v3;
  take_nearer(best, {0.0, {v0 / sum, v1 / sum, v2 / sum, v3 / sum}});
}

void Simplex::reduce() {
  const int last = size - 1;
  Foot best{w[last].squaredNorm()};
  best.weight[last] = 1.0;
  for (int i = 0; i < last; ++i) {
    try_edge(w, last, i, best);
    for (int j = 0; j < i; ++j) try_triangle(w, last, i, j, best);
  }
  if (size == 4) try_solid(w, best);

  int kept = 0;
  for (int i = 0; i < size; ++i) {
    if (!(best.weight[i] > 0.0)) continue;
    a[kept] = a[i];
    b[kept] = b[i];
    w[kept] = w[i];
    weight[kept] = best.weight[i];
    ++kept;
  }
  size = kept;
}

/// A core in the frame of the search.
class PlacedCore {
 public:
  PlacedCore(const Convex& body, const Eigen::Matrix3d& R, const Vector3d& t) : body_(body), R_(R), t_(t) {
    if (body.core == Convex::Core::Corners || body.core == Convex::Core::Cylinder) {
      for (int i = 0; i < 3; ++i) corner_[i] = R * body.corners[i] + t;
    }
    if (body.core == Convex::Core::Cylinder) set_axis(R * (body.corners[1] - body.corners[0]));
    if (body.core == Convex::Core::Box) {
      for (int i = 0; i < 3; ++i) corner_[i] = R.col(i) * body.corners[0][i];
    }
    reach_ = reach_of_core() + body.core_radius + body.radius;
  }

  /// A core with corners relative to `origin`.
  PlacedCore(const Convex& body, const Vector3d& origin) : PlacedCore(body, Eigen::Matrix3d::Identity(), -origin) {
    if (body.core == Convex::Core::Corners || body.core == Convex::Core::Cylinder) {
      double largest = 0.0;
      for (int i = 0; i < 3; ++i) {
        corner_[i] = body.corners[i] - origin;
        largest = std::max(largest, corner_[i].norm());
      }
      reach_ = largest + body.core_radius + body.radius;
    } else {
      reach_ += origin.norm();
    }
  }

  /// Bound of all coordinates that the pad of (38) is relative to, up to a relative 2^-40.
  double reach() const { return reach_; }
  double radius() const { return body_.radius; }

  Vector3d centre() const {
    if (body_.core == Convex::Core::Box) return t_;
    if (body_.core == Convex::Core::Hull) return R_ * body_.points[0] + t_;
    if (body_.core == Convex::Core::Cylinder) return 0.5 * (corner_[0] + corner_[1]);
    return (corner_[0] + corner_[1] + corner_[2]) / 3.0;
  }

  struct Support {
    Vector3d point = Vector3d::Zero();
    double value = 0.0;  ///< Greatest n.x over the core.
  };
  Support support(const Vector3d& n) const {
    switch (body_.core) {
      case Convex::Core::Corners: return triangle_support(n);
      case Convex::Core::Cylinder: return cylinder_support(n);
      case Convex::Core::Box: return box_support(n);
      case Convex::Core::Hull: break;
    }
    return hull_support(n);
  }

 private:
  const Convex& body_;
  const Eigen::Matrix3d R_;
  const Vector3d t_;
  Vector3d corner_[3];  ///< Of a box: its half edges.
  Vector3d axis_ =
      Vector3d::Zero();  ///< Unit; zero if the ends coincide, which makes the support value that of a ball.
  double reach_;

  void set_axis(const Vector3d& v) { axis_ = v.stableNormalized(); }

  double reach_of_core() const {
    double largest2 = 0.0;
    if (body_.core == Convex::Core::Hull) {
      for (const Vector3d& p : body_.points) largest2 = std::max(largest2, p.squaredNorm());
    } else {
      const int count = body_.core == Convex::Core::Box ? 1 : 3;
      for (int i = 0; i < count; ++i) largest2 = std::max(largest2, body_.corners[i].squaredNorm());
    }
    return std::sqrt(largest2);
  }

  Support triangle_support(const Vector3d& n) const {
    const double h[3] = {n.dot(corner_[0]), n.dot(corner_[1]), n.dot(corner_[2])};
    const int i = h[1] > h[0] ? (h[2] > h[1] ? 2 : 1) : (h[2] > h[0] ? 2 : 0);
    return {corner_[i], h[i]};
  }

  Support cylinder_support(const Vector3d& n) const {
    const double h0 = n.dot(corner_[0]);
    const double h1 = n.dot(corner_[1]);
    const Vector3d& end = h1 > h0 ? corner_[1] : corner_[0];
    const double value = std::max(h0, h1);
    if (axis_.isZero(0.0)) return {end, value + body_.core_radius};
    // |n_perp| from the cross product, which does not cancel; the point from a difference made orthogonal twice.
    const double across = n.cross(axis_).norm();
    Support s{end, value + body_.core_radius * across};
    if (!(across > 1e-12)) return s;
    Vector3d rim = n - axis_ * axis_.dot(n);
    rim /= rim.norm();
    rim -= axis_ * axis_.dot(rim);
    s.point += body_.core_radius * rim;
    return s;
  }

  Support box_support(const Vector3d& n) const {
    Support s{t_, n.dot(t_)};
    for (const Vector3d& half : corner_) {
      const double h = n.dot(half);
      s.point += half * std::copysign(1.0, h);
      s.value += std::abs(h);
    }
    return s;
  }

  Support hull_support(const Vector3d& n) const {
    const Vector3d local = R_.transpose() * n;
    const Vector3d* best = body_.points.data();
    double most = local.dot(*best);
    for (const Vector3d& p : body_.points) {
      const double h = local.dot(p);
      if (h > most) {
        most = h;
        best = &p;
      }
    }
    const Vector3d point = R_ * *best + t_;
    return {point, n.dot(point)};
  }
};

class Search {
 public:
  Search(const PlacedCore& a, const PlacedCore& b, double offset, const GjkOptions& options)
      : a_(a),
        b_(b),
        options_(options),
        radii_(a.radius() + b.radius()),
        pad_(kPad * (1.0 + (1 << 23) * kUnitRoundoff) * (a.reach() + b.reach() + offset) + 0x1p-900) {}

  ConvexDistance run(const Vector3d& direction) {
    Vector3d v = direction;
    if (!(v.squaredNorm() > 0x1p-800)) v = b_.centre() - a_.centre();
    if (!(v.squaredNorm() > 0x1p-800)) v = Vector3d::UnitX();
    while (iterations_ < options_.max_iterations && step(v)) v = point_b_ - point_a_;
    if (!done()) refine();

    const Vector3d z = point_b_ - point_a_;
    const Vector3d outwards = length2_ > 0x1p-800 ? Vector3d(z / std::sqrt(length2_)) : normal_;
    return {lower_ - radii_,
            std::max(0.0, upper_ - radii_),
            normal_,
            point_a_ + a_.radius() * outwards,
            point_b_ - b_.radius() * outwards,
            iterations_};
  }

 private:
  const PlacedCore& a_;
  const PlacedCore& b_;
  const GjkOptions& options_;
  const double radii_;
  const double pad_;  ///< Of (38).
  double lower_ = -std::numeric_limits<double>::infinity();
  double upper_ = std::numeric_limits<double>::infinity();
  double length2_ = std::numeric_limits<double>::infinity();  ///< Of point_b_ - point_a_.
  Vector3d normal_ = Vector3d::UnitX();
  Vector3d point_a_ = Vector3d::Zero(), point_b_ = Vector3d::Zero();
  Simplex simplex_;
  int iterations_ = 0;

  bool done() const {
    return upper_ - std::max(lower_, 0.0) <= 4.0 * pad_ + options_.tolerance * upper_ ||
           lower_ - radii_ > options_.enough;
  }

  struct Evaluation {
    bool valid = false;  ///< v has a direction.
    Vector3d on_a = Vector3d::Zero(), on_b = Vector3d::Zero();
  };

  /// One evaluation of (38).
  Evaluation certify(const Vector3d& v) {
    const double v2 = v.squaredNorm();
    if (!(v2 > 0x1p-800 && v2 < 0x1p800)) return {};
    const Vector3d n = v * (1.0 / std::sqrt(v2));
    const PlacedCore::Support a = a_.support(n);
    const PlacedCore::Support b = b_.support(-n);
    const double gap = (-b.value - a.value) - pad_;
    if (gap > lower_) {
      lower_ = gap;
      normal_ = n;
    }
    return {true, a.point, b.point};
  }

  /// One iteration. False when there is nothing more to gain.
  bool step(const Vector3d& v) {
    ++iterations_;
    const Evaluation e = certify(v);
    if (!e.valid || (simplex_.size > 0 && done())) return false;
    const Vector3d w = e.on_b - e.on_a;
    for (int i = 0; i < simplex_.size; ++i) {
      if (w == simplex_.w[i]) return false;
    }
    Simplex next = simplex_;
    next.add(e.on_a, e.on_b);
    next.reduce();
    const Vector3d p = next.point_a();
    const Vector3d q = next.point_b();
    const double length2 = (q - p).squaredNorm();
    if (!(length2 < length2_)) return false;
    simplex_ = next;
    length2_ = length2;
    point_a_ = p;
    point_b_ = q;
    upper_ = std::sqrt(length2) + pad_;
    return !done() && simplex_.size < 4;
  }

  void refine() {
    const Vector3d z = point_b_ - point_a_;
    if (simplex_.size == 2) {
      const Vector3d e = simplex_.w[1] - simplex_.w[0];
      certify(z - e * (e.dot(z) / e.squaredNorm()));
    } else if (simplex_.size == 3) {
      const Vector3d n = (simplex_.w[1] - simplex_.w[0]).cross(simplex_.w[2] - simplex_.w[0]);
      certify(n);
      certify(-n);
    }
  }
};

}  // namespace

ConvexDistance gjk_distance(const Convex& a, const Convex& b, const Vector3d& direction, const GjkOptions& options) {
  const bool has_corners = a.core == Convex::Core::Corners || a.core == Convex::Core::Cylinder;
  const Vector3d origin = has_corners ? a.corners[0] : Vector3d(Vector3d::Zero());
  ConvexDistance d = Search(PlacedCore(a, origin), PlacedCore(b, origin), 0.0, options).run(direction);
  d.point_a += origin;
  d.point_b += origin;
  return d;
}

ConvexDistance gjk_distance(const Convex& a, const Eigen::Isometry3d& X_WA, const Convex& b,
                            const Eigen::Isometry3d& X_WB, const Vector3d& direction, const GjkOptions& options) {
  const Vector3d offset = X_WB.translation() - X_WA.translation();
  const PlacedCore placed_a(a, X_WA.linear(), Vector3d::Zero());
  const PlacedCore placed_b(b, X_WB.linear(), offset);
  ConvexDistance d = Search(placed_a, placed_b, offset.norm(), options).run(direction);
  d.point_a += X_WA.translation();
  d.point_b += X_WA.translation();
  return d;
}

}  // namespace planner_ccd
