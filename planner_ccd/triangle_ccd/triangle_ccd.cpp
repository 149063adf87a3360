#include <algorithm>
#include <cmath>

#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/triangle_ccd/detail/feature_tests.hpp"
#include "planner_ccd/triangle_ccd/detail/pair_directions.hpp"
#include "planner_ccd/triangle_ccd/detail/pair_witness.hpp"
#include "planner_ccd/triangle_ccd/leaf_ccd.hpp"

namespace planner_ccd {
namespace {

using Eigen::Vector3d;
using leaf::PairWitness;
using leaf::TrianglePairMotion;
using leaf::Vector3x2;

/// Steps of whole triangles from the left. A direction that separates at one time separates less as the features turn,
/// so steps approach a contact but leave it to the feature tests.
constexpr int kMostSteps = 2;
/// The feature tests first examine this many times the last step: most of them fail over a short time.
constexpr double kWindow = 4.0;

Vector3d at(const MovingPoint& p, double t) { return (1 - t) * p.start + t * p.end; }
Triangle at(const TriangleMotion& m, double t) { return {at(m[0], t), at(m[1], t), at(m[2], t)}; }

TriangleMotion part(const TriangleMotion& m, double from, double to) {
  TriangleMotion out;
  for (int i = 0; i < 3; ++i) out[i] = {at(m[i], from), at(m[i], to)};
  return out;
}

/// Whole triangles, before any of the fifteen tests of their features: a few certified directions (pair_directions.hpp)
/// dismiss most pairs and prove the others apart up to some time. If they prove nothing even at the start, the
/// triangles overlap there or are closer than rounding resolves; the fifteen tests would miss that, because an edge
/// through a face touches none of their features. The remaining time is left to the feature tests, first on a window, with more separation and
/// less tolerance for its rounded ends (MATHS.md T8): Free there is Free, and a contact there is one within the tolerance.
class PairSearch {
 public:
  PairSearch(const LeafKernel& kernel, const TriangleMotion& a, const TriangleMotion& b, const LeafOptions& options)
      : kernel_(kernel), a_(a), b_(b), options_(options), pair_(leaf::pair_motion(a, b)) {}

  LeafResult run() {
    result_.t_hi = options_.t_max;
    if (!std::isfinite(pair_.size) || advance()) return result_;
    if (proved_ < 0 || !kernel_.takes_parts() || !(options_.tolerance > 128 * kUnitRoundoff * pair_.coordinate))
      test_features();
    else
      test_windows();
    return result_;
  }

 private:
  /// True when the result is known.
  bool advance() {
    // Directions that separate in the middle separate over the whole interval more often than those at an end.
    ++result_.iterations;
    const double middle = 0.5 * options_.t_max;
    if (certified(pair_, leaf::likely_directions(pair_, middle))) return true;
    if (proved_ < 0) {
      const auto pierced = leaf::piercing_edge(at(a_, 0.0), at(b_, 0.0));
      if (pierced && is_contact(*pierced)) return true;
    }
    if (certified(pair_, leaf::other_directions(pair_, middle))) return true;
    if (proved_ < 0 && (step(pair_, 0.0) || (proved_ < 0 && look_at_start()))) return true;
    for (int i = 0; i < kMostSteps && proved_ >= 0; ++i) {
      const double before = proved_, length = last_step_;
      if (step(from_time_on(pair_, before), 0.0)) return true;
      last_step_ = proved_ - before;
      if (last_step_ < 0.25 * length) break;
    }
    return false;
  }

  /// Tries the directions at share t of `rest`. True when the triangles are proved apart.
  bool step(const TrianglePairMotion& rest, double t) {
    ++result_.iterations;
    return certified(rest, leaf::likely_directions(rest, t)) || certified(rest, leaf::other_directions(rest, t));
  }

