#include "planner_ccd/hierarchy/queries.hpp"

#include <algorithm>

#include "planner_ccd/hierarchy/inside.hpp"
#include "planner_ccd/hierarchy/primitive_distance.hpp"
#include "planner_ccd/math/rounding.hpp"

namespace planner_ccd {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

Primitive placed(const SsvTree& a, int i, const PairFrame& frame) {
  return moved(a.primitive(i), frame.R_BA, frame.p_BA);
}

/// Calls use(i, j) for the primitives of two leaves until it returns false; returns whether it never did.
template <typename Use>
bool for_each_primitive_pair(const SsvTree& a, const SsvTree& b, const NodePair& pair, Use&& use) {
  const int first_a = a.first_primitive(pair.a), first_b = b.first_primitive(pair.b);
  for (int i = first_a; i < first_a + a.primitive_count(pair.a); ++i) {
    for (int j = first_b; j < first_b + b.primitive_count(pair.b); ++j) {
      if (!use(i, j)) return false;
    }
  }
  return true;
}

/// The least distance found so far, and the least gap of the pairs skipped on the way.
class DistanceSearch {
 public:
  DistanceSearch(const SsvTree& a, const SsvTree& b, const PairFrame& frame, const DistanceOptions& options)
      : a_(a), b_(b), frame_(frame), options_(options) {
    result_.upper = left_aside_ = lower_ = std::numeric_limits<double>::infinity();
    result_.contained = false;
  }

  /// False once they touch: nothing can be nearer.
  bool try_pair(int i, int j) {
    ++result_.evaluations;
    const PrimitiveDistance d = primitive_distance(placed(a_, i, frame_), b_.primitive(j));
    lower_ = std::min(lower_, std::max(0.0, sub_down(d.lower, frame_.pad)));
    if (const double upper = add_up(d.upper, frame_.pad); upper < result_.upper) {
      result_.upper = upper;
      result_.witness = {i, j};
      result_.point_a = d.point_a;
      result_.point_b = d.point_b;
      level_ = upper - std::max(options_.absolute_error, options_.relative_error * upper);
    }
    return lower_ > 0.0;
  }

  bool skip(const NodePair& pair) {
    ++result_.evaluations;
    if (pair.gap < level_) return false;
    left_aside_ = std::min(left_aside_, static_cast<double>(pair.gap));
    return true;
  }
  double level() const { return level_; }

  DistanceResult result(const Isometry3d& X_WB) const {
    DistanceResult r = result_;
    r.lower = std::max(0.0, std::min({lower_, left_aside_, r.upper}));
    r.point_a = X_WB * r.point_a;
    r.point_b = X_WB * r.point_b;
    return r;
  }

 private:
  const SsvTree &a_, &b_;
  const PairFrame& frame_;
  const DistanceOptions& options_;
  DistanceResult result_;
  double lower_, left_aside_;
  double level_ = std::numeric_limits<double>::infinity();  ///< Pairs at least this far apart need not be opened.
};

}  // namespace

CollideResult collide(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB,
                      const CollideOptions& options) {
  const PosedPair posed{a, X_WA, b, X_WB};
  if (roots_apart(posed, options.margin)) return {false, false, {}};
  const PairFrame frame(posed);
  const double threshold = add_up(options.margin, frame.pad);
  CollideResult result{false, false, {}};
  std::int64_t evaluations = 0;
  const auto apart = [&](int i, int j) {
    ++evaluations;
    if (primitive_gap_exceeds(placed(a, i, frame), b.primitive(j), threshold)) return true;
    result = {true, false, {i, j}, evaluations};
    return false;
  };
  if (options.start.valid() && !apart(options.start.a, options.start.b)) return result;
  PairTraversal(a, b, frame)
      .run([&] { return options.margin; },
           [&](const NodePair& pair) { return ++evaluations, pair.gap > options.margin; },
           [&](const NodePair& pair) { return for_each_primitive_pair(a, b, pair, apart); },
           PairTraversal::Begin::BelowRoots);
  result.evaluations = evaluations;
  if (!result.collide && options.containment && one_contains_other(a, b, frame)) result = {true, true, {}, evaluations};
  return result;
}

DistanceResult distance(const SsvTree& a, const Isometry3d& X_WA, const SsvTree& b, const Isometry3d& X_WB,
                        const DistanceOptions& options) {
  const PairFrame frame(a, X_WA, b, X_WB);
  DistanceSearch search(a, b, frame, options);
  const auto try_pair = [&](int i, int j) { return search.try_pair(i, j); };
  if (!options.start.valid() || try_pair(options.start.a, options.start.b)) {
    PairTraversal(a, b, frame)
        .run_nearest_first([&] { return search.level(); }, [&](const NodePair& pair) { return search.skip(pair); },
                           [&](const NodePair& pair) { return for_each_primitive_pair(a, b, pair, try_pair); });
  }
  DistanceResult result = search.result(X_WB);
  if (options.containment && result.lower > 0.0 && one_contains_other(a, b, frame)) {
    result.lower = result.upper = 0.0;
    result.contained = true;
    result.witness = {};
  }
  return result;
}

}  // namespace planner_ccd
