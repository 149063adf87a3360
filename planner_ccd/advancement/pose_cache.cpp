#include "planner_ccd/advancement/pose_cache.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace planner_ccd {
namespace {

constexpr double kFinestGrid = 1.0 / (1 << 30);
/// Number of instants with preallocated memory: as many as most edges need.
constexpr int kReady = 32;

/// The largest power of two of which t in (0, 1] is a multiple; 0 for t = 0.
double grid_step(double t) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(t);
  if ((bits >> 52) == 0) return 0.0;
  return std::ldexp(1.0, static_cast<int>(bits >> 52) - 1075 + std::countr_zero(bits | (std::uint64_t{1} << 52)));
}

}  // namespace

PoseCache::PoseCache(const std::vector<PairChain>* chains, const MoveChain& moves)
    : chains_(chains), moves_(&moves), table_(256) {
  while (static_cast<int>(slots_.size()) < kReady) add_slots();
}

void PoseCache::add_slots() {
  lanes_.emplace_back().resize(*moves_);
  for (int i = 0; i < kKinematicsLanes; ++i) {
    Slot& fresh = slots_.emplace_back();
    fresh.states.resize(chains_->size());
    fresh.ready.resize(chains_->size());
  }
}

void PoseCache::start(EdgeMotion* motion) {
  motion_ = motion;
  used_ = asked_ = 0;
  last_ = -1;
  if (++edge_ == 0) {  // the counter wrapped around: forget every entry
    table_.assign(table_.size(), Entry{});
    edge_ = 1;
  }
}

PoseCache::Entry& PoseCache::find(double t) {
  std::uint64_t h = std::bit_cast<std::uint64_t>(t) * 0x9e3779b97f4a7c15ULL;
  const std::size_t mask = table_.size() - 1;
  for (std::size_t i = h >> 40;; ++i) {
    Entry& entry = table_[i & mask];
    if (entry.edge != edge_ || entry.t == t) return entry;
  }
}

void PoseCache::grow() {
  std::vector<Entry> old(2 * table_.size());
  old.swap(table_);
  for (const Entry& entry : old) {
    if (entry.edge == edge_) find(entry.t) = entry;
  }
}

/// For at most kKinematicsLanes distinct times that are not in the table.
void PoseCache::compute(std::span<const double> times) {
  const std::size_t block = static_cast<std::size_t>(used_) / kKinematicsLanes;
  if (block == lanes_.size()) add_slots();
  double at[kKinematicsLanes];
  for (int i = 0; i < kKinematicsLanes; ++i) {
    at[i] = times[std::min<std::size_t>(i, times.size() - 1)];
    Slot& fresh = slots_[used_ + i];
    fresh.asked = fresh.unpacked = false;
    if (i >= static_cast<int>(times.size())) continue;
    fresh.t = at[i];
    std::fill(fresh.ready.begin(), fresh.ready.end(), std::uint8_t{0});
    if (2 * static_cast<std::size_t>(used_ + i + 1) > table_.size()) grow();
    find(at[i]) = {at[i], edge_, used_ + i};
  }
  used_ += kKinematicsLanes;
  motion_->kinematics(at, lanes_[block]);
}

void PoseCache::prepare(std::span<const double> times) {
  double missing[kKinematicsLanes];
  std::size_t count = 0;
  for (const double t : times) {
    if (find(t).edge == edge_) continue;
    missing[count++] = t;
    if (count == kKinematicsLanes) {
      compute(missing);
      count = 0;
    }
  }
  if (count > 0) compute({missing, count});
}

int PoseCache::slot(double t) {
  if (last_ >= 0 && slots_[last_].t == t) return last_;
  const Entry& entry = find(t);
  if (entry.edge == edge_) return last_ = entry.slot;
  const int next = used_;
  // Its neighbours on the next finer grids of time_grid.hpp cost nothing, and searches often go there.
  double times[kKinematicsLanes] = {t};
  std::size_t count = 1;
  const double step = grid_step(t);
  if (step > kFinestGrid) {
    for (const double offset : {-0.5, 0.5, -0.75}) {
      const double neighbour = t + offset * step;
      if (neighbour > 0.0 && neighbour < 1.0 && find(neighbour).edge != edge_) times[count++] = neighbour;
    }
  }
  compute({times, count});
  return last_ = next;
}

int PoseCache::ask(double t) {
  const int s = slot(t);
  if (!slots_[s].asked) {
    slots_[s].asked = true;
    ++asked_;
  }
  return s;
}

const Kinematics& PoseCache::kinematics(double t) {
  const int i = ask(t);
  Slot& s = slots_[i];
  if (!s.unpacked) {
    s.unpacked = true;
    s.kinematics.resize(*moves_);
    lanes_[i / kKinematicsLanes].copy(i % kKinematicsLanes, s.kinematics);
  }
  return s.kinematics;
}

const PairState& PoseCache::pair_state(double t, int chain) {
  const int i = ask(t);
  Slot& s = slots_[i];
  if (!s.ready[chain]) {
    s.ready[chain] = 1;
    const PairChain& pair = (*chains_)[chain];
    const KinematicsLanes& lanes = lanes_[i / kKinematicsLanes];
    const BodyState a = lanes.body(pair.body_a, i % kKinematicsLanes);
    if (pair.body_b == 0) {
      s.states[chain].set(a);
    } else {
      s.states[chain].set(a, lanes.body(pair.body_b, i % kKinematicsLanes));
    }
  }
  return s.states[chain];
}

}  // namespace planner_ccd
