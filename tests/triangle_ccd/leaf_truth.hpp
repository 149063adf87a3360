#pragma once

#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd::test {

/// The exact verdict with a bracket of the first contact time. Interval arithmetic in long double decides what it can; the
/// rational oracle (exact_leaf.hpp) decides the rest.
struct Truth {
  bool hit = false;
  double toi_lo = 0.0, toi_hi = 0.0;
  bool by_rationals = false;
};

Truth true_contact(const VertexFaceMotion& motion);
Truth true_contact(const EdgeEdgeMotion& motion);

/// Distance at one time, from scratch in long double; good to about 1e-18 of the coordinates.
double plain_distance(const VertexFaceMotion& motion, double t);
double plain_distance(const EdgeEdgeMotion& motion, double t);

/// The fastest relative motion of a corner of A and one of B.
double plain_speed(const VertexFaceMotion& motion);
double plain_speed(const EdgeEdgeMotion& motion);

/// A kernel's answer compared with the truth.
struct Judgement {
  bool missed = false;       ///< Free although they touch, or a contact inside the prefix claimed proved.
  bool false_alarm = false;  ///< Contact or Undecided although they never touch.
  bool beyond = false;       ///< Contact at a distance above min_separation + tolerance.
  bool late = false;         ///< Contact reported after the first one by more than the tolerance.
  bool undecided = false;    ///< The kernel's answer is Undecided.
};

Judgement judge(const LeafResult& result, const Truth& truth, double distance_at_contact, double speed,
                const LeafOptions& options);

}  // namespace planner_ccd::test
