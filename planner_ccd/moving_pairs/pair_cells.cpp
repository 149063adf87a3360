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

/// Adds [t0, t1] to parts that are in order and apart, as the result is.
void add(Intervals& out, double t0, double t1) {
  auto first = out.end();
  while (first != out.begin() && std::prev(first)->second >= t0) --first;
  auto last = first;
  for (; last != out.end() && last->first <= t1; ++last) {
    t0 = std::min(t0, last->first);
    t1 = std::max(t1, last->second);
  }
  if (first == last) {
    out.emplace(first, t0, t1);
  } else {
    *first = {t0, t1};
    out.erase(first + 1, last);
  }
}

/// Whether [t0, t1] lies within the last of the parts.
bool covered(const Intervals& parts, double t0, double t1) {
  return !parts.empty() && parts.back().first <= t0 && t1 <= parts.back().second;
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

/// On [t0, t1] the line meets the box, which is the root's cell. A node's frame has the times at which the line, by its errors on
/// each axis thicker, meets the node's cell: those axis by axis at which it meets the cell's range, one interval each. So it has the
/// same in the halves, cut where value - error (for the lower half) or value + error (the upper one) crosses the split.
///
/// Cells are proved slightly larger than they are (PairCellsBuilder), which covers the rounding of the times of the crossings:
/// a value u of the box's width w is off by a few units roundoff of |value| + error + |lower| + |rate|, below 1e-12.
void PairCells::follow(Line line, double t0, double t1, Parts& out) const {
  struct Frame {
    std::uint32_t node;
    double t0, t1;
    std::array<double, kMaxJoints> low, width;
  };
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const double s = scale(static_cast<int>(k));
    line[k] = {(line[k].from - axes_[k].lower) * s, line[k].rate * s, line[k].error * s};
  }
  Frame waiting[kMaxDepth];  // at most one per level
  int count = 0;
  Frame f{0, t0, t1, {0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
  while (true) {
    const std::uint32_t node = nodes_[f.node];
    if (node < kFirstInner) {
      out.leaf(node, f.t0, f.t1);
      do {
        if (count == 0) return;
        f = waiting[--count];
      } while (covered(out.unknown, f.t0, f.t1));
      continue;
    }
    const std::uint32_t axis = node & 3, child = node >> 2;
    const Course of = line[axis];
    f.width[axis] *= 0.5;
    const double split = f.low[axis] + f.width[axis];
    const double start = of.from + of.rate * f.t0, end = of.from + of.rate * f.t1;
    const bool starts_low = start - of.error <= split, ends_low = end - of.error <= split;
    const bool starts_high = start + of.error > split, ends_high = end + of.error > split;
    const auto side = [&](Frame& half, bool low) {
      half.node = low ? child : child + 1;
      if (!low) half.low[axis] = split;
    };
    if ((starts_low || ends_low) && (starts_high || ends_high)) {
      // From where it begins to where it ends in a half.
      const auto cut = [&](Frame& half, bool low) {
        const bool starts = low ? starts_low : starts_high;
        if (starts == (low ? ends_low : ends_high)) return;
        const double border = low ? split + of.error : split - of.error;
        (starts ? half.t1 : half.t0) = std::clamp((border - of.from) / of.rate, f.t0, f.t1);
      };
      Frame& later = waiting[count++] = f;
      cut(later, !starts_low);
      cut(f, starts_low);
      side(later, !starts_low);
    }
    side(f, starts_low);
  }
}

/// Brings the line into the box axis by axis, cutting it where it leaves the box or starts another turn.
void PairCells::enter(Line line, int axis, double t0, double t1, Parts& out) const {
  if (axis == static_cast<int>(axes_.size())) return follow(line, t0, t1, out);
  const Axis& a = axes_[axis];
  const Course of = line[axis];
  const double start = of.from + of.rate * t0, end = of.from + of.rate * t1;
  const double least = std::min(start, end), most = std::max(start, end);
  // The values whose errors keep within the box.
  const double lower = a.lower + of.error, upper = a.upper - of.error;
  if (least >= lower && most <= upper) return enter(line, axis + 1, t0, t1, out);
  // The times at which the value is in a range that it meets.
  const auto within = [&](double low, double high) {
    if (of.rate == 0.0) return std::pair(t0, t1);
    const double first = std::clamp((low - of.from) / of.rate, t0, t1);
    const double second = std::clamp((high - of.from) / of.rate, t0, t1);
    return std::pair(std::min(first, second), std::max(first, second));
  };
  if (a.periodic) {
    const double turn = 2.0 * std::numbers::pi;
    if (!(of.error < 0.5 * turn)) {  // all values at once
      line[axis] = {0.5 * (a.lower + a.upper), 0.0, 0.5 * (a.upper - a.lower)};
      return enter(line, axis + 1, t0, t1, out);
    }
    // Every turn that some value is in, in the direction of travel.
    const int first = static_cast<int>(std::floor((least - of.error - a.lower) / turn));
    const int last = static_cast<int>(std::floor((most + of.error - a.lower) / turn));
    for (int i = 0; i <= last - first; ++i) {
      const double shift = turn * (of.rate >= 0.0 ? first + i : last - i);
      const auto [in, leave] = within(a.lower - of.error + shift, a.upper + of.error + shift);
      Line shifted = line;
      shifted[axis].from -= shift;
      enter(shifted, axis + 1, in, leave, out);
    }
    return;
  }
  if (!(lower <= upper) || most < lower || least > upper) return out.leaf(kUnknown, t0, t1);
  const auto [in, leave] = within(lower, upper);
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
    if (value.degree > 1) return unknown_curve(motion, 0.0, 1.0, out);
    // Cells are proved 1e-9 wider than they are: that covers rounding, but not an error stated by a segment.
    const double error = motion.value_error(axes_[k].move) + motion.tube().of_move(axes_[k].move);
    line[k] = {value.c[0], value.degree == 1 ? value.c[1] : 0.0, error < 1e-10 ? 0.0 : error};
    if (!(std::abs(line[k].from) + std::abs(line[k].rate) + error <= kFarthest)) return add(out, 0.0, 1.0);
  }
  Parts parts{out, touching};
  enter(line, 0, 0.0, 1.0, parts);
}

}  // namespace planner_ccd
