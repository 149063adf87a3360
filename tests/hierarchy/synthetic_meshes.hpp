#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "planner_ccd/geometry/triangle_mesh.hpp"

/// Closed meshes of any size made from formulas, and soups: inputs for tests and benchmarks.
namespace planner_ccd::synthetic {

inline constexpr double kPi = 3.14159265358979323846;

/// A closed grid of nu x nv points p(u, v), periodic in both.
template <typename Function>
TriangleMesh torus_grid(int nu, int nv, Function&& p) {
  TriangleMesh mesh;
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) mesh.vertices.push_back(p(2 * kPi * i / nu, 2 * kPi * j / nv));
  }
  const auto id = [&](int i, int j) { return (i % nu) * nv + j % nv; };
  for (int i = 0; i < nu; ++i) {
    for (int j = 0; j < nv; ++j) {
      mesh.triangles.emplace_back(id(i, j), id(i + 1, j), id(i + 1, j + 1));
      mesh.triangles.emplace_back(id(i, j), id(i + 1, j + 1), id(i, j + 1));
    }
  }
  return mesh;
}

/// A tube of the given radius about the (p, q) torus knot, about 2 m across.
inline TriangleMesh torus_knot(int along, int around, double tube = 0.12, int p = 2, int q = 3) {
  const auto curve = [&](double u) {
    const double r = 0.7 + 0.3 * std::cos(q * u);
    return Eigen::Vector3d(r * std::cos(p * u), r * std::sin(p * u), 0.3 * std::sin(q * u));
  };
  return torus_grid(along, around, [&](double u, double v) {
    const Eigen::Vector3d c = curve(u), t = (curve(u + 1e-4) - curve(u - 1e-4)).normalized();
    const Eigen::Vector3d n =
        (Eigen::Vector3d(c[0], c[1], 3.0 * c[2]) - t * t.dot(Eigen::Vector3d(c[0], c[1], 3.0 * c[2]))).normalized();
    return Eigen::Vector3d(c + tube * (std::cos(v) * n + std::sin(v) * t.cross(n)));
  });
}

/// A sphere of radius 1 with bumps of the given height, poles included as single vertices: 2 nu (nv - 1) triangles.
inline TriangleMesh bumpy_sphere(int nu, int nv, double bump = 0.15, int waves = 5) {
  TriangleMesh mesh;
  const auto point = [&](double theta, double phi) {
    const double r = 1.0 + bump * std::sin(waves * theta) * std::sin(waves * phi) * std::sin(theta);
    return Eigen::Vector3d(r * std::sin(theta) * std::cos(phi), r * std::sin(theta) * std::sin(phi),
                           r * std::cos(theta));
  };
  mesh.vertices = {point(0, 0), point(kPi, 0)};
  for (int j = 1; j < nv; ++j) {
    for (int i = 0; i < nu; ++i) mesh.vertices.push_back(point(kPi * j / nv, 2 * kPi * i / nu));
  }
  const auto id = [&](int i, int j) { return 2 + (j - 1) * nu + i % nu; };
  for (int i = 0; i < nu; ++i) {
    mesh.triangles.emplace_back(0, id(i, 1), id(i + 1, 1));
    mesh.triangles.emplace_back(1, id(i + 1, nv - 1), id(i, nv - 1));
    for (int j = 1; j + 1 < nv; ++j) {
      mesh.triangles.emplace_back(id(i, j), id(i, j + 1), id(i + 1, j + 1));
      mesh.triangles.emplace_back(id(i, j), id(i + 1, j + 1), id(i + 1, j));
    }
  }
  return mesh;
}

/// Unconnected triangles of mixed size and shape, among them slivers, segments and points.
inline TriangleMesh soup(int count, unsigned seed, double largest = 0.3) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> u(-1.0, 1.0);
  const auto point = [&] { return Eigen::Vector3d(u(random), u(random), u(random)); };
  TriangleMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d c = point();
    const double size = largest * std::pow(10.0, -2.0 * std::abs(u(random)));
    const Eigen::Vector3d a = size * point();
    Eigen::Vector3d b = size * point();
    if (i % 7 == 1) b = 0.5 * a;
    if (i % 11 == 2) b = a + 1e-9 * point();
    const int first = static_cast<int>(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(),
                         {c, c + (i % 13 == 3 ? 0.0 : 1.0) * a, c + (i % 13 == 3 ? 0.0 : 1.0) * b});
    mesh.triangles.emplace_back(first, first + 1, first + 2);
  }
  return mesh;
}

}  // namespace planner_ccd::synthetic
