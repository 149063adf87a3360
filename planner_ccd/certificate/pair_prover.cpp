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
constexpr double kSizes = 0.12;  // of a volume that a motion may cost; 1 makes twice as many leaves of some motions

/// The direction in whole numbers of 16 bits.
Vector3d rounded(const Vector3d& n) { return (kCoarse * n).array().round().matrix(); }

}  // namespace

void PairProver::set_segment(int segment) {
  kinematics_.set_segment(segment);
  boxes_.clear();
}

std::string PairProver::prove(const ProvedSide& a, const ProvedSide& b, double margin, std::int64_t max_steps) {
  a_ = a, b_ = b, margin_ = margin;
  const std::int64_t until = leaves + splits + max_steps;
  open_.assign(1, {0, 0, 0, kOne});
  while (!open_.empty()) {
    const Task task = open_.back();
    open_.pop_back();
    Vector3d n;
    Step next = step(task, n);
    if (next == Step::Time && task.t1 - task.t0 < kShortest) next = Step::None;
    if (next == Step::None || leaves + splits >= until) {
      return (next == Step::None ? "too close to be proved at t = "
                                 : "the steps allowed for a pair were spent at t = ") +
             std::to_string(static_cast<double>(task.t0 + task.t1) / kTicks);
    }
    if (next == Step::Time || next == Step::Space) {
      split(task, next);
    } else {
      write_leaf(next, n);
    }
  }
  return {};
}

void PairProver::write_leaf(Step kind, const Vector3d& n) {
  ++leaves;
  out_.u8(kind == Step::Leaf ? 0 : kind == Step::FineLeaf ? 1 : 5);
  if (kind == Step::Boxes) return;
  for (int k = 0; k < 3; ++k) {
    if (kind == Step::Leaf) {
      out_.u16(static_cast<std::uint16_t>(static_cast<std::int16_t>(n[k])));
    } else {
      out_.number(n[k]);
    }
  }
}

void PairProver::split(const Task& task, Step step) {
  ++splits;
  if (step == Step::Time) {
    const std::uint64_t middle = (task.t0 + task.t1) / 2;
    out_.u8(4);
    open_.push_back({task.a, task.b, middle, task.t1});
    open_.push_back({task.a, task.b, task.t0, middle});
    return;
  }
  const bool of_a = opens_a(task);
  VolumeTree& tree = *(of_a ? a_ : b_).tree;
  const int node = of_a ? task.a : task.b;
  out_.u8(of_a ? 2 : 3);
  tree.open(node);
  for (const int part : {tree.node(node).right, tree.node(node).left}) {
    open_.push_back({of_a ? part : task.a, of_a ? task.b : part, task.t0, task.t1});
  }
}

/// A leaf where it can be. Time is halved where half of the interval could be a leaf, and where the motion costs more than
/// smaller volumes can win; else the larger volume is opened.
PairProver::Step PairProver::step(const Task& task, Vector3d& n) {
  if (task.a == 0 && task.b == 0 && boxes_apart(task)) return Step::Boxes;  // boxes of bodies serve many pairs
  const StatedRelative& r = kinematics_.over(a_.body, b_.body, task.t0, task.t1);
  const Vector3d exact = direction(task, r);
  n = rounded(exact);
  Gaps g = gaps(task, r, n);
  if (g.ends > 0.0) return Step::Leaf;
  const bool primitives = a_.tree->node(task.a).primitive && b_.tree->node(task.b).primitive;
  if (!primitives) {
    const double size = std::max(a_.tree->tree().size(a_.tree->node(task.a).in_tree),
                                 b_.tree->tree().size(b_.tree->node(task.b).in_tree));
    return g.half_way > 0.0 || g.middle - g.ends > kSizes * size ? Step::Time : Step::Space;
  }
  n = exact;
  g = gaps(task, r, n);
  if (g.ends > 0.0) return Step::FineLeaf;
  return g.middle > 0.0 ? Step::Time : Step::None;
}

Vector3d PairProver::direction(const Task& task, const StatedRelative& r) const {
  const VolumeTree::Node &a = a_.tree->node(task.a), &b = b_.tree->node(task.b);
  if (a.primitive && b.primitive) {
    Primitive p = a_.tree->tree().primitive(a.first);
    for (Vector3d& c : p.corners) c = r.R[0] * c + r.p[0];
    return primitive_distance(p, b_.tree->tree().primitive(b.first)).normal;
  }
  Ssv v = a_.tree->volume(task.a);
  v.origin = r.R[0] * v.origin + r.p[0];
  v.edge0 = r.R[0] * v.edge0;
  v.edge1 = r.R[0] * v.edge1;
  return ssv_gap_quick(v, b_.tree->volume(task.b)).normal;
}

