#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/taylor_search.hpp"
#include "planner_ccd/hierarchy/queries.hpp"
#include "planner_ccd/moving_pairs/moving_pairs.hpp"
#include "planner_ccd/validation/check_trajectory.hpp"
#include "planner_ccd/validation/least_distance.hpp"

namespace planner_ccd {

/// The contact intervals of every pair over a trajectory.
///
/// A pair that is apart is advanced by TaylorSearch to its next contact, which proves all the time before free. A pair
/// in contact is sampled in steps of the resolution until it is apart by more than margin + tolerance; bisection then
/// finds where it came apart, and the search continues from there. So everything outside the intervals is proved free,
/// and gaps inside them may have been missed if shorter than the resolution.
///
/// In a tube, what proves a pair apart depends on the length of the interval: bounds of a long one are wider, and where they
/// fail for a volume its primitives, which have normals of their own, may be called a contact that a short one excludes.
/// So one criterion says where contacts begin and end: a pair is in contact at t if the search of [t, t + step] finds
/// a contact at t, step being the resolution.
///
/// Each sample is used once, by one contact, and what begins before the sample at which the last contact was seen apart
/// belongs to that contact. So there are at most as many contacts of a pair as samples, whatever the criterion says.
class ContactIntervals {
 public:
  ContactIntervals(const PathChecker& checker, const Trajectory& trajectory, const TrajectoryOptions& options);

  /// Processes one segment; call it for all of them, in order and without gaps. Appends the findings that ended in it,
  /// and the undecided ones.
  void advance(int segment, std::vector<Finding>& findings);
  /// Appends the contacts that last to the end.
  void finish(std::vector<Finding>& findings);
  /// For the first contact in a segment of a pair with a margin: whether the bodies meet, or how near they come, up to
  /// the segment's end.
  void describe(int segment, Finding& finding);

  const QueryCounters& counters() const { return counters_; }

 private:
  /// A contact whose end has not been seen.
  struct OngoingContact {
    Finding finding;
    PrimitivePair witness;
    LeastDistance nearest;  ///< For a pair with a margin: the least distance so far, and
    double at = 0.0;        ///< [s] when.
  };
  /// The samples of a segment: multiples of a step, and 1.
  struct Samples {
    double step;
    int next = 1;  ///< The first that is not used.

    double at(int i) const { return std::min(1.0, i * step); }
    double last() const { return at(next - 1); }
  };
  const PathChecker& checker_;
  const SearchProblem& problem_;
  const Trajectory& trajectory_;
  const TrajectoryOptions& options_;
  EdgeMotion motion_;
  EdgeState edge_;
  TaylorSearch search_;
  LeastDistanceSearch least_;
  MovingPairsScratch scratch_;
  std::vector<Candidate> candidates_, of_pair_;
  std::map<int, OngoingContact> open_;  ///< By pair.
  std::set<int> look_inside_;           ///< Pairs of which one body may contain the other; all pairs in the
  int first_segment_ = -1;              ///< first segment, -1 before that.
  QueryCounters counters_;

  void set(int segment);
  double clock(int segment, double u) const;
  Eigen::Isometry3d pose(int body, double u) { return edge_.kinematics(u).bodies[body].pose(); }
  void forget_poses();
  Samples samples(int segment) const;
  bool touching(int pair, double u, double step, PrimitivePair& witness);
  std::optional<double> leave(int segment, int pair, double from, Samples& samples);
  SearchResult search(int pair, double from, double to);
  SearchResult next_contact(int pair, double from, double width, double step);
  bool starts_inside(int pair);
  void advance_pair(int segment, int pair, std::vector<Finding>& findings);
  void enter(int segment, const SearchResult& found);
  void come_nearest(int segment, int pair, double from, double to, OngoingContact& open);
  void close(OngoingContact& open, std::vector<Finding>& findings);
  void sample_depth(int segment, int pair, double from, double to);
  void undecided(int segment, int pair, double from, std::vector<Finding>& findings);
};

}  // namespace planner_ccd
