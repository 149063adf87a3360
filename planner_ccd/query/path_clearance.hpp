#pragma once

#include <vector>

#include "planner_ccd/advancement/least_distance.hpp"
#include "planner_ccd/query/check_trajectory.hpp"

namespace planner_ccd {

struct ClearanceOptions {
  double accuracy = 1e-3;                    ///< [m] >= 1e-6. upper - lower of every result.
  std::int64_t max_evaluations = 1'000'000;  ///< > 0. Per pair and segment; beyond it lower is 0.
};

/// How near things come on a trajectory: the least distance of pairs over all of it, from both sides. Margins do not
/// enter. Not for several threads at once.
class PathClearance {
 public:
  /// Throws InputError for an accuracy that is too small. Of a motion about which nothing can be said (too far, too fast) no
  /// distance is proved: `lower` is 0.
  PathClearance(const PathChecker& checker, const Trajectory& trajectory, const ClearanceOptions& options = {});

  /// Of every pair, the nearest first.
  std::vector<PairClearance> every_pair();
  /// Of the nearest pair alone, at a fraction of the cost. Empty names and infinite when no pair is checked.
  PairClearance nearest();
  /// The nearest pair's over pieces of at most `step` [s] that cover the trajectory.
  std::vector<ClearancePiece> profile(double step);

  const QueryCounters& counters() const { return counters_; }

 private:
  /// A pair's least distance so far, and where on the path.
  struct Best {
    LeastDistance least;
    int segment = 0;
    bool proved = true;
  };
  const PathChecker& checker_;
  const SearchProblem& problem_;
  const Trajectory& trajectory_;
  ClearanceOptions options_;
  EdgeMotion motion_;
  EdgeState edge_;
  LeastDistanceSearch search_;
  int segment_ = -1;     ///< What motion_ and edge_ are set to,
  bool usable_ = false;  ///< and whether anything can be said of it.
  QueryCounters counters_;

  bool set(int segment);  ///< False when nothing can be said about the segment: EdgeState::start.
  double sphere_gap(int pair, double u);
  void measure(int pair, double u, double enough, Best& best);
  void refine(int pair, double u0, double u1, Best& best);
  bool nested(int pair, double u);
  static Best touching(int segment, double u);
  /// `last`: of each pair, what it looked at in the piece before. `not_nested`: nothing is inside anything at u0, and
  /// afterwards whether that is proved for u1.
  PairClearance nearest_of_piece(double u0, double u1, std::vector<LeastDistance>& last, bool& not_nested);
  std::vector<int> seeds() const;
  PairClearance result(int pair, const Best& best);
};

}  // namespace planner_ccd
