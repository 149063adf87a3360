#include "planner_ccd/first_look/first_look.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/scene/single.hpp"

// A motion as the lanes read it.
namespace planner_ccd {

namespace {

void put(const Eigen::Vector3d& v, float* out) {
  for (int i = 0; i < 3; ++i) out[i] = static_cast<float>(v[i]);
}

}  // namespace

/// B_2 as PairMotion has it, of the balls' centres alone, in the world: (20) of MATHS.md T13. By body, `turned` is W,
/// `lever` D, and `slid` what is subtracted. For curves these are bounds for the whole motion; the lanes find better ones for each piece.
void FirstLook::bend(const EdgeMotion& motion, Scratch& scratch) const {
  look::Edge& edge = scratch.edge;
  const MoveBounds& bounds = motion.bounds(0);
  const std::size_t bodies = tables_.bodies.size();
  for (std::vector<double>* of : {&scratch.turned, &scratch.lever, &scratch.slid, &scratch.pulled}) of->resize(bodies);
  for (std::size_t b = 1; b < bodies; ++b) {
    const look::Body& body = tables_.bodies[b];
    double W = scratch.turned[body.parent], D = scratch.lever[body.parent] + offset_[b],
           less = scratch.slid[body.parent], pulled = scratch.pulled[body.parent];
    if (body.free >= 0) D += edge.free[static_cast<std::size_t>(body.free)].length;
    for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
      const double w = edge.rate[k], a = bounds.acceleration[k];
      if (tables_.moves[k].rotation) {
        less += D * (w * (2.0 * W + w) + a);
        W += w;
        pulled += a;
      } else {
        less -= 2.0 * W * w + a;
        D += edge.value[k];
      }
    }
    scratch.turned[b] = W;
    scratch.lever[b] = D;
    scratch.slid[b] = less;
    scratch.pulled[b] = pulled;
    edge.way[b] = static_cast<float>(D);
  }
  for (std::size_t m = 0; m < tables_.movers.size(); ++m) {
    const look::Mover& mover = tables_.movers[m];
    const double W = scratch.turned[mover.body],
                 most = (scratch.lever[mover.body] + mover.reach) * (W * W + scratch.pulled[mover.body]);
    const double less = scratch.slid[mover.body];
    // The difference is rounded relative to its larger term.
    edge.bend[m] = float_up((most - less + (kRoundUp - 1.0) * (most + std::abs(less))) * look::kBendOfPiece);
    edge.stray[m] = edge.bend[m];
  }
}

/// The tube in the world: (25) for the centre of a mover's single ball at the instants, what it grows by between them, and (28), which bounds it
/// anywhere on the edge. By body: error_turn, error_less and error of (28). (MATHS.md 7b)
void FirstLook::prepare_tube(const EdgeMotion& motion, Scratch& scratch) const {
  look::Edge& edge = scratch.edge;
  look::Tube& tube = edge.tube;
  const MotionTube& errors = motion.tube();
  tube.any = errors.any();
  if (!tube.any) return;
  const std::size_t bodies = tables_.bodies.size(), moves = tables_.moves.size();
  for (std::vector<double>* of : {&scratch.error_turn, &scratch.error_less, &scratch.error}) of->resize(bodies, 0.0);
  tube.error.resize(moves);
  for (std::size_t b = 1; b < bodies; ++b) {
    const look::Body& body = tables_.bodies[b];
    double D = scratch.lever[body.parent] + offset_[b], less = scratch.error_less[body.parent];
    double turn = scratch.error_turn[body.parent], error = scratch.error[body.parent];
    for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
      const double d = tube.error[k] = float_up(errors.of_move(k));
      if (tables_.moves[k].rotation) {
        turn += d;
        less += d * D;
      } else {
        error += d;
        D += edge.value[k];
      }
    }
    scratch.error_turn[b] = turn;
    scratch.error_less[b] = less;
    scratch.error[b] = error;
  }
  tube.points.clear();
  for (const MotionTube::Loose& of : errors.loose()) {
    look::Tube::Point point{of.body, {}, float_up(of.turn)};
    for (int i = 0; i < 3; ++i) point.at[i] = static_cast<float>(of.p_BodyPoint[i]);
    tube.points.push_back(point);
  }
  std::uint64_t resting = 0;
  for (const int link : resting_links_) resting |= errors.above(link);
  tube.movers.resize(tables_.movers.size());
  for (std::size_t m = 0; m < tube.movers.size(); ++m)
    widen(errors, m, errors.above(mover_links_[m]) | resting, scratch);
  tube.loose.resize(self_links_.size());
  for (std::size_t s = 0; s < self_links_.size(); ++s) {
    tube.loose[s] = errors.above(self_links_[s].first) != errors.above(self_links_[s].second) ? 1 : 0;
  }
}

