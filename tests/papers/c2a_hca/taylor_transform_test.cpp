#include "planner_ccd/papers/c2a_hca/taylor_transform.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "math/draws.hpp"

namespace planner_ccd {
namespace {

constexpr std::uint64_t kSeed = 20240104;
using Real = long double;
using RealVector = Eigen::Matrix<Real, 3, 1>;
using RealMatrix = Eigen::Matrix<Real, 3, 3>;

Eigen::Vector3d draw_axis(draws::Rng& rng) {
  if (rng.coin(0.5)) return (rng.coin(0.5) ? 1.0 : -1.0) * Eigen::Vector3d::Unit(rng.integer(0, 2));
  return Eigen::Vector3d(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1)).normalized();
}

struct ChainJoint {
  Eigen::Isometry3d offset;
  Eigen::Vector3d axis;
  bool revolute;
  double a, b, c;  // value a + b t + c t^2
};

std::vector<ChainJoint> draw_chain(draws::Rng& rng) {
  std::vector<ChainJoint> chain(rng.integer(1, 8));
  for (ChainJoint& j : chain) {
    j.offset = Eigen::AngleAxisd(rng.uniform(-3, 3), draw_axis(rng));
    j.offset.translation() = 0.4 * Eigen::Vector3d(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
    j.axis = draw_axis(rng);
    j.revolute = rng.coin(0.75);
    j.a = rng.uniform(-3, 3);
    j.b = rng.uniform(-1, 1);
    j.c = rng.coin(0.3) ? rng.uniform(-1, 1) : 0.0;
  }
  return chain;
}

TaylorTransform model(const std::vector<ChainJoint>& chain, const TimeDomain& domain, int order) {
  TaylorTransform X = TaylorTransform::identity();
  const TaylorModel t = TaylorModel::time(domain, order);
  for (const ChainJoint& j : chain) {
    X = X * j.offset;
    TaylorModel value = TaylorModel::linear(domain, j.a, j.b, order);
    if (j.c != 0.0) value.add_scaled(j.c, t * t);
    j.revolute ? X.turn(j.axis, value) : X.slide(j.axis, value);
  }
  return X;
}

struct RealPose {
  RealMatrix R = RealMatrix::Identity();
  RealVector p = RealVector::Zero();
};
/// Independent of the models: Rodrigues' formula in extended precision.
RealPose pose(const std::vector<ChainJoint>& chain, Real t) {
  RealPose X;
  for (const ChainJoint& j : chain) {
    X.p += X.R * j.offset.translation().cast<Real>();
    X.R = X.R * j.offset.linear().cast<Real>();
    const Real value = j.a + j.b * t + j.c * t * t;
    const RealVector axis = j.axis.cast<Real>().normalized();
    if (j.revolute) {
      RealMatrix K;
      K << 0, -axis.z(), axis.y(), axis.z(), 0, -axis.x(), -axis.y(), axis.x(), 0;
      X.R = X.R * (RealMatrix::Identity() + std::sin(value) * K + (1 - std::cos(value)) * K * K);
    } else {
      X.p += X.R * axis * value;
    }
  }
  return X;
}

Real polynomial(const TaylorModel& m, Real s) {
  Real b1 = 0, b2 = 0;
  for (int k = m.degree(); k >= 1; --k) {
    const Real b0 = 2 * s * b1 - b2 + m.coefficient(k);
    b2 = b1;
    b1 = b0;
  }
  return s * b1 - b2 + m.coefficient(0);
}
bool encloses(const TaylorVector& v, Real s, const RealVector& x) {
  for (int i = 0; i < 3; ++i) {
    if (!(std::abs(polynomial(v[i], s) - x[i]) <= v[i].remainder() + 1e-18L * v[i].mag())) return false;
  }
  return true;
}

TEST(TaylorTransform, EnclosesRandomChains) {
  draws::Rng rng(kSeed);
  const int n = draws::scaled(30'000);
  int tight = 0;
  for (int i = 0; i < n; ++i) {
    const std::vector<ChainJoint> chain = draw_chain(rng);
    const double t0 = rng.uniform(0, 1);
    const TimeDomain domain(t0, t0 + std::ldexp(1.0, -rng.integer(0, 5)));
    const TaylorTransform X = model(chain, domain, rng.integer(1, 5));
    const Eigen::Vector3d p(rng.uniform(-1, 1), rng.uniform(-1, 1), rng.uniform(-1, 1));
    const TaylorVector moved = X * p;
    const IntervalVector room = box(moved);
    for (int k = 0; k < 4; ++k) {
      const double s = k < 2 ? 2.0 * k - 1.0 : rng.uniform(-1, 1);
      const RealPose exact = pose(chain, static_cast<Real>(domain.mid) + static_cast<Real>(domain.half) * s);
      const RealVector x = exact.R * p.cast<Real>() + exact.p;
      ASSERT_TRUE(encloses(moved, s, x)) << "chain " << i << " of " << chain.size();
      for (int j = 0; j < 3; ++j) {
        ASSERT_TRUE(encloses(X.R.column[j], s, exact.R.col(j))) << "chain " << i;
        ASSERT_TRUE(room[j].lo <= x[j] + 1e-17L && x[j] - 1e-17L <= room[j].hi) << "chain " << i;
      }
    }
    tight += moved[0].remainder() + moved[1].remainder() + moved[2].remainder() < 1e-2;
  }
  std::printf("  %d chains, position known to 1 cm: %.1f %%\n", n, 100.0 * tight / n);
  EXPECT_GT(tight, n / 3);
}

/// Swept boxes, as used by the broad phase: how much wider they are than the true ones.
TEST(TaylorTransform, BoxesAreTightForOneRadian) {
  draws::Rng rng(kSeed + 1);
  const int n = draws::scaled(2'000);
  for (int order : {2, 3, 4, 5}) {
    double excess = 0.0, width = 0.0, remainder = 0.0;
    for (int i = 0; i < n; ++i) {
      std::vector<ChainJoint> chain = draw_chain(rng);
      double norm = 0.0;
      for (ChainJoint& j : chain) norm += j.b * j.b, j.c = 0.0;
      for (ChainJoint& j : chain) j.b /= std::sqrt(norm);  // an edge of 1 rad
      const TaylorVector moved = model(chain, TimeDomain(0, 1), order) * Eigen::Vector3d(0.1, 0.2, 0.1);
      const IntervalVector room = box(moved);
      RealVector lo = RealVector::Constant(1e9), hi = -lo;
      for (int k = 0; k <= 64; ++k) {
        const RealPose X = pose(chain, k / 64.0L);
        const RealVector x = X.R * RealVector(0.1L, 0.2L, 0.1L) + X.p;
        lo = lo.cwiseMin(x), hi = hi.cwiseMax(x);
      }
      for (int j = 0; j < 3; ++j) {
        excess += room[j].width() - static_cast<double>(hi[j] - lo[j]);
        width += static_cast<double>(hi[j] - lo[j]);
        remainder += moved[j].remainder();
      }
    }
    std::printf("  order %d: boxes %.2f %% wider than the true ones, mean remainder %.1e m\n", order,
                100.0 * excess / width, remainder / (3 * n));
    if (order >= 3) {
      EXPECT_LT(excess, 0.05 * width);
    }
  }
}

TEST(TaylorTransform, ProductOfPosesIsThePoseOfTheProduct) {
  draws::Rng rng(kSeed + 2);
  for (int i = 0; i < draws::scaled(2'000); ++i) {
    const std::vector<ChainJoint> a = draw_chain(rng), b = draw_chain(rng);
    const TimeDomain domain(0.2, 0.45);
    const TaylorTransform X = model(a, domain, 4) * model(b, domain, 4);
    for (double s : {-1.0, 0.1, 1.0}) {
      const Real t = static_cast<Real>(domain.mid) + static_cast<Real>(domain.half) * s;
      const RealPose A = pose(a, t), B = pose(b, t);
      ASSERT_TRUE(encloses(X.p, s, A.R * B.p + A.p));
      const RealMatrix R = A.R * B.R;
      for (int j = 0; j < 3; ++j) {
        ASSERT_TRUE(encloses(X.R.column[j], s, R.col(j)));
      }
    }
  }
}

TEST(TaylorVector, CrossAndDotEncloseThoseOfPoints) {
  draws::Rng rng(kSeed + 3);
  for (int i = 0; i < draws::scaled(5'000); ++i) {
    const std::vector<ChainJoint> a = draw_chain(rng), b = draw_chain(rng);
    const TimeDomain domain(0.2, 0.45);
    const TaylorVector u = model(a, domain, 3).p, v = model(b, domain, 3).p;
    const TaylorVector w = cross(u, v);
    const TaylorModel d = dot(u, v);
    const Real s = rng.uniform(-1, 1), t = static_cast<Real>(domain.mid) + static_cast<Real>(domain.half) * s;
    const RealVector x = pose(a, t).p, y = pose(b, t).p;
    ASSERT_TRUE(encloses(w, s, x.cross(y)));
    ASSERT_LE(std::abs(polynomial(d, s) - x.dot(y)), d.remainder() + 1e-18L * d.mag());
  }
}

}  // namespace
}  // namespace planner_ccd
