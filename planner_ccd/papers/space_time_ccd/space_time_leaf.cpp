#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <vector>

#include "planner_ccd/math/expansion.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/papers/space_time_ccd/space_time.hpp"
#include "planner_ccd/papers/space_time_ccd/space_time_cells.hpp"
#include "planner_ccd/triangle_ccd/closest_features.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using space_time::Cells;
using space_time::Corners;
using space_time::Primitive;
using space_time::Simplex;

constexpr double kUp = 1.0 + 16.0 * kUnitRoundoff;  ///< Covers the rounding of a norm or of a short product.

/// Sizes up to here keep every product and square finite.
constexpr double kLargest = 1e100;

struct Part {
  double begin;
  double end;
};

struct Bounds {
  double size = 0.0;       ///< Largest coordinate.
  double deviation = 0.0;  ///< (3) for the whole motion.
  double movement = 0.0;   ///< Largest relative displacement of a corner of A and one of B.
  double rounding = 0.0;   ///< See below.
  bool finite = true;
  bool translation = true;  ///< The corners of each feature share one displacement, exactly.
};

bool same_displacement(const MovingPoint& p, const MovingPoint& q) {
  for (int i = 0; i < 3; ++i) {
    const TwoTerms dp = two_difference(p.end[i], p.start[i]);
    const TwoTerms dq = two_difference(q.end[i], q.start[i]);
    if (dp.high != dq.high || dp.low != dq.low) return false;
  }
  return true;
}

/// Rounding, u = 2^-53, M = size: an interpolated coordinate is within 3uM of the truth, so a difference of two within
/// 8uM, and n.w, with the 3 roundings of its own, within (8 + 6) uM |n|_1 <= 25 uM |n|; 32 uM is subtracted.
/// A difference of displacements is within 4uM per coordinate, 8uM in norm.
Bounds bounds_of(const Primitive& primitive) {
  Bounds bounds;
  for (const MovingPoint& c : primitive.corners) {
    bounds.finite = bounds.finite && c.start.allFinite() && c.end.allFinite();
    bounds.size = std::max({bounds.size, c.start.cwiseAbs().maxCoeff(), c.end.cwiseAbs().maxCoeff()});
  }
  bounds.finite = bounds.finite && bounds.size <= kLargest;
  bounds.rounding = 32.0 * kUnitRoundoff * bounds.size;
  double spread_a = 0.0;
  double spread_b = 0.0;
  for (int i = 0; i < 4; ++i) {
    for (int j = i + 1; j < 4; ++j) {
      const MovingPoint& p = primitive.corners[i];
      const MovingPoint& q = primitive.corners[j];
      const double apart = ((p.end - p.start) - (q.end - q.start)).norm() * kUp + 8.0 * kUnitRoundoff * bounds.size;
      const bool i_in_a = i < primitive.count_a;
      const bool j_in_a = j < primitive.count_a;
      if (i_in_a != j_in_a) {
        bounds.movement = std::max(bounds.movement, apart);
      } else if (!same_displacement(p, q)) {
        bounds.translation = false;
        (i_in_a ? spread_a : spread_b) = std::max(i_in_a ? spread_a : spread_b, apart);
      }
    }
  }
  bounds.deviation = 0.25 * (spread_a + spread_b) * kUp;
  return bounds;
}

/// Do all points lie beyond the plane n.x = distance |n|, whatever the rounding? A normal so short that its square may
/// lose digits proves nothing.
template <typename Points>
bool beyond(const Vector3d& n, const Points& points, int count, double distance) {
  const double length = n.norm();
  if (!(length > 1e-100)) return false;
  const double level = distance * length * kUp;
  for (int k = 0; k < count; ++k) {
    if (!(n.dot(points[k]) > level)) return false;
  }
  return true;
}