/// prepare_tube() for a mover and the poses whose errors displace it relative to obstacles.
void FirstLook::widen(const MotionTube& errors, std::size_t m, std::uint64_t points, Scratch& scratch) const {
  look::Edge& edge = scratch.edge;
  const look::Mover& mover = tables_.movers[m];
  const double reach = scratch.lever[mover.body] + mover.reach;
  double turn = scratch.error_turn[mover.body], shift = scratch.error[mover.body], farthest = 0.0;
  double most = turn * reach, less = scratch.error_less[mover.body];
  for (std::uint64_t left = points; left != 0; left &= left - 1) {
    const MotionTube::Loose& of = errors.loose()[static_cast<std::size_t>(std::countr_zero(left))];
    const double of_turn = float_up(of.turn), away = of.p_BodyPoint.norm();
    turn += of_turn;
    shift += of.shift;
    most += of_turn * (reach + away);
    less += of_turn * scratch.lever[of.body];
    farthest = std::max(farthest, away);
  }
  const double pads = 4.0 * turn * (static_cast<double>(edge.place) + edge.grain) * (1.0 + farthest / fixed_reach_);
  look::Tube::Mover& out = edge.tube.movers[m];
  out.points = points;
  out.turn = float_up(turn * kRoundUp);
  out.constant = float_up((shift + turn * edge.bend[m] + pads) * kRoundUp);
  out.rounding =
      float_up(1.0 + 2.0 * kFloatRoundoff * static_cast<double>(tables_.moves.size() + errors.loose().size() + 16));
  edge.stray[m] = float_up(edge.bend[m] + shift + most - less + (kRoundUp - 1.0) * (most + less + shift));
}

/// For each mover, the greatest margin from what rests.
void FirstLook::find_margins(const look::Around* objects, look::Edge& edge) const {
  edge.margin.resize(tables_.movers.size());
  for (std::size_t m = 0; m < tables_.movers.size(); ++m) {
    const look::Mover& mover = tables_.movers[m];
    edge.margin[m] = mover.margin;
    if (objects == nullptr || objects->tree->size() == 0) continue;
    const double greatest = objects->rules->greatest(mover.row);
    if (greatest >= 0.0)
      edge.margin[m] = std::max(edge.margin[m], float_up(kept_margin(greatest, objects->displaced, 0.0)));
  }
}

/// Directions and places of joints that move freely: they differ from motion to motion.
void FirstLook::set_free(const EdgeMotion& motion, look::Edge& edge) const {
  edge.moves = tables_.moves.data();
  edge.free.resize(static_cast<std::size_t>(free_joints_));
  if (free_joints_ == 0) return;
  edge.own_moves = tables_.moves;
  edge.moves = edge.own_moves.data();
  const MoveChain& chain = motion.chain();
  for (std::size_t b = 1; b < tables_.bodies.size(); ++b) {
    const look::Body& body = tables_.bodies[b];
    if (body.free < 0) continue;
    look::Edge::Free& free = edge.free[static_cast<std::size_t>(body.free)];
    put(Eigen::Vector3d(chain.bodies[b].before.translation()), free.before);
    free.length = chain.bodies[b].before.translation().norm() * kRoundUp;
    for (int i = 0; i < 3; ++i) put(Eigen::Vector3d(chain.bodies[b].after.linear().col(i)), free.after + 3 * i);
    for (int k = body.first_move; k < body.first_move + body.move_count; ++k) {
      edge.own_moves[k].main_axis = chain.moves[k].main_axis;
      put(chain.moves[k].axis, edge.own_moves[k].axis);
    }
  }
}

