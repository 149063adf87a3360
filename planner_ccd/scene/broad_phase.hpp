#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/scene/box_index.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// A box that contains every point of `volume` (a node of A's tree, in A's frame) at all times within h = `half_width` of the
/// instant of `state`, in B's frame, and `pad` around it: with corners c_j of the generator now,
///
///   |c_j(s) - c_j|_k  <=  h |c_j'|_k + h^2 / 2 min(|c_j''|_k + h/3 B_3, B_2)     for each coordinate k.
[[gnu::visibility("default")]] Eigen::AlignedBox3d swept_box(const Ssv& volume, const PairState& state,
                                                             const PairMotion& motion, double half_width, double pad);

/// Scratch memory of BroadPhase, kept from edge to edge.
struct BroadPhaseScratch {
  struct Meeting {
    int part;  ///< [part, part + 1] / 2^level of the edge.
    int mover, box;
    bool halve;  ///< The mover's swept box is loose: halves of the part may be shorter or none.
  };
  std::vector<Meeting> met, next;  ///< Of this level and the next: the latest part first, then by mover.
  std::vector<Meeting> left;       ///< Of one part, after a look at it.
  std::vector<int> boxes;          ///< What one mover may meet.
  std::vector<double> times;       ///< To compute poses for.
  std::vector<BoxTrace> traces;    ///< By mover.
  struct Open {
    int mover, box;
    std::uint32_t bits;  ///< One for each 32nd of the edge that is left.
    int next;            ///< In `open`, of the same box; -1: none.
  };
  std::vector<Open> open;        ///< What is left of each mover and box, in order of discovery.
  std::vector<int> open_of_box;  ///< By box: its last in `open`; -1: none.

  double horizon = 0.0;  ///< Nothing from here on is of interest: whoever has found a contact may bring it forward.
  bool suggest = false;  ///< Whether next() is to suggest probes.
  int level = 0;
  std::size_t part_begin = 0;       ///< In `met`: the next part to look at.
  std::size_t suggest_next = 0;     ///< In `left`: the next meeting to suggest, at
  double suggest_at = 0.0;          ///< this time;
  bool suggest_not_halved = false;  ///< of those that are not halved.
  int box_mover = -1;               ///< Whose box at `suggest_at` is
  Eigen::AlignedBox3d box;          ///< this one.
};

/// A look that is likely to show a contact, and cheap: the pair's boxes meet at t.
struct Probe {
  int pair;
  double t;
};

/// Finds the pairs of a mover and an obstacle, and the parts of an edge, on which a distance must be asked for at all. A moving
/// collider's swept box over [t0, t1] is tried against the index of obstacle boxes; while it is much larger than the collider,
/// the interval is halved and what it met is tried again, level by level: poses are computed for four instants at once.
/// Immutable.
///
/// On the way it suggests where to look for contact, the end of the edge first, then in bisection order: most edges that collide
/// do so visibly, and need no proof. Who asks decides what to do about it:
///
///   start(edge, scratch, true);
///   while (const auto probe = next(edge, scratch)) {
///     if (in contact at probe->t) scratch.horizon = probe->t;  // or all is said
///   }
///   finish(scratch, candidates);
class BroadPhase {
 public:
  /// `elsewhere`: pairs with what rests that are no business of these boxes (MovingPairs::resting), ascending.
  /// `index`: of the obstacles' boxes; null for a BoxTree.
  BroadPhase(const CollisionWorld& world, const std::vector<int>& elsewhere, const BoxIndexFactory* index = nullptr);

  void start(EdgeState& edge, BroadPhaseScratch& scratch, bool suggest) const;
  /// Goes on to the next suggestion; none when all of the edge has been looked at.
  std::optional<Probe> next(EdgeState& edge, BroadPhaseScratch& scratch) const;
  /// Appends candidates, cut at the horizon, to `out`.
  void finish(BroadPhaseScratch& scratch, std::vector<Candidate>& out) const;
  /// Appends the pairs of a row of SearchProblem::pairs with what rests and whose box meets `box`.
  void resting_near(int row, const Eigen::AlignedBox3d& box, std::vector<int>& out) const;

  /// All of start, next and finish, without suggestions.
  void collect(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out) const;

 private:
  struct Mover {
    int collider;
    int chain;                   ///< Against the world.
    double margin;               ///< [m] The greatest of its pairs with obstacles.
    double size;                 ///< [m] Longest side of its box.
    int row;                     ///< Of SearchProblem::pairs, whose resting trees are those of the boxes.
    std::vector<int> elsewhere;  ///< Boxes whose pairs are no business of these; ascending.
  };
  const CollisionWorld* world_;
  std::unique_ptr<BoxIndex> boxes_;
  std::vector<Mover> movers_;

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

}  // namespace planner_ccd
