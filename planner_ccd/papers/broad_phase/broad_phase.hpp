#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/search_method.hpp"
#include "planner_ccd/papers/broad_phase/box_index.hpp"
#include "planner_ccd/scene/swept_box.hpp"

namespace planner_ccd {

/// Scratch memory of BroadPhase, kept from edge to edge.
struct BroadPhaseScratch {
  struct Meeting {
    int part;  ///< [part, part + 1] / 2^level of the edge.
    int mover, box;
    bool halve;  ///< The mover's swept box is loose: halving the part may shrink it, or exclude the meeting.
  };
  std::vector<Meeting> met, next;  ///< Of this level and the next: sorted by part, the latest first, then by mover.
  std::vector<Meeting> left;       ///< Of one part, after testing it.
  std::vector<int> boxes;          ///< Boxes that one mover may meet.
  std::vector<double> times;       ///< For which to compute poses.
  std::vector<std::unique_ptr<BoxIndex::Trace>> traces;  ///< By mover.
  struct Open {
    int mover, box;
    std::uint32_t bits;  ///< One for each 32nd of the edge that is left open.
    int next;            ///< Index in `open` for the same box; -1: none.
  };
  std::vector<Open> open;        ///< Parts left open for each mover and box, in order of discovery.
  std::vector<int> open_of_box;  ///< By box: its last entry in `open`; -1: none.

  double horizon = 0.0;  ///< Times from here on are ignored: a caller that has found a contact may lower it.
  bool suggest = false;  ///< Whether next() suggests probes.
  int level = 0;
  std::size_t part_begin = 0;       ///< Index in `met` of the next part to test.
  std::size_t suggest_next = 0;     ///< Index in `left` of the next meeting to suggest,
  double suggest_at = 0.0;          ///< at this time,
  bool suggest_not_halved = false;  ///< only those that are not halved.
  int box_mover = -1;               ///< The mover whose box at `suggest_at`
  Eigen::AlignedBox3d box;          ///< is this one.
};

/// Finds the pairs of a mover and an obstacle, and the parts of an edge, for which distances are needed. A moving
/// collider's swept box over [t0, t1] is tested against the index of obstacle boxes; while it is much larger than the
/// collider, the interval is halved and the boxes it met are tested again, level by level: poses are computed for four
/// instants at once. Immutable.
///
/// On the way it suggests probes for contact, the end of the edge first, then in bisection order: most edges that
/// collide do so visibly and need no proof. The caller decides what to do with them:
///
///   start(edge, scratch, true);
///   while (const auto probe = next(edge, scratch)) {
///     if (in contact at probe->t) scratch.horizon = probe->t;  // or all is said
///   }
///   finish(scratch, candidates);
class BroadPhase {
 public:
  /// `elsewhere`: pairs with resting trees that are handled elsewhere, ascending. `index`: of the obstacles' boxes; null for a BoxTree.
  BroadPhase(const SearchProblem& problem, const std::vector<int>& elsewhere, const BoxIndexFactory* index = nullptr);

  void start(EdgeState& edge, BroadPhaseScratch& scratch, bool suggest) const;
  /// Continues to the next suggestion; empty when all of the edge has been processed.
  std::optional<Probe> next(EdgeState& edge, BroadPhaseScratch& scratch) const;
  /// Appends the candidates, cut at the horizon, to `out`.
  void finish(BroadPhaseScratch& scratch, std::vector<Candidate>& out) const;
  /// Runs start, next and finish, without suggestions.
  void collect(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out) const;

 private:
  struct Mover {
    const SsvTree* tree;
    int chain;                   ///< Against the world.
    double margin;               ///< [m] The greatest of its pairs with obstacles, but for what errors of these add.
    int link;                    ///< That carries it.
    double size;                 ///< [m] Longest side of its box.
    int row;                     ///< In SearchProblem::pairs; its resting trees are those of the boxes.
    std::vector<int> elsewhere;  ///< Boxes whose pairs are handled elsewhere; ascending.
  };
  const SearchPairs* pairs_;
  std::unique_ptr<BoxIndex> boxes_;
  std::vector<Mover> movers_;
  std::vector<int> resting_links_;  ///< Links that rest: an error of their own pose counts as well.

  void add_mover(int row, std::vector<int> elsewhere);
  int pair_of(const Mover& mover, int box) const;  ///< -1: not checked.
  Eigen::AlignedBox3d swept_mover(const Mover& mover, EdgeState& edge, double m, double half_width) const;
  void ask(BroadPhaseScratch& scratch, int mover, const Eigen::AlignedBox3d& box) const;
  void leave_open(BroadPhaseScratch& scratch, const BroadPhaseScratch::Meeting& meeting) const;
  void suggest_at(BroadPhaseScratch& scratch, double t, bool not_halved) const;
  std::optional<Probe> suggestion(EdgeState& edge, BroadPhaseScratch& scratch) const;
  void start_level(EdgeState& edge, BroadPhaseScratch& scratch) const;
  void sweep_part(EdgeState& edge, BroadPhaseScratch& scratch, std::size_t begin, std::size_t end) const;
};

/// The default's search, on what a broad phase finds instead of a first look.
class BroadPhaseMethod final : public SearchMethod {
 public:
  explicit BroadPhaseMethod(std::shared_ptr<const BoxIndexFactory> index) : index_(std::move(index)) {}
  std::string_view name() const override { return index_ ? index_->name() : "box_tree"; }
  std::unique_ptr<EdgeSearch> make(const SearchProblem& problem) const override;

 private:
  std::shared_ptr<const BoxIndexFactory> index_;
};

}  // namespace planner_ccd