/// verifier/verify.hpp, (L).
PairProver::Gaps PairProver::gaps(const Task& task, const StatedRelative& r, const Vector3d& n) const {
  const double length = n.norm(), reach = a_.tree->node(task.a).reach;
  const double h = static_cast<double>(task.t1 - task.t0) / kTicks;
  Along x;
  for (std::size_t i = 0; i < 3; ++i) x.k[i] = r.R[i].transpose() * n, x.at[i] = n.dot(r.p[i]);
  const double rounding = r.rounding * (1.0 + reach + b_.tree->node(task.b).reach) *
                          (1.0 + h * (x.k[1].norm() + h * x.k[2].norm()) / length);
  const double kept = a_.tree->radius(task.a) + b_.tree->radius(task.b) + margin_ + r.tube.at(reach) + rounding;
  const double beyond = -b_.tree->greatest(task.b, -n) - length * kept;
  const auto at_ends = [&](double s) {
    const double rest2 = 0.5 * s * s * r.second.at(reach), rest3 = s * s * s / 6.0 * r.third.at(reach);
    double gap2 = INFINITY, gap3 = INFINITY;
    for (const double t : {-s, s}) {
      const Vector3d g = x.k[0] + t * x.k[1];
      const double at = x.at[0] + t * x.at[1], half_square = 0.5 * t * t;
      const double plain = at + a_.tree->greatest(task.a, g);
      const double curved = at + half_square * x.at[2] + a_.tree->greatest(task.a, g + half_square * x.k[2]);
      gap2 = std::min(gap2, beyond - plain - length * rest2);
      gap3 = std::min(gap3, beyond - std::max(plain, curved) - length * rest3);
    }
    return std::max(gap2, gap3) / length;
  };
  const double ends = at_ends(h);
  if (ends > 0.0) return {ends, ends, ends};
  return {(beyond - x.at[0] - a_.tree->greatest(task.a, x.k[0])) / length, ends, at_ends(0.5 * h)};
}

/// verifier/verify.hpp, (W).
bool PairProver::boxes_apart(const Task& task) {
  const Box a = box(a_, task.a, task);
  const Box& b = box(b_, task.b, task);
  return ((b.lo - a.hi).array() > margin_).any() || ((a.lo - b.hi).array() > margin_).any();
}

const PairProver::Box& PairProver::box(const ProvedSide& side, int node, const Task& task) {
  auto& known = side.body == 0 ? boxes_at_rest_ : boxes_;
  const bool rests = side.body == 0;
  const auto [found, is_new] = known.try_emplace(rests ? interval_of(side.number, node, 0, 0)
                                                       : interval_of(side.number, node, task.t0, task.t1));
  Box& out = found->second;
  if (!is_new) return out;
  const StatedRelative& r = kinematics_.over(side.body, 0, task.t0, task.t1);
  const double h = static_cast<double>(task.t1 - task.t0) / kTicks, reach = side.tree->node(node).reach;
  for (int k = 0; k < 3; ++k) {
    const Vector3d k0 = r.R[0].row(k), k1 = r.R[1].row(k);
    const double around = side.tree->radius(node) + r.tube.at(reach) + 0.5 * h * h * r.second.at(reach) +
                          r.rounding * (1.0 + reach) * (1.0 + h * k1.norm());
    out.lo[k] = INFINITY, out.hi[k] = -INFINITY;
    for (const double t : {-h, h}) {
      const double at = r.p[0][k] + t * r.p[1][k];
      out.hi[k] = std::max(out.hi[k], at + side.tree->greatest(node, k0 + t * k1) + around);
      out.lo[k] = std::min(out.lo[k], at - side.tree->greatest(node, -k0 - t * k1) - around);
    }
  }
  return out;
}

bool PairProver::opens_a(const Task& task) const {
  const VolumeTree::Node &a = a_.tree->node(task.a), &b = b_.tree->node(task.b);
  if (a.primitive || b.primitive) return b.primitive;
  return a_.tree->tree().size(a.in_tree) >= b_.tree->tree().size(b.in_tree);
}

}  // namespace planner_ccd
