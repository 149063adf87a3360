#include <fcl/math/bv/RSS.h>

#include <random>

#include "bench/static.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/geometry/ssv.hpp"

namespace planner_ccd::bench {
namespace {

using Eigen::Vector3d;

Ssv random_volume(std::mt19937& random, SsvType type, double spread) {
  std::normal_distribution<double> n;
  std::uniform_real_distribution<double> u(0.0, 1.0);
  Ssv v;
  v.type = type;
  v.origin = spread * Vector3d(n(random), n(random), n(random));
  const Eigen::Quaterniond turn = Eigen::Quaterniond(n(random), n(random), n(random), n(random)).normalized();
  if (type != SsvType::Point) v.edge0 = turn * Vector3d(u(random), 0.0, 0.0);
  if (type == SsvType::Rectangle) v.edge1 = turn * Vector3d(0.0, u(random), 0.0);
  v.radius = 0.1 * u(random);
  return v;
}

fcl::RSSd fcl_volume(const Ssv& v) {
  fcl::RSSd r;
  const Vector3d x = v.edge0.norm() > 0.0 ? Vector3d(v.edge0.normalized()) : Vector3d::UnitX();
  const Vector3d y = v.edge1.norm() > 0.0 ? Vector3d(v.edge1.normalized()) : x.unitOrthogonal();
  r.axis << x, y, x.cross(y);
  r.To = v.origin;
  r.l[0] = v.edge0.norm();
  r.l[1] = v.edge1.norm();
  r.r = v.radius;
  return r;
}

}  // namespace

/// All nine pairs of types: ours with search, ours along a given direction, and FCL's rectangles (whatever the type).
void bench_volumes(Table& table, const Arguments& arguments) {
  constexpr SsvType kTypes[] = {SsvType::Point, SsvType::Line, SsvType::Rectangle};
  constexpr const char* kNames[] = {"pss", "lss", "rss"};
  constexpr int kCount = 1000;
  const int repetitions = arguments.count(200, 30);
  for (int i = 0; i < 9; ++i) {
    const std::string name = std::string(kNames[i / 3]) + "-" + kNames[i % 3];
    if (!arguments.selects(name)) continue;
    std::mt19937 random(99);
    std::vector<Ssv> a, b;
    std::vector<fcl::RSSd> fa, fb;
    for (int k = 0; k < kCount; ++k) {
      a.push_back(random_volume(random, kTypes[i / 3], 1.5));
      b.push_back(random_volume(random, kTypes[i % 3], 1.5));
      fa.push_back(fcl_volume(a.back()));
      fb.push_back(fcl_volume(b.back()));
    }
    const auto time = [&](auto&& one) {
      return time_items(kCount, repetitions,
                        [&] {
                          for (int k = 0; k < kCount; ++k) keep(one(k));
                        })
          .median;
    };
    const Vector3d n = Vector3d(1, 2, 3).normalized();
    add_rows(table, name, "ssv",
             {{"planner_ccd", time([&](int k) { return ssv_gap(a[k], b[k]); }), sizeof(Ssv), 0},
              {"fcl_rss", time([&](int k) { return fa[k].distance(fb[k]); }), sizeof(fcl::RSSd), 0}});
    table.add({{"case", name}, {"query", "ssv"}, {"method", "planner_ccd_along"}, {"median_ns", time([&](int k) {
                                                                                     return ssv_gap_along(a[k], b[k],
                                                                                                          n);
                                                                                   })}});
  }
}

}  // namespace planner_ccd::bench
