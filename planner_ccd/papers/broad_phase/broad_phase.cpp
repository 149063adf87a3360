#include "planner_ccd/papers/broad_phase/broad_phase.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "planner_ccd/advancement/taylor_search.hpp"
#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/papers/broad_phase/box_tree.hpp"

namespace planner_ccd {
namespace {

/// While a swept box is longer than this many times the collider's own, its interval is halved. Measured, see
/// bench/results.md.
constexpr double kLoose = 2.0;
constexpr int kLevels = 5;     ///< No interval is halved below 1/32.
constexpr int kAllBoxes = -1;  ///< In place of a list: the index has not been queried yet.

bool contains(const Eigen::AlignedBox3d& outer, const Eigen::AlignedBox3d& inner) {
  return (outer.min().array() <= inner.min().array()).all() && (inner.max().array() <= outer.max().array()).all();
}

}  // namespace

BroadPhase::BroadPhase(const SearchProblem& problem, const std::vector<int>& elsewhere, const BoxIndexFactory* index)
    : pairs_(&problem.pairs) {
  const SearchPairs& pairs = *pairs_;
  std::vector<Eigen::AlignedBox3d> boxes;
  for (std::size_t i = 0; i < pairs.of_resting().size(); ++i) {
    const Eigen::AlignedBox3d& bounds = pairs.resting_trees()[i]->bounds();
    const double around = pairs.of_resting()[i].displaced * kRoundUp;
    boxes.push_back(around > 0.0 ? Eigen::AlignedBox3d(bounds.min().array() - around, bounds.max().array() + around)
                                 : bounds);
    if (pairs.of_resting()[i].link >= 0) resting_links_.push_back(pairs.of_resting()[i].link);
  }
  std::vector<std::vector<int>> of_row(pairs.rows().size());
  for (const int p : elsewhere) {
    const auto [row, box] = pairs.place(static_cast<std::size_t>(p));
    of_row[static_cast<std::size_t>(row)].push_back(box);
  }
  for (std::size_t row = 0; row < of_row.size(); ++row) add_mover(static_cast<int>(row), std::move(of_row[row]));
  boxes_ = index ? index->make(std::move(boxes)) : std::make_unique<BoxTree>(std::move(boxes));
}

/// Adds a mover, unless all its pairs are handled elsewhere.
void BroadPhase::add_mover(int row, std::vector<int> elsewhere) {
  const SearchPairs& pairs = *pairs_;
  const RestingRow& of = pairs.rows()[row];
  const int boxes = static_cast<int>(pairs_->of_resting().size());
  const double margin = kept_margin(of.greatest_margin(), of.displaced, 0.0);
  Mover mover{of.tree, of.chain, margin, of.link, of.tree->bounds().sizes().maxCoeff(), row, std::move(elsewhere)};
  bool meets = false;
  for (int box = 0; box < boxes && !meets; ++box) meets = pair_of(mover, box) >= 0;
  if (meets) movers_.push_back(std::move(mover));
}

int BroadPhase::pair_of(const Mover& mover, int box) const {
  if (std::binary_search(mover.elsewhere.begin(), mover.elsewhere.end(), box)) return -1;
  return pairs_->find(mover.row, box);
}

Eigen::AlignedBox3d BroadPhase::swept_mover(const Mover& mover, EdgeState& edge, double m, double half_width) const {
  const SsvTree& tree = *mover.tree;
  std::uint64_t loose = 0;
  if (edge.motion().tube().any()) {
    loose = edge.motion().tube().above(mover.link);
    for (const int link : resting_links_) loose |= edge.motion().tube().above(link);
  }
  const double pad = mover.margin + edge.pads().position +
                     half_width * (edge.pads().speed + half_width * edge.pads().acceleration) +
                     edge.displaced(mover.chain, loose, tree, m, half_width);
  return swept_box(tree.volume(0), edge.pair_state(m, mover.chain),
                   edge.pair_motion(mover.chain, m - half_width, m + half_width), half_width, pad);
}

/// Appends to scratch.boxes the boxes that the mover may meet.
void BroadPhase::ask(BroadPhaseScratch& scratch, int mover, const Eigen::AlignedBox3d& box) const {
  std::vector<int>& boxes = scratch.boxes;
  boxes_->meet(box, scratch.traces[mover], boxes);
  boxes.erase(std::remove_if(boxes.begin(), boxes.end(), [&](int i) { return pair_of(movers_[mover], i) < 0; }),
              boxes.end());
}

/// Leaves the meeting's part of the edge to the searches.
void BroadPhase::leave_open(BroadPhaseScratch& scratch, const BroadPhaseScratch::Meeting& meeting) const {
  const int width = 1 << (kLevels - scratch.level);
  const auto bits = static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1) << (meeting.part * width);
  int& last = scratch.open_of_box[meeting.box];
  for (int i = last; i >= 0; i = scratch.open[i].next) {
    if (scratch.open[i].mover != meeting.mover) continue;
    scratch.open[i].bits |= bits;
    return;
  }
  scratch.open.push_back({meeting.mover, meeting.box, bits, last});
  last = static_cast<int>(scratch.open.size()) - 1;
}

