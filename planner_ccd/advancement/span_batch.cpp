#include "planner_ccd/advancement/span_batch.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

using namespace lanes;

namespace {

/// [m / time^2] Smaller accelerations are replaced by this, so that no root is 0 / 0.
constexpr float kLeastAcceleration = 1e-20f;

float up(double x) { return static_cast<float>(x * kFloatRoundUp); }

Vectors everywhere(const float (&v)[3]) { return {all(v[0]), all(v[1]), all(v[2])}; }

void store(const Eigen::Vector3d& from, float (&to)[3]) {
  for (int k = 0; k < 3; ++k) to[k] = static_cast<float>(from[k]);
}

/// first_root() of certified_span.hpp.
Lanes first_root(Lanes slack, Lanes closing, Lanes acceleration) {
  const Lanes root_of = root(closing * closing + 2.0f * acceleration * slack);
  const Mask towards = closing > 0.0f;
  const Lanes numerator = towards ? 2.0f * slack : root_of - closing;
  const Lanes denominator = towards ? closing + root_of : acceleration;
  return numerator / denominator * kFloatStepShare;
}

}  // namespace

SpanBatch::SpanBatch(const SearchPair& pair, const PairState& state, const PairMotion& motion, const RoundingPads& pads,
                     PairTube* tube)
    : nodes_(*pair.tree_a, *pair.tree_b, state.R_BA, state.p_BA, pads.position),
      tube_(tube),
      motion_(&motion),
      centre_(pair.tree_b->bounding_center()) {
  const Eigen::Vector3d& centre = centre_;
  const Eigen::Vector3d v = state.velocity(centre);
  const Eigen::Vector3d a = state.acceleration(centre);
  store(v, v_);
  store(state.w, w_);
  store(a, a_);
  store(state.w_dot, w_dot_);
  const double S = nodes_.scale();
  const double w = state.w.norm();
  ww_ = static_cast<float>(w * w);
  margin_ = up(pair.margin);
  place_pad_ = up(64.0 * kFloatRoundoff * S);
  speed_pad_ = up(pads.speed + 64.0 * kFloatRoundoff * (v.norm() + w * S));
  acceleration_pad_ =
      up(pads.acceleration + 64.0 * kFloatRoundoff * (a.norm() + (state.w_dot.norm() + 2.0 * w * w) * S));
  jerk_ = up(motion.jerk_bound());
  acceleration_bound_ = std::max(up(motion.acceleration_bound()), kLeastAcceleration);
}

/// Sums |n.J_k(c)| over the twists, for the four corners, now and at the ends of the chords of (27). The sums
/// round up to as often as there are twists, their difference and its quotient once each.
SpanBatch::Reach SpanBatch::displace(const Vectors& n, const NodeBatch::Generators& A, double half_width) const {
  Reach out;
  for (int j = 0; j < 4; ++j) out.now[j] = out.forward[j] = out.back[j] = all(0.0f);
  const std::vector<PairTube::Twist>& twists = tube_->twists();
  const Eigen::Vector3d& turning = tube_->turning();
  const Eigen::Vector3d swung = turning.cross(centre_);
  const double S = nodes_.scale();
  double pad = 0.0, rate_pad = tube_->rate_pad() + tube_->growth_of_poses(*motion_);
  float f_turning[3];
  store(turning, f_turning);
  const Lanes n_turning = dot(n, everywhere(f_turning)), h = all(up(half_width));
  for (const PairTube::Twist& twist : twists) {
    const Eigen::Vector3d v_of = twist.v + twist.w.cross(centre_);
    const Eigen::Vector3d u_of = twist.u + twist.w_dot.cross(centre_) + twist.w.cross(swung);
    const double w_of = twist.w.lpNorm<1>();
    pad += 64.0 * kFloatRoundoff * (v_of.lpNorm<1>() + w_of * S);
    rate_pad +=
        64.0 * kFloatRoundoff * (u_of.lpNorm<1>() + (twist.w_dot.lpNorm<1>() + 2.0 * w_of * turning.lpNorm<1>()) * S);
    float v[3], w[3], u[3], w_dot[3];
    store(v_of, v);
    store(twist.w, w);
    store(u_of, u);
    store(twist.w_dot, w_dot);
    const Vectors of = cross(n, everywhere(w));
    const Vectors of_change =
        cross(n, everywhere(w_dot)) + n_turning * everywhere(w) - all(static_cast<float>(twist.w.dot(turning))) * n;
    const Lanes origin = dot(n, everywhere(v)) + dot(of, A.origin);
    const Lanes change_origin = dot(n, everywhere(u)) + dot(of_change, A.origin);
    const Lanes edge[2] = {dot(of, A.edge0), dot(of, A.edge1)};
    const Lanes change_edge[2] = {dot(of_change, A.edge0), dot(of_change, A.edge1)};
    for (int j = 0; j < 4; ++j) {
      Lanes velocity = origin, change = change_origin;
      if (j & 1) velocity += edge[0], change += change_edge[0];
      if (j & 2) velocity += edge[1], change += change_edge[1];
      const Lanes ahead = velocity + h * change, behind = velocity - h * change;
      out.now[j] += max(velocity, -velocity);
      out.forward[j] += max(ahead, -ahead);
      out.back[j] += max(behind, -behind);
    }
  }
  const double rounding = 1.0 + 4.0 * kFloatRoundoff * static_cast<double>(twists.size() + 8);
  const Lanes beside = all(up((tube_->beside(*motion_, half_width) + pad) * rounding)), scale = all(up(rounding));
  const Lanes speed = all(up(rate_pad)), few = all(static_cast<float>(8.0 * kFloatRoundoff));
  for (int j = 0; j < 4; ++j) {
    out.now[j] = out.now[j] * scale + beside;
    for (Lanes* slope : {&out.forward[j], &out.back[j]}) {
      *slope = h > 0.0f ? ((*slope * scale + beside) - out.now[j]) / h : Lanes{};
      *slope = *slope + few * max(*slope, -*slope) + speed;
    }
  }
  return out;
}

