/// Bodies at rest: collide, distance and build, beside FCL with each of its bounding volumes, on the same meshes and
/// poses; and the distance of two swept-sphere volumes. On our rows `speedup` is the time of FCL's best over ours,
/// `differs` how many poses got another verdict (collide) or a distance outside our certified bounds by more than 1e-9
/// of the size (distance).
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

#include "bench/static_cases.hpp"
#include "bench/static_fcl.hpp"
#include "bench/support/table.hpp"
#include "bench/support/timing.hpp"
#include "planner_ccd/hierarchy/queries.hpp"

namespace planner_ccd::bench {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

struct Measurement {
  std::string method;
  double median_ns;
  std::size_t bytes;
  int differs;
};

/// Ours first; the rows of one case and query, with the speed-up over the best of the others.
void add_rows(Table& table, const std::string& name, const char* query, const std::vector<Measurement>& all) {
  double best_peer = std::numeric_limits<double>::infinity();
  for (std::size_t i = 1; i < all.size(); ++i) best_peer = std::min(best_peer, all[i].median_ns);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Measurement& m = all[i];
    table.add({{"case", name},
               {"query", query},
               {"method", m.method},
               {"median_ns", m.median_ns},
               {"speedup", i == 0 ? Value(best_peer / m.median_ns) : Value(nullptr)},
               {"bytes", static_cast<long>(m.bytes)},
               {"differs", i == 0 ? Value(nullptr) : Value(m.differs)}});
  }
}

SsvTree tree_of(const MeshPtr& mesh) {
  Geometry g;
  g.shape = mesh;
  return SsvTree::build({g}, "bench mesh");
}

/// [ns] per pose.
template <typename Query>
double time_poses(const StaticCase& c, int repetitions, Query&& query) {
  return time_items(static_cast<int>(c.poses.size()), repetitions,
                    [&] {
                      for (const Isometry3d& X : c.poses) keep(query(X));
                    })
      .median;
}

template <typename Volume>
Measurement fcl_collide_row(const StaticCase& c, const char* name, int repetitions, const std::vector<bool>& ours) {
  const FclMesh<Volume> a(*c.a), b(*c.b);
  int differs = 0;
  for (std::size_t i = 0; i < c.poses.size(); ++i) differs += fcl_collide(a, c.poses[i], b) != ours[i];
  const double ns = time_poses(c, repetitions, [&](const Isometry3d& X) { return fcl_collide(a, X, b); });
  return {name, ns, static_cast<std::size_t>(a.bytes() + b.bytes()), differs};
}

template <typename Volume>
Measurement fcl_distance_row(const StaticCase& c, const char* name, int repetitions,
                             const std::vector<DistanceResult>& ours, double size) {
  const FclMesh<Volume> a(*c.a), b(*c.b);
  int differs = 0;
  for (std::size_t i = 0; i < c.poses.size(); ++i) {
    const double d = std::max(0.0, fcl_distance(a, c.poses[i], b));
    differs += d < ours[i].lower - 1e-9 * size || d > ours[i].upper + 1e-9 * size;
  }
  const double ns = time_poses(c, repetitions, [&](const Isometry3d& X) { return fcl_distance(a, X, b); });
  return {name, ns, static_cast<std::size_t>(a.bytes() + b.bytes()), differs};
}

void bench_pair(Table& table, const StaticCase& c, int repetitions) {
  const SsvTree a = tree_of(c.a), b = tree_of(c.b);
  const Isometry3d I = Isometry3d::Identity();
  const std::size_t bytes = a.memory() + b.memory();
  std::vector<bool> hits;
  for (const Isometry3d& X : c.poses) hits.push_back(collide(a, X, b, I, {.containment = false}).collide);
  std::vector<Measurement> rows{
      {"planner_ccd",
       time_poses(c, repetitions,
                  [&](const Isometry3d& X) { return collide(a, X, b, I, {.containment = false}).collide; }),
       bytes, 0}};
  rows.push_back(fcl_collide_row<fcl::OBBd>(c, "fcl_obb", repetitions, hits));
  rows.push_back(fcl_collide_row<fcl::RSSd>(c, "fcl_rss", repetitions, hits));
  rows.push_back(fcl_collide_row<fcl::OBBRSSd>(c, "fcl_obbrss", repetitions, hits));
  rows.push_back(fcl_collide_row<fcl::kIOSd>(c, "fcl_kios", repetitions, hits));
  add_rows(table, c.name, "collide", rows);

  std::vector<DistanceResult> distances;
  for (const Isometry3d& X : c.poses) distances.push_back(distance(a, X, b, I, {.containment = false}));
  rows = {{"planner_ccd",
           time_poses(c, repetitions,
                      [&](const Isometry3d& X) { return distance(a, X, b, I, {.containment = false}).lower; }),
           bytes, 0}};
  const double size = 2.0 * a.bounding_radius();
  rows.push_back(fcl_distance_row<fcl::RSSd>(c, "fcl_rss", repetitions, distances, size));
  rows.push_back(fcl_distance_row<fcl::OBBRSSd>(c, "fcl_obbrss", repetitions, distances, size));
  rows.push_back(fcl_distance_row<fcl::kIOSd>(c, "fcl_kios", repetitions, distances, size));
  add_rows(table, c.name, "distance", rows);
}

/// Building, and both queries near contact, from 1k to 1M triangles.
void bench_growth(Table& table, const Arguments& arguments) {
  for (int triangles = 1000; triangles <= arguments.count(1000000, 100000); triangles *= 10) {
    const std::string name = "knot_" + std::to_string(triangles / 1000) + "k";
    if (!arguments.selects(name + "/build")) continue;
    const MeshPtr mesh = knot_of(triangles);
    const int repetitions = std::max(1, 200000 / triangles);
    const auto time_build = [&](auto&& build) {
      std::vector<double> ns;
      for (int i = 0; i < repetitions; ++i) ns.push_back(1e9 * time_once(build));
      return median(ns);
    };
    const std::size_t bytes = tree_of(mesh).memory();
    add_rows(table, name + "/build", "build",
             {{"planner_ccd", time_build([&] { keep(tree_of(mesh)); }), bytes, 0},
              {"fcl_rss", time_build([&] { keep(FclMesh<fcl::RSSd>(*mesh)); }),
               static_cast<std::size_t>(FclMesh<fcl::RSSd>(*mesh).bytes()), 0},
              {"fcl_obbrss", time_build([&] { keep(FclMesh<fcl::OBBRSSd>(*mesh)); }),
               static_cast<std::size_t>(FclMesh<fcl::OBBRSSd>(*mesh).bytes()), 0}});
  }
}

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

/// All nine pairs of types, ours along any search, along a given direction, and FCL's rectangles (whatever the type).
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

int run(const Arguments& arguments) {
  Table table("static", arguments);
  bench_volumes(table, arguments);
  bench_growth(table, arguments);
  // The two largest meshes are slow to pose and to measure: not for a first look.
  const auto wanted = [&](const std::string& name) {
    return arguments.selects(name) && !(arguments.quick && name == "club-gear");
  };
  for (const StaticCase& c : static_cases(arguments.count(200, 20), wanted)) {
    bench_pair(table, c, arguments.count(5, 1));
  }
  return table.finish();
}

}  // namespace
}  // namespace planner_ccd::bench

int main(int argc, char** argv) { return planner_ccd::bench::run(planner_ccd::bench::parse_arguments(argc, argv)); }
