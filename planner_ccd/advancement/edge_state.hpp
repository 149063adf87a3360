#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner_ccd/advancement/pair_tube.hpp"
#include "planner_ccd/advancement/pose_cache.hpp"
#include "planner_ccd/advancement/search_problem.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// What is known of one edge before any distance is computed: motion bounds of every body pair, poses and twists at
/// sampled times, and rounding pads. Shared by the broad phase and the searches; memory is kept from edge to edge,
/// contents are not.
class EdgeState {
 public:
  explicit EdgeState(const SearchProblem& problem);
  EdgeState(const EdgeState&) = delete;
  EdgeState& operator=(const EdgeState&) = delete;

  /// False when a bound is not finite, or a body may be taken farther than distances are computed for (kMaxCoordinate):
  /// then nothing can be proved about the edge.
  bool start(EdgeMotion& motion);

  /// [m] Of trees outside the problem, in addition to SearchProblem::extent. Takes effect at the next start().
  void allow_for(double extent) { more_extent_ = extent; }

  const SearchProblem& problem() const { return *problem_; }
  EdgeMotion& motion() { return *motion_; }
  const PairMotion& pair_motion(int chain) {
    if (!bounded_[chain]) bound(chain);
    return pair_motions_[chain];
  }
  /// Bounds that hold on [t0, t1]; for a curve they are often far smaller than those of the whole edge.
  const PairMotion& pair_motion(int chain, double t0, double t1) {
    const int part = motion_->part_of(t0, t1);
    return part == 0 ? pair_motion(chain) : part_motion(chain, part);
  }
  /// Announces times at which poses will be needed: four at a time they cost less.
  void prepare(std::span<const double> times) { poses_.prepare(times); }
  const PairState& pair_state(double t, int chain) { return poses_.pair_state(t, chain); }
  const Kinematics& kinematics(double t) { return poses_.kinematics(t); }
  /// The tube of a pair at t, valid until the next call; null where nothing can displace one body relative to the other.
  PairTube* tube(const SearchPair& pair, double t) {
    return motion_->tube().any() ? tube(pair.chain, loose_of(pair), t) : nullptr;
  }
  /// For the given bits of MotionTube::loose().
  PairTube* tube(int chain, std::uint64_t loose, double t);
  /// [m] By how much any point of a tree of a chain's A may be displaced, within half_width of t and whatever else within a part
  /// of the edge that contains this; 0 without a tube.
  double displaced(int chain, std::uint64_t loose, const SsvTree& tree, double t, double half_width);
  std::uint64_t loose_of(const SearchPair& pair) const {
    return motion_->tube().above(pair.link_a) ^ motion_->tube().above(pair.link_b);
  }
  int kinematics_count() const { return poses_.kinematics_count(); }
  const RoundingPads& pads() const { return pads_; }

 private:
  const SearchProblem* problem_;
  EdgeMotion* motion_ = nullptr;
  struct PartMotion {
    PairMotion motion;
    std::int64_t edge = 0;  ///< The edge it belongs to.
  };

  std::vector<PairMotion> pair_motions_;
  std::vector<std::uint8_t> bounded_;     ///< By chain: whether pair_motions_ belongs to this edge.
  std::vector<PartMotion> part_motions_;  ///< By chain and part; empty until the first curve.
  std::int64_t edge_ = 0;                 ///< Number of the current edge.
  PoseCache poses_;
  PairTube tube_;  ///< The last one asked for:
  int tube_chain_ = -1;
  std::uint64_t tube_loose_ = 0;
  double tube_t_ = 0.0;
  RoundingPads pads_{};
  double reach_ = 0.0;  ///< [m] The greatest chain_reach.
  double more_extent_ = 0.0;

  void bound(int chain);
  const PairMotion& part_motion(int chain, int part);
};

}  // namespace planner_ccd
#pragma GCC visibility pop