/// Prepares to suggest the meetings of scratch.left at t.
void BroadPhase::suggest_at(BroadPhaseScratch& scratch, double t, bool not_halved) const {
  if (!scratch.suggest) return;
  scratch.suggest_next = 0;
  scratch.suggest_at = t;
  scratch.suggest_not_halved = not_halved;
  scratch.box_mover = -1;
}

/// The next suggestion whose boxes meet then, before the horizon.
std::optional<Probe> BroadPhase::suggestion(EdgeState& edge, BroadPhaseScratch& scratch) const {
  while (scratch.suggest_next < scratch.left.size() && scratch.suggest_at < scratch.horizon) {
    const BroadPhaseScratch::Meeting& meeting = scratch.left[scratch.suggest_next++];
    if (scratch.suggest_not_halved && meeting.halve) continue;
    if (meeting.mover != scratch.box_mover) {
      scratch.box_mover = meeting.mover;
      scratch.box = swept_mover(movers_[meeting.mover], edge, scratch.suggest_at, 0.0);
    }
    if (!boxes_->box(meeting.box).intersects(scratch.box)) continue;
    return Probe{pair_of(movers_[meeting.mover], meeting.box), scratch.suggest_at};
  }
  return std::nullopt;
}

/// Tests the meetings [begin, end) of scratch.met, all of one part of the edge. Those left go to scratch.next, for both
/// halves of the part, or stay open.
void BroadPhase::sweep_part(EdgeState& edge, BroadPhaseScratch& scratch, std::size_t begin, std::size_t end) const {
  const std::vector<BroadPhaseScratch::Meeting>& met = scratch.met;
  const int level = scratch.level, part = met[begin].part;
  const double width = std::ldexp(1.0, -level), m = (part + 0.5) * width;
  scratch.left.clear();
  scratch.suggest_next = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = begin; i < end;) {
    const int mover = met[i].mover;
    const Eigen::AlignedBox3d box = swept_mover(movers_[mover], edge, m, 0.5 * width);
    const bool loose = level < kLevels && box.sizes().maxCoeff() > kLoose * movers_[mover].size;
    scratch.boxes.clear();
    if (met[i].box == kAllBoxes) {
      ask(scratch, mover, box);
      ++i;
    } else {
      for (; i < end && met[i].mover == mover; ++i) {
        if (boxes_->box(met[i].box).intersects(box)) scratch.boxes.push_back(met[i].box);
      }
    }
    // Halves of boxes inside an obstacle's box would be inside too.
    for (const int b : scratch.boxes) scratch.left.push_back({part, mover, b, loose && !contains(boxes_->box(b), box)});
  }
  for (const BroadPhaseScratch::Meeting& meeting : scratch.left) {
    if (!meeting.halve) leave_open(scratch, meeting);
  }
  for (const int half : {1, 0}) {
    for (const BroadPhaseScratch::Meeting& meeting : scratch.left) {
      if (meeting.halve) scratch.next.push_back({2 * part + half, meeting.mover, meeting.box, false});
    }
  }
  // At the end of the part, unless that belongs to a neighbour or was probed before; for meetings not halved, of the
  // whole edge.
  if (level == 0 || (level == 1 && part == 1)) {
    suggest_at(scratch, 1.0, level == 0);
  } else if (part % 2 == 0) {
    suggest_at(scratch, (part + 1) * width, false);
  }
}

/// Poses for the middles of all parts of the level.
void BroadPhase::start_level(EdgeState& edge, BroadPhaseScratch& scratch) const {
  const double width = std::ldexp(1.0, -scratch.level);
  scratch.part_begin = 0;
  scratch.times.clear();
  if (scratch.level == 0) {
    scratch.times = {0.5, 1.0, 0.25, 0.75};
  } else {
    for (std::size_t i = 0; i < scratch.met.size(); ++i) {
      if (i == 0 || scratch.met[i].part != scratch.met[i - 1].part) {
        scratch.times.push_back((scratch.met[i].part + 0.5) * width);
      }
    }
  }
  edge.prepare(scratch.times);
  scratch.next.clear();
}

