#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "planner_ccd/motion/edge_motion.hpp"
#include "planner_ccd/motion/pair_motion.hpp"

#pragma GCC visibility push(default)
namespace planner_ccd {

/// Poses and relative motions of one edge, by sample time. Kinematics are computed once per time, a body pair's state
/// once per time and pair. Memory is kept from edge to edge; data of earlier edges are never read.
class PoseCache {
 public:
  PoseCache(const std::vector<PairChain>* chains, const MoveChain& moves);

  /// Starts a new edge. `motion` must outlive its use.
  void start(EdgeMotion* motion);

  /// Announces times at which kinematics will be needed: four at a time they cost less.
  void prepare(std::span<const double> times);

  const Kinematics& kinematics(double t);
  const PairState& pair_state(double t, int chain);

  /// Number of distinct times requested.
  int kinematics_count() const { return asked_; }

 private:
  struct Slot {
    double t = 0.0;
    bool asked = false;
    bool unpacked = false;
    Kinematics kinematics;  ///< Valid once unpacked.
    std::vector<PairState> states;
    std::vector<std::uint8_t> ready;
  };
  struct Entry {  // of the open-addressing table from time to slot
    double t = 0.0;
    std::uint32_t edge = 0;
    std::int32_t slot = 0;
  };
  const std::vector<PairChain>* chains_;
  const MoveChain* moves_;
  EdgeMotion* motion_ = nullptr;
  std::vector<Slot> slots_;  ///< Each four share an entry of lanes_.
  std::vector<KinematicsLanes> lanes_;
  std::vector<Entry> table_;
  std::uint32_t edge_ = 0;
  int used_ = 0;
  int asked_ = 0;
  int last_ = -1;

  void add_slots();
  int slot(double t);
  int ask(double t);
  Entry& find(double t);
  void grow();
  void compute(std::span<const double> times);
};

}  // namespace planner_ccd
#pragma GCC visibility pop
