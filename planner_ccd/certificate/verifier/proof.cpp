#include "planner_ccd/certificate/verifier/proof.hpp"

#include <cmath>
#include <cstdio>

#include "planner_ccd/certificate/verifier/inside.hpp"
#include "planner_ccd/certificate/verifier/volume.hpp"

namespace pccd {
namespace {

constexpr std::uint64_t kOne = std::uint64_t{1} << 31;  // t = 1

std::string number_text(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", x);
  return text;
}

class Walk {
 public:
  Walk(Reader& in, Statement& statement)
      : in_(in), s_(statement), motion_(statement), pieces_(statement.colliders.size()) {}

  Coverage run() {
    Coverage c;
    c.first = in_.u64();
    c.last = in_.u64();
    if (c.first > c.last || c.last > s_.units()) throw Unreadable("the proofs are of units that do not exist");
    std::size_t segment = static_cast<std::size_t>(-1);
    for (std::uint64_t unit = c.first; unit < c.last; ++unit) {
      if (unit / s_.pairs.size() != segment) motion_.set_segment(segment = unit / s_.pairs.size());
      pair_ = &s_.pairs[unit % s_.pairs.size()];
      a_ = &s_.colliders[pair_->a];
      b_ = &s_.colliders[pair_->b];
      where_ = "segment " + std::to_string(segment) + ", '" + a_->name + "' and '" + b_->name + "'";
      motion_.set_bodies(a_->body, b_->body);
      prove_pair(c);
    }
    if (in_.left() > 0) throw Unreadable("something follows the last proof");
    return c;
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
  std::vector<std::vector<std::uint32_t>> pieces_;  ///< By collider; empty: not asked for yet.
  const Pair* pair_ = nullptr;
  Collider *a_ = nullptr, *b_ = nullptr;
  std::string where_;

  /// The tree of splits in preorder. Every split hands all of its task on, and so the leaves below the root cover the pair.
  void prove_pair(Coverage& c) {
    std::vector<Task> open = {{0, 0, 0, kOne}};
    bool nested = true;  // one may hold the other, for all that is known
    while (!open.empty()) {
      Task task = open.back();
      open.pop_back();
      const std::uint8_t what = in_.u8();
      switch (what) {
        case 0:
        case 1:
          check_leaf(task, what == 1);
          ++c.leaves;
          if (task.a == 0 && task.b == 0) nested = false;  // a plane between the whole bodies at an instant
          continue;
        case 2: {
          const Node& n = a_->nodes[task.a];
          if (n.left == kNone) throw Unreadable(where_ + ": a volume of A is split that has no parts");
          open.push_back({n.right, task.b, task.t0, task.t1});
          open.push_back({n.left, task.b, task.t0, task.t1});
          break;
        }
        case 3: {
          const Node& n = b_->nodes[task.b];
          if (n.left == kNone) throw Unreadable(where_ + ": a volume of B is split that has no parts");
          open.push_back({task.a, n.right, task.t0, task.t1});
          open.push_back({task.a, n.left, task.t0, task.t1});
          break;
        }
        case 4: {
          const std::uint64_t middle = (task.t0 + task.t1) / 2;
          if (task.t1 - task.t0 < 2) throw Unreadable(where_ + ": time is split too often");
          open.push_back({task.a, task.b, middle, task.t1});
          open.push_back({task.a, task.b, task.t0, middle});
          break;
        }
        default: throw Unreadable(where_ + ": a step of no known kind");
      }
      ++c.splits;
    }
    if (nested) check_containment(c);
  }

  /// (L) of the theorem: at both ends of the interval a plane with normal n still separates the volumes.
  void check_leaf(const Task& task, bool fine) {
    check_volume(*a_, task.a);
    check_volume(*b_, task.b);
    Vector n;
    for (Interval& x : n) x = fine ? in_.number() : static_cast<double>(static_cast<std::int16_t>(in_.u16()));
    const Node &va = a_->nodes[task.a], &vb = b_->nodes[task.b];
    const Relative& r = motion_.over(task.t0, task.t1);
    const double h = static_cast<double>(task.t1 - task.t0) * 0x1p-32;
    const Interval length = norm(n);
    const Matrix to_a = transposed(r.at.R);
    const Vector turned = cross(n, r.at.w), turned_twice = cross(n, r.at.w_dot) + cross(turned, r.at.w);
    const Vector k0 = to_a * n, k1 = to_a * turned, k2 = to_a * turned_twice;
    const Interval at0 = dot(n, r.at.p), at1 = dot(n, r.at.v) + dot(turned, r.at.p);
    const Interval at2 = dot(n, r.at.v_dot) + dot(turned, r.at.v) + dot(turned_twice, r.at.p);
    // What n . b is at least, less what surrounds both generators and has to stay between them.
    const double kept = up(up(radius_of(*a_, va) + radius_of(*b_, vb)) + up(pair_->margin + r.tube.at(va.reach)));
    const double beyond = down(-greatest(*b_, vb, {-n[0], -n[1], -n[2]}) - up(length.hi * kept));
    // How far the first, and the second, order may be off at the ends of the interval.
    const double rest2 = up(0.5 * h * h * r.second.at(va.reach)),
                 rest3 = up(up(h * h * h / 6.0) * r.third.at(va.reach));
    double gap2 = INFINITY, gap3 = INFINITY;
    for (const double t : {-h, h}) {  // powers of 2, so that t^2 is exact
      const Vector g = k0 + t * k1;
      const double most = up((at0 + t * at1).hi + greatest(*a_, va, g));
      gap2 = std::min(gap2, down(beyond - up(most + up(length.hi * rest2))));
      const Interval half_square(0.5 * t * t);
      const double curved = up((at0 + t * at1 + half_square * at2).hi + greatest(*a_, va, g + half_square * k2));
      gap3 = std::min(gap3, down(beyond - up(std::max(most, curved) + up(length.hi * rest3))));
    }
    if (gap2 > 0.0 || gap3 > 0.0) return;
    throw Refuted(where_ + ", volumes " + std::to_string(task.a) + " and " + std::to_string(task.b) + ", t from " +
                  number_text(static_cast<double>(task.t0) * 0x1p-31) + " to " +
                  number_text(static_cast<double>(task.t1) * 0x1p-31) +
                  ": the direction does not prove them apart by " + number_text(pair_->margin) + " m (" +
                  number_text(-std::max(gap2, gap3) / length.hi) + " m are missing)");
  }

  /// Surfaces apart on [0, 1] keep every piece of one body on one side of each closed surface of the other: that it is the
  /// outer side is looked at for one point of each, at t = 0.
  void check_containment(Coverage& c) {
    const Relative& r = motion_.over(0, 0);
    const Matrix to_a = transposed(r.at.R);
    for (const std::uint32_t v : pieces(pair_->a)) require_outside(*b_, r.at.R * vertex(*a_, v) + r.at.p, *a_, c);
    for (const std::uint32_t v : pieces(pair_->b)) require_outside(*a_, to_a * (vertex(*b_, v) - r.at.p), *b_, c);
  }

  void require_outside(const Collider& holder, const Vector& point, const Collider& held, Coverage& c) {
    ++c.rays;
    if (outside(holder, point)) return;
    throw Refuted(where_ + ", t = 0: a part of '" + held.name + "' is not proved to be outside of '" + holder.name +
                  "'");
  }

  const std::vector<std::uint32_t>& pieces(std::uint32_t collider) {
    std::vector<std::uint32_t>& known = pieces_[collider];
    if (known.empty()) known = pieces_of(s_.colliders[collider]);
    return known;
  }
};

}  // namespace

Coverage check_proofs(Reader& in, Statement& statement) { return Walk(in, statement).run(); }

}  // namespace pccd
