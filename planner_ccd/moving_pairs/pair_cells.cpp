#include "planner_ccd/moving_pairs/pair_cells.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "planner_ccd/math/error.hpp"
#include "planner_ccd/math/interval.hpp"

namespace planner_ccd {
namespace {

using Intervals = PairCells::Intervals;

constexpr double kShortestPart = 1.0 / 16.0;  ///< Parts of a curve are not halved below this.

/// Values beyond this are not looked up: the overlap of the cells would not cover their rounding.
constexpr double kFarthest = 1e3;

void add(Intervals& out, double t0, double t1) {
  if (!out.empty() && out.back().second >= t0) {
    out.back().second = std::max(out.back().second, t1);
  } else {
    out.emplace_back(t0, t1);
  }
}

}  // namespace

struct PairCells::Parts {
  Intervals& unknown;
  Intervals* touching;

  void leaf(std::uint32_t kind, double t0, double t1) {
    if (kind == kFree) return;
    add(unknown, t0, t1);
    if (kind == kTouching && touching != nullptr) add(*touching, t0, t1);
  }
};

PairCells::PairCells(std::vector<Axis> axes, std::vector<std::uint32_t> nodes)
    : axes_(std::move(axes)), nodes_(std::move(nodes)) {
  const auto fail = [](std::size_t node) {
    throw InputError("certified cells: node " + std::to_string(node) + " is not part of a tree; make them again");
  };
  if (axes_.size() > kMaxJoints || nodes_.size() > kMaxNodes) fail(0);
  if (axes_.empty() != nodes_.empty()) fail(0);
  // Each but the first is the child of exactly one node before it, in order: so every node has one depth.
  std::vector<std::uint8_t> depth(nodes_.size(), 0);
  std::vector<std::uint8_t> met(nodes_.size(), 0);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i > 0 && met[i] == 0) fail(i);
    const std::uint32_t node = nodes_[i];
    if (node <= kTouching) continue;
    const std::size_t child = node >> 2, axis = node & 3;
    if (node < kFirstInner || axis >= axes_.size() || child <= i || child + 1 >= nodes_.size() || met[child] != 0 ||
        met[child + 1] != 0 || depth[i] >= kMaxDepth) {
      fail(i);
    }
    met[child] = met[child + 1] = 1;
    depth[child] = depth[child + 1] = static_cast<std::uint8_t>(depth[i] + 1);
  }
}

double PairCells::free_share() const {
  std::vector<double> share(nodes_.size(), 1.0);
  double free = 0.0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i] >= kFirstInner) {
      share[nodes_[i] >> 2] = share[(nodes_[i] >> 2) + 1] = 0.5 * share[i];
    } else if (nodes_[i] == kFree) {
      free += share[i];
    }
  }
  return free;
}

/// From values to the box's widths; a joint that cannot move has one value.
double PairCells::scale(int axis) const {
  const double width = axes_[axis].upper - axes_[axis].lower;
  return width > 0.0 ? 1.0 / width : 0.0;
}

/// The part [t0, t1] of the line lies inside the box, up to rounding. Cells are proved slightly larger than they are
/// (PairCellsBuilder), which covers the rounding of the times at which the line crosses a split: a value u of the box's
/// width w is off by a few units roundoff of |value| + |lower| + |rate|, below 1e-12.
void PairCells::follow(Line line, double t0, double t1, Parts& out) const {
  struct Frame {
    std::uint32_t node;
    double t0, t1;
    std::array<double, kMaxJoints> low, width;
  };
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const double s = scale(static_cast<int>(k));
    line[k] = {(line[k].first - axes_[k].lower) * s, line[k].second * s};
  }
  Frame waiting[kMaxDepth];  // at most one per level
  int count = 0;
  Frame f{0, t0, t1, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  while (true) {
    const std::uint32_t node = nodes_[f.node];
    if (node < kFirstInner) {
      out.leaf(node, f.t0, f.t1);
      if (count == 0) return;
      f = waiting[--count];
      continue;
    }
    const std::uint32_t axis = node & 3, child = node >> 2;
    const auto [from, rate] = line[axis];
    f.width[axis] *= 0.5;
    const double split = f.low[axis] + f.width[axis];
    const bool starts_low = from + rate * f.t0 <= split, ends_low = from + rate * f.t1 <= split;
    const auto side = [&](Frame& half, bool low) {
      half.node = low ? child : child + 1;
      if (!low) half.low[axis] = split;
    };
    if (starts_low != ends_low) {
      const double crossing = std::clamp((split - from) / rate, f.t0, f.t1);
      Frame& later = waiting[count++] = f;
      later.t0 = f.t1 = crossing;
      side(later, ends_low);
    }
    side(f, starts_low);
  }
}

