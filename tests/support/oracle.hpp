#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "planner_ccd/robot/collision_matrix.hpp"
#include "planner_ccd/scene/scene.hpp"
#include "support/mechanism.hpp"
#include "support/oracle_body.hpp"

namespace planner_ccd::truth {

/// The result of sampling one pair.
struct Scan {
  Real least = 0;           ///< [m] Least distance seen; when above `exact_below` of the scan, within a factor 0.6.
  Real least_at = 0;        ///< Its time.
  std::optional<Real> hit;  ///< Earliest sample at which the distance was not above the pair's margin.
  bool dense = true;        ///< No step was longer than distance and greatest speed allow: nothing was missed.
  int samples = 0;
};

struct ScanOptions {
  Real step = 1e-3L;        ///< Steps are never shorter than this, unless refined.
  Real fine_step = 2e-5L;   ///< Where the distance is below `near`.
  Real near = 1e-4L;        ///< [m] Above the margin.
  int max_samples = 20000;  ///< Per pair.
};

/// Robot and scene for sampling, from the robot's specification, not its model. Distances are computed for every pair
/// to check, by brute force in extended precision; samples are so dense that a pair cannot come together between two of
/// them (steps from the distance and an upper bound of the speed), down to a shortest step.
class Oracle {
 public:
  struct Pair {
    int a, b;     ///< Into bodies().
    Real margin;  ///< [m]
  };

  /// `self_margin`: between links of one robot, and what they hold; `robot` is one robot, unless LinkSpec::robot says
  /// otherwise.
  Oracle(const RobotSpec& robot, const Scene& scene, const CollisionMatrix& matrix, double margin, double self_margin);
  Oracle(const RobotSpec& robot, const Scene& scene, const CollisionMatrix& matrix, double margin)
      : Oracle(robot, scene, matrix, margin, margin) {}

  const std::vector<Body>& bodies() const { return bodies_; }
  const std::vector<Pair>& pairs() const { return pairs_; }
  int find_pair(const std::string& a, const std::string& b) const;  ///< -1: not checked.

  /// Poses of all links (X_WorldLink) at time t.
  std::vector<Mat4> poses(const Edge& edge, Real t) const { return mechanism_.poses(edge, t); }
  /// X_BA of a pair at time t.
  Mat4 relative(const Pair& pair, const Edge& edge, Real t) const;

  /// Distance of one pair at time t, exact below `exact_below` (see truth::distance).
  Real distance(const Edge& edge, int pair, Real t, Real exact_below = std::numeric_limits<Real>::infinity()) const;
  /// Least distance minus margin over all pairs at time t, exact below 1 m.
  Real clearance(const Edge& edge, Real t) const;
  /// Whether one body of the pair is inside the other at time t.
  bool nested_at(const Edge& edge, int pair, Real t) const;

  /// Samples a pair over [t0, t1]; stops at the first hit.
  Scan scan(const Edge& edge, int pair, Real t0, Real t1, const ScanOptions& options = {}) const;

  /// [m per unit of t] Bounds the speed of any point of A relative to B.
  Real speed_bound(const Edge& edge, const Pair& pair) const;

 private:
  Mechanism mechanism_;
  std::vector<Body> bodies_;
  std::vector<Pair> pairs_;

  void add_pairs(const RobotSpec& robot, const Scene& scene, const CollisionMatrix& matrix, double margin,
                 double self_margin, const std::vector<std::pair<std::string, std::string>>& touching);
};

}  // namespace planner_ccd::truth