namespace {

/// On a piece of width h a function is at most h^2 / 8 times its second derivative's bound beyond the greater of its values at the ends. `jerk`: the
/// bound of the third derivative, which is the second of the rate.
look::Edge::Curve curve_of(const Polynomial& p, double jerk) {
  constexpr double kHalf = 0.5 / look::kPieces;
  look::Edge::Curve out{};
  double rates = 0.0, bends = 0.0;
  for (int i = 0; i <= Polynomial::kMaxDegree; ++i) out.value[i] = static_cast<float>(p.c[i]);
  for (int i = 1; i <= Polynomial::kMaxDegree; ++i) {
    out.rate[i - 1] = static_cast<float>(i * p.c[i]);
    rates += i * std::abs(p.c[i]);
  }
  for (int i = 2; i <= Polynomial::kMaxDegree; ++i) {
    out.bend[i - 2] = static_cast<float>(i * (i - 1) * p.c[i]);
    bends += i * (i - 1) * std::abs(p.c[i]);
  }
  const double snap = std::max(std::abs(24.0 * p.c[4]), std::abs(24.0 * p.c[4] + 120.0 * p.c[5]));
  constexpr double kRounding = 64.0 * kFloatRoundoff;
  out.more_rate = float_up(0.5 * kHalf * kHalf * jerk + kRounding * rates);
  out.more_bend = float_up(0.5 * kHalf * kHalf * snap + kRounding * bends);
  return out;
}

}  // namespace

/// The values of the moves; false when they are too large. A turn may begin anywhere: whole turns are taken off.
bool FirstLook::set_moves(const EdgeMotion& motion, look::Edge& edge) const {
  const std::size_t moves = tables_.moves.size();
  for (std::vector<float>* of : {&edge.start, &edge.change}) of->resize(moves);
  for (std::vector<double>* of : {&edge.rate, &edge.value}) of->resize(moves);
  edge.shares = edge.slides = 0.0;
  bool curved = false;
  for (std::size_t k = 0; k < moves; ++k) {
    const Polynomial& value = motion.move(static_cast<int>(k));
    double start = value.c[0], most = motion.value_bound(static_cast<int>(k)), size = most;
    if (tables_.moves[k].rotation && !(most < look::kMostTurn)) {
      constexpr double kTurn = 2.0 * std::numbers::pi;
      start -= kTurn * std::nearbyint(value.value(0.5) / kTurn);
      most = std::abs(start);
      for (int i = 1; i <= value.degree; ++i) most += std::abs(value.c[i]);
      size = most;
    }
    if (value.degree > 1) {
      curved = true;
      size = std::abs(start);
      for (int i = 1; i <= value.degree; ++i) size += std::abs(value.c[i]);
    }
    if (!(size < (tables_.moves[k].rotation ? double{look::kMostTurn} : kLargest))) return false;
    edge.start[k] = static_cast<float>(start);
    edge.change[k] = static_cast<float>(value.c[1]);
    edge.rate[k] = motion.rate_bound(static_cast<int>(k));
    edge.value[k] = most;
    edge.shares += 192.0 + 16.0 * most + (value.degree > 1 ? 32.0 * size : 0.0);
    if (!tables_.moves[k].rotation) edge.slides += size;
  }
  edge.curves.clear();
  for (std::size_t k = 0; curved && k < moves; ++k) {
    edge.curves.push_back(curve_of(motion.move(static_cast<int>(k)), motion.bounds(0).jerk[k]));
    edge.curves.back().value[0] = edge.start[k];
  }
  return true;
}

bool FirstLook::start(const EdgeMotion& motion, const look::Around* objects, Scratch& scratch) const {
  const double extent = objects == nullptr ? problem_->extent : std::max(problem_->extent, objects->extent);
  look::Edge& edge = scratch.edge;
  if (!applies_ || !(extent < kLargest) || !set_moves(motion, edge)) return false;
  edge.way.resize(tables_.bodies.size());
  for (std::vector<float>* of : {&edge.bend, &edge.stray, &edge.drift}) of->resize(tables_.movers.size());
  const double shares = edge.shares * kFloatRoundoff;
  if (!(shares < 0.01)) return false;
  set_free(motion, edge);
  double reach = fixed_reach_ + edge.slides;
  for (const look::Edge::Free& free : edge.free) reach += free.length;
  // Plus the errors of poses in double, of everything placed by them, and of the values themselves.
  edge.place = float_up((1.01 * shares * reach + motion.rounding_pads(extent).position) * kRoundUp);
  if (!(edge.place < kLargest)) return false;
  edge.grain = float_up(64.0 * kFloatRoundoff * reach);
  edge.objects = objects;
  find_margins(objects, edge);
  bend(motion, scratch);
  prepare_tube(motion, scratch);
  // At every instant of time the bends are far from what would overflow.
  if (std::any_of(edge.stray.begin(), edge.stray.end(), [](float b) { return !(b < kLargest); })) return false;
  for (std::size_t m = 0; m < edge.drift.size(); ++m) {
    edge.drift[m] = float_up(static_cast<double>(edge.stray[m]) - static_cast<double>(edge.bend[m]));
  }
  scratch.findings.clear(tables_);
  scratch.cells.clear();
  return true;
}

}  // namespace planner_ccd
