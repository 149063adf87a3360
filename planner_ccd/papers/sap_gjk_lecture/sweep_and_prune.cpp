#include "planner_ccd/papers/sap_gjk_lecture/sweep_and_prune.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

namespace planner_ccd {
namespace {

std::atomic<std::uint64_t> last_id{0};

/// From which SweepAndPrune goes on with a moving box.
struct SweepTrace final : BoxIndex::Trace {
  std::uint64_t index = 0;            ///< Its owner; 0: none yet.
  std::array<int, 3> lowers{};        ///< By axis: number of resting boxes that begin at or below the moving box's end.
  std::array<int, 3> uppers{};        ///< By axis: number of those that end below the moving box's beginning.
  std::vector<std::uint8_t> missing;  ///< By box: how many of the six conditions fail.
  std::vector<int> met;               ///< Boxes for which none fails, unordered.
  std::vector<int> place;             ///< By box: its index in `met`.
};

/// One more condition holds of `box`.
void gain(SweepTrace& trace, int box) {
  if (--trace.missing[box] != 0) return;
  trace.place[box] = static_cast<int>(trace.met.size());
  trace.met.push_back(box);
}

/// One condition less holds of `box`.
void lose(SweepTrace& trace, int box) {
  if (trace.missing[box]++ != 0) return;
  const int last = trace.met.back();
  trace.met[trace.place[box]] = last;
  trace.place[last] = trace.place[box];
  trace.met.pop_back();
}

}  // namespace

SweepAndPrune::SweepAndPrune(std::vector<Eigen::AlignedBox3d> boxes) : BoxIndex(std::move(boxes)), id_(++last_id) {
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < count(); ++i) {
      lowers_[k].push_back({box(i).min()[k], i});
      uppers_[k].push_back({box(i).max()[k], i});
    }
    for (std::vector<End>* ends : {&lowers_[k], &uppers_[k]}) {
      std::sort(ends->begin(), ends->end(),
                [](const End& a, const End& b) { return a.at < b.at || (a.at == b.at && a.box < b.box); });
    }
  }
}

void SweepAndPrune::meet(const Eigen::AlignedBox3d& query, std::unique_ptr<Trace>& kept, std::vector<int>& out) const {
  if (dynamic_cast<SweepTrace*>(kept.get()) == nullptr) kept = std::make_unique<SweepTrace>();
  auto& trace = static_cast<SweepTrace&>(*kept);
  if (trace.index != id_) {  // a box before everything: it misses all lower ends, no upper one
    trace = SweepTrace{};
    trace.index = id_;
    trace.missing.assign(boxes_.size(), 3);
    trace.place.resize(boxes_.size());
  }
  for (int k = 0; k < 3; ++k) {
    int& lower = trace.lowers[k];
    int& upper = trace.uppers[k];
    const std::vector<End>& lowers = lowers_[k];
    const std::vector<End>& uppers = uppers_[k];
    while (lower < count() && lowers[lower].at <= query.max()[k]) gain(trace, lowers[lower++].box);
    while (lower > 0 && !(lowers[lower - 1].at <= query.max()[k])) lose(trace, lowers[--lower].box);
    while (upper < count() && uppers[upper].at < query.min()[k]) lose(trace, uppers[upper++].box);
    while (upper > 0 && !(uppers[upper - 1].at < query.min()[k])) gain(trace, uppers[--upper].box);
  }
  const std::size_t begin = out.size();
  out.insert(out.end(), trace.met.begin(), trace.met.end());
  std::sort(out.begin() + begin, out.end());
}

}  // namespace planner_ccd
