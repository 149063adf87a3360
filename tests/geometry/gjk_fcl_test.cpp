#include <gtest/gtest.h>

#include "planner_ccd/geometry/gjk.hpp"

#ifdef PLANNER_CCD_HAVE_FCL
#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/distance.h>
#endif

#include <cstdio>
#include <memory>

#include "geometry/triangle_pairs.hpp"

/// Our brackets beside FCL's two GJK implementations. FCL is not an oracle: gjk_test.cpp tests the certificate. Where
/// the two differ by more than the width of our bracket, the error is FCL's, and is counted here.
namespace planner_ccd {
namespace {

#ifndef PLANNER_CCD_HAVE_FCL

TEST(GjkBesideFcl, Agrees) { GTEST_SKIP() << "FCL was not found when the tests were configured"; }

#else

using Eigen::Isometry3d;
using Eigen::Vector3d;

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct ToFcl {
  Geometry operator()(const Sphere& s) const { return std::make_shared<fcl::Sphered>(s.radius); }
  Geometry operator()(const Box& b) const { return std::make_shared<fcl::Boxd>(b.size); }
  Geometry operator()(const Cylinder& c) const { return std::make_shared<fcl::Cylinderd>(c.radius, c.length); }
  Geometry operator()(const Capsule& c) const { return std::make_shared<fcl::Capsuled>(c.radius, c.length); }
  Geometry operator()(const ConvexHull&) const { return nullptr; }
  Geometry operator()(const MeshPtr&) const { return nullptr; }
  Geometry operator()(const CloudPtr&) const { return nullptr; }
  Geometry operator()(const CellsPtr&) const { return nullptr; }
};

struct Tally {
  int pairs = 0, apart = 0, failed = 0, above = 0, below = 0;
  double worst_above = 0.0, worst_below = 0.0;

  void compare(double fcl_distance, const ConvexDistance& ours) {
    ++pairs;
    if (!(ours.gap > 1e-3)) return;
    ++apart;
    if (!(fcl_distance > 0.0)) {
      ++failed;
      return;
    }
    above += fcl_distance > ours.upper + 1e-5;
    below += fcl_distance < ours.gap - 1e-5;
    worst_above = std::max(worst_above, fcl_distance - ours.upper);
    worst_below = std::max(worst_below, ours.gap - fcl_distance);
  }
};

TEST(GjkBesideFcl, Agrees) {
  testing::PairSource source(5);
  const auto shape = [&]() -> Shape {
    switch (source.integer(0, 3)) {
      case 0: return Sphere{source.uniform(0.05, 1)};
      case 1: return Box{Vector3d(source.uniform(0.1, 2), source.uniform(0.1, 2), source.uniform(0.1, 2))};
      case 2: return Cylinder{source.uniform(0.05, 1), source.uniform(0.05, 2)};
      default: return Capsule{source.uniform(0.05, 1), source.uniform(0.05, 2)};
    }
  };
  // Half of the poses have right angles and round offsets: parallel faces, common axes, contacts.
  const auto pose = [&](bool round) {
    Isometry3d X = Isometry3d::Identity();
    X.translation() =
        round ? Vector3d(source.integer(-4, 4), source.integer(-4, 4), source.integer(-4, 4)) * 0.5 : source.point(2.0);
    const double angle = round ? std::acos(0.0) * source.integer(0, 3) : source.uniform(0, 6);
    const Vector3d axis = round ? Vector3d(Vector3d::Unit(source.integer(0, 2))) : source.direction();
    X.linear() = Eigen::AngleAxisd(angle, axis).toRotationMatrix();
    return X;
  };
  Tally tally[2][2];
  for (int i = 0; i < 4000; ++i) {
    const bool round = i % 2;
    const Shape a = shape(), b = shape();
    const Isometry3d X_A = pose(round), X_B = pose(round);
    const ConvexDistance ours = gjk_distance(convex_of(a), X_A, convex_of(b), X_B);
    fcl::CollisionObjectd object_a(std::visit(ToFcl{}, a), X_A), object_b(std::visit(ToFcl{}, b), X_B);
    for (const int solver : {0, 1}) {
      fcl::DistanceRequestd request;
      request.gjk_solver_type = solver ? fcl::GST_INDEP : fcl::GST_LIBCCD;
      fcl::DistanceResultd result;
      fcl::distance(&object_a, &object_b, request, result);
      tally[solver][round].compare(result.min_distance, ours);
    }
  }
  for (const int solver : {0, 1}) {
    for (const int round : {0, 1}) {
      const Tally& t = tally[solver][round];
      std::printf("%-7s %-12s %d pairs, %d apart, %d called touching, %d above by up to %.2g, %d below by up to %.2g\n",
                  solver ? "indep" : "libccd", round ? "right angles" : "random", t.pairs, t.apart, t.failed, t.above,
                  t.worst_above, t.below, t.worst_below);
      EXPECT_GT(t.apart, 0.3 * t.pairs);
      EXPECT_LT(t.failed + t.above + t.below, 0.1 * t.apart) << "two implementations that rarely agree";
    }
  }
}

#endif

}  // namespace
}  // namespace planner_ccd
