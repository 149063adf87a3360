#pragma once

#include <Eigen/Geometry>
#include <functional>
#include <vector>

#include "planner_ccd/advancement/edge_state.hpp"
#include "planner_ccd/advancement/pair_cells.hpp"
#include "planner_ccd/scene/box_index.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// A box that contains every point of `volume` (a node of A's tree, in A's frame) at all times within h = `half_width` of the
/// instant of `state`, in B's frame, and `pad` around it: with corners c_j of the generator now,
///
///   |c_j(s) - c_j|_k  <=  h |c_j'|_k + h^2 / 2 min(|c_j''|_k + h/3 B_3, B_2)     for each coordinate k.
Eigen::AlignedBox3d swept_box(const Ssv& volume, const PairState& state, const PairMotion& motion, double half_width,
                              double pad);

/// Finds the pairs, and the parts of an edge, on which a distance must be asked for at all. A moving collider's swept box
/// over [t0, t1] is tried against the index of obstacle boxes; while it is much larger than the collider, the interval is
/// halved and what it met is tried again. Immutable; scratch memory is in `BroadPhaseScratch`.
struct BroadPhaseScratch {
  struct Meeting {
    int mover, box;
  };
  std::vector<Meeting> met;                        ///< Stack of lists, ordered by mover.
  std::vector<int> boxes;                          ///< What one mover may meet at all.
  std::vector<BoxTrace> traces;                    ///< By mover.
  std::vector<std::pair<double, double>> open;     ///< Parts of the edge on which the spheres of two bodies may meet.
  std::vector<std::pair<double, double>> unknown;  ///< Parts of the edge that certified cells leave open.
  std::vector<int> last_candidate;                 ///< By mover and box: the latest, to join neighbouring intervals.
};

class BroadPhase {
 public:
  /// `cell_evaluations`: what may be spent on the certified cells of each pair of moving colliders; 0 for no cells.
  BroadPhase(const CollisionWorld& world, std::int64_t cell_evaluations, BoxIndexKind kind = BoxIndexKind::Tree);

  struct MovingPair {
    int pair;
    PairCells cells;
  };
  /// Pairs of colliders that both move, and those of a moving and a still link with few joints between them, with what is
  /// proved of them for all joint values.
  const std::vector<MovingPair>& moving_pairs() const { return moving_pairs_; }

  /// Appends candidates to `out`. Pairs of moving colliders are candidates where their certified cells leave them open.
  void collect(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out) const;

  /// The same for a question that any contact answers: goes from the end of the edge to its beginning, because edges that
  /// collide most often end in contact, and calls `settle` now and then for it to look at `out` and clear it. Stops when it
  /// returns false. False then.
  bool collect(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out,
               const std::function<bool()>& settle) const;

 private:
  struct Mover {
    int collider;
    int chain;                     ///< Against the world.
    double margin;                 ///< [m] The greatest of its pairs with obstacles.
    double size;                   ///< [m] Longest side of its box.
    std::vector<int> pair_of_box;  ///< By box of the tree; -1: not checked.
  };
  const CollisionWorld* world_;
  std::unique_ptr<BoxIndex> boxes_;
  std::vector<Mover> movers_;
  /// The pairs between two moving bodies, with spheres around all that takes part: one look at the spheres often rules out
  /// all of them.
  struct MovingBodies {
    int chain;
    Eigen::Vector3d center_a = Eigen::Vector3d::Zero();  ///< Each in its body's frame, within PairMotion's reach.
    Eigen::Vector3d center_b = Eigen::Vector3d::Zero();
    double radius_a = 0.0;
    double radius_b = 0.0;
    double margin = 0.0;     ///< [m] The greatest of the pairs.
    std::vector<int> pairs;  ///< Indices into moving_pairs_.
  };
  std::vector<MovingPair> moving_pairs_;
  std::vector<MovingBodies> moving_bodies_;

  void group_moving_pairs();
  void open_parts(const MovingBodies& bodies, EdgeState& edge, std::vector<std::pair<double, double>>& open) const;
  void collect_moving(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out) const;

  /// One collect() under way.
  struct Sweep {
    EdgeState& edge;
    BroadPhaseScratch& scratch;
    std::vector<Candidate>& out;
    const std::function<bool()>* settle;
    int settle_at;  ///< Number of times looked at.
  };
  Eigen::AlignedBox3d swept_mover(const Mover& mover, EdgeState& edge, double t0, double t1) const;
  void ask(Sweep& sweep, int mover, const Eigen::AlignedBox3d& box) const;
  bool collect_resting(Sweep& sweep) const;
  void emit(Sweep& sweep, const BroadPhaseScratch::Meeting& meeting, double t0, double t1) const;
  bool halve(Sweep& sweep, std::size_t begin, double t0, double t1) const;
};

}  // namespace planner_ccd
