#include "planner_ccd/certificate/verifier/proof.hpp"

#include <cmath>

#include "planner_ccd/certificate/verifier/inside.hpp"
#include "planner_ccd/certificate/verifier/volume.hpp"

namespace pccd {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << 31;  // t = 1
constexpr std::size_t kMostBoxes = 20'000;              // kept at a time

/// Of a point c of a body: n.x, n.x', n.x'' are at[i] + k[i].c.
struct Along {
  std::array<Vector, 3> k;
  std::array<Interval, 3> at;
};

Along along(const Relative& r, const Direction& n) {
  return {{n * r.R[0], n * r.R[1], n * r.R[2]}, {dot(n, r.p[0]), dot(n, r.p[1]), dot(n, r.p[2])}};
}

/// In the world; of all that a volume passes over an interval.
struct Box {
  std::array<double, 3> lo, hi;
};

class Walk {
 public:
  Walk(Reader& in, Statement& statement)
      : in_(in), s_(statement), motion_(statement), pieces_(statement.colliders.size()) {}

  void run(Coverage& c) {
    c.first = in_.u64();
    c.last = in_.u64();
    if (c.first > c.last || c.last > s_.units()) throw Unreadable("the proofs are of units that do not exist");
    std::size_t segment = static_cast<std::size_t>(-1);
    for (std::uint64_t unit = c.first; unit < c.last; ++unit) {
      if (unit / s_.pairs.size() != segment) {
        motion_.set_segment(segment = unit / s_.pairs.size());
        boxes_.clear();
      }
      pair_ = &s_.pairs[unit % s_.pairs.size()];
      a_ = &s_.colliders[pair_->a];
      b_ = &s_.colliders[pair_->b];
      segment_ = segment;
      prove_pair(c);
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
  std::unordered_map<Key, Box, KeyHash> boxes_, boxes_at_rest_;  ///< By collider and node, and interval.

  std::string where() const {
    return "segment " + std::to_string(segment_) + ", '" + a_->name + "' and '" + b_->name + "'";
  }

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
        if (!(gap > 0.0)) refute(task, gap);
        ++c.leaves;
        if (task.a == 0 && task.b == 0) nested = false;  // a plane between the whole bodies at an instant
        continue;
      }
      ++c.splits;
    }
    if (nested) check_containment(c);
  }

  Direction read_direction(bool fine) {
    Direction n;
    for (double& x : n) x = fine ? in_.number() : static_cast<double>(static_cast<std::int16_t>(in_.u16()));
    return n;
  }

  [[noreturn]] void refute(const Task& task, double gap) const {
    throw Refuted(where() + ", volumes " + std::to_string(task.a) + " and " + std::to_string(task.b) + ", t from " +
                  std::to_string(static_cast<double>(task.t0) * 0x1p-31) + " to " +
                  std::to_string(static_cast<double>(task.t1) * 0x1p-31) + ": they are not proved apart by " +
                  std::to_string(pair_->margin) + " m (" + std::to_string(-gap) + " m are missing)");
  }

  /// (L) of the theorem, in metres, rounded down.
  double gap_along(const Task& task, const Direction& n) {
    const Node &va = a_->nodes[task.a], &vb = b_->nodes[task.b];
    const Relative& r = motion_.over(a_->body, b_->body, task.t0, task.t1);
    const double length = norm({n[0], n[1], n[2]}).hi;
    // What n . b is at least, less what has to stay between.
    const double kept = up(radius_of(*b_, vb) + pair_->margin);
    const double least = down(-greatest(*b_, vb, {-n[0], -n[1], -n[2]}) - up(length * kept));
    const Along x = along(r, n);
    double gap = down(least - farthest(*a_, va, r, x, task, length, false));
    if (!(gap > 0.0)) gap = std::max(gap, down(least - farthest(*a_, va, r, x, task, length, true)));
    return gap > 0.0 ? gap : gap / length;
  }

  /// (W) of the theorem: along one of the world's axes.
  double gap_of_boxes(const Task& task) {
    const Box a = box(pair_->a, task.a, task), b = box(pair_->b, task.b, task);
    double most = -INFINITY;
    for (std::size_t k = 0; k < 3; ++k) most = std::max(most, std::max(b.lo[k] - a.hi[k], a.lo[k] - b.hi[k]));
    return down(down(most) - pair_->margin);
  }

  Box box(std::uint32_t collider, std::uint32_t node, const Task& task) {
    const Collider& c = s_.colliders[collider];
    auto& known = c.body == 0 ? boxes_at_rest_ : boxes_;
    if (known.size() >= kMostBoxes) known.clear();
    const Key key{std::uint64_t{collider} << 32 | node, c.body == 0 ? 0 : task.t0 << 32 | task.t1};
    const auto [found, is_new] = known.try_emplace(key);
    Box& out = found->second;
    if (!is_new) return out;
    const Relative& r = motion_.over(c.body, 0, task.t0, task.t1);
    for (std::size_t k = 0; k < 3; ++k) {
      Direction n{}, back{};
      n[k] = 1.0, back[k] = -1.0;
      out.hi[k] = farthest(c, c.nodes[node], r, along(r, n), task, 1.0, false);
      out.lo[k] = -farthest(c, c.nodes[node], r, along(r, back), task, 1.0, false);
    }
    return out;
  }

  /// No point of the volume goes beyond this along n, |n| <= length, over the interval: by (a), or if `curved` by (b).
  static double farthest(const Collider& c, const Node& v, const Relative& r, const Along& x, const Task& task,
                         double length, bool curved) {
    const double h = static_cast<double>(task.t1 - task.t0) * 0x1p-32;  // a power of 2, so that its powers are exact
    double most = -INFINITY;
    for (const double t : {-h, h}) {
      const Vector g = x.k[0] + t * x.k[1];
      const Interval at = x.at[0] + t * x.at[1];
      most = std::max(most, up(at.hi + greatest(c, v, g)));
      if (!curved) continue;
      const double half_square = 0.5 * t * t;
      most = std::max(most, up((at + half_square * x.at[2]).hi + greatest(c, v, g + half_square * x.k[2])));
    }
    const double rest = curved ? up(up(h * h * h / 6.0) * r.third.at(v.reach)) : up(0.5 * h * h * r.second.at(v.reach));
    const double around = up(up(radius_of(c, v) + r.tube.at(v.reach)) + rest);
    return up(most + up(length * around));
  }

  /// Surfaces apart on [0, 1] keep every piece of one body on one side of each closed surface of the other: that it is the
  /// outer side is looked at for one point of each, at t = 0.
  void check_containment(Coverage& c) {
    const Relative& r = motion_.over(a_->body, b_->body, 0, 0);
    const Matrix to_a = transposed(r.R[0]);
    for (const std::uint32_t v : pieces(pair_->a)) require_outside(*b_, r.R[0] * vertex(*a_, v) + r.p[0], *a_, c);
    for (const std::uint32_t v : pieces(pair_->b)) require_outside(*a_, to_a * (vertex(*b_, v) - r.p[0]), *b_, c);
  }

  void require_outside(const Collider& holder, const Vector& point, const Collider& held, Coverage& c) {
    ++c.rays;
    if (outside(holder, point)) return;
    throw Refuted(where() + ", t = 0: a part of '" + held.name + "' is not proved to be outside of '" + holder.name +
                  "'");
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
