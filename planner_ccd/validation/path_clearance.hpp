#pragma once

#include <functional>
#include <limits>
#include <unordered_map>
#include <vector>

#include "planner_ccd/validation/check_trajectory.hpp"
#include "planner_ccd/validation/least_distance.hpp"

namespace planner_ccd {

struct ClearanceOptions {
  double accuracy = 1e-3;                    ///< [m] >= 1e-6. upper - lower of every result.
  std::int64_t max_evaluations = 1'000'000;  ///< > 0. Per pair and segment; when spent, lower is not known.
  double relative = 0.0;                     ///< >= 0, < 1. upper - lower may be this share of upper if that is more.
  /// > 0. Distance evaluations in all, and what else costs as much. When spent, nothing more is measured, and lower decreases
  /// by how far bodies may have moved. A profile is then coarse everywhere, and `relative` where bodies are nearest.
  std::int64_t budget = std::numeric_limits<std::int64_t>::max();
  double below = std::numeric_limits<double>::infinity();  ///< [m] > 0. Pairs that stay farther apart are ignored.
};

/// The clearance of a trajectory: the least distance of pairs over all of it, from both sides. Margins are not
/// subtracted. Not thread-safe.
///
/// Bounds are carried along the path. A pair that is `clear` apart at one instant is at least clear - B_1 s apart a
/// time s later, with B_1 the bound of its points' speed (PairMotion), across segments: each begins where the previous
/// one ends, and where that holds less exactly than to rounding (require_joined allows 1e-9) nothing is carried. The
/// pair is measured again when the bound falls to
///
///   level = min(least distance of the pair met so far, that of the last pair wanted) - accuracy                (1)
///
/// and searched over the segment (LeastDistanceSearch) when one measurement does not prove (1) for all of it. Of the
/// resting trees only those are watched that can come so near according to the boxes.
class PathClearance {
 public:
  /// Throws InputError for an accuracy that is too small. For a motion that cannot be bounded (too far, too fast) no
  /// distance is proved: `lower` is 0.
  /// Checker and trajectory must live as long as this.
  PathClearance(const PathChecker& checker, const Trajectory& trajectory, const ClearanceOptions& options = {});
  PathClearance(const PathChecker& checker, Trajectory&& trajectory, const ClearanceOptions& options = {}) = delete;

  /// The `most` pairs that come nearest, the nearest first, to the accuracy; fewer when fewer come nearer than `below`. The `lower` of the
  /// first is a bound of all pairs, also where the budget ended the search.
  /// Empty when `progress` ended it.
  std::vector<PairClearance> nearest_pairs(std::size_t most, const TrajectoryProgress& progress = {});
  /// [m] All pairs that the last nearest_pairs() did not return stay at least so far apart. 0: not known, evaluations ran out, the
  /// motion could not be bounded; infinite: there are no others.
  double of_others() const;
  /// The nearest pair. Without names and with an infinite `upper` when no pair is checked or comes nearer than `below`.
  PairClearance nearest();
  /// The nearest pair in each of the pieces that cover the trajectory: of `step` [s], or up to a segment shorter. With a budget
  /// first to nine tenths of the distance everywhere; then that piece is made finer whose bounds differ most, as a share of its
  /// distance, times the root of the least distance as a share of its own.
  std::vector<ClearancePiece> profile(double step, const TrajectoryProgress& progress = {});

  const QueryCounters& counters() const { return counters_; }
  const PathChecker& checker() const { return checker_; }

