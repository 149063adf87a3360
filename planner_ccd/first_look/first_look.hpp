#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "planner_ccd/first_look/body_cover.hpp"
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
/// It applies to all motions: lines, polynomials, joints that move freely. Left to swept boxes are those on which a joint turns by more than
/// 200 rad, and what is too large for single precision. Immutable.
class FirstLook {
 public:
  explicit FirstLook(const CollisionWorld& world) : FirstLook(world, {}, nullptr) {}
  /// `covers`: existing covers of the robot's links, by link; missing ones are made. `moving`: its certified cells are
  /// asked before balls are tried.
  FirstLook(const CollisionWorld& world, const LinkCovers& covers, const MovingPairs* moving);

  /// Scratch memory, and what was found.
  struct Scratch {
    look::Edge edge;
    look::Findings findings;
    MovingPairsScratch cells;                           ///< Answers of the cells for the pairs they were asked about.
    std::vector<double> turned, lever, slid, pulled;    ///< By body, see bend().
    std::vector<double> error_turn, error_less, error;  ///< By body, see prepare_tube().
  };

  /// False when it does not apply to this motion. `objects`: in addition to what rests in the world that it was made for; null: none.
  bool start(const EdgeMotion& motion, const look::Around* objects, Scratch& scratch) const;
  /// At the next movers among obstacles, until findings.movers_left is 0.
  void look_at_obstacles(look::Until until, Scratch& scratch) const;
  /// After all of them, at links among each other.
  void look_at_links(const EdgeMotion& motion, look::Until until, Scratch& scratch) const;

  /// The first three; false when it does not apply.
  bool look(const EdgeMotion& motion, look::Until until, Scratch& scratch, const look::Around* objects = nullptr) const;
  /// For tests: the same without vectors.
  bool look_one_by_one(const EdgeMotion& motion, look::Until until, Scratch& scratch,
                       const look::Around* objects = nullptr) const;

  /// The parts of the edge before `horizon` that neither balls nor cells prove; clears them.
  void take_candidates(const EdgeMotion& motion, Scratch& scratch, double horizon, std::vector<Candidate>& out) const;

  const look::Tables& tables() const { return tables_; }

 private:
  static constexpr double kLargest =
      1e4;  ///< [m] Bounds all numbers in the tables: squares of their sums are far from overflow.

  const SearchProblem* problem_;
  look::Tables tables_;
  bool applies_;
  int free_joints_ = 0;
  double fixed_reach_ = 0.0;  ///< [m] Of all joints' frames together, and of what any moving body carries.
  const MovingPairs* moving_;
  std::vector<int> cells_of_self_;                ///< By self pair: its index among the moving pairs; -1: no cells.
  std::vector<double> offset_;                    ///< [m] By body: of its joint's frame.
  std::vector<int> mover_links_, resting_links_;  ///< That carry the movers, and those that rest.
  std::vector<std::pair<int, int>> self_links_;   ///< By self pair.
  std::vector<std::unique_ptr<const Obstacle>> resting_;  ///< As in CollisionWorld::resting().

  void add_robot();
  void find_near_pairs();
  void add_colliders(const CollisionWorld& world, const LinkCovers& covers);
  void add_mover(const Collider& collider, const BodyCover& cover);
  void add_pairs(const CollisionWorld& world);
  bool set_moves(const EdgeMotion& motion, look::Edge& edge) const;
  void set_free(const EdgeMotion& motion, look::Edge& edge) const;
  void bend(const EdgeMotion& motion, Scratch& scratch) const;
  void prepare_tube(const EdgeMotion& motion, Scratch& scratch) const;
  void find_margins(const look::Around* objects, look::Edge& edge) const;
  void widen(const MotionTube& errors, std::size_t mover, std::uint64_t points, Scratch& scratch) const;
  using Kernel = void(const look::Tables&, const look::Edge&, look::Until, look::Part, look::Findings&);
  bool look_by(Kernel* kernel, const EdgeMotion& motion, look::Until until, const look::Around* objects,
               Scratch& scratch) const;
  void links_by(Kernel* kernel, const EdgeMotion& motion, look::Until until, Scratch& scratch) const;
};

}  // namespace planner_ccd
