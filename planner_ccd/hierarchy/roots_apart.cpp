#include <cmath>

#include "planner_ccd/geometry/shape.hpp"
#include "planner_ccd/hierarchy/pair_frame.hpp"

/// The first look at two bodies. With D = c_B - c_A the line between the middles of the roots' generators and half edges
/// e_i, f_j, all in the world,
///
///   gap |D|  =  D.D - sum_i |D.e_i| - sum_j |D.f_j| - (r_A + r_B) |D|
///
/// D.e_i is computed as (R_A^T D).e_i. Rounding, u and S as in (1) of pair_frame.hpp, with the volumes' corners in place
/// of the contents: D errs by less than 16u S, R_A^T D by 10u |D|, the products with half edges by 6u |D| S each, the
/// sums by 8u |D| S, and a ball of A or B grows by a usual defect, 128u S, each: less than 322u S |D|. The sum of
/// magnitudes below is at least S.
///
/// Both bodies are treated alike, so each has a lane of a vector of two doubles.
namespace planner_ccd {
namespace {

using Two = double __attribute__((vector_size(16)));
using Mask = long long __attribute__((vector_size(16)));

constexpr double kUsualDefect = 128.0 * 0x1p-53;  ///< Not exceeded by rotations that are products of several.

inline Two absolute(Two x) {
  return reinterpret_cast<Two>(reinterpret_cast<Mask>(x) & Mask{0x7FFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF});
}

struct Vectors {
  Two x, y, z;
};
inline Vectors operator+(const Vectors& a, const Vectors& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Two dot(const Vectors& a, const Vectors& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Two sum_of_magnitudes(const Vectors& a) { return absolute(a.x) + absolute(a.y) + absolute(a.z); }

/// Squares of ||R^T R - I|| (Frobenius) of rotations with the columns x, y, z.
inline Two squared_defect(const Vectors& x, const Vectors& y, const Vectors& z) {
  const Two xx = dot(x, x) - 1.0, yy = dot(y, y) - 1.0, zz = dot(z, z) - 1.0;
  const Two xy = dot(x, y), yz = dot(y, z), zx = dot(z, x);
  return xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + yz * yz + zx * zx);
}

inline Two determinant(const Vectors& x, const Vectors& y, const Vectors& z) {
  return (x.y * y.z - x.z * y.y) * z.x + (x.z * y.x - x.x * y.z) * z.y + (x.x * y.y - x.y * y.x) * z.z;
}

inline Vectors column(const double* a, const double* b) { return {Two{a[0], b[0]}, Two{a[1], b[1]}, Two{a[2], b[2]}}; }
inline Vectors stored(const float* a, const float* b) { return {Two{a[0], b[0]}, Two{a[1], b[1]}, Two{a[2], b[2]}}; }

}  // namespace

bool roots_apart(const SsvTree& a, const Eigen::Isometry3d& X_WA, const SsvTree& b, const Eigen::Isometry3d& X_WB,
                 double margin) {
  static_assert(Eigen::Isometry3d::MatrixType::RowsAtCompileTime == 4 && !Eigen::Isometry3d::MatrixType::IsRowMajor);
  const double *A = X_WA.data(), *B = X_WB.data();
  const Vectors x = column(A, B), y = column(A + 4, B + 4), z = column(A + 8, B + 8);
  const Two defect = squared_defect(x, y, z), turn = determinant(x, y, z);
  if (!(defect[0] + defect[1] <= kUsualDefect * kUsualDefect) || !(turn[0] > 0.0) || !(turn[1] > 0.0)) return false;

  const float *va = a.packed(0), *vb = b.packed(0);
  const Eigen::Vector3d center_a = a.bounding_center(), center_b = b.bounding_center();
  const Vectors e0 = stored(va + 3, vb + 3), e1 = stored(va + 6, vb + 6);
  const Vectors origin = column(center_a.data(), center_b.data()) + stored(va, vb);
  const Vectors middle{origin.x + 0.5 * (e0.x + e1.x), origin.y + 0.5 * (e0.y + e1.y), origin.z + 0.5 * (e0.z + e1.z)};
  const Two px = x.x * middle.x + y.x * middle.y + z.x * middle.z;
  const Two py = x.y * middle.x + y.y * middle.y + z.y * middle.z;
  const Two pz = x.z * middle.x + y.z * middle.y + z.z * middle.z;
  const double tx = B[12] - A[12], ty = B[13] - A[13], tz = B[14] - A[14];
  const double dx = tx + (px[1] - px[0]), dy = ty + (py[1] - py[0]), dz = tz + (pz[1] - pz[0]);
  const double square = dx * dx + dy * dy + dz * dz;
  const Vectors D{Two{dx, dx}, Two{dy, dy}, Two{dz, dz}};
  const Vectors local{dot(x, D), dot(y, D), dot(z, D)};
  const Two extent = absolute(dot(local, e0)) + absolute(dot(local, e1));
  const Two magnitude = sum_of_magnitudes(origin) + sum_of_magnitudes(e0) + sum_of_magnitudes(e1);
  const double radii = static_cast<double>(va[9]) + vb[9];
  const double S = std::abs(tx) + std::abs(ty) + std::abs(tz) + magnitude[0] + magnitude[1] + radii;
  const double needed = (radii + margin + 384.0 * 0x1p-53 * S) * (1.0 + 0x1p-48);
  return square < kMaxCoordinate * kMaxCoordinate &&
         square - 0.5 * (extent[0] + extent[1]) > needed * std::sqrt(square);
}

}  // namespace planner_ccd