 private:
  /// A part of a segment.
  struct SegmentPart {
    int segment;
    double u0, u1;
  };
  /// A pair, its least distance so far and where on the path, and how far apart it is now.
  struct Watched {
    int pair;
    int chain;
    double clear;         ///< [m] Certified at the beginning of the next part; -infinity: unknown.
    bool beside = false;  ///< Proved at the beginning of the next part: neither body is inside the other.
    LeastDistance least;
    int segment = 0;
    double floor = std::numeric_limits<double>::infinity();  ///< [m] Lower bound proved where (1) is not.
    bool active = true;                                      ///< Resting: near enough to be followed.
  };
  /// A pair that may come nearer on a part than the nearest of its piece.
  struct Near {
    int watched;
    SegmentPart part;
    double lower;  ///< [m] On this part.
  };
  struct Piece {
    std::vector<SegmentPart> parts;
    double relative = 1.0;   ///< As in ClearanceOptions, so far.
    double lower = 0.0;      ///< [m]
    int watched = -1;        ///< The nearest pair; -1: none was found.
    LeastDistance least;     ///< Its distance,
    int segment = 0;         ///< and where.
    std::vector<Near> near;  ///< All that a finer bound depends on.
  };
  /// The resting trees that one moving tree may meet.
  struct RestingTrees {
    double cover = -1.0;       ///< [m] Every resting tree nearer than this is watched.
    std::vector<int> watched;  ///< Indices into watched_.
  };
  static constexpr std::int64_t kShare = 16;  ///< Costs are counted in sixteenths of a distance evaluation.
  const PathChecker& checker_;
  const SearchProblem& problem_;
  const Trajectory& trajectory_;
  ClearanceOptions options_;
  EdgeMotion motion_;
  EdgeState edge_;
  LeastDistanceSearch search_;
  int segment_ = -1;     ///< The segment set in motion_ and edge_,
  bool usable_ = false;  ///< and whether it can be bounded.
  bool lost_ = false;    ///< Some segment could not be bounded.
  QueryCounters counters_;
  std::vector<Watched> watched_;  ///< Moving pairs first, then those with resting trees as discovered.
  std::unordered_map<int, int> index_of_;
  std::vector<RestingTrees> resting_;
  std::size_t most_ = 1;      ///< Number of pairs wanted.
  double enough_ = 0.0;       ///< [m] The least distance of the last of them; the limit `below` while there are fewer.
  std::vector<int> nearest_;  ///< Into watched_: the wanted pairs, the nearest first.
  double relative_;           ///< ClearanceOptions::relative, or coarser for a while.
  std::vector<Near>* near_ = nullptr;  ///< Of the present piece.
  std::int64_t work_ = 0;              ///< The cost of what the counters do not count.
  std::int64_t limit_ = 0;             ///< Of cost(): for the present piece.

  bool goes_on(int segment) const;
  bool set(int segment);  ///< False when the segment cannot be bounded: EdgeState::start.
  std::int64_t budget() const;
  std::int64_t cost() const;
  bool spent() const { return cost() > limit_; }
  double slack(double upper) const;
  double level(const Watched& w) const;
  double travel(int chain, double u0, double u1);
  double sphere_gap(int pair, double u);
  int watch(int pair);
  static void lose(Watched& w);
  void lower_to(Watched& w, const LeastDistance& least);
  double measure(Watched& w, double u);
  bool refine(Watched& w, const SegmentPart& part);
  void resting_near(int row, double u, double within, std::vector<int>& pairs);
  bool nested(int pair, double u);
  void forget(bool distances);
  void look(int segment, double u, double known = 1.0);
  void cover(const SegmentPart& part);
  double follow(Watched& w, const SegmentPart& part);
  void follow_beside(Watched& w, const SegmentPart& part);
  void advance(const SegmentPart& part);
  void find_nested(const SegmentPart& part);
  std::vector<Piece> pieces(double step) const;
  void sweep(Piece& piece, bool& may_be_nested, int& last);
  void sweep_again(std::vector<Piece>& all);
  bool sharpen(Piece& piece, double relative);
  void sharpen(std::vector<Piece>& all);
  void update(Piece& piece);
  bool wanting(const Piece& piece) const;
  ClearancePiece result(const Piece& piece);
  PairClearance result(const Watched& w);
  PairClearance none() const;
  bool is_known(const PairClearance& c) const;
  double unproved() const;  ///< [m] Lower bound of all that the budget left open: no `lower` may exceed it.
};

/// Distance evaluations to spend on a page's profile: four times those of the check, or a fifth of a second.
std::int64_t picture_budget(const Trajectory& trajectory, const TrajectoryResult& report);

/// What `options` ask of a PathClearance; of a page's profile to a twentieth of the distance and within `budget`.
ClearanceOptions clearance_options(const TrajectoryOptions& options, std::int64_t budget);

/// Adds the clearances requested in `options`, measured by `clearance`, to a report: pairs, profile and their cost. Of a motion that
/// the report calls free, all bounds are at least the least margin. False when `progress` ended it.
bool add_clearance(PathClearance& clearance, const TrajectoryOptions& options, TrajectoryResult& report,
                   const TrajectoryProgress& progress);

/// The same for a whole trajectory.
[[gnu::visibility("default")]] bool add_clearance(const PathChecker& checker, const Trajectory& trajectory,
                                                  const TrajectoryOptions& options, TrajectoryResult& report,
                                                  const TrajectoryProgress& progress = {});

}  // namespace planner_ccd
