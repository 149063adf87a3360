#pragma once

#include <Eigen/Geometry>
#include <random>
#include <vector>

#include "planner_ccd/geometry/triangle_distance.hpp"

/// Families of triangle pairs on which distance routines are known to fail, drawn from a seed.
namespace planner_ccd::testing {

struct TrianglePair {
  Triangle a, b;
};

class PairSource {
 public:
  explicit PairSource(std::uint64_t seed) : rng_(seed) {}

  double uniform(double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(rng_); }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(rng_); }
  double log_uniform(double lo, double hi) { return std::exp(uniform(std::log(lo), std::log(hi))); }
  Eigen::Vector3d point(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }
  Eigen::Vector3d direction() {
    for (;;) {
      const Eigen::Vector3d v = point(1.0);
      if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
    }
  }
  Triangle triangle(double size) { return {point(size), point(size), point(size)}; }

  TrianglePair random() { return {triangle(1.0), shifted(triangle(1.0), point(1.5))}; }

  /// Small triangles a short distance apart, as in leaves of a hierarchy.
  TrianglePair near() {
    const double size = log_uniform(1e-3, 1.0);
    const Triangle a = triangle(size);
    return {a, shifted(triangle(size), direction() * size * log_uniform(1e-3, 3.0))};
  }

  /// An edge of each almost parallel to the other, at a small distance.
  TrianglePair near_parallel() {
    const Eigen::Vector3d d = direction();
    const double angle = log_uniform(1e-17, 1e-2);
    const Eigen::Vector3d start = point(0.5) + direction() * log_uniform(1e-13, 1.0);
    Triangle a = triangle(1.0), b = triangle(1.0);
    a[1] = a[0] + d * uniform(0.1, 2.0);
    b[0] = a[0] + start * uniform(0.0, 1.0);
    b[1] = b[0] + (d + angle * direction()) * uniform(-2.0, 2.0);
    return {a, b};
  }

  /// One corner almost on the opposite edge.
  TrianglePair slivers() {
    return {sliver(log_uniform(1e-17, 1e-2)), shifted(sliver(log_uniform(1e-17, 1e-2)), point(0.7))};
  }

  /// Two corners (almost) coincide: long needles.
  TrianglePair needles() {
    return {needle(log_uniform(1e-17, 1e-2)), shifted(needle(log_uniform(1e-17, 1e-2)), point(0.7))};
  }

  /// Exact segments and points, against each other and against proper triangles.
  TrianglePair zero_area() {
    TrianglePair p{integer(0, 1) ? degenerate() : triangle(1.0), degenerate()};
    if (integer(0, 1)) std::swap(p.a, p.b);
    return p;
  }

  /// Small integers: shared corners, edges in one line, coplanar and touching triangles, all exactly.
  TrianglePair lattice() {
    const int n = integer(1, 4);
    TrianglePair p;
    for (auto* t : {&p.a, &p.b}) {
      for (auto& v : *t) v = Eigen::Vector3d(integer(0, n), integer(0, n), integer(0, n));
    }
    if (integer(0, 1)) {  // The same, no longer exact.
      const Eigen::Matrix3d R =
          Eigen::Quaterniond(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), 0.5).normalized().toRotationMatrix();
      for (auto* t : {&p.a, &p.b}) {
        for (auto& v : *t) v = R * v * 0.1;
      }
    }
    return p;
  }

  /// 0.1 mm triangles, about as far apart, 1 km from the origin.
  TrianglePair tiny_and_far() {
    const Eigen::Vector3d offset = direction() * 1000.0;
    TrianglePair p{triangle(1e-4), shifted(triangle(1e-4), direction() * log_uniform(1e-6, 1e-3))};
    return {shifted(p.a, offset), shifted(p.b, offset)};
  }

  /// Any coordinate from 1e-6 to 1e6, sizes independent of each other.
  TrianglePair wide_range() {
    const Triangle a = triangle(log_uniform(1e-6, 1e6));
    const double size = log_uniform(1e-6, 1e6);
    const double reach = std::max(size, (a[0] - a[1]).norm());
    return {a, shifted(triangle(size), direction() * reach * log_uniform(1e-3, 2.0))};
  }

  /// B is A, or a neighbour of it in a mesh, moved by almost nothing.
  TrianglePair almost_touching() {
    const Triangle a = triangle(1.0);
    Triangle b = triangle(1.0);
    const int shared = integer(0, 3);
    for (int i = 0; i < shared; ++i) b[i] = a[i];
    if (shared == 0) b[0] = a[0] + uniform(0, 1) * (a[1] - a[0]);
    return {a, shifted(b, direction() * log_uniform(1e-16, 1e-3))};
  }

  using Family = TrianglePair (PairSource::*)();
  struct Named {
    const char* name;
    Family draw;
  };
  static std::vector<Named> families() {
    return {{"random", &PairSource::random},
            {"near", &PairSource::near},
            {"near_parallel", &PairSource::near_parallel},
            {"slivers", &PairSource::slivers},
            {"needles", &PairSource::needles},
            {"zero_area", &PairSource::zero_area},
            {"lattice", &PairSource::lattice},
            {"tiny_and_far", &PairSource::tiny_and_far},
            {"wide_range", &PairSource::wide_range},
            {"almost_touching", &PairSource::almost_touching}};
  }

  static Triangle shifted(const Triangle& t, const Eigen::Vector3d& d) { return {t[0] + d, t[1] + d, t[2] + d}; }

 private:
  std::mt19937_64 rng_;

  Triangle sliver(double height) {
    Triangle t = triangle(1.0);
    t[2] = t[0] + uniform(-0.2, 1.2) * (t[1] - t[0]) + height * direction();
    return t;
  }
  Triangle needle(double width) {
    Triangle t = triangle(1.0);
    t[2] = t[1] + width * direction();
    return t;
  }
  Triangle degenerate() {
    Triangle t = triangle(1.0);
    switch (integer(0, 2)) {
      case 0: t[2] = t[1]; break;
      case 1: t[1] = t[0] = t[2]; break;
      default: t[2] = 0.5 * (t[0] + t[1]);
    }
    return t;
  }
};

}  // namespace planner_ccd::testing
