#pragma once

#include <limits>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/search_problem.hpp"
#include "planner_ccd/hierarchy/queries.hpp"

namespace planner_ccd {

/// The least distance seen of a pair, and where.
struct LeastDistance {
  double upper = std::numeric_limits<double>::infinity();  ///< [m] The distance at t is at most this. Rounded up.
  double t = 0.0;
  int primitive_a = -1, primitive_b = -1;
  Eigen::Vector3d point_a = Eigen::Vector3d::Zero();  ///< In B's frame.
  Eigen::Vector3d point_b = Eigen::Vector3d::Zero();
};

/// What LeastDistanceSearch::refine is to prove: (42) for a pair on [t0, t1].
struct LeastDistanceRequest {
  int pair;
  double t0, t1;
  double accuracy;  ///< [m] > 0
  std::int64_t max_evaluations;
};

struct LeastDistanceResult {
  LeastDistance best;      ///< The least distance known before, or a lower one.
  bool is_proved = false;  ///< False: the budget was spent, or rounding prevents it (accuracy within a few pads).
  QueryCounters counters;
};

/// Branch and bound for the least distance of a pair over a part of an edge, with the two-sided Taylor steps of
/// TaylorSearch: a node pair at an instant certifies an interval on which it is farther apart than the level (42) of MATHS.md T20,
/// best.upper - accuracy, and primitives lower `best`, so the level sinks while the search goes on. What was certified before stays certified.
/// When no task is left, the pair is nowhere nearer than level: best.upper - accuracy <= least distance <= best.upper.
class LeastDistanceSearch {
 public:
  explicit LeastDistanceSearch(const SearchProblem& problem) : problem_(&problem) {}

  /// Lowers `best`, what is known before, until (42) is proved.
  LeastDistanceResult refine(EdgeState& edge, const LeastDistanceRequest& request, const LeastDistance& best);

  /// `best`, or the distance of these primitives at t if that is less. Cheap: a good start.
  LeastDistance measured(EdgeState& edge, int pair, PrimitivePair primitives, double t, const LeastDistance& best);

 private:
  struct Task {
    std::int32_t a, b;
    bool primitives;
    double gap;
    double t0, t1;
  };
  const SearchProblem* problem_;
  EdgeState* edge_ = nullptr;
  int pair_ = 0;
  double accuracy_ = 0.0;
  std::vector<Task> tasks_, fresh_;

  double level(const LeastDistance& best) const { return std::max(0.0, best.upper - accuracy_); }
  bool step(const Task& task, LeastDistance& best);
  void children(const Task& task);
};

}  // namespace planner_ccd
