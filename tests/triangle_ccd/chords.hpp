#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <utility>
#include <vector>

#include "triangle_ccd/axis_oracle.hpp"

namespace planner_ccd::test {

struct ChordResult {
  Verdict verdict = Verdict::Free;
  double t = 1.0;
};

/// Use of a leaf that supports only linear motion (MATHS.md 5): halve until the chord's sagitta rho (1 - cos) is small,
/// and add it to the separation.
inline ChordResult by_chords(const LeafKernel& kernel, const Triangle& a, const Triangle& b, const AxisMotion& motion,
                             const LeafOptions& options) {
  double rho = 0.0;
  for (const Eigen::Vector3d& x : a) rho = std::max(rho, (x - motion.origin).cross(motion.axis.normalized()).norm());
  std::vector<std::pair<double, double>> parts{{0.0, 1.0}};
  while (!parts.empty()) {
    const auto [begin, end] = parts.back();
    parts.pop_back();
    const double half_angle = 0.5 * (end - begin) * std::abs(motion.to - motion.from);
    const double sagitta = half_angle < 1.5 ? rho * (1.0 - std::cos(half_angle)) * (1.0 + 1e-12) + 1e-15 : 2.0 * rho;
    const auto p = moved<double>(a, motion, begin);
    const auto q = moved<double>(a, motion, end);
    LeafOptions chord = options;
    chord.min_separation = options.min_separation + sagitta;
    const TriangleMotion moving{{{p[0], q[0]}, {p[1], q[1]}, {p[2], q[2]}}};
    const TriangleMotion fixed{{{b[0], b[0]}, {b[1], b[1]}, {b[2], b[2]}}};
    const LeafResult r = half_angle < 1.5 ? triangle_ccd(kernel, moving, fixed, chord) : LeafResult{};
    if (r.verdict == Verdict::Free) continue;
    const double middle = 0.5 * (begin + end);
    if (half_angle < 1.5 && sagitta <= options.tolerance / 4.0) return {r.verdict, begin + r.t_lo * (end - begin)};
    parts.push_back({middle, end});
    parts.push_back({begin, middle});
  }
  return {};
}

}  // namespace planner_ccd::test