/// Brings the line into the box axis by axis, cutting it where it leaves the box or starts another turn.
void PairCells::enter(Line line, int axis, double t0, double t1, Parts& out) const {
  if (axis == static_cast<int>(axes_.size())) return follow(line, t0, t1, out);
  const Axis& a = axes_[axis];
  auto& [from, rate] = line[axis];
  const double start = from + rate * t0;
  const double end = from + rate * t1;
  if (a.periodic) {
    const double turn = 2.0 * std::numbers::pi;
    // At the very edge, the direction of travel decides which turn is next.
    from -= turn * std::floor((std::nextafter(start, end) - a.lower) / turn);
    const double edge = rate >= 0.0 ? a.upper : a.lower;
    const double shifted_end = from + rate * t1;
    if (shifted_end <= a.upper && shifted_end >= a.lower) return enter(line, axis + 1, t0, t1, out);
    const double crossing = std::clamp((edge - from) / rate, t0, t1);
    if (!(crossing > t0)) return out.leaf(kUnknown, t0, t1);  // no progress: rounding at the very edge
    enter(line, axis + 1, t0, crossing, out);
    return enter(line, axis, crossing, t1, out);
  }
  if (std::min(start, end) >= a.lower && std::max(start, end) <= a.upper) return enter(line, axis + 1, t0, t1, out);
  if (std::max(start, end) < a.lower || std::min(start, end) > a.upper) return out.leaf(kUnknown, t0, t1);
  double in = (a.lower - from) / rate;
  double leave = (a.upper - from) / rate;
  if (in > leave) std::swap(in, leave);
  in = std::clamp(in, t0, t1);
  leave = std::clamp(leave, t0, t1);
  if (in > t0) out.leaf(kUnknown, t0, in);
  enter(line, axis + 1, in, leave, out);
  if (leave < t1) out.leaf(kUnknown, leave, t1);
}

PairCells::Cover PairCells::cover(const Box& box, std::uint32_t node, Box cell) const {
  const std::uint32_t n = nodes_[node];
  if (n < kFirstInner) return n == kFree ? Cover::Free : Cover::Unknown;
  const std::uint32_t axis = n & 3, child = n >> 2;
  const double split = 0.5 * (cell[axis].first + cell[axis].second);
  Box low = cell;
  low[axis].second = cell[axis].first = split;
  if (box[axis].second <= split) return cover(box, child, low);
  if (box[axis].first > split) return cover(box, child + 1, cell);
  const Cover first = cover(box, child, low);
  if (first == Cover::Mixed) return first;
  return cover(box, child + 1, cell) == first ? first : Cover::Mixed;
}

/// The same for a box of joint values whose angles may be any number of turns away.
PairCells::Cover PairCells::cover_turned(Box box) const {
  Box whole{};
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    auto& [lo, hi] = box[k];
    if (axes_[k].periodic) {
      const double shift = 2.0 * std::numbers::pi * std::floor((lo - axes_[k].lower) / (2.0 * std::numbers::pi));
      lo -= shift;
      hi -= shift;
    }
    if (hi < axes_[k].lower || lo > axes_[k].upper) return Cover::Unknown;
    if (!(lo >= axes_[k].lower && hi <= axes_[k].upper)) return Cover::Mixed;
    const double s = scale(static_cast<int>(k));
    lo = (lo - axes_[k].lower) * s;
    hi = (hi - axes_[k].lower) * s;
    whole[k] = {0.0, 1.0};
  }
  return cover(box, 0, whole);
}

/// Cells are proved slightly larger than they are (PairCellsBuilder): that covers the rounding of the shift.
void PairCells::unknown_curve(const EdgeMotion& motion, double t0, double t1, Intervals& out) const {
  Box box{};
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const Interval values = motion.move(axes_[k].move).range(t0, t1);
    const double error = motion.value_error(axes_[k].move) + motion.tube().of_move(axes_[k].move);
    if (!(values.mag() + error <= kFarthest)) return add(out, t0, t1);
    box[k] = {values.lo - error, values.hi + error};
  }
  const Cover covered = cover_turned(box);
  if (covered == Cover::Free) return;
  if (covered == Cover::Unknown || t1 - t0 <= kShortestPart) return add(out, t0, t1);
  const double middle = 0.5 * (t0 + t1);
  unknown_curve(motion, t0, middle, out);
  unknown_curve(motion, middle, t1, out);
}

void PairCells::unknown(const EdgeMotion& motion, Intervals& out, Intervals* touching) const {
  if (nodes_.empty()) return add(out, 0.0, 1.0);
  Line line{};
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const Polynomial& value = motion.move(axes_[k].move);
    // Cells are proved 1e-9 wider than they are: that covers rounding, but not an error stated by a segment.
    const bool rounding_alone =
        motion.value_error(axes_[k].move) < 1e-10 && motion.tube().of_move(axes_[k].move) == 0.0;
    if (value.degree > 1 || !rounding_alone) return unknown_curve(motion, 0.0, 1.0, out);
    line[k] = {value.c[0], value.degree == 1 ? value.c[1] : 0.0};
    if (!(std::abs(line[k].first) + std::abs(line[k].second) <= kFarthest)) return add(out, 0.0, 1.0);
  }
  Parts parts{out, touching};
  enter(line, 0, 0.0, 1.0, parts);
}

}  // namespace planner_ccd
