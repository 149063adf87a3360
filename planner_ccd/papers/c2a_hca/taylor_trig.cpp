#include "planner_ccd/math/tolerances.hpp"
#include "planner_ccd/papers/c2a_hca/taylor_model.hpp"

/// Sine and cosine of Taylor models.
///
/// Linear angle alpha + beta s + [-r, r]: the Chebyshev coefficients are Bessel functions (Jacobi-Anger),
///
///   cos(beta s) = J_0 + 2 sum_{k>=1} (-1)^k J_{2k}(beta) T_{2k}(s),   sin(beta s) = 2 sum_{k>=0} (-1)^k J_{2k+1}(beta)
///   T_{2k+1}(s),  (1) J_k(beta) = sum_m (-1)^m h^(2m+k) / (m! (m+k)!),  h = beta / 2,   |J_k| <= h^k / k!  for real
///   beta,                        (2)
///
/// and sin, cos of the sum follow by the addition theorem. The terms of (1) beyond the order weigh, K being the first
/// one,
///
///   2 sum_{k = K, K+2, ...} h^k / k!  <=  2 h^K / K! / (1 - h^2 / ((K+1)(K+2))),   if the quotient is below 1. (3)
///
/// General angle c_0 + d, |d| <= D: the series of sin and cos of d in powers of d^2, by Horner's scheme in models, cut
/// where Lagrange's remainder D^(n+1) / (n+1)! is negligible; it is added nevertheless. (4)
///
/// Both functions have slope at most 1, so the angle's own remainder r carries over as it is. (5)
namespace planner_ccd {
namespace {

constexpr double kU = kUnitRoundoff;
constexpr int kMaxDegree = TaylorModel::kMaxDegree;
constexpr int kMaxTerms = 40;

/// [rad] Half of an angle's range, over one time domain, beyond which [-1, 1] is used instead of a Taylor model of its
/// sine: at 8 the terms of the series reach 400 and even degree 8 leaves a remainder above 1. Errs outwards.
constexpr double kMaxTaylorAngle = 8.0;

struct InverseTable {
  double value[kMaxTerms][kMaxDegree + 1];  // 1 / (m (m + k))
};
constexpr InverseTable make_inverses() {
  InverseTable t{};
  for (int m = 1; m < kMaxTerms; ++m) {
    for (int k = 0; k <= kMaxDegree; ++k) t.value[m][k] = 1.0 / (static_cast<double>(m) * (m + k));
  }
  return t;
}
constexpr InverseTable kInverse = make_inverses();

/// Coefficients of (1): c[k] of T_k, k <= order, even ones of cos(beta s), odd ones of sin(beta s).
struct Bessel {
  double c[kMaxDegree + 1];
  double even_error = 0.0;  // what the even coefficients leave out of cos(beta s), all rounding included
  double odd_error = 0.0;
};

/// (3) for the first missing term K; infinite when (3) does not apply.
double tail(double h, int first) {
  double term = 2.0;
  for (int k = 1; k <= first; ++k) term *= h / k;
  const double quotient = inflate(h * h / ((first + 1.0) * (first + 2.0)));
  if (!(quotient < 0.75)) return std::numeric_limits<double>::infinity();
  return inflate(inflate(term) / (1.0 - quotient));
}

/// |beta| <= kMaxTaylorAngle. Rounding of (2): a term passes 2 k + 1 roundings before the loop and 3 per turn, and its
/// share in the sum at most one per turn; below 2 * 8 + 1 + 4 * 40 < 256 roundings. The terms alternate and decrease
/// once h^2 < m (m + k), and the loop ends no sooner, so what it leaves out is below the last term.
Bessel bessel(double beta, int order) {
  Bessel out;
  const double h = 0.5 * std::abs(beta);
  const double h2 = h * h;
  double lead = 1.0;  // h^k / k!
  for (int k = 0; k <= order; ++k) {
    if (k > 0) lead *= h / k;
    double term = lead, sum = lead, size = lead;
    for (int m = 1; m < kMaxTerms; ++m) {
      const double factor = h2 * kInverse.value[m][k];
      term *= -factor;
      sum += term;
      size += std::abs(term);
      if (factor < 0.5 && std::abs(term) <= kUnitRoundoff / 128.0 * lead) break;
    }
    // Signs: (-1)^(k/2) for even k, (-1)^((k-1)/2) for odd k, and sin is odd in beta.
    double sign = (k / 2) % 2 == 0 ? 1.0 : -1.0;
    if (k % 2 == 1 && beta < 0.0) sign = -sign;
    out.c[k] = (k == 0 ? 1.0 : 2.0 * sign) * sum;
    (k % 2 == 0 ? out.even_error : out.odd_error) += 2.0 * (256.0 * kU * size + std::abs(term));
  }
  const int even = order % 2 == 0 ? order + 2 : order + 1;
  const int odd = order % 2 == 0 ? order + 1 : order + 2;
  out.even_error = inflate(out.even_error + tail(h, even));
  out.odd_error = inflate(out.odd_error + tail(h, odd));
  return out;
}

/// Anything a sine or cosine can be.
TaylorSinCos unit_ball(int order) {
  return {TaylorModel::unknown({-1.0, 1.0}, order), TaylorModel::unknown({-1.0, 1.0}, order)};
}

TaylorSinCos sin_cos_linear(double alpha, double beta, double r, int order) {
  const Bessel j = bessel(beta, order);
  const double s = std::sin(alpha), c = std::cos(alpha);
  double sin_c[kMaxDegree + 1], cos_c[kMaxDegree + 1];
  double size = 0.0;
  for (int k = 0; k <= order; ++k) {
    const bool even = k % 2 == 0;
    sin_c[k] = (even ? s : c) * j.c[k];
    cos_c[k] = even ? c * j.c[k] : -s * j.c[k];
    size += std::abs(j.c[k]);
  }
  // The library's error (relative to s and c, both at most 1) times |cos(beta s)| + |sin(beta s)| <= 2, and u per
  // product.
  const double rounding = 2.0 * kLibmRelative + kU * size;
  const double sin_r = inflate(std::abs(s) * j.even_error + std::abs(c) * j.odd_error + rounding + r);
  const double cos_r = inflate(std::abs(c) * j.even_error + std::abs(s) * j.odd_error + rounding + r);
  if (!(sin_r < 1.0 && cos_r < 1.0)) return unit_ball(order);
  return {TaylorModel::from_coefficients(sin_c, order, sin_r, order),
          TaylorModel::from_coefficients(cos_c, order, cos_r, order)};
}

TaylorSinCos sin_cos_general(const TaylorModel& angle) {
  const int order = angle.order();
  const double alpha = angle.coefficient(0);
  TaylorModel d = angle;
  d -= TaylorModel(alpha);
  const double size = d.mag();
  if (!(size <= kMaxTaylorAngle)) return unit_ball(order);
  int n = 2;
  double lagrange = size * size * size / 6.0;  // size^(n+1) / (n+1)!
  while (lagrange > kUnitRoundoff / 128.0 && n < 2 * kMaxTerms) {
    lagrange *= size * size / ((n + 2.0) * (n + 3.0));
    n += 2;
  }
  // Below, the sine keeps d^(n+1) and the cosine d^n: what they leave out is less than `lagrange` and `lagrange` *
  // size.
  const TaylorModel square = d * d;
  TaylorModel cos_d(1.0), sin_d(1.0);
  for (int k = n; k >= 2;
       k -= 2) {  // (4): 1 - d^2/(1 2) (1 - d^2/(3 4) (...)) and d (1 - d^2/(2 3) (1 - d^2/(4 5) (...)))
    cos_d = TaylorModel(1.0) - (square * cos_d) * (1.0 / ((k - 1.0) * k));
    sin_d = TaylorModel(1.0) - (square * sin_d) * (1.0 / (k * (k + 1.0)));
  }
  // 1 / (j (j + 1)) is rounded: relative error u of every factor, n / 2 factors at most, of terms whose sizes add up to
  // cosh(size).
  const double rounding = inflate((n + 2.0) * kU * std::cosh(size));
  sin_d = d * sin_d;
  sin_d.widen(inflate(lagrange) + rounding);
  cos_d.widen(inflate(lagrange * size) + rounding);
  const double s = std::sin(alpha), c = std::cos(alpha);
  TaylorSinCos out{s * cos_d + c * sin_d, c * cos_d - s * sin_d};
  out.sin.widen(2.0 * kLibmRelative);
  out.cos.widen(2.0 * kLibmRelative);
  return out.sin.remainder() < 1.0 && out.cos.remainder() < 1.0 ? out : unit_ball(order);
}

}  // namespace

TaylorSinCos sin_cos(const TaylorModel& angle) {
  if (!angle.is_finite() || angle.order() == 0) {
    const Interval range = angle.bound();
    return {TaylorModel::unknown(sin(range), angle.order()), TaylorModel::unknown(cos(range), angle.order())};
  }
  if (angle.degree() > 1) return sin_cos_general(angle);
  const double beta = angle.coefficient(1);
  if (!(std::abs(beta) <= kMaxTaylorAngle)) return unit_ball(angle.order());
  return sin_cos_linear(angle.coefficient(0), beta, angle.remainder(), angle.order());
}

}  // namespace planner_ccd
