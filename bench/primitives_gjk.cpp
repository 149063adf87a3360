#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/narrowphase/detail/gjk_solver_indep.h>
#include <fcl/narrowphase/detail/gjk_solver_libccd.h>

#include "bench/primitives.hpp"
#include "planner_ccd/geometry/gjk.hpp"

namespace planner_ccd::bench {
namespace {

using Eigen::Isometry3d;
using Eigen::Vector3d;

/// Two solids of about size 1 between 0.1 and 1 apart.
template <typename FclA, typename FclB>
struct SolidPair {
  Convex a, b;
  FclA fcl_a;
  FclB fcl_b;
  Isometry3d X_A, X_B;
  Vector3d normal;
};

struct Boxes {
  using Fcl = fcl::Boxd;
  static Box draw(Draw& d) { return {Vector3d(d.uniform(0.2, 1), d.uniform(0.2, 1), d.uniform(0.2, 1))}; }
  static Fcl to_fcl(const Box& b) { return Fcl(b.size); }
};
struct Cylinders {
  using Fcl = fcl::Cylinderd;
  static Cylinder draw(Draw& d) { return {d.uniform(0.1, 0.5), d.uniform(0.2, 1)}; }
  static Fcl to_fcl(const Cylinder& c) { return Fcl(c.radius, c.length); }
};

template <typename A, typename B>
void solid_rows(const char* name, unsigned seed, const Arguments& arguments, Table& table) {
  if (!arguments.selects(name)) return;
  using Pair = SolidPair<typename A::Fcl, typename B::Fcl>;
  Draw draw(seed);
  const auto pose = [&](double reach) {
    Isometry3d X = Isometry3d::Identity();
    X.linear() = draw.rotation();
    X.translation() = draw.point() * reach;
    return X;
  };
  std::vector<Pair> pairs;
  while (static_cast<int>(pairs.size()) < kPairs / 4) {
    const auto a = A::draw(draw);
    const auto b = B::draw(draw);
    const Isometry3d X_A = pose(1.0), X_B = pose(1.0);
    const ConvexDistance d = gjk_distance(convex_of(a), X_A, convex_of(b), X_B);
    if (d.gap < 0.1 || d.gap > 1.0) continue;
    pairs.push_back({convex_of(a), convex_of(b), A::to_fcl(a), B::to_fcl(b), X_A, X_B, d.normal});
  }

  CaseRows<Pair> rows(name, pairs, arguments, table);
  const fcl::detail::GJKSolver_indep<double> indep;
  const fcl::detail::GJKSolver_libccd<double> libccd;
  rows.peer("gjk", "fcl indep", sizeof(typename A::Fcl), [&](const Pair& p) {
    double d = 0.0;
    indep.shapeDistance(p.fcl_a, p.X_A, p.fcl_b, p.X_B, &d);
    return d;
  });
  rows.peer("gjk", "fcl libccd", sizeof(typename A::Fcl), [&](const Pair& p) {
    double d = 0.0;
    libccd.shapeDistance(p.fcl_a, p.X_A, p.fcl_b, p.X_B, &d);
    return d;
  });
  rows.ours("gjk", "ours, to 1e-10", sizeof(Convex),
            [](const Pair& p) { return gjk_distance(p.a, p.X_A, p.b, p.X_B).gap; });
  rows.ours("gjk", "ours, to 1e-6", sizeof(Convex), [](const Pair& p) {
    return gjk_distance(p.a, p.X_A, p.b, p.X_B, Vector3d::Zero(), {.tolerance = 1e-6}).gap;
  });
  rows.ours("gjk", "ours, direction known", sizeof(Convex),
            [](const Pair& p) { return gjk_distance(p.a, p.X_A, p.b, p.X_B, p.normal, {.tolerance = 1e-6}).gap; });
}

}  // namespace

void gjk_rows(const Arguments& arguments, Table& table) {
  solid_rows<Boxes, Boxes>("two boxes, near", 201, arguments, table);
  solid_rows<Cylinders, Boxes>("cylinder and box, near", 202, arguments, table);
  solid_rows<Cylinders, Cylinders>("two cylinders, near", 203, arguments, table);
}

}  // namespace planner_ccd::bench
