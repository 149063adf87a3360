#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner_ccd/first_look/body_cover.hpp"
#include "planner_ccd/first_look/grain_field.hpp"
#include "planner_ccd/first_look/look_tables.hpp"
#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/moving_pairs/moving_pairs.hpp"
#include "planner_ccd/scene/collision_world.hpp"

namespace planner_ccd {

/// A first look at an edge: sixteen of its instants at once, in single precision, with a few balls per link. (MATHS.md 7a)
///
/// Free: a pair is apart on a piece between two instants when all balls covering one body, moved along their chords, are apart from all volumes
/// covering the other by more than the margin, what a ball may leave its chord by, and the rounding pads (T13). Other pairs and pieces are left
/// open, for a closer search.
///
/// Links: first their single balls in the world, where either centre may leave its chord by its own bound; then
/// certified cells, if there are any; pairs still open are tried by balls in the frame of B, where motion common to
/// both does not count.
///
/// Contact: at an instant, a ball within a closed body, or a point of a body, comes within the margin of what the other
/// body encloses.
///
/// It applies to straight edges of robots without floating joints among up to 512 obstacles, with values below 100 rad;
/// all other motions, such as curves, are left to the broad phase. Immutable.
class FirstLook {
 public:
  /// Volumes are tried linearly, sixteen at a time: with more of them a tree is faster.
  static constexpr int kMostObstacles = 512;

  explicit FirstLook(const CollisionWorld& world) : FirstLook(world, {}, nullptr) {}
  /// `covers`: existing covers of the robot's links, by link; missing ones are made. `moving`: its certified cells are
  /// asked before balls are tried.
  FirstLook(const CollisionWorld& world, const LinkCovers& covers, const MovingPairs* moving);

  /// Scratch memory, and what was found.
  struct Scratch {
    look::Edge edge;
    look::Findings findings;
    MovingPairsScratch cells;                           ///< Answers of the cells for the pairs they were asked about.
    std::vector<double> turned, lever, slid;            ///< By body, see bend().
    std::vector<double> error_turn, error_less, error;  ///< By body, see prepare_tube().
  };

  /// False when it does not apply to this motion.
  bool start(const EdgeMotion& motion, Scratch& scratch) const;
  /// At the next movers among obstacles, until findings.movers_left is 0.
  void look_at_obstacles(look::Until until, Scratch& scratch) const;
  /// After all of them, at links among each other.
  void look_at_links(const EdgeMotion& motion, look::Until until, Scratch& scratch) const;

  /// Where a mover may meet grains that came after the look was made, after look_at_obstacles() has left no movers.
  look::Meeting meet(int mover, const GrainObstacle& grains, double margin, Scratch& scratch) const;
  /// The mover that is this collider of the world.
  int mover_of(int collider) const { return index_of_collider_[static_cast<std::size_t>(collider)]; }
  /// Whether its balls contain everything that it encloses.
  bool is_filled(int mover) const { return tables_.movers[static_cast<std::size_t>(mover)].filled; }

  /// The first three; false when it does not apply.
  bool look(const EdgeMotion& motion, look::Until until, Scratch& scratch) const;
  /// For tests: the same without vectors.
  bool look_one_by_one(const EdgeMotion& motion, look::Until until, Scratch& scratch) const;

  /// The parts of the edge before `horizon` that neither balls nor cells prove; clears them.
  void take_candidates(const EdgeMotion& motion, Scratch& scratch, double horizon, std::vector<Candidate>& out) const;

  const look::Tables& tables() const { return tables_; }

 private:
  const SearchProblem* problem_;
  look::Tables tables_;
  bool applies_;
  double fixed_reach_ = 0.0;  ///< [m] Of all joints' frames together, and of what any moving body carries.
  const MovingPairs* moving_;
  std::vector<int> cells_of_self_;                ///< By self pair: its index among the moving pairs; -1: no cells.
  std::vector<double> offset_;                    ///< [m] By body: of its joint's frame.
  std::vector<int> mover_links_, resting_links_;  ///< That carry the movers, and those that rest.
  std::vector<std::pair<int, int>> self_links_;   ///< By self pair.
  std::vector<int> index_of_collider_;            ///< Among the movers, or among the obstacles.

  void add_robot();
  void find_near_pairs();
  void add_colliders(const CollisionWorld& world, const LinkCovers& covers, std::ptrdiff_t resting);
  void add_mover(const Collider& collider, const BodyCover& cover);
  void add_obstacle(const Collider& collider, int most_volumes, std::ptrdiff_t bodies_of_grains);
  void add_pairs(const CollisionWorld& world);
  void bend(Scratch& scratch) const;
  void prepare_tube(const EdgeMotion& motion, Scratch& scratch) const;
  void widen(const MotionTube& errors, std::size_t mover, std::uint64_t points, Scratch& scratch) const;
  using Kernel = void(const look::Tables&, const look::Edge&, look::Until, look::Part, look::Findings&);
  bool look_by(Kernel* kernel, const EdgeMotion& motion, look::Until until, Scratch& scratch) const;
  void links_by(Kernel* kernel, const EdgeMotion& motion, look::Until until, Scratch& scratch) const;
};

}  // namespace planner_ccd
