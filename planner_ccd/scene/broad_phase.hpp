#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <functional>
#include <span>
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

/// Scratch memory of BroadPhase, kept from edge to edge.
struct BroadPhaseScratch {
  struct Meeting {
    int part;  ///< [part, part + 1] / 2^level of the edge.
    int mover, box;
    bool halve;  ///< The mover's swept box is loose: halves of the part may be shorter or none.
  };
  std::vector<Meeting> met, next;                ///< Of this level and the next: the latest part first, then by mover.
  std::vector<Meeting> left;                     ///< Of one part, after a look at it.
  std::vector<int> boxes;                        ///< What one mover may meet.
  std::vector<double> times;                     ///< To compute poses for.
  std::vector<BoxTrace> traces;                  ///< By mover.
  std::vector<std::uint32_t> open;               ///< By mover and box: a bit for each 32nd of the edge that is left.
  std::vector<std::pair<int, int>> opened;       ///< Mover and box of what is not 0 in `open`, in order of discovery.
  std::vector<std::pair<double, double>> parts;  ///< Parts of the edge on which the spheres of two bodies may meet.
  std::vector<std::pair<double, double>> unknown;  ///< Parts of the edge that certified cells leave open, of one pair,
  std::vector<Candidate> uncertain;                ///< and of all pairs of two bodies.
};

/// Finds the pairs, and the parts of an edge, on which a distance must be asked for at all. A moving collider's swept box
/// over [t0, t1] is tried against the index of obstacle boxes; while it is much larger than the collider, the interval is
/// halved and what it met is tried again, level by level: poses are computed for four instants at once. Immutable.
///
/// On the way a prober may look for contact at the instants met, the end of the edge first, then in bisection order: most
/// edges that collide do so visibly, and need no proof.
class BroadPhase {
 public:
  /// `cell_evaluations`: what may be spent on the certified cells of each pair of moving colliders; 0 for no cells.
  /// `index`: of the obstacles' boxes; null for a BoxTree.
  BroadPhase(const CollisionWorld& world, std::int64_t cell_evaluations, const BoxIndexFactory* index = nullptr);

  struct MovingPair {
    int pair;
    PairCells cells;
  };
  /// Pairs of colliders that both move, and those of a moving and a still link with few joints between them, with what is
  /// proved of them for all joint values.
  const std::vector<MovingPair>& moving_pairs() const { return moving_pairs_; }

  /// Appends candidates to `out`. Pairs of moving colliders are candidates where their certified cells leave them open.
  void collect(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out) const {
    collect_until(edge, scratch, out, nullptr);
  }

  /// Looks for a pair in contact at an instant, cheaply: true is a proof, false means nothing.
  using Prober = std::function<bool(int pair, double t)>;
  /// What lies behind the earliest contact that the prober finds is of no interest: returns that time, infinite for none.
  /// With `any` the first contact found is the answer, and collecting ends there.
  double collect_until(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out, const Prober* prober,
                       bool any = false) const;

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

  /// One collect() under way.
  struct Sweep {
    EdgeState& edge;
    BroadPhaseScratch& scratch;
    const Prober* prober;
    bool any;        ///< The first contact found is the answer.
    double horizon;  ///< Of the earliest contact found.

    bool done() const { return any && horizon <= 1.0; }
  };
  Eigen::AlignedBox3d swept_mover(const Mover& mover, EdgeState& edge, double m, double half_width) const;
  void ask(Sweep& sweep, int mover, const Eigen::AlignedBox3d& box) const;
  void leave_open(BroadPhaseScratch& scratch, const BroadPhaseScratch::Meeting& meeting, int level) const;
  void probe(Sweep& sweep, double t, bool not_halved) const;
  void sweep_part(Sweep& sweep, std::size_t begin, std::size_t end, int level) const;
  void sweep_levels(Sweep& sweep) const;
  void collect_resting(Sweep& sweep, std::vector<Candidate>& out) const;
  void collect_moving(Sweep& sweep, std::vector<Candidate>& out) const;
  void probe_candidates(Sweep& sweep, std::span<const Candidate> candidates) const;
};

}  // namespace planner_ccd
