#include "planner_ccd/certificate/detail/pair_prover.hpp"

#include <cmath>

#include "planner_ccd/geometry/ssv_gap_quick.hpp"
#include "planner_ccd/hierarchy/primitive_distance.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;

constexpr std::uint64_t kOne = std::uint64_t{1} << 31;      // t = 1
constexpr std::uint64_t kShortest = std::uint64_t{1} << 6;  // intervals are not split below 3e-8 of a segment
constexpr double kCoarse = 32767.0;
constexpr double kSizes = 0.25;  // of a volume that a motion may cost; 1 makes twice as many leaves of some motions

/// The direction in whole numbers of 16 bits.
Vector3d rounded(const Vector3d& n) { return (kCoarse * n).array().round().matrix(); }

}  // namespace

std::string PairProver::prove(VolumeTree& a, VolumeTree& b, double margin, std::int64_t max_steps) {
  a_ = &a, b_ = &b, margin_ = margin;
  const std::int64_t until = leaves + splits + max_steps;
  std::vector<Task> open{{0, 0, 0, kOne}};
  while (!open.empty()) {
    const Task task = open.back();
    open.pop_back();
    Vector3d n;
    Step next = step(task, n);
    if (next == Step::Time && task.t1 - task.t0 < kShortest) next = Step::None;
    if (next == Step::None || leaves + splits >= until) {
      return (next == Step::None ? "too close to be proved at t = "
                                 : "the steps allowed for a pair were spent at t = ") +
             std::to_string(static_cast<double>(task.t0 + task.t1) / kTicks);
    }
    if (next == Step::Leaf || next == Step::FineLeaf) {
      ++leaves;
      out_.u8(next == Step::Leaf ? 0 : 1);
      for (int k = 0; k < 3; ++k) {
        if (next == Step::Leaf) {
          out_.u16(static_cast<std::uint16_t>(static_cast<std::int16_t>(n[k])));
        } else {
          out_.number(n[k]);
        }
      }
      continue;
    }
    ++splits;
    if (next == Step::Time) {
      const std::uint64_t middle = (task.t0 + task.t1) / 2;
      out_.u8(4);
      open.push_back({task.a, task.b, middle, task.t1});
      open.push_back({task.a, task.b, task.t0, middle});
    } else if (opens_a(task)) {
      out_.u8(2);
      a_->open(task.a);
      open.push_back({a_->node(task.a).right, task.b, task.t0, task.t1});
      open.push_back({a_->node(task.a).left, task.b, task.t0, task.t1});
    } else {
      out_.u8(3);
      b_->open(task.b);
      open.push_back({task.a, b_->node(task.b).right, task.t0, task.t1});
      open.push_back({task.a, b_->node(task.b).left, task.t0, task.t1});
    }
  }
  return {};
}

/// A leaf where it can be. Time is halved where half of the interval could be a leaf, and where the motion costs more than
/// smaller volumes can win; else the larger volume is opened.
PairProver::Step PairProver::step(const Task& task, Vector3d& n) const {
  const StatedRelative& r = kinematics_.over(task.t0, task.t1);
  const Vector3d exact = direction(task, r);
  n = rounded(exact);
  Gaps g = gaps(task, r, n);
  if (g.ends > 0.0) return Step::Leaf;
  const bool primitives = a_->node(task.a).primitive && b_->node(task.b).primitive;
  if (!primitives) {
    const double size = std::max(a_->tree().size(a_->node(task.a).in_tree), b_->tree().size(b_->node(task.b).in_tree));
    return g.half_way > 0.0 || g.middle - g.ends > kSizes * size ? Step::Time : Step::Space;
  }
  n = exact;
  g = gaps(task, r, n);
  if (g.ends > 0.0) return Step::FineLeaf;
  return g.middle > 0.0 ? Step::Time : Step::None;
}

Vector3d PairProver::direction(const Task& task, const StatedRelative& r) const {
  const VolumeTree::Node &a = a_->node(task.a), &b = b_->node(task.b);
  if (a.primitive && b.primitive) {
    Primitive p = a_->tree().primitive(a.first);
    for (Vector3d& c : p.corners) c = r.R * c + r.p;
    return primitive_distance(p, b_->tree().primitive(b.first)).normal;
  }
  Ssv v = a_->volume(task.a);
  v.origin = r.R * v.origin + r.p;
  v.edge0 = r.R * v.edge0;
  v.edge1 = r.R * v.edge1;
  return ssv_gap_quick(v, b_->volume(task.b)).normal;
}

/// verifier/verify.hpp, (L).
PairProver::Gaps PairProver::gaps(const Task& task, const StatedRelative& r, const Vector3d& n) const {
  const double length = n.norm(), reach = a_->node(task.a).reach, h = static_cast<double>(task.t1 - task.t0) / kTicks;
  const Vector3d turned = n.cross(r.w), turned_twice = n.cross(r.w_dot) + turned.cross(r.w);
  const Vector3d k0 = r.R.transpose() * n, k1 = r.R.transpose() * turned, k2 = r.R.transpose() * turned_twice;
  const double at0 = n.dot(r.p), at1 = n.dot(r.v) + turned.dot(r.p);
  const double at2 = n.dot(r.v_dot) + turned.dot(r.v) + turned_twice.dot(r.p);
  const double rounding =
      r.rounding * (1.0 + reach + b_->node(task.b).reach) * (1.0 + h * (k1.norm() + h * k2.norm()) / length);
  const double kept = a_->radius(task.a) + b_->radius(task.b) + margin_ + r.tube.at(reach) + rounding;
  const double beyond = -b_->greatest(task.b, -n) - length * kept;
  const auto at_ends = [&](double s) {
    const double rest2 = 0.5 * s * s * r.second.at(reach), rest3 = s * s * s / 6.0 * r.third.at(reach);
    double gap2 = INFINITY, gap3 = INFINITY;
    for (const double t : {-s, s}) {
      const Vector3d g = k0 + t * k1;
      const double plain = at0 + t * at1 + a_->greatest(task.a, g);
      const double curved = at0 + t * at1 + 0.5 * t * t * at2 + a_->greatest(task.a, g + 0.5 * t * t * k2);
      gap2 = std::min(gap2, beyond - plain - length * rest2);
      gap3 = std::min(gap3, beyond - std::max(plain, curved) - length * rest3);
    }
    return std::max(gap2, gap3) / length;
  };
  const double ends = at_ends(h);
  if (ends > 0.0) return {ends, ends, ends};
  return {(beyond - at0 - a_->greatest(task.a, k0)) / length, ends, at_ends(0.5 * h)};
}

bool PairProver::opens_a(const Task& task) const {
  const VolumeTree::Node &a = a_->node(task.a), &b = b_->node(task.b);
  if (a.primitive || b.primitive) return b.primitive;
  return a_->tree().size(a.in_tree) >= b_->tree().size(b.in_tree);
}

}  // namespace planner_ccd
