#pragma once

#include <cstddef>
#include <vector>

#include "planner_ccd/first_look/body_cover.hpp"
#include "planner_ccd/first_look/look_tables.hpp"
#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/moving_pairs/moving_pairs.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// A first look at an edge: sixteen of its instants at once, in single precision, with a few balls to a link.   (MATHS.md 7a)
///
/// Free. Over a piece of width h between two instants a point p(t) with |p''| <= B_2 stays within B_2 h^2 / 8 of the segment
/// between its places at both ends. So a ball about it stays within that segment, widened by its radius and B_2 h^2 / 8; when that
/// is apart from a convex volume by more than the margin and what is allowed for rounding, so are the ball and all that the
/// volume holds, at every real t of the piece. A pair is apart on a piece when all balls that cover the one are apart from all
/// volumes that hold the other. What is not proved so is left, by pair and piece, to whoever looks closer.
///
/// Links. First their single balls in the world, where either centre may leave its chord by its own bound; then certified cells,
/// as far as there are any; what these leave open is tried by balls in the frame of B, where motion that both share does not count.
///
/// Contact. At an instant: a ball within a closed body, or a point of a body, comes within the margin of what the other one
/// encloses. Then the surfaces come within the margin of each other, or one body holds (a part of) the other; and it holds it at
/// t = 0 too, or else the surfaces meet on the way. Either is a contact on this edge.
///
/// Rounding, u = 2^-24. Kinematics: a move adds to any point's place less than (192 + 16 |value|) u times the greatest
/// distance that a point can have from the world's origin: its value is computed from two rounded numbers with three roundings,
/// 10 u |value| together; sine and cosine are off by 8 u; an entry of the matrix by Rodrigues' formula is rounded twelve times, the
/// three products that it goes into five, those with the joint's own frame five more, each a sum of three terms: less than 60 u an
/// entry, less than 3 * 60 u = 180 u as a matrix; the offsets and the product with the point add 12 u. Second orders are covered by
/// the requirement that all of it stays below a hundredth. Distances in a frame: a place is a difference, three products and
/// sums, in axes that are orthonormal to 3 u; gradient, projections and the crossing of two lines take some thirty roundings
/// more, all relative to the distances in that frame: less than 64 u times those.
///
/// It applies to straight edges of robots without floating joints among up to 512 obstacles, with values below 100 rad; curves and all others are the broad
/// phase's. Immutable.
class FirstLook {
 public:
  /// Volumes are tried one after another, sixteen at a time: a tree is faster for more.
  static constexpr int kMostObstacles = 512;

  explicit FirstLook(const CollisionWorld& world) : FirstLook(world, {}, nullptr) {}
  /// With covers of the robot's links, by link, that are there already; others are made. `moving`: whose certified cells are asked
  /// before balls are tried.
  FirstLook(const CollisionWorld& world, const LinkCovers& covers, const MovingPairs* moving);

  /// Scratch memory, and what was found.
  struct Scratch {
    look::Edge edge;
    look::Findings findings;
    MovingPairsScratch cells;                 ///< What cells said of the pairs that they were asked about.
    std::vector<double> turned, lever, slid;  ///< By body, see prepare().
  };

  /// False when it does not apply to this motion: nothing is found then.
  bool look(const EdgeMotion& motion, look::Until until, Scratch& scratch) const;
  /// For tests: the same without vectors.
  bool look_one_by_one(const EdgeMotion& motion, look::Until until, Scratch& scratch) const;

  /// The parts of the edge that neither balls nor cells prove, before `horizon`; clears them.
  void take_candidates(const EdgeMotion& motion, Scratch& scratch, double horizon, std::vector<Candidate>& out) const;

  const look::Tables& tables() const { return tables_; }
  std::size_t memory() const;  ///< [bytes]

 private:
  const SearchProblem* problem_;
  look::Tables tables_;
  bool applies_;
  double fixed_reach_ = 0.0;  ///< [m] Of all joints' frames together, and of what any moving body carries.
  const MovingPairs* moving_;
  std::vector<int> cells_of_self_;  ///< By self pair: where it stands among the moving pairs; -1: no cells.
  std::vector<double> offset_;      ///< [m] By body: of its joint's frame.

  void add_robot();
  void find_near_pairs();
  void add_colliders(const CollisionWorld& world, const LinkCovers& covers, std::ptrdiff_t resting);
  void add_mover(const Collider& collider, const BodyCover& cover);
  void add_obstacle(const Collider& collider, int most_volumes);
  void add_pairs(const CollisionWorld& world);
  bool prepare(const EdgeMotion& motion, Scratch& scratch) const;
  void bend(Scratch& scratch) const;
  template <typename Kernel>
  bool look_by(Kernel&& kernel, const EdgeMotion& motion, look::Until until, Scratch& scratch) const;
};

}  // namespace planner_ccd
