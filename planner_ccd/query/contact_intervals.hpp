#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/least_distance.hpp"
#include "planner_ccd/advancement/taylor_search.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/moving_pairs/moving_pairs.hpp"
#include "planner_ccd/query/check_trajectory.hpp"

namespace planner_ccd {

/// Every contact of every pair over a trajectory, from when to when.
///
/// A pair that is apart is advanced by TaylorSearch to its next contact, which proves all the time before free. A pair in
/// contact is looked at in steps of the resolution until it is apart by more than margin + tolerance; where it came apart
/// is then found by bisection, and the search goes on from there. So what is outside of all intervals is proved free, and
/// gaps shorter than the resolution inside of one may have been passed over.
class ContactIntervals {
 public:
  ContactIntervals(const PathChecker& checker, const Trajectory& trajectory, const TrajectoryOptions& options);

  /// Processes one segment; call it for all of them, in order and without gaps. Appends what ended in it, and what could not be
  /// decided.
  void advance(int segment, std::vector<Finding>& findings);
  /// Appends what is still in contact at the end.
  void finish(std::vector<Finding>& findings);
  /// Of a segment's first contact of a pair with a margin: whether the two meet, or how near they come, to the end of the segment.
  void describe(int segment, Finding& finding);

  const QueryCounters& counters() const { return counters_; }

 private:
  struct Open {
    Finding finding;
    PrimitivePair witness;
    LeastDistance nearest;  ///< Where the pair has a margin: met so far, and
    double at = 0.0;        ///< [s] when.
  };
  const PathChecker& checker_;
  const SearchProblem& problem_;
  const Trajectory& trajectory_;
  const TrajectoryOptions& options_;
  EdgeMotion motion_;
  EdgeState edge_;
  TaylorSearch search_;
  LeastDistanceSearch least_;
  CandidateScratch scratch_;
  std::vector<Candidate> candidates_, of_pair_;
  std::map<int, Open> open_;   ///< By pair.
  std::set<int> look_inside_;  ///< Pairs of which nothing is known of whether one body holds the other; and all in the
  int first_segment_ = -1;     ///< first segment, -1 before that.
  QueryCounters counters_;

  double clock(int segment, double u) const;
  Eigen::Isometry3d pose(int body, double u) { return edge_.kinematics(u).bodies[body].pose(); }
  bool touching(int pair, double u, PrimitivePair& witness);
  std::optional<double> leave(int segment, int pair, double from);
  bool starts_inside(int pair);
  void advance_pair(int segment, int pair, std::vector<Finding>& findings);
  void enter(int segment, const SearchResult& found);
  void come_nearest(int segment, int pair, double from, double to, Open& open);
  void close(Open& open, std::vector<Finding>& findings);
  void sample_depth(int segment, int pair, double from, double to);
  void undecided(int segment, int pair, double from, std::vector<Finding>& findings);
};

}  // namespace planner_ccd