void BroadPhase::start(EdgeState& edge, BroadPhaseScratch& scratch, bool suggest) const {
  scratch.open_of_box.resize(boxes_->count(), -1);
  scratch.traces.resize(movers_.size());
  // left over if the last edge was not finished
  for (const BroadPhaseScratch::Open& open : scratch.open) scratch.open_of_box[open.box] = -1;
  scratch.open.clear();
  scratch.horizon = std::numeric_limits<double>::infinity();
  scratch.suggest = suggest;
  scratch.left.clear();
  scratch.level = 0;
  scratch.met.clear();
  for (std::size_t m = 0; m < movers_.size(); ++m) scratch.met.push_back({0, static_cast<int>(m), kAllBoxes, false});
  if (!scratch.met.empty()) start_level(edge, scratch);
}

/// Invariant: scratch.met, from part_begin on, scratch.next and the parts left open include every possible meeting
/// before the horizon; a mover with kAllBoxes may meet any box.
std::optional<Probe> BroadPhase::next(EdgeState& edge, BroadPhaseScratch& scratch) const {
  while (true) {
    if (const std::optional<Probe> probe = suggestion(edge, scratch)) return probe;
    if (scratch.part_begin == scratch.met.size()) {
      scratch.met.swap(scratch.next);
      scratch.left.clear();
      if (scratch.met.empty()) return std::nullopt;
      ++scratch.level;  // the last level halves nothing
      start_level(edge, scratch);
    }
    const std::size_t begin = scratch.part_begin;
    const int part = scratch.met[begin].part;
    std::size_t& end = scratch.part_begin;
    while (end < scratch.met.size() && scratch.met[end].part == part) ++end;
    if (std::ldexp(part, -scratch.level) < scratch.horizon) sweep_part(edge, scratch, begin, end);
  }
}

void BroadPhase::finish(BroadPhaseScratch& scratch, std::vector<Candidate>& out) const {
  constexpr double kUnit = 1.0 / (1 << kLevels);
  for (const auto& [mover, box, bits, next] : scratch.open) {
    const int pair = pair_of(movers_[mover], box);
    for (int from = 0; from < 1 << kLevels && from * kUnit < scratch.horizon;) {
      const int skip = std::countr_zero(bits >> from);  // 32 when nothing is left
      if (skip == 32) break;
      from += skip;
      const int end = std::min(32, from + std::countr_one(bits >> from));
      const double t0 = from * kUnit;
      if (t0 < scratch.horizon) out.push_back({pair, t0, std::min(end * kUnit, scratch.horizon)});
      from = end;
    }
    scratch.open_of_box[box] = -1;
  }
  scratch.open.clear();
}

void BroadPhase::collect(EdgeState& edge, BroadPhaseScratch& scratch, std::vector<Candidate>& out) const {
  start(edge, scratch, false);
  while (next(edge, scratch)) {
  }
  finish(scratch, out);
}

namespace {

/// The default's search over what a broad phase finds.
class BroadPhaseSearch final : public EdgeSearch {
 public:
  BroadPhaseSearch(const SearchProblem& problem, const BoxIndexFactory* index)
      : pairs_(problem.pairs), boxes_(problem, {}, index), search_(problem) {}

  /// Probes before proofs: most edges that collide do so visibly.
  SearchResult search(EdgeState& edge, const SearchLimits& limits, bool first) override {
    search_.begin(edge, limits);
    boxes_.start(edge, scratch_, true);
    while (const std::optional<Probe> probe = boxes_.next(edge, scratch_)) {
      if (!search_.probe(probe->pair, probe->t)) continue;
      scratch_.horizon = probe->t;
      if (!first) return search_.contact_of_probe();
    }
    candidates_.clear();
    boxes_.finish(scratch_, candidates_);
    for (std::size_t p = pairs_.resting_pairs(); p < pairs_.size(); ++p)
      candidates_.push_back({static_cast<int>(p), 0.0, 1.0});
    return first ? search_.advance(candidates_, scratch_.horizon) : search_.settle(candidates_);
  }
  const std::vector<int>& overlapping_roots() const override { return search_.overlapping_roots(); }

 private:
  const SearchPairs& pairs_;
  BroadPhase boxes_;
  TaylorSearch search_;
  BroadPhaseScratch scratch_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::unique_ptr<EdgeSearch> BroadPhaseMethod::make(const SearchProblem& problem) const {
  return std::make_unique<BroadPhaseSearch>(problem, index_.get());
}

}  // namespace planner_ccd