/// The point of a tetrahedron's surface nearest to the origin.
Vector3d nearest_to_origin(const std::array<Vector3d, 4>& w) {
  Vector3d nearest = w[0];
  for (int k = 0; k < 4; ++k) {
    const Vector3d point =
        closest_point_triangle(Vector3d::Zero(), {w[(k + 1) % 4], w[(k + 2) % 4], w[(k + 3) % 4]}).point_b;
    if (point.squaredNorm() < nearest.squaredNorm()) nearest = point;
  }
  return nearest;
}

class Walk {
 public:
  Walk(const Primitive& primitive, const LeafOptions& options)
      : primitive_(primitive), options_(options), bounds_(bounds_of(primitive)) {}

  LeafResult run() {
    result_.t_hi = options_.t_max;
    if (!bounds_.finite) return result_;
    if (exact_model_proves_apart()) return apart();
    std::vector<Part> parts{{0.0, options_.t_max}};
    while (!parts.empty()) {
      const Part part = parts.back();
      parts.pop_back();
      if (++result_.iterations > options_.max_iterations) return result_;
      if (proved_apart(part)) {
        result_.t_lo = part.end;
        continue;
      }
      const double length = part.end - part.begin;
      const bool small = length * bounds_.deviation <= options_.tolerance / 8.0 &&
                         length * bounds_.movement <= options_.tolerance / 2.0;
      const double middle = 0.5 * (part.begin + part.end);
      if (small && (witness(part.begin) || witness(middle) || witness(part.end))) return result_;
      if (!(part.begin < middle && middle < part.end)) return result_;
      parts.push_back({middle, part.end});
      parts.push_back({part.begin, middle});
    }
    return apart();
  }

 private:
  LeafResult apart() {
    result_.verdict = Verdict::Free;
    result_.t_lo = options_.t_max;
    return result_;
  }

  /// Where model and motion are the same, the exact test on all of [0, 1] needs no tolerance.
  bool exact_model_proves_apart() const {
    if (!bounds_.translation || options_.min_separation > 0.0) return false;
    Corners start;
    Corners end;
    for (int k = 0; k < 4; ++k) {
      start[k] = primitive_.corners[k].start;
      end[k] = primitive_.corners[k].end;
      if (!space_time::products_are_exact(start[k]) || !space_time::products_are_exact(end[k])) return false;
    }
    const Cells cells = space_time::cells_between(start, end, primitive_.count_a);
    return std::none_of(cells.simplices.begin(), cells.simplices.begin() + cells.count,
                        [](const Simplex& s) { return space_time::contains_origin(s).inside; });
  }

  Corners corners_at(double t) const {
    Corners corners;
    for (int k = 0; k < 4; ++k) corners[k] = (1.0 - t) * primitive_.corners[k].start + t * primitive_.corners[k].end;
    return corners;
  }

  bool proved_apart(const Part& part) {
    const Corners start = corners_at(part.begin);
    const Corners end = corners_at(part.end);
    const double clearance = options_.min_separation + bounds_.rounding;
    if (hull_proved_apart(start, end, clearance)) return true;
    if (bounds_.translation) return false;  // the hull of all differences is the model itself
    const double length = (part.end - part.begin) * kUp;
    return cells_proved_apart(start, end, (clearance + length * bounds_.deviation) * kUp);
  }

  /// The linear motion stays within the hull of all simultaneous differences of both ends.
  bool hull_proved_apart(const Corners& start, const Corners& end, double clearance) {
    std::array<Vector3d, 8> differences;
    int count = 0;
    for (int i = 0; i < primitive_.count_a; ++i) {
      for (int j = primitive_.count_a; j < 4; ++j) {
        differences[count++] = start[j] - start[i];
        differences[count++] = end[j] - end[i];
      }
    }
    for (int axis = 0; axis < 3; ++axis) {
      double low = differences[0][axis];
      double high = low;
      for (int k = 1; k < count; ++k) {
        low = std::min(low, differences[k][axis]);
        high = std::max(high, differences[k][axis]);
      }
      if (low > clearance * kUp || high < -clearance * kUp) return true;
    }
    if (beyond(direction_, differences, count, clearance)) return true;
    Corners middle;
    for (int k = 0; k < 4; ++k) middle[k] = 0.5 * (start[k] + end[k]);
    const ClosestFeatures closest = closest_of(middle);
    const Vector3d n = closest.point_b - closest.point_a;
    normal_ = normal_of(middle);
    if (normal_.dot(n) < 0.0) normal_ = -normal_;
    for (const Vector3d& candidate : {n, normal_}) {
      if (!beyond(candidate, differences, count, clearance)) continue;
      direction_ = candidate;
      return true;
    }
    return false;
  }

