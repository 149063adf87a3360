#pragma once

#include <fcl/narrowphase/collision_object.h>

#include <memory>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd::bench {

/// Continuous checking by a distance library and a motion bound, pair by pair, as one would build it on PQP's tolerance
/// query. An interval [m - h, m + h] of a pair is free when the bodies' distance at m exceeds what A's points can
/// close,
///
///   h max_p |v + w x p| + h^2 / 2 B_2,     max over the bounding sphere of A, v and w the exact twist at m;
///
/// FCL only decides that, so it stops early. Otherwise both halves are tried. Kinematics, twist and B_2 are this
/// project's; FCL's distances are trusted.
class FclBisection {
 public:
  struct Result {
    bool hit = false;
    double t = 0.0;              ///< Within `tolerance` there, or the step fell below it.
    std::int64_t distances = 0;  ///< FCL's distance queries.
  };

  explicit FclBisection(const CollisionWorld& world);

  /// Any contact: tries all pairs and intervals of one size before the next smaller ones.
  Result any_contact(EdgeMotion& motion, double tolerance);
  /// Intervals in order of time, so that the contact is the first one to `tolerance`.
  Result first_contact(EdgeMotion& motion, double tolerance);

 private:
  struct Task {
    int pair;
    double t0, t1;
  };
  enum class Answer { Free, Contact, Halve };

  const CollisionWorld* world_;
  EdgeState edge_;
  std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;  ///< By collider.
  std::vector<Task> tasks_;
  std::int64_t distances_ = 0;

  void place(int collider, const BodyState& body);
  Answer ask(const Task& task, double tolerance);
};

}  // namespace planner_ccd::bench
