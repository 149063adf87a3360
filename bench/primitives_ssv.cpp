#include <fcl/math/bv/RSS.h>

#include "bench/primitives.hpp"
#include "planner_ccd/geometry/ssv.hpp"
#include "planner_ccd/geometry/ssv_gap_quick.hpp"

namespace planner_ccd::bench {
namespace {

using Eigen::Vector3d;

struct SsvPair {
  Ssv a, b;
  fcl::RSSd fcl_a, fcl_b;
  Vector3d normal;
};

Ssv random_ssv(Draw& draw, SsvType type, const Vector3d& centre) {
  const Eigen::Matrix3d R = draw.rotation();
  Ssv v;
  v.type = type;
  if (type != SsvType::Point) v.edge0 = R.col(0) * draw.uniform(0.5, 2.0);
  if (type == SsvType::Rectangle) v.edge1 = R.col(1) * draw.uniform(0.2, 1.0);
  v.origin = centre - 0.5 * (v.edge0 + v.edge1);
  v.radius = draw.uniform(0.02, 0.2);
  return v;
}

fcl::RSSd to_fcl(const Ssv& v) {
  fcl::RSSd r;
  const Vector3d x = v.type == SsvType::Point ? Vector3d(Vector3d::UnitX()) : Vector3d(v.edge0.normalized());
  const Vector3d y = v.type == SsvType::Rectangle ? Vector3d(v.edge1.normalized()) : Vector3d(x.unitOrthogonal());
  r.axis << x, y, x.cross(y);
  r.To = v.origin;
  r.l[0] = v.edge0.norm();
  r.l[1] = v.edge1.norm();
  r.r = v.radius;
  return r;
}

std::vector<SsvPair> pairs_of(SsvType type, double lo, double hi, unsigned seed) {
  Draw draw(seed);
  std::vector<SsvPair> pairs;
  while (static_cast<int>(pairs.size()) < kPairs) {
    const Ssv a = random_ssv(draw, type, Vector3d::Zero());
    const Ssv b = random_ssv(draw, type, draw.direction() * draw.uniform(0.0, hi + 2.0));
    const SeparatingGap gap = ssv_gap(a, b);
    if (gap.gap >= lo && gap.gap <= hi) pairs.push_back({a, b, to_fcl(a), to_fcl(b), gap.normal});
  }
  return pairs;
}

struct Case {
  const char* name;
  SsvType type;
  double lo, hi;
};

}  // namespace

void ssv_rows(const Arguments& arguments, Table& table) {
  unsigned seed = 100;
  for (const Case& c :
       {Case{"rectangles, near", SsvType::Rectangle, 0.1, 1.0}, Case{"rectangles, far", SsvType::Rectangle, 3.0, 10.0},
        Case{"lines, near", SsvType::Line, 0.1, 1.0}, Case{"points, near", SsvType::Point, 0.1, 1.0}}) {
    ++seed;
    if (!arguments.selects(c.name)) continue;
    const auto pairs = pairs_of(c.type, c.lo, c.hi, seed);
    CaseRows<SsvPair> rows(c.name, pairs, arguments, table);
    rows.peer("ssv", "fcl", sizeof(fcl::RSSd), [](const SsvPair& p) { return p.fcl_a.distance(p.fcl_b); });
    rows.ours("ssv", "ours", sizeof(Ssv), [](const SsvPair& p) { return ssv_gap(p.a, p.b).gap; });
    rows.ours("ssv", "ours, within 5 %", sizeof(Ssv), [](const SsvPair& p) { return ssv_gap_quick(p.a, p.b).gap; });
    rows.ours("ssv", "ours, direction known", sizeof(Ssv),
              [](const SsvPair& p) { return ssv_gap_along(p.a, p.b, p.normal); });
  }
}

}  // namespace planner_ccd::bench