  /// Near contact the difference of the closest points has lost its digits; the normal of face or edges has not, and over
  /// features much larger than their distance only that is square enough to them.
  Vector3d normal_of(const Corners& c) const {
    return primitive_.count_a == 1 ? (c[2] - c[1]).cross(c[3] - c[1]) : (c[1] - c[0]).cross(c[3] - c[2]);
  }

  bool cells_proved_apart(const Corners& start, const Corners& end, double clearance) const {
    const bool in_range = std::all_of(start.begin(), start.end(), space_time::products_are_exact) &&
                          std::all_of(end.begin(), end.end(), space_time::products_are_exact);
    const Cells cells = space_time::cells_between(start, end, primitive_.count_a);
    for (int k = 0; k < cells.count; ++k) {
      const Simplex& simplex = cells.simplices[k];
      if (in_range && space_time::contains_origin(simplex).inside) return false;
      const std::array<Vector3d, 4> w{simplex[0].value, simplex[1].value, simplex[2].value, simplex[3].value};
      if (!beyond(normal_, w, 4, clearance) && !beyond(nearest_to_origin(w), w, 4, clearance)) return false;
    }
    return true;
  }

  ClosestFeatures closest_of(const Corners& c) const {
    if (primitive_.count_a == 1) return closest_point_triangle(c[0], {c[1], c[2], c[3]});
    return closest_segments({c[0], c[1]}, {c[2], c[3]});
  }

  /// Fills in the contact at time t if the features are within min_separation + tolerance there.
  bool witness(double t) {
    const ClosestFeatures closest = closest_of(corners_at(t));
    const double distance = (closest.point_b - closest.point_a).norm() * kUp + bounds_.rounding;
    if (!(distance <= options_.min_separation + options_.tolerance)) return false;
    result_.verdict = Verdict::Contact;
    result_.t_hi = t;
    for (int k = 0; k < 4; ++k) {
      const int to = primitive_.source[k];
      if (k < primitive_.count_a) {
        result_.weights_a[to] = closest.weights_a[k];
      } else {
        result_.weights_b[to - primitive_.count_a] = closest.weights_b[k - primitive_.count_a];
      }
    }
    result_.feature_a = feature_of(result_.weights_a);
    result_.feature_b = feature_of(result_.weights_b);
    result_.point_a = closest.point_a;
    result_.point_b = closest.point_b;
    result_.normal = (closest.point_b - closest.point_a).stableNormalized();
    if (result_.normal.isZero(0.0)) result_.normal = direction_.stableNormalized();
    result_.tolerance_reached = std::max(0.0, (distance - options_.min_separation) * kUp);
    return true;
  }

  const Primitive& primitive_;
  const LeafOptions& options_;
  Bounds bounds_;
  Vector3d direction_ = Vector3d::UnitX();  ///< The plane that separated last; A to B.
  Vector3d normal_ = Vector3d::UnitX();     ///< Of the face or the edges, in the middle of the part at hand.
  LeafResult result_;
};

}  // namespace

LeafResult SpaceTimeKernel::decide(const VertexFaceMotion& motion, const LeafOptions& options) const {
  return Walk(space_time::ordered(motion), options).run();
}

LeafResult SpaceTimeKernel::decide(const EdgeEdgeMotion& motion, const LeafOptions& options) const {
  return Walk(space_time::ordered(motion), options).run();
}

}  // namespace planner_ccd
