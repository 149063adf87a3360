#include "planner_ccd/certificate/verifier/motion.hpp"
#include "planner_ccd/certificate/verifier/verify.hpp"
#include "planner_ccd/certificate/verifier/volume.hpp"

namespace pccd {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << 31;  // t = 1

/// Where the points of a body go along n: of one at c, n.x, n.x', n.x'' are at[i] + k[i].c.
struct Along {
  std::array<Near, 3> k;
  std::array<NearNumber, 3> at;
};

/// n.(w x R c) = (R^T (n x w)).c, and so on.
Along along(const Relative& r, const Near& n) {
  const NearRotation back = transposed(r.R);
  const Near across = cross(n, r.w);
  return {{back * n, back * across, back * (cross(n, r.w_dot) + cross(across, r.w))},
          {dot(n, r.p[0]), dot(n, r.p[1]), dot(n, r.p[2])}};
}

/// The most of n.x + t n.x' over a volume, or with half of t^2 n.x'' if `bent`; t is a power of 2.
double most_at(double t, bool bent, const Along& x, const Collider& c, const Node& v) {
  Near k = x.k[0] + scaled(t, x.k[1]);
  NearNumber at = x.at[0] + scaled(t, x.at[1]);
  const double half_square = 0.5 * t * t;
  if (bent) k = k + scaled(half_square, x.k[2]), at = at + scaled(half_square, x.at[2]);
  return up(at.most() + greatest(c, v, k));
}

class Walk {
 public:
  Walk(Reader& in, Statement& statement)
      : in_(in), s_(statement), motion_(statement), pieces_(statement.colliders.size()) {}

  void run(Coverage& c) {
    c.first = in_.u64();
    c.last = in_.u64();
    if (c.first > c.last || c.last > s_.units()) throw Unreadable("the proofs are of units that do not exist");
    for (std::uint64_t unit = c.first; unit < c.last;) {
      segment_ = unit / s_.pairs.size();
      motion_.set_segment(segment_);
      const std::uint64_t begin = segment_ * s_.pairs.size(), end = std::min(c.last, begin + s_.pairs.size());
      for (; unit < end; ++unit) {
        pair_ = &s_.pairs[unit - begin];
        a_ = &s_.colliders[pair_->a];
        b_ = &s_.colliders[pair_->b];
        prove_pair(c);
      }
    }
    if (in_.left() > 0) throw Unreadable("something follows the last proof");
  }

 private:
  /// Of what the tree has still to prove: a volume of A, one of B, an interval in units of 2^-31.
  struct Task {
    std::uint32_t a, b;
    std::uint64_t t0, t1;
  };

  Reader& in_;
  Statement& s_;
  Motion motion_;
  std::vector<Task> open_;                          ///< Of the pair.
  std::vector<std::vector<std::uint32_t>> pieces_;  ///< By collider; empty: not asked for yet.
  const Pair* pair_ = nullptr;
  Collider *a_ = nullptr, *b_ = nullptr;
  std::size_t segment_ = 0;
  Recent<Box, 12>
      boxes_;  ///< In the world; of all that a volume passes over an interval. By collider and node, and interval.

  std::string where() const { return "segment " + std::to_string(segment_) + ", " + a_->name + " and " + b_->name; }

  /// The tree of splits in preorder. Every split hands all of its task on, and so the leaves below the root cover the pair.
  void prove_pair(Coverage& c) {
    open_.assign(1, {0, 0, 0, kOne});
    bool nested = true;  // one may hold the other, for all that is known
    while (!open_.empty()) {
      const Task task = open_.back();
      open_.pop_back();
      const std::uint8_t what = in_.u8();
      if (what == 2 || what == 3) {
        const Node& n = what == 2 ? a_->nodes[task.a] : b_->nodes[task.b];
        if (n.left == kNone) throw Unreadable(where() + ": a volume is split that has no parts");
        for (const std::uint32_t part : {n.right, n.left}) {
          open_.push_back({what == 2 ? part : task.a, what == 3 ? part : task.b, task.t0, task.t1});
        }
      } else if (what == 4) {
        const std::uint64_t middle = (task.t0 + task.t1) / 2;
        if (task.t1 - task.t0 < 2) throw Unreadable(where() + ": time is split too often");
        open_.push_back({task.a, task.b, middle, task.t1});
        open_.push_back({task.a, task.b, task.t0, middle});
      } else {
        if (what > 5) throw Unreadable(where() + ": a step of no known kind");
        check_volume(*a_, task.a);
        check_volume(*b_, task.b);
        const double gap = what == 5 ? gap_of_boxes(task) : gap_along(task, read_direction(what == 1));
        if (!(gap > 0.0)) refute(task);
        ++c.leaves;
        if (task.a == 0 && task.b == 0) nested = false;  // a plane between the whole bodies at an instant
        continue;
      }
      ++c.splits;
    }
    if (nested) check_containment(c);
  }

