#include <algorithm>
#include <cstdio>

#include "bench/static.hpp"
#include "bench/static_exact.hpp"
#include "bench/static_fcl.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/hierarchy/queries.hpp"

namespace planner_ccd::bench {
namespace {

using Eigen::Isometry3d;

/// One case, our trees, and our answers in every pose.
class PairBench {
 public:
  PairBench(const StaticCase& c, bool quick, bool few)
      : c_(c), quick_(quick), few_(few), a_(tree_of(c.a)), b_(tree_of(c.b)) {}

  void run(Table& table) {
    const std::size_t bytes = a_.memory() + b_.memory();
    for (const Isometry3d& X : c_.poses) hits_.push_back(collide(X));
    const double collide_ns = time([&](const Isometry3d& X) { return collide(X).collide; });
    std::vector<Measurement> rows{{"planner_ccd", collide_ns, bytes}, collide_row<fcl::OBBRSSd>("fcl_obbrss")};
    if (!few_) {
      rows.push_back(collide_row<fcl::OBBd>("fcl_obb"));
      rows.push_back(collide_row<fcl::kIOSd>("fcl_kios"));
    }
    add_rows(table, c_.name, "collide", rows);
    for (const Isometry3d& X : c_.poses) distances_.push_back(distance(X));
    const double distance_ns = time([&](const Isometry3d& X) { return distance(X).lower; });
    rows = {{"planner_ccd", distance_ns, bytes}, distance_row<fcl::RSSd>("fcl_rss")};
    if (!few_) {
      rows.push_back(distance_row<fcl::OBBRSSd>("fcl_obbrss"));
      rows.push_back(distance_row<fcl::kIOSd>("fcl_kios"));
    }
    add_rows(table, c_.name, "distance", rows);
  }

 private:
  const StaticCase& c_;
  const bool quick_;
  const bool few_;  ///< Only FCL's usually best volume.
  const SsvTree a_, b_;
  std::vector<CollideResult> hits_;
  std::vector<DistanceResult> distances_;

  CollideResult collide(const Isometry3d& X) const {
    return planner_ccd::collide(a_, X, b_, Isometry3d::Identity(), {.containment = false});
  }
  DistanceResult distance(const Isometry3d& X) const {
    return planner_ccd::distance(a_, X, b_, Isometry3d::Identity(), {.containment = false});
  }

  /// [ns] per pose. A pass repeats the poses until the clock's resolution does not matter.
  template <typename Query>
  double time(Query&& query) const {
    const auto all_poses = [&] {
      for (const Isometry3d& X : c_.poses) keep(query(X));
    };
    const double once = std::max(1e-7, time_once(all_poses));
    const int rounds = static_cast<int>(std::clamp(1e-3 / once, 1.0, 1000.0));
    const int repetitions = once > 0.05 ? (quick_ ? 1 : 3) : (quick_ ? 3 : 7);
    return time_items(static_cast<int>(c_.poses.size()) * rounds, repetitions,
                      [&] {
                        for (int i = 0; i < rounds; ++i) all_poses();
                      })
        .median;
  }

  /// Do A's triangle i and B's triangle j touch, in exact arithmetic?
  bool touch(std::size_t pose, int i, int j) const {
    return exact_squared_distance(*c_.a, i, c_.poses[pose], *c_.b, j).numerator == 0;
  }
  bool witness_touches(std::size_t pose, const PrimitivePair& w) const {
    return w.valid() && touch(pose, a_.primitive(w.a).triangle, b_.primitive(w.b).triangle);
  }

  /// Our "no contact" is wrong if the peer's triangles touch; our "contact" is wrong if our witness does not touch and
  /// the peer found none either. (That is within the rounding allowance, but counted as a difference.)
  template <typename Volume>
  Measurement collide_row(const char* method) const {
    const FclMesh<Volume>&a = fcl_mesh<Volume>(c_.a), &b = fcl_mesh<Volume>(c_.b);
    Measurement m{method, 0.0, a.bytes() + b.bytes()};
    for (std::size_t i = 0; i < c_.poses.size(); ++i) {
      const FclContact theirs = fcl_contact(a, c_.poses[i], b);
      if (theirs.hit == hits_[i].collide) continue;
      ++m.differs;
      const bool truth = theirs.hit ? touch(i, theirs.a, theirs.b) : witness_touches(i, hits_[i].witness);
      m.wrong += truth == theirs.hit;
      std::fprintf(stderr, "%s, pose %zu: %s says %s, we say %s; the triangles in question %s\n", c_.name.c_str(), i,
                   method, theirs.hit ? "contact" : "free", theirs.hit ? "free" : "contact",
                   truth ? "touch exactly" : "do not touch exactly");
    }
    m.median_ns = time([&](const Isometry3d& X) { return fcl_collide(a, X, b); });
    return m;
  }

  /// Our bounds are wrong if the peer's triangles are nearer than our lower bound, or our witnesses farther than our
  /// upper one.
  template <typename Volume>
  Measurement distance_row(const char* method) const {
    const FclMesh<Volume>&a = fcl_mesh<Volume>(c_.a), &b = fcl_mesh<Volume>(c_.b);
    Measurement m{method, 0.0, a.bytes() + b.bytes()};
    const double slack = 2e-9 * a_.bounding_radius();
    for (std::size_t i = 0; i < c_.poses.size(); ++i) {
      const DistanceResult& ours = distances_[i];
      const FclNearest theirs = fcl_nearest(a, c_.poses[i], b);
      if (theirs.distance >= ours.lower - slack && theirs.distance <= ours.upper + slack) continue;
      ++m.differs;
      const auto their_truth = exact_squared_distance(*c_.a, theirs.a, c_.poses[i], *c_.b, theirs.b);
      const auto our_truth = exact_squared_distance(*c_.a, a_.primitive(ours.witness.a).triangle, c_.poses[i], *c_.b,
                                                    b_.primitive(ours.witness.b).triangle);
      m.wrong += exact::compare(ours.lower, their_truth) > 0 || exact::compare(ours.upper, our_truth) < 0;
      std::fprintf(stderr,
                   "%s, pose %zu: %s says %.17g, its triangles are %.17Lg apart; ours %.17Lg, in [%.17g, %.17g]\n",
                   c_.name.c_str(), i, method, theirs.distance, exact::approximate(their_truth),
                   exact::approximate(our_truth), ours.lower, ours.upper);
    }
    m.median_ns = time([&](const Isometry3d& X) { return fcl_distance(a, X, b); });
    return m;
  }
};

}  // namespace

void bench_pair(Table& table, const StaticCase& c, bool quick, bool few_peers) {
  PairBench(c, quick, few_peers).run(table);
}

}  // namespace planner_ccd::bench
