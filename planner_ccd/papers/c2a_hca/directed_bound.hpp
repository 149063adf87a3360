#pragma once

#include <Eigen/Core>
#include <vector>

#include "planner_ccd/motion/pair_motion.hpp"
#include "planner_ccd/papers/c2a_hca/direction_table.hpp"
#include "planner_ccd/papers/c2a_hca/taylor_chain.hpp"

namespace planner_ccd {

/// How much of the direction a bound uses.
enum class BoundKind {
  Undirected,    ///< Schwarzer, Saha, Latombe: lengths of trajectories. Ignores the direction.
  RootDirected,  ///< CATCH: the joint nearest to B is projected on the direction, the others are not.
  Directed,      ///< Eq. 14 of [c2a_hca]: every rotation is projected. For a rigid body: Lemmas 4.1 and 4.2.
};

struct DirectedBoundOptions {
  TaylorChainOptions models;
  int theta_cells = 16;  ///< Size of the look-up tables; 64 saves 3 % of the evaluations but costs more time than that.
  int phi_cells = 4;
};

/// Throws InputError for invalid cell counts and model options.
void validate(const DirectedBoundOptions& options);

/// The points of A that a bound covers: within `radius` of the hull of the corners, which are in A's frame. A node's
/// volume, or a triangle with radius 0.
struct BodyPoints {
  const Eigen::Vector3d* corners;
  int count;
  double radius;  ///< [m]
};

/// Upper bounds of the speed with which points of A approach a body B along a direction n fixed in B, over the whole
/// edge: the motion bounds of the papers, for any joint chain between the two.
///
/// Let k = 1..m be the moves between B and A as B sees them, at rates w_k (rotations) and s_k (translations), a_k(t)
/// their axes in B's frame, p a point of A and r_k(t) the vector from a point of axis k to p. Then p' = sum w_k a_k x
/// r_k + sum s_k a_k and
///
///   p'.n  =  sum w_k (n x a_k(t)) . r_k(t) + sum s_k n.a_k(t)
///         <= sum w_k max_t |n x a_k(t)| rho_k + sum_{constant a_k} max_t s_k n.a_k + sum_{other} |s_k|          (Eq.
///         14)
///
/// rho_k >= |r_k(t)|: the offsets and strokes of the chain from joint k outwards, and at its end the body point. (Eq.
/// 12 of the paper has v_i where v_j is meant, and its levers lack the body point.) Moves before the first rotation
/// that moves, and that rotation, have a constant axis in B's frame: they need no table ("0v1.n" in the paper).
///
/// Last rotation. When its axis passes through A's origin (all joints but a sliding one after it), r_k is taken
/// perpendicular to it, |(I - a a^T) c| + radius, as in Lemma 4.1; a rigid body with constant velocities is the chain
/// of one translation and one rotation, and (Eq. 14) then *is* Lemma 4.1 for SSVs and, with radius 0, Lemma 4.2 for
/// triangles.
///
/// |n x a_k(t)| is looked up in a table per (B, move), built from Taylor models of a_k over [0, 1] when it is first
/// needed after start(). Every bound is rounded up.
class DirectedBound {
 public:
  DirectedBound(const std::vector<PairChain>* chains, const MoveChain& moves, const DirectedBoundOptions& options = {});
  DirectedBound(const DirectedBound&) = delete;
  DirectedBound& operator=(const DirectedBound&) = delete;

  /// Starts a new edge and discards all data of the old one. `motion` must not change until the next start().
  void start(EdgeMotion& motion);

  /// [m / time] `n`: unit, in B's frame, from A towards B. Infinite or NaN when the motion's numbers are.
  double speed(BoundKind kind, int chain, const Eigen::Vector3d& n, const BodyPoints& points);

  const std::vector<TimeDomain>& pieces() const { return pieces_; }

 private:
  /// A move as seen from a body B: which way it is passed, and its axis in B's frame.
  struct Axis {
    explicit Axis(const DirectionGrid* grid) : table(grid) {}

    int move = -1;
    int parent = -1;  ///< The axis before it on the way from B; -1 for the first.
    bool on_b_side = false;
    DirectionTable table;  ///< Of a rotation whose axis turns.
    bool ready = false;
    bool constant = true;  ///< No rotation that moves lies between B and it.
    Eigen::Vector3d direction =
        Eigen::Vector3d::Zero();  ///< When constant: as the move takes A, so reversed on B's side.
    double direction_error = 0.0;
    std::vector<TaylorRotation> beyond;  ///< Orientation after it, per piece.
  };
  struct Term {
    int axis;  ///< Index into axes_.
    double rate;
    double lever;  ///< Of the chain alone: the body point is still to be added.
    bool last;     ///< The last rotation, through A's origin: `axis_a` holds.
  };
  struct Chain {
    std::vector<int> axes;  ///< Into axes_, from B to A.
    bool ready = false;
    std::vector<Term> rotations;
    std::vector<int> directed_slides;                  ///< Into axes_.
    double slide_speed = 0.0;                          ///< Sum over the other translations.
    double all_slide_speed = 0.0;                      ///< Sum over all translations, for the undirected bound.
    Eigen::Vector3d axis_a = Eigen::Vector3d::Zero();  ///< Of the last rotation, in A's frame.
  };

  const std::vector<PairChain>* pair_chains_;
  DirectedBoundOptions options_;
  DirectionGrid grid_;
  EdgeMotion* motion_ = nullptr;
  std::vector<TimeDomain> pieces_;
  std::vector<Axis> axes_;
  std::vector<Chain> chains_;
  PairMotion levers_;
  Kinematics start_;

  void prepare(int chain);
  void prepare_axis(int index);
  double rotation_speed(BoundKind kind, const Chain& chain, const Term& term, const Eigen::Vector3d& n, int cell,
                        const BodyPoints& points, double reach);
};

}  // namespace planner_ccd
