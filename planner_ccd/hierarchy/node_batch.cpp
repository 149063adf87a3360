#include "planner_ccd/hierarchy/node_batch.hpp"

#include <cstring>

#include "planner_ccd/math/tolerances.hpp"

namespace planner_ccd {

using namespace lanes;

namespace {

constexpr float kShort = 1e-15f;       ///< [m]
constexpr float kTinySquare = 1e-30f;  ///< [m^2] Edges below its root count as points.
constexpr int kRounds = 4;

inline Vectors rotated(const float (&R)[9], const Vectors& v) {
  return {R[0] * v.x + R[1] * v.y + R[2] * v.z, R[3] * v.x + R[4] * v.y + R[5] * v.z,
          R[6] * v.x + R[7] * v.y + R[8] * v.z};
}

struct Volumes {
  Vectors origin, edge0, edge1;
  Lanes radius;
};

inline Volumes load(const SsvTree& tree, const int (&node)[4]) {
  Lanes w[3][4];
  for (int i = 0; i < 4; ++i) std::memcpy(&w[0][i], tree.packed(node[i]), 16);
  for (int i = 0; i < 4; ++i) std::memcpy(&w[1][i], tree.packed(node[i]) + 4, 16);
  for (int i = 0; i < 4; ++i) std::memcpy(&w[2][i], tree.packed(node[i]) + 8, 16);
  for (auto& row : w) transpose(row[0], row[1], row[2], row[3]);
  return {{w[0][0], w[0][1], w[0][2]}, {w[0][3], w[1][0], w[1][1]}, {w[1][2], w[1][3], w[2][0]}, w[2][1]};
}

inline Lanes inverse(Lanes square) { return only(square > all(kTinySquare), 1.0f / square); }

}  // namespace

NodeBatch::NodeBatch(const SsvTree& a, const SsvTree& b, const Eigen::Matrix3d& R_BA, const Eigen::Vector3d& p_BA,
                     double pad)
    : a_(a), b_(b) {
  const Eigen::Vector3d apart = R_BA * a.bounding_center() + p_BA - b.bounding_center();
  for (int i = 0; i < 3; ++i) {
    t_[i] = static_cast<float>(apart[i]);
    for (int j = 0; j < 3; ++j) R_[3 * i + j] = static_cast<float>(R_BA(i, j));
  }
  // The sum above errs by less than 8 * 2^-53 of its terms.
  const double lost = 8.0 * kUnitRoundoff * (a.center_distance() + p_BA.norm() + b.center_distance());
  scale_ = static_cast<float>(1.001 * (apart.norm() + a.volume_reach() + b.volume_reach()));
  pad_ = static_cast<float>(1.001 * (64.0 * kFloatRoundoff * scale_ + lost + pad));
}

NodeBatch::Gaps NodeBatch::gaps(const int (&node_a)[4], const int (&node_b)[4], float level) const {
  return gaps(node_a, node_b, level, level, nullptr);
}

NodeBatch::Gaps NodeBatch::gaps(const int (&node_a)[4], const int (&node_b)[4], float level, float enough,
                                Generators* placed_a) const {
  const Volumes a = load(a_, node_a), b = load(b_, node_b);
  const Vectors e0 = rotated(R_, a.edge0), e1 = rotated(R_, a.edge1);
  const Vectors &f0 = b.edge0, &f1 = b.edge1;
  const Vectors origin = rotated(R_, a.origin) + Vectors{all(t_[0]), all(t_[1]), all(t_[2])};
  if (placed_a != nullptr) *placed_a = {origin, e0, e1};
  const Vectors D = b.origin - origin;
  const Lanes radii = a.radius + b.radius;
  const Lanes iE0 = inverse(dot(e0, e0)), iE1 = inverse(dot(e1, e1));
  const Lanes F0 = dot(f0, f0), F1 = dot(f1, f1), iF0 = inverse(F0), iF1 = inverse(F1);
  const Lanes g00 = dot(e0, f0), g01 = dot(e0, f1), g10 = dot(e1, f0), g11 = dot(e1, f1);
  const Lanes De0 = dot(D, e0), De1 = dot(D, e1), Df0 = dot(D, f0), Df1 = dot(D, f1);
  const Lanes half = all(0.5f), zero{}, one = all(1.0f);

  Lanes s0 = clamp01((half * (g00 + g10) - Df0) * iF0), s1 = clamp01((half * (g01 + g11) - Df1) * iF1);
  Lanes t0 = clamp01((De0 + s0 * g00 + s1 * g01) * iE0), t1 = clamp01((De1 + s0 * g10 + s1 * g11) * iE1);
  Lanes best = all(-std::numeric_limits<float>::infinity());
  Vectors normal{one, zero, zero};
  for (int round = 0; round < kRounds; ++round) {
    const Mask free0 = (t0 > zero) & (t0 < one), free1 = (t1 > zero) & (t1 < one);
    const Lanes h0 = max(F0 - only(free0, g00 * g00 * iE0) - only(free1, g10 * g10 * iE1), 1e-3f * F0);
    const Lanes h1 = max(F1 - only(free0, g01 * g01 * iE0) - only(free1, g11 * g11 * iE1), 1e-3f * F1);
    s0 = clamp01(only(F0 > all(kTinySquare), s0 - (Df0 + s0 * F0 - t0 * g00 - t1 * g10) / h0));
    s1 = clamp01(only(F1 > all(kTinySquare), s1 - (Df1 + s1 * F1 - t0 * g01 - t1 * g11) / h1));
    t0 = clamp01((De0 + s0 * g00 + s1 * g01) * iE0);
    t1 = clamp01((De1 + s0 * g10 + s1 * g11) * iE1);
    const Vectors delta = D + s0 * f0 + s1 * f1 - t0 * e0 - t1 * e1;
    const Lanes length = root(dot(delta, delta));
    const Lanes core = dot(delta, D) + min(dot(delta, f0), zero) + min(dot(delta, f1), zero) -
                       max(dot(delta, e0), zero) - max(dot(delta, e1), zero);
    const Lanes per_length = 1.0f / length;
    const Mask better = (length > all(kShort)) & (core * per_length > best);
    best = better ? core * per_length : best;
    normal = {better ? delta.x * per_length : normal.x, better ? delta.y * per_length : normal.y,
              better ? delta.z * per_length : normal.z};
    // Open: neither far enough, nor shown too near by these very points, nor as tight as possible.
    const Lanes reached = best - radii - all(pad_), nearest = length - radii;
    if (!any((reached < all(enough)) & (nearest >= all(level)) & (best < length * 0.99f))) break;
  }
  best = best - radii - all(pad_);
  Gaps result;
  std::memcpy(result.gap, &best, sizeof(best));
  std::memcpy(result.normal[0], &normal.x, sizeof(best));
  std::memcpy(result.normal[1], &normal.y, sizeof(best));
  std::memcpy(result.normal[2], &normal.z, sizeof(best));
  return result;
}

}  // namespace planner_ccd
