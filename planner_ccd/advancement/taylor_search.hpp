#pragma once

#include <vector>

#include "planner_ccd/advancement/certified_span.hpp"
#include "planner_ccd/advancement/pose_cache.hpp"
#include "planner_ccd/advancement/search_problem.hpp"

namespace planner_ccd {

/// Two-sided Taylor advancement over all pairs of a problem.                                   (MATHS.md 3 and 4)
///
/// A task is (node of A, node of B, interval). It is evaluated at one sample time; what eq. (2) certifies is cut out of
/// the interval. When the cut was a good share, what is left is tried again at the same nodes; else it goes to the
/// children. Leaves are pairs of primitives, advanced in the same way until apart everywhere or within margin +
/// tolerance.
///
/// Invariant (I1): at any moment, every (primitive pair, time) is either proved apart or covered by a task that waits.
///
/// Scratch memory is kept from edge to edge; a result depends on the edge alone.
class TaylorSearch {
 public:
  explicit TaylorSearch(const SearchProblem& problem);
  TaylorSearch(const TaylorSearch&) = delete;
  TaylorSearch& operator=(const TaylorSearch&) = delete;

  /// Any contact will do: stops at the first one met, in no order of time. t_free is 0 unless Free.
  SearchResult any_contact(EdgeMotion& motion, const SearchLimits& limits, std::vector<ProofEntry>* proof = nullptr);

  /// Tasks in order of time: t_free is proved, and the contact is within tolerance of the first one.
  SearchResult first_contact(EdgeMotion& motion, const SearchLimits& limits, std::vector<ProofEntry>* proof = nullptr);

 private:
  struct Task {
    std::int32_t pair;
    std::int32_t a;
    ForestNode b;
    bool primitives;  ///< a and b.node are primitives, not nodes.
    bool try_start;   ///< Primitives in order of time: sample at t0 next, because the middle gave little.
    double t0, t1;
  };
  struct Outcome {
    bool apart = false;
    double lo = 0.0, hi = 0.0;  ///< Certified interval, when apart.
  };

  const SearchProblem* problem_;
  std::vector<PairMotion> pair_motions_;
  PoseCache cache_;
  std::vector<Task> tasks_;
  SearchLimits limits_{};
  SearchResult result_;
  std::vector<ProofEntry>* proof_ = nullptr;
  double position_pad_ = 0.0;
  double speed_pad_ = 0.0;

  bool start(EdgeMotion& motion, const SearchLimits& limits, std::vector<ProofEntry>* proof);
  void push_roots(bool by_time);
  void push(const Task& task, bool by_time);
  Task pop(bool by_time);
  bool budget_left() const { return result_.counters.evaluations() < limits_.max_evaluations; }

  double margin(const Task& task) const;
  Outcome evaluate_nodes(const Task& task, double m);
  Outcome evaluate_primitives(const Task& task, double m);
  void record(const Task& task, double m, const Eigen::Vector3d& n, const Outcome& outcome);
  void record_contact(const Task& task, double m, const TriangleDistance& d, double radii);
  void expand(const Task& task, bool by_time);
  void push_primitives(const Task& task, bool by_time);
  void push_rest(Task task, const Outcome& outcome, bool by_time);
  bool advance_nodes(const Task& task, double horizon, bool by_time);
  SearchResult finish(SearchVerdict verdict, double t_free);
};

}  // namespace planner_ccd
