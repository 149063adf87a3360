#include "planner_ccd/moving_pairs/pair_cells.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "planner_ccd/math/interval.hpp"

namespace planner_ccd {
namespace {

using Intervals = std::vector<std::pair<double, double>>;

constexpr double kShortestPart = 1.0 / 16.0;  ///< Parts of a curve are not halved below this.

void add(Intervals& out, double t0, double t1) {
  if (!out.empty() && out.back().second >= t0) {
    out.back().second = std::max(out.back().second, t1);
  } else {
    out.emplace_back(t0, t1);
  }
}

}  // namespace

double PairCells::free_share() const {
  if (nodes_.empty()) return 0.0;
  std::vector<double> size{1.0};
  for (const Axis& a : axes_) size[0] *= a.upper - a.lower;
  const double whole = size[0];
  size.resize(nodes_.size());
  // Children follow their parents; the share of a child is the share of its side of the split.
  std::vector<std::array<std::pair<double, double>, kMaxJoints>> box(nodes_.size());
  for (std::size_t k = 0; k < axes_.size(); ++k) box[0][k] = {axes_[k].lower, axes_[k].upper};
  double free = 0.0;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.child < 0) {
      double volume = 1.0;
      for (std::size_t k = 0; k < axes_.size(); ++k) volume *= box[i][k].second - box[i][k].first;
      free += node.free ? volume : 0.0;
      continue;
    }
    box[node.child] = box[node.child + 1] = box[i];
    box[node.child][node.axis].second = node.split;
    box[node.child + 1][node.axis].first = node.split;
  }
  return free / whole;
}

/// The part [t0, t1] of the line lies inside the box of `node`, up to rounding; the cells were proved a little larger than
/// they are (PairCellsBuilder), so that rounding of the times at which the line crosses a split cannot matter.
void PairCells::follow(const Line& line, int node, double t0, double t1, Intervals& out) const {
  const Node& n = nodes_[node];
  if (n.child < 0) {
    if (!n.free) add(out, t0, t1);
    return;
  }
  const auto [from, rate] = line[n.axis];
  const bool starts_low = from + rate * t0 <= n.split;
  const bool ends_low = from + rate * t1 <= n.split;
  const int first = n.child + (starts_low ? 0 : 1);
  if (starts_low == ends_low) return follow(line, first, t0, t1, out);
  const double crossing = std::clamp((n.split - from) / rate, t0, t1);
  follow(line, first, t0, crossing, out);
  follow(line, n.child + (starts_low ? 1 : 0), crossing, t1, out);
}

/// Brings the line into the box axis by axis, cutting it where it leaves the box or starts another turn.
void PairCells::enter(Line line, int axis, double t0, double t1, Intervals& out) const {
  if (axis == static_cast<int>(axes_.size())) return follow(line, 0, t0, t1, out);
  const Axis& a = axes_[axis];
  auto& [from, rate] = line[axis];
  const double start = from + rate * t0;
  const double end = from + rate * t1;
  if (a.periodic) {
    const double turn = 2.0 * std::numbers::pi;
    // At the very edge, the direction of travel says which turn comes next.
    from -= turn * std::floor((std::nextafter(start, end) - a.lower) / turn);
    const double edge = rate >= 0.0 ? a.upper : a.lower;
    const double shifted_end = from + rate * t1;
    if (shifted_end <= a.upper && shifted_end >= a.lower) return enter(line, axis + 1, t0, t1, out);
    const double crossing = std::clamp((edge - from) / rate, t0, t1);
    if (!(crossing > t0)) return add(out, t0, t1);  // no progress: rounding at the very edge
    enter(line, axis + 1, t0, crossing, out);
    return enter(line, axis, crossing, t1, out);
  }
  if (std::min(start, end) >= a.lower && std::max(start, end) <= a.upper) return enter(line, axis + 1, t0, t1, out);
  if (std::max(start, end) < a.lower || std::min(start, end) > a.upper) return add(out, t0, t1);
  double in = (a.lower - from) / rate;
  double leave = (a.upper - from) / rate;
  if (in > leave) std::swap(in, leave);
  in = std::clamp(in, t0, t1);
  leave = std::clamp(leave, t0, t1);
  if (in > t0) add(out, t0, in);
  enter(line, axis + 1, in, leave, out);
  if (leave < t1) add(out, leave, t1);
}

PairCells::Cover PairCells::cover(const Box& box, int node) const {
  const Node& n = nodes_[node];
  if (n.child < 0) return n.free ? Cover::Free : Cover::Unknown;
  const auto& [lo, hi] = box[n.axis];
  if (hi <= n.split) return cover(box, n.child);
  if (lo > n.split) return cover(box, n.child + 1);
  const Cover first = cover(box, n.child);
  if (first == Cover::Mixed) return first;
  return cover(box, n.child + 1) == first ? first : Cover::Mixed;
}

/// The same, of a box whose angles may be any number of turns away.
PairCells::Cover PairCells::cover_turned(Box box) const {
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    auto& [lo, hi] = box[k];
    if (axes_[k].periodic) {
      const double shift = 2.0 * std::numbers::pi * std::floor((lo - axes_[k].lower) / (2.0 * std::numbers::pi));
      lo -= shift;
      hi -= shift;
    }
    if (hi < axes_[k].lower || lo > axes_[k].upper) return Cover::Unknown;
    if (!(lo >= axes_[k].lower && hi <= axes_[k].upper)) return Cover::Mixed;
  }
  return cover(box, 0);
}

/// The cells were proved a little larger than they are (PairCellsBuilder): that pays for the rounding of the shift.
void PairCells::unknown_curve(const EdgeMotion& motion, double t0, double t1, Intervals& out) const {
  Box box{};
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const Interval values = motion.move(axes_[k].move).range(t0, t1);
    const double error = motion.value_error(axes_[k].move);
    if (!(values.mag() + error <= 1e3)) return add(out, t0, t1);
    box[k] = {values.lo - error, values.hi + error};
  }
  const Cover covered = cover_turned(box);
  if (covered == Cover::Free) return;
  if (covered == Cover::Unknown || t1 - t0 <= kShortestPart) return add(out, t0, t1);
  const double middle = 0.5 * (t0 + t1);
  unknown_curve(motion, t0, middle, out);
  unknown_curve(motion, middle, t1, out);
}

void PairCells::unknown(const EdgeMotion& motion, Intervals& out) const {
  if (nodes_.empty()) return add(out, 0.0, 1.0);
  Line line{};
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const Polynomial& value = motion.move(axes_[k].move);
    // Cells are proved 1e-9 wider than they are: that pays for rounding, but not for an error that a segment states.
    const bool rounding_alone = motion.value_error(axes_[k].move) < 1e-10;
    if (value.degree > 1 || !rounding_alone) return unknown_curve(motion, 0.0, 1.0, out);
    line[k] = {value.c[0], value.degree == 1 ? value.c[1] : 0.0};
    if (std::abs(line[k].first) + std::abs(line[k].second) > 1e3) return add(out, 0.0, 1.0);
  }
  enter(line, 0, 0.0, 1.0, out);
}

}  // namespace planner_ccd
