#include "planner_ccd/papers/van_waveren/plucker_expel.hpp"

#include <algorithm>
#include <cmath>

namespace planner_ccd::plucker {
namespace {

struct Roots {
  std::array<double, 2> r;
  int count = 0;
};

/// a r^2 + 2 b r + c = 0 in order, for h of (4); q does not cancel.
Roots roots_of(const Height& h) {
  Roots roots;
  const double a = h.v0 - h.v2;
  const double b = h.v1;
  const double c = h.v0 + h.v2;
  if (a == 0.0) {
    if (b != 0.0) roots.r[roots.count++] = -c / (2.0 * b);
    return roots;
  }
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return roots;
  const double q = -(b + std::copysign(std::sqrt(discriminant), b));
  roots.r[roots.count++] = q / a;
  if (q != 0.0) roots.r[roots.count++] = c / q;
  if (roots.count == 2 && roots.r[0] > roots.r[1]) std::swap(roots.r[0], roots.r[1]);
  return roots;
}

/// dh/ds = v1 cos s - v2 sin s.
Height derivative(const Height& h) { return {0.0, -h.v2, h.v1}; }

double fraction_of(double r, double angle) { return std::clamp(2.0 * std::atan(r) / angle, 0.0, 1.0); }

/// A slope that rounding may have made moves nothing by more than that in a piece: far less than the zone.
constexpr double kSlopeNoise = 1e-14;

double magnitude(const Height& h) { return std::abs(h.v0) + std::abs(h.v1) + std::abs(h.v2); }

/// Does a function with this derivative start to fall at s = 0?
bool falls_at_start(const Height& slope, double noise) {
  const double first = slope.v0 + slope.v2;
  if (std::abs(first) > noise) return first < 0.0;
  return slope.v1 < -noise;
}

/// The first time after the start at which the slope changes sign; 1 when it does not.
double top(const Height& slope, double angle) {
  const Roots roots = roots_of(slope);
  for (int i = 0; i < roots.count; ++i) {
    if (roots.r[i] > 0.0) return fraction_of(roots.r[i], angle);
  }
  return 1.0;
}

/// Height above the plane or edge, by functions of its sign: `height` (0 in contact), `above` (0 at the zone's hull), and
/// `slope`.
Stops stops_of(const Height& height, const Height& above, const Height& slope, bool in_zone, double noise,
               double angle) {
  const Roots contacts = roots_of(height);
  Stops stops;
  const auto stop_at = [&](double fraction) {
    if (fraction >= 1.0) return;
    Stop stop{fraction, 2.0};
    for (int i = contacts.count - 1; i >= 0; --i) {
      const double at = fraction_of(contacts.r[i], angle);
      if (contacts.r[i] > 0.0 && at >= fraction && at < 1.0) stop.contact = at;
    }
    stops.items[stops.count++] = stop;
  };
  if (in_zone && falls_at_start(slope, noise)) {
    stop_at(0.0);
    return stops;
  }
  const Roots roots = roots_of(above);
  if (in_zone && roots.count == 0 && magnitude(slope) > noise) stop_at(top(slope, angle));  // it never leaves the zone
  for (int i = 0; i < roots.count; ++i) {
    if (roots.r[i] > 0.0 && value(Kind::Rotation, slope, roots.r[i]) < 0.0) stop_at(fraction_of(roots.r[i], angle));
  }
  return stops;
}

}  // namespace

double expel_translating_vertex(double alpha, double beta, double e) {
  if (beta >= 0.0 || alpha < -e) return 1.0;
  return std::clamp(-(alpha - e) / beta, 0.0, 1.0);
}

double expel_translating_edge(double f_edge, double f_expanded) {
  if (f_edge < 0.0 || f_expanded >= 1.0 || f_edge < f_expanded) return 1.0;
  return std::max(f_expanded, 0.0);
}

Stops expel_rotating_vertex(const Height& h, double e, double angle) {
  const double start = h.v0 + h.v2;
  const bool in_zone = start >= -e && start <= e;
  return stops_of(h, {h.v0 - e, h.v1, h.v2}, derivative(h), in_zone, kSlopeNoise * magnitude(h), angle);
}

Stops expel_rotating_edge(const Height& edge, const Height& gap, double e, double angle) {
  const Height above{edge.v0 + e * gap.v0, edge.v1 + e * gap.v1, edge.v2 + e * gap.v2};
  // (5), for edge = (p0, p1, p2) and gap = (g0, g1, g2).
  const Height slope{edge.v2 * gap.v1 - edge.v1 * gap.v2, edge.v2 * gap.v0 - edge.v0 * gap.v2,
                     edge.v0 * gap.v1 - edge.v1 * gap.v0};
  const double start_gap = gap.v0 + gap.v2;
  const double start = -(edge.v0 + edge.v2);
  const bool in_zone =
      start_gap > 0.0 ? start >= 0.0 && start <= e * start_gap : start <= 0.0 && start >= e * start_gap;
  return stops_of(edge, above, slope, in_zone, kSlopeNoise * magnitude(edge) * magnitude(gap), angle);
}

}  // namespace planner_ccd::plucker
