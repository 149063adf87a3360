#include "planner_ccd/geometry/gjk_simplex.hpp"

#include <array>

namespace planner_ccd::gjk_detail {
namespace {

using Eigen::Vector3d;

struct Foot {
  double distance2;
  std::array<double, 4> weight{};
};

void take_nearer(Foot& best, const Foot& foot) {
  if (foot.distance2 < best.distance2) best = foot;
}

void try_edge(const Vector3d* w, int p, int q, Foot& best) {
  const Vector3d e = w[q] - w[p];
  const double ee = e.squaredNorm();
  const double along = -w[p].dot(e);
  if (!(along > 0.0 && along < ee)) return;
  const double t = along / ee;
  Foot foot{(w[p] + t * e).squaredNorm()};
  foot.weight[p] = 1.0 - t;
  foot.weight[q] = t;
  take_nearer(best, foot);
}

void try_triangle(const Vector3d* w, int p, int q, int r, Foot& best) {
  const Vector3d e = w[q] - w[p];
  const Vector3d f = w[r] - w[p];
  const Vector3d n = e.cross(f);
  const double nn = n.squaredNorm();
  const Vector3d side = n.cross(w[p]);
  const double v = -side.dot(f);
  const double u = side.dot(e);
  if (!(v > 0.0 && u > 0.0 && v + u < nn)) return;
  const double h = n.dot(w[p]);
  Foot foot{h * h / nn};
  foot.weight[q] = v / nn;
  foot.weight[r] = u / nn;
  foot.weight[p] = 1.0 - (v + u) / nn;
  take_nearer(best, foot);
}

void try_solid(const Vector3d* w, Foot& best) {
  // Weights are the volumes that the origin forms with the opposite faces.
  const double v0 = w[1].dot(w[2].cross(w[3]));
  const double v1 = -w[0].dot(w[2].cross(w[3]));
  const double v2 = w[0].dot(w[1].cross(w[3]));
  const double v3 = -w[0].dot(w[1].cross(w[2]));
  const bool inside = (v0 > 0.0 && v1 > 0.0 && v2 > 0.0 && v3 > 0.0) || (v0 < 0.0 && v1 < 0.0 && v2 < 0.0 && v3 < 0.0);
  if (!inside) return;
  const double sum = v0 + v1 + v2 + v3;
  take_nearer(best, {0.0, {v0 / sum, v1 / sum, v2 / sum, v3 / sum}});
}

}  // namespace

void Simplex::reduce() {
  const int last = size - 1;
  Foot best{w[last].squaredNorm()};
  best.weight[last] = 1.0;
  for (int i = 0; i < last; ++i) {
    try_edge(w, last, i, best);
    for (int j = 0; j < i; ++j) try_triangle(w, last, i, j, best);
  }
  if (size == 4) try_solid(w, best);

  int kept = 0;
  for (int i = 0; i < size; ++i) {
    if (!(best.weight[i] > 0.0)) continue;
    a[kept] = a[i];
    b[kept] = b[i];
    w[kept] = w[i];
    weight[kept] = best.weight[i];
    ++kept;
  }
  size = kept;
}

}  // namespace planner_ccd::gjk_detail
