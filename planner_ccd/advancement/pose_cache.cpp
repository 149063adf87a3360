#include "planner_ccd/advancement/pose_cache.hpp"

#include <bit>

namespace planner_ccd {

void PoseCache::start(EdgeMotion* motion) {
  motion_ = motion;
  used_ = 0;
  last_ = -1;
  if (table_.empty()) table_.resize(256);
  if (++edge_ == 0) {  // the counter came round: forget every entry
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

PoseCache::Slot& PoseCache::slot(double t) {
  if (last_ >= 0 && slots_[last_].t == t) return slots_[last_];
  Entry* entry = &find(t);
  if (entry->edge != edge_) {
    if (2 * static_cast<std::size_t>(used_ + 1) > table_.size()) {
      grow();
      entry = &find(t);
    }
    *entry = {t, edge_, used_};
    if (used_ == static_cast<int>(slots_.size())) {
      slots_.emplace_back();
      slots_.back().kinematics.resize(*moves_);
      slots_.back().states.resize(chains_->size());
    }
    Slot& fresh = slots_[used_++];
    fresh.t = t;
    fresh.ready.assign(chains_->size(), 0);
    motion_->kinematics(t, fresh.kinematics);
  }
  last_ = entry->slot;
  return slots_[last_];
}

const PairState& PoseCache::pair_state(double t, int chain) {
  Slot& s = slot(t);
  if (!s.ready[chain]) {
    s.ready[chain] = 1;
    s.states[chain].set((*chains_)[chain], s.kinematics);
  }
  return s.states[chain];
}

}  // namespace planner_ccd
