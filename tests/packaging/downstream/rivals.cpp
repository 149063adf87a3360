// Out-of-line copies of Eigen functions that the library contains too, compiled with this project's options: a linker
// that used them in place of the library's would change its results.
#include <Eigen/Dense>

namespace {

template <class F>
F hidden(F f) {
  F volatile address = f;  // forces an out-of-line copy
  return address;
}

}  // namespace

double rivals(double seed) {
  using Eigen::Isometry3d, Eigen::Matrix3d, Eigen::Quaterniond, Eigen::Vector3d;
  using Product = Eigen::internal::transform_transform_product_impl<Isometry3d, Isometry3d, false>;
  const Matrix3d turn = Eigen::AngleAxisd(seed, Vector3d(1.0, 2.0, seed).normalized()).toRotationMatrix();
  Isometry3d X = Isometry3d::Identity();
  X.linear() = turn;
  X.translation() = Vector3d(seed, 1.0 / seed, 0.1);
  const Isometry3d Y = hidden(&Product::run)(X, X);
  const Quaterniond from(turn), to(Y.linear());
  const auto slerp = hidden(static_cast<Quaterniond (Eigen::QuaternionBase<Quaterniond>::*)(
                                const double&, const Eigen::QuaternionBase<Quaterniond>&) const>(
      &Eigen::QuaternionBase<Quaterniond>::slerp<Quaterniond>));
  const Quaterniond between = (from.*slerp)(0.3, to);
  const Eigen::JacobiSVD<Matrix3d, Eigen::ComputeFullU | Eigen::ComputeFullV> svd(turn + Y.linear());
  const Eigen::SelfAdjointEigenSolver<Matrix3d> eigen(turn * turn.transpose());
  const Eigen::ColPivHouseholderQR<Eigen::Matrix<double, 3, 2>> qr(turn.leftCols<2>());
  return between.w() + svd.singularValues().sum() + eigen.eigenvalues().sum() + qr.absDeterminant() +
         Vector3d(seed, 1.0, 2.0).stableNorm() + Y.translation().sum();
}
