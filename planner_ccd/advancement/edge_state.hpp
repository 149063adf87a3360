#pragma once

#include <cstdint>
#include <span>
#include <vector>

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
  RoundingPads pads_{};
  double reach_ = 0.0;  ///< [m] The greatest chain_reach.
  double more_extent_ = 0.0;

  void bound(int chain);
  const PairMotion& part_motion(int chain, int part);
};

}  // namespace planner_ccd
#pragma GCC visibility pop