/// n.p' and n.p'' are affine in the corner: the value at the origin, and an increment for each edge.
SpanBatch::Corners SpanBatch::corners(const Vectors& n, const NodeBatch::Generators& A, Lanes room, float h) const {
  const Vectors w = everywhere(w_);
  const Vectors turning = cross(n, w);
  const Vectors bending = cross(n, everywhere(w_dot_)) + dot(n, w) * w - all(ww_) * n;
  const Lanes closing_origin = dot(n, everywhere(v_)) + dot(turning, A.origin);
  const Lanes bend_origin =
      dot(n, everywhere(a_)) + dot(bending, A.origin) + all(acceleration_pad_ + h * jerk_ * 0.33334f);
  const Lanes along_edge[2] = {dot(n, A.edge0), dot(n, A.edge1)};
  const Lanes closing_edge[2] = {dot(turning, A.edge0), dot(turning, A.edge1)};
  const Lanes bend_edge[2] = {dot(bending, A.edge0), dot(bending, A.edge1)};
  const Lanes top = max(along_edge[0], Lanes{}) + max(along_edge[1], Lanes{});

  Corners out;
  for (int j = 0; j < 4; ++j) {
    Lanes along{};
    out.closing[j] = closing_origin;
    out.acceleration[j] = bend_origin;
    for (int e = 0; e < 2; ++e) {
      if ((j >> e & 1) == 0) continue;
      along += along_edge[e];
      out.closing[j] += closing_edge[e];
      out.acceleration[j] += bend_edge[e];
    }
    out.acceleration[j] = min(max(out.acceleration[j], all(kLeastAcceleration)), all(acceleration_bound_));
    out.slack[j] = room + (top - along);
    out.fastest = max(out.fastest, max(out.closing[j], -out.closing[j]));
    out.greatest = max(out.greatest, out.acceleration[j]);
  }
  return out;
}

SpanBatch::Spans SpanBatch::evaluate(const int (&a)[kLanes], const int (&b)[kLanes], double half_width) const {
  Spans out;
  NodeBatch::Generators A;
  out.gaps = nodes_.gaps(a, b, margin_, std::numeric_limits<float>::infinity(), &A);
  Lanes gap;
  std::memcpy(&gap, out.gaps.gap, sizeof(gap));
  Vectors n;
  std::memcpy(&n.x, out.gaps.normal[0], sizeof(gap));
  std::memcpy(&n.y, out.gaps.normal[1], sizeof(gap));
  std::memcpy(&n.z, out.gaps.normal[2], sizeof(gap));

  const Lanes room = gap - all(margin_ + place_pad_);
  Mask apart = room > Lanes{};
  const Lanes none = all(-1.0f);
  if (!any(apart)) {
    std::memcpy(out.back, &none, sizeof(none));
    std::memcpy(out.forward, &none, sizeof(none));
    return out;
  }

  const float h = up(half_width);
  Corners c = corners(n, A, room, h);
  const Lanes far = all(h * static_cast<float>(kFloatRoundUp)) * (c.fastest + all(speed_pad_) + 0.5f * h * c.greatest);
  const Lanes displaced = all(tube_ == nullptr ? 0.0f : up(tube_->most(*motion_, half_width)));
  Lanes back = all(std::numeric_limits<float>::infinity()), forward = back;
  if (any(apart & ~(room - displaced > far))) {
    const Lanes speed = all(speed_pad_);
    Lanes towards[4], away[4];
    for (int j = 0; j < 4; ++j) towards[j] = c.closing[j] + speed, away[j] = speed - c.closing[j];
    if (tube_ != nullptr) {
      const Reach reach = displace(n, A, half_width);
      for (int j = 0; j < 4; ++j) {
        c.slack[j] = c.slack[j] - reach.now[j];
        apart = apart & (c.slack[j] > Lanes{});
        c.slack[j] = max(c.slack[j], Lanes{});
        towards[j] += reach.forward[j];
        away[j] += reach.back[j];
        c.acceleration[j] += all(up(motion_->tube().bend));
      }
    }
    for (int j = 0; j < 4; ++j) {
      forward = min(forward, first_root(c.slack[j], towards[j], c.acceleration[j]));
      back = min(back, first_root(c.slack[j], away[j], c.acceleration[j]));
    }
  }
  back = apart ? back : none;
  forward = apart ? forward : none;
  std::memcpy(out.back, &back, sizeof(back));
  std::memcpy(out.forward, &forward, sizeof(forward));
  return out;
}

}  // namespace planner_ccd
