#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "planner_ccd/scene/object_rules.hpp"
#include "planner_ccd/scene/obstacle_tree.hpp"

namespace planner_ccd::look {

inline constexpr int kInstants = 16;           ///< i / 15 of the edge,
inline constexpr int kPieces = kInstants - 1;  ///< and what lies between.
inline constexpr std::uint32_t kAllPieces = (1u << kPieces) - 1u;
inline constexpr int kWitnessRows = 2;      ///< Of a mover: surface points and inner balls, sixteen each.
inline constexpr float kMostTurn = 100.0f;  ///< [rad] Of any joint's value.
/// Factor of a bound of |p''|: h^2 / 8. Its rounding is negligible beside that of single precision, which is outwards.
inline constexpr double kBendOfPiece = 1.0 / (8.0 * kPieces * kPieces);
inline constexpr double instant(int i) { return i / static_cast<double>(kPieces); }

/// Calls take(t0, t1) for each run of successive pieces.
template <typename Take>
void for_each_run(std::uint32_t pieces, const Take& take) {
  for (int from = 0; from < kPieces;) {
    const int skip = std::countr_zero(pieces >> from);
    if (skip >= kPieces - from) break;
    from += skip;
    const int end = from + std::countr_one(pieces >> from);
    take(instant(from), instant(end));
    from = end;
  }
}

// Data read by the lanes: single precision, rounded to the safe side. Vectors are three numbers, matrices three
// columns.

struct Move {
  bool rotation;
  int main_axis;  ///< 0, 1, 2 when the axis is x, y or z; else -1.
  float axis[3];
};

struct Body {
  int parent;
  int first_move, move_count;
  /// Of the joint's frame. Most are rotated by multiples of 90 degrees: then column i is the parent's column
  /// `source[i]` times `sign[i]`.
  bool quarters;
  int free = -1;  ///< Number among the joints that move freely; -1: it is none.
  int source[3];
  float sign[3], rotation[9], translation[3];
};

struct Ball {
  float center[3], radius;
};

/// A collider that moves.
struct Mover {
  int body;
  float reach;  ///< [m] Of its balls' centres from the body's origin.
  Ball around;
  int first_ball, ball_count;
  int first_witnesses;  ///< The first of kWitnessRows rows.
  int first_core, core_count;
  float margin;  ///< The greatest of its pairs with links that rest; negative for none.
  bool filled;
  int row;  ///< In SearchPairs.
};

/// The moves between two bodies, from B to A: see PairChain.
struct ChainStep {
  int move, body;
  double offset_to_a;
};

struct SelfPair {
  int pair;
  int a, b;                    ///< Movers.
  int first_step, step_count;  ///< Of the chain between their bodies.
  double reach;                ///< [m] Of A's balls' centres from its body's origin.
  bool near;                   ///< Balls overlap at most configurations: they prove nothing and are not used.
};

/// Another source of proofs about pairs of links: certified cells.
class Known {
 public:
  struct Parts {
    std::uint32_t open = kAllPieces;  ///< Pieces on which the pair is not known to be apart.
    std::uint32_t likely = ~0u;       ///< Instants at which a contact is likely enough to look for.
  };
  virtual Parts ask(int self) = 0;

 protected:
  ~Known() = default;
};

/// Robot and scene. Immutable.
struct Tables {
  std::vector<Move> moves;
  std::vector<Body> bodies;
  std::vector<Mover> movers;
  std::vector<Ball> balls;
  std::vector<float> offset;  ///< [m] By ball: of its centre from that of the mover's single ball.
  std::vector<Ball> cores;
  std::vector<float> witnesses;  ///< Rows of sixteen: x, y, z and radius, 0 of points.
  ObstacleTree resting;          ///< Of whatever rests in the world that the look was made for.
  std::size_t resting_count;     ///< Of these.
  std::vector<int> pair_of;      ///< By mover and Obstacle::resting(); -1: not checked.
  std::vector<float> margin_of_pair;
  std::vector<SelfPair> self;
  std::vector<ChainStep> steps;
};

/// The tube about an edge (FirstLook::prepare_tube).
struct Tube {
  bool any = false;          ///< False: the rest is unused.
  std::vector<float> error;  ///< [rad or m] By move.
  struct Point {             ///< A pose with an error: every point turns about this one.
    int body;
    float at[3], turn;
  };
  std::vector<Point> points;
  struct Mover {
    std::uint64_t points;  ///< A bit for each of the points that counts.
    float constant;        ///< [m] Displacements that do not depend on the place, growth between instants, and pads.
    float turn;            ///< [rad] By how much it may be turned in all.
    float rounding;        ///< Factor.
  };
  std::vector<Mover> movers;
  std::vector<std::uint8_t> loose;  ///< By self pair: whether an error of a pose displaces one relative to the other.
};

/// The objects around a robot.
struct Around {
  const ObstacleTree* tree;
  const ObjectRules* rules;
  int first_pair, rows;      ///< Their pairs have the number first_pair + Obstacle::place() * rows + Mover::row.
  double extent, displaced;  ///< [m] SearchProblem::extent, and the greatest error of their poses.
};

/// One edge.
struct Edge {
  const Around* objects = nullptr;  ///< Null: none.
  std::vector<float> margin;        ///< [m] By mover: the greatest of its pairs with what rests; negative for none.
  const Move*
      moves;  ///< Tables::moves, or, for free joints, `own_moves`, with the directions that this motion gives them.
  std::vector<Move> own_moves;
  std::vector<float> start, change;  ///< By move: the value at t is start + t change, unless some moves are curves.
  /// A move whose value is a polynomial in t: the coefficients of it and of its first two derivatives.
  struct Curve {
    float value[6], rate[5], bend[4];
    float more_rate,
        more_bend;  ///< What the derivatives may be on a piece beyond the greater of their values at its ends, and rounding.
  };
  std::vector<Curve> curves;  ///< By move; empty if all are lines.
  std::vector<float> way;     ///< [m] By body: D of (20), behind its moves; for curves.
  /// A joint that moves freely: `before` stands in front of its moves, `after` behind them.
  struct Free {
    float before[3], after[9];
    double length;  ///< [m] Of `before`, rounded up.
  };
  std::vector<Free> free;           ///< By Body::free.
  std::vector<double> rate, value;  ///< By move: bounds of |change| and of |value|.
  std::vector<float> bend;          ///< By mover: how far a ball's centre may leave the chord of a piece, in the world,
  std::vector<float>
      stray;  ///< and how far with whatever the tube may add anywhere on the edge; `bend` without a tube.
  std::vector<float> drift;  ///< What the tube adds to `bend` in `stray`; for curves.
  float place;               ///< Error bound of kinematics for any point of any body.
  double shares, slides;     ///< Sums over the moves: of roundings, and of how far they slide.
  float grain;               ///< 64 u times the greatest distance that any point can have from the world's origin.
  Known* known = nullptr;    ///< Null: no other proofs.
  Tube tube;
};

/// A pair whose volumes overlap at some of the instants.
struct Overlap {
  int pair;
  int mover;
  const Volume* volume;  ///< Null: of two movers.
  std::uint32_t instants;
  float depth;  ///< At the deepest of them, and
  int instant;  ///< which that is.
};

/// A pair, and the pieces on which it is not proved: some.
struct Opened {
  int pair;
  std::uint32_t pieces;

