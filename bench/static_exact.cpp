#include "bench/static_exact.hpp"

#include <algorithm>

namespace planner_ccd::bench {
namespace {

/// The greatest power of two of which all numbers are multiples.
int unit_of(std::initializer_list<const double*> begins, int count) {
  int unit = 1023;
  for (const double* x : begins) {
    for (int k = 0; k < count; ++k) unit = x[k] == 0.0 ? unit : std::min(unit, exact::lowest_bit(x[k]));
  }
  return unit == 1023 ? 0 : unit;
}

}  // namespace

exact::SquaredDistance exact_squared_distance(const TriangleMesh& a, int i, const Eigen::Isometry3d& X_BA,
                                              const TriangleMesh& b, int j) {
  const Eigen::Matrix3d R = X_BA.linear();
  const Eigen::Vector3d t = X_BA.translation();
  const auto& ta = a.triangles[i];
  const auto& tb = b.triangles[j];
  const int unit_R = unit_of({R.data()}, 9);
  const int unit_p = unit_of({a.vertices[ta[0]].data(), a.vertices[ta[1]].data(), a.vertices[ta[2]].data()}, 3);
  const int unit =
      std::min(unit_R + unit_p,
               unit_of({t.data(), b.vertices[tb[0]].data(), b.vertices[tb[1]].data(), b.vertices[tb[2]].data()}, 3));
  const auto placed = [&](const Eigen::Vector3d& p, int row) {
    exact::Integer sum = exact::to_integer(t[row], unit);
    for (int k = 0; k < 3; ++k) {
      sum += (exact::to_integer(R(row, k), unit_R) * exact::to_integer(p[k], unit_p)) << (unit_R + unit_p - unit);
    }
    return sum;
  };
  exact::Corners ca, cb;
  for (int k = 0; k < 3; ++k) {
    const Eigen::Vector3d &p = a.vertices[ta[k]], &q = b.vertices[tb[k]];
    ca[k] = {placed(p, 0), placed(p, 1), placed(p, 2)};
    cb[k] = {exact::to_integer(q[0], unit), exact::to_integer(q[1], unit), exact::to_integer(q[2], unit)};
  }
  return exact::squared_distance(ca, cb, unit);
}

}  // namespace planner_ccd::bench