  Near read_direction(bool fine) {
    Near n;
    for (double& x : n.x) x = fine ? in_.number() : static_cast<double>(static_cast<std::int16_t>(in_.u16()));
    return n;
  }

  [[noreturn]] void refute(const Task& task) const {
    const auto u = [](std::uint64_t t) { return std::to_string(static_cast<double>(t) * 0x1p-31); };
    throw Refuted(where() + ", volumes " + std::to_string(task.a) + " and " + std::to_string(task.b) + ", u from " +
                  u(task.t0) + " to " + u(task.t1) + ": they are not proved apart");
  }

  /// (L) of the theorem: |n| times metres, rounded down.
  double gap_along(const Task& task, const Near& n) {
    const Node &va = a_->nodes[task.a], &vb = b_->nodes[task.b];
    const Relative& r = motion_.over(a_->body, b_->body, task.t0, task.t1);
    const double h = half_length(task), length = n.length();
    const double kept = radius_of(*a_, va) + radius_of(*b_, vb) + pair_->margin + r.tube.at(va.reach);
    const double least = -greatest(*b_, vb, -n);  // of n . b
    const Along x = along(r, n);
    double most = std::max(most_at(-h, false, x, *a_, va), most_at(h, false, x, *a_, va));
    const auto gap_with = [&](double rest) { return down(down(least - most) - above(length * (kept + rest))); };
    const double gap = gap_with(0.5 * h * h * r.second.at(va.reach));
    if (gap > 0.0) return gap;
    most = std::max(most, std::max(most_at(-h, true, x, *a_, va), most_at(h, true, x, *a_, va)));
    return gap_with(above(h * h * h / 6.0 * r.third.at(va.reach)));
  }

  /// (W) of the theorem: along one of the world's axes.
  double gap_of_boxes(const Task& task) {
    const Box a = box(pair_->a, task.a, task);
    const Box& b = box(pair_->b, task.b, task);
    double most = -INFINITY;
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::max(b.lo[k] - a.hi[k], a.lo[k] - b.hi[k]));
    return down(down(most) - pair_->margin);
  }

  const Box& box(std::uint32_t collider, std::uint32_t node, const Task& task) {
    const Collider& c = s_.colliders[collider];
    const Key always{std::uint64_t{collider} << 32 | node, 0, 0};
    const Key key = c.body == 0 ? always : Key{always.what, task.t0 << 32 | task.t1, segment_};
    if (const Box* known = boxes_.find(key)) return *known;
    Box& out = boxes_.replace(key);
    const Node& v = c.nodes[node];
    const Relative& r = motion_.over(c.body, 0, task.t0, task.t1);
    const double h = half_length(task);
    const double around = above(radius_of(c, v) + r.tube.at(v.reach) + 0.5 * h * h * r.second.at(v.reach));
    for (std::size_t k = 0; k < 3; ++k) {
      Near n;
      n.x[k] = 1.0;
      const Along x = along(r, n), reverse = along(r, -n);
      out.hi[k] = up(std::max(most_at(-h, false, x, c, v), most_at(h, false, x, c, v)) + around);
      out.lo[k] = -up(std::max(most_at(-h, false, reverse, c, v), most_at(h, false, reverse, c, v)) + around);
    }
    return out;
  }

  /// A power of 2, so that its powers are exact.
  static double half_length(const Task& task) { return static_cast<double>(task.t1 - task.t0) * 0x1p-32; }

  /// Surfaces apart on [0, 1] keep every piece of one body on one side of each closed surface of the other: that it is the
  /// outer side is looked at for one point of each, at t = 0.
  void check_containment(Coverage& c) {
    const auto require = [&](const Collider& holder, const Near& point, const Collider& held) {
      ++c.rays;
      if (outside(holder, point)) return;
      throw Refuted(where() + ", t = 0: a part of " + held.name + " is not proved to be outside of " + holder.name);
    };
    const Relative& r = motion_.over(a_->body, b_->body, 0, 0);
    for (const std::uint32_t v : pieces(pair_->a)) require(*b_, r.R * vertex(*a_, v) + r.p[0], *a_);
    for (const std::uint32_t v : pieces(pair_->b)) require(*a_, transposed(r.R) * (vertex(*b_, v) - r.p[0]), *b_);
  }

  const std::vector<std::uint32_t>& pieces(std::uint32_t collider) {
    std::vector<std::uint32_t>& known = pieces_[collider];
    if (known.empty()) known = pieces_of(s_.colliders[collider]);
    return known;
  }
};

}  // namespace

void check_proofs(Reader& in, Statement& statement, Coverage& coverage) { Walk(in, statement).run(coverage); }

}  // namespace pccd