  bool operator==(const Opened&) const = default;
};

/// What a look found, and scratch memory.
struct Findings {
  std::vector<float> poses;  ///< By body: three columns and the origin, a row of instants each.
  std::vector<float> turns;  ///< By move: sine and cosine, a row of instants each; for translations the value.
  /// By mover: the centre of its single ball in the world, x, y and z; rows as well.
  std::vector<float> around;
  std::vector<float> balls;                ///< The same for each ball,
  std::vector<std::uint8_t> balls_placed;  ///< by mover: whether `balls` is filled in.
  std::vector<float> low, high;            ///< By mover: box of the centre, three numbers each.
  std::vector<float>
      displaced;  ///< By mover: how far its centre may be displaced in the tube on the pieces, a row each,
  std::vector<std::uint8_t> displaced_known;  ///< where that is filled in.
  /// For curves: bounds on each piece, a row each. By move: of its rate and of its second derivative; by body: what adds up along its way; by
  /// mover: Edge::bend, and its greatest number.
  std::vector<float> rates, sums, bends, most_bend;
  std::vector<Opened> opened;      ///< Each pair once.
  std::vector<int> unsure_within;  ///< Pairs not open at the start, of which one may contain the other.
  std::vector<Overlap> overlaps;
  std::vector<const ObstacleTree::Node*> nodes;  ///< Still to visit.
  int movers_left;                               ///< That have not been looked at among obstacles.
  int hit_pair;                                  ///< -1: none.
  int hit_instant;                               ///< kInstants: none.

  /// The pieces on which a pair is not proved.
  std::uint32_t open(int pair) const {
    for (const Opened& o : opened) {
      if (o.pair == pair) return o.pieces;
    }
    return 0;
  }
  /// Before a look at an edge.
  void clear(const Tables& tables) {
    opened.clear();
    const std::size_t movers = tables.movers.size();
    turns.resize(tables.moves.size() * 2 * kInstants);
    poses.resize(tables.bodies.size() * 12 * kInstants);
    around.resize(movers * 3 * kInstants);
    balls.resize(tables.balls.size() * 3 * kInstants);
    balls_placed.resize(movers);
    low.resize(3 * movers);
    high.resize(3 * movers);
    displaced.resize(movers * kInstants);
    displaced_known.resize(movers);
    rates.resize(2 * tables.moves.size() * kInstants);
    sums.resize(4 * tables.bodies.size() * kInstants);
    bends.resize(movers * kInstants);
    most_bend.resize(movers);
    overlaps.clear();
    unsure_within.clear();
    movers_left = static_cast<int>(movers);
    hit_pair = -1;
    hit_instant = kInstants;
  }
};

/// When a look ends: at the first contact found, which leaves `opened` incomplete; at the end, ignoring what lies behind
/// the earliest contact; or at the end, ignoring contacts.
enum class Until : std::uint8_t { AnyContact, FirstContact, End };

/// What is looked at: movers among obstacles, until none is left or, when any contact will do, some overlap; after that
/// links among each other.
enum class Part : std::uint8_t { Obstacles, Links };

/// What a mover may approach.
struct Target {
  const Volume& volume;
  const Field* field;  ///< Null: none.
  float margin;
};
void look(const Tables& tables, const Edge& edge, Until until, Part part, Findings& findings);
/// The same to the same bits, without vectors.
void look_one_by_one(const Tables& tables, const Edge& edge, Until until, Part part, Findings& findings);

}  // namespace planner_ccd::look