  /// Tests the nearest points: true when they are a contact or their direction proves everything.
  bool look_at_start() {
    const Triangle a = at(a_, 0.0), b = at(b_, 0.0);
    const TriangleDistance nearest = triangle_distance(a, b);
    if (is_contact(leaf::nearest_points(a, b, nearest))) return true;
    const Vector3d& n = nearest.normal;
    const Vector3x2 direction{leaf::both(n.x()), leaf::both(n.y()), leaf::both(n.z())};
    return certified(pair_, std::array<Vector3x2, 2>{direction, direction});
  }

  bool certified(const TrianglePairMotion& rest, std::span<const Vector3x2> directions) {
    const double share = proved_share(rest, directions, options_.min_separation);
    if (share >= 0) proved_ = std::max(proved_, time_at(rest, share));
    return proved_ >= options_.t_max && apart();
  }

  bool apart() {
    result_.verdict = Verdict::Free;
    result_.t_lo = options_.t_max;
    return true;
  }

  /// A contact at the start.
  bool is_contact(const PairWitness& w) {
    if (!(w.distance <= options_.min_separation + options_.tolerance)) return false;
    result_.verdict = Verdict::Contact;
    result_.t_lo = result_.t_hi = 0.0;
    result_.weights_a = w.weights_a;
    result_.weights_b = w.weights_b;
    result_.feature_a = w.feature_a;
    result_.feature_b = w.feature_b;
    result_.point_a = w.point_a;
    result_.point_b = w.point_b;
    result_.normal = w.normal;
    result_.tolerance_reached = std::max(0.0, w.distance - options_.min_separation);
    return true;
  }

  void test_features() {
    const int steps = result_.iterations;
    result_ = leaf::feature_tests(kernel_, a_, b_, options_);
    result_.iterations += steps;
    if (result_.verdict == Verdict::Free && proved_ < 0) {
      result_.verdict = Verdict::Undecided;
      result_.t_lo = 0.0;
    }
    result_.t_lo = std::min(std::max(result_.t_lo, proved_), result_.t_hi);
  }

  void test_windows() {
    double end = proved_ + kWindow * last_step_;
    while (true) {
      if (!(end < 0.75 * options_.t_max)) end = options_.t_max;
      if (!test_window(end)) return;
      proved_ = end;
      if (end == options_.t_max || step(from_time_on(pair_, end), 0.0)) {
        apart();
        return;
      }
      end = options_.t_max;
    }
  }

  /// True when [proved_, end] is proved apart; otherwise the result is known.
  bool test_window(double end) {
    const double from = proved_, length = end - from;
    const double unit = kUnitRoundoff * pair_.coordinate;
    LeafOptions options = options_;
    options.min_separation += 16 * unit;
    options.tolerance -= 64 * unit;
    options.t_max = 1.0;
    const LeafResult found = leaf::feature_tests(kernel_, part(a_, from, end), part(b_, from, end), options);
    const int steps = result_.iterations + found.iterations;
    if (found.verdict != Verdict::Free) result_ = found;
    result_.iterations = steps;
    if (found.verdict == Verdict::Free) return true;
    const bool contact = found.verdict == Verdict::Contact;
    result_.t_hi = contact ? from + length * found.t_hi : options_.t_max;
    result_.t_lo = std::min(std::max((from + length * found.t_lo) * (1 - 8 * kUnitRoundoff), from), result_.t_hi);
    if (contact) result_.tolerance_reached += 48 * unit;
    return false;
  }

  const LeafKernel& kernel_;
  const TriangleMotion &a_, &b_;
  const LeafOptions& options_;
  TrianglePairMotion pair_;
  double proved_ = -1.0;  ///< Apart on [0, proved_]; -1: not even at the start.
  double last_step_ = 0.0;
  LeafResult result_;
};

}  // namespace

LeafResult triangle_ccd(const LeafKernel& kernel, const TriangleMotion& a, const TriangleMotion& b,
                        const LeafOptions& options) {
  if (!leaf::axis_apart(a, b, options.min_separation)) return PairSearch(kernel, a, b, options).run();
  LeafResult apart;
  apart.verdict = Verdict::Free;
  apart.t_lo = apart.t_hi = options.t_max;
  return apart;
}

}  // namespace planner_ccd
