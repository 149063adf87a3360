#include "triangle_ccd/exact_polynomial.hpp"

#include <algorithm>

namespace planner_ccd::test {
namespace {

/// Sign changes of a Sturm chain at t.
int variations(const std::vector<Polynomial>& chain, const Exact& t) {
  int changes = 0, last = 0;
  for (const Polynomial& p : chain) {
    const int sign = p.sign_at(t);
    if (sign == 0) continue;
    if (last != 0 && sign != last) ++changes;
    last = sign;
  }
  return changes;
}

std::vector<Polynomial> sturm_chain(const Polynomial& p) {
  std::vector<Polynomial> chain{p.scaled(), p.derivative().scaled()};
  while (!chain.back().is_zero()) {
    chain.push_back((Polynomial() - chain[chain.size() - 2] % chain.back()).scaled());
  }
  chain.pop_back();
  return chain;
}

/// Appends the roots in (lo, hi], of which there are `count`.
void isolate(const Polynomial& p, const std::vector<Polynomial>& chain, const Exact& lo, const Exact& hi, int count,
             std::vector<Root>& out) {
  if (count == 0) return;
  if (count == 1) {
    out.push_back({p, lo, hi});
    return;
  }
  const Exact mid = (lo + hi) / 2;
  const int left = variations(chain, lo) - variations(chain, mid);
  isolate(p, chain, lo, mid, left, out);
  isolate(p, chain, mid, hi, count - left, out);
}

}  // namespace

Polynomial::Polynomial(std::vector<Exact> coefficients) : c_(std::move(coefficients)) {
  while (!c_.empty() && c_.back() == 0) c_.pop_back();
}

Exact Polynomial::at(const Exact& t) const {
  Exact value = 0;
  for (auto c = c_.rbegin(); c != c_.rend(); ++c) value = value * t + *c;
  return value;
}

Polynomial Polynomial::derivative() const {
  std::vector<Exact> d;
  for (std::size_t i = 1; i < c_.size(); ++i) d.push_back(c_[i] * static_cast<int>(i));
  return Polynomial(std::move(d));
}

Polynomial Polynomial::scaled() const {
  if (is_zero()) return *this;
  const Exact factor = abs(c_.back());
  std::vector<Exact> s = c_;
  for (Exact& c : s) c /= factor;
  return Polynomial(std::move(s));
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  std::vector<Exact> c(std::max(a.c_.size(), b.c_.size()), Exact(0));
  for (std::size_t i = 0; i < a.c_.size(); ++i) c[i] += a.c_[i];
  for (std::size_t i = 0; i < b.c_.size(); ++i) c[i] += b.c_[i];
  return Polynomial(std::move(c));
}

Polynomial operator-(const Polynomial& a, const Polynomial& b) { return a + b * Polynomial({Exact(-1)}); }

Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  if (a.is_zero() || b.is_zero()) return {};
  std::vector<Exact> c(a.c_.size() + b.c_.size() - 1, Exact(0));
  for (std::size_t i = 0; i < a.c_.size(); ++i) {
    for (std::size_t k = 0; k < b.c_.size(); ++k) c[i + k] += a.c_[i] * b.c_[k];
  }
  return Polynomial(std::move(c));
}

Polynomial operator%(const Polynomial& a, const Polynomial& b) {
  std::vector<Exact> r = a.c_;
  const int n = b.degree();
  for (int i = a.degree(); i >= n; --i) {
    const Exact factor = r[i] / b.c_.back();
    for (int k = 0; k <= n; ++k) r[i - n + k] -= factor * b.c_[k];
  }
  r.resize(std::min<std::size_t>(r.size(), n));
  return Polynomial(std::move(r));
}

Polynomial operator/(const Polynomial& a, const Polynomial& b) {
  std::vector<Exact> r = a.c_, quotient(std::max(0, a.degree() - b.degree() + 1), Exact(0));
  const int n = b.degree();
  for (int i = a.degree(); i >= n; --i) {
    quotient[i - n] = r[i] / b.c_.back();
    for (int k = 0; k <= n; ++k) r[i - n + k] -= quotient[i - n] * b.c_[k];
  }
  return Polynomial(std::move(quotient));
}

Polynomial gcd(Polynomial a, Polynomial b) {
  while (!b.is_zero()) {
    Polynomial r = (a % b).scaled();
    a = std::move(b);
    b = std::move(r);
  }
  return a.scaled();
}

void Root::refine() {
  if (lo == hi) return;
  const Exact mid = (lo + hi) / 2;
  const int at_mid = defining.sign_at(mid);
  if (at_mid == 0)
    lo = hi = mid;
  else if (defining.sign_at(hi) == 0)
    lo = hi;
  else if (at_mid == defining.sign_at(hi))
    hi = mid;
  else
    lo = mid;
}

int Root::sign_of(const Polynomial& g) {
  if (g.is_zero()) return 0;
  if (lo == hi) return g.sign_at(lo);
  const Polynomial common = gcd(defining, g);
  if (common.degree() > 0) {
    // Its roots are simple roots of `defining`, and in (lo, hi] there is at most one.
    const std::vector<Polynomial> chain = sturm_chain(common);
    if (variations(chain, lo) != variations(chain, hi)) return 0;
  }
  if (g.degree() == 0) return g.sign_at(lo);
  const Polynomial simple = g / gcd(g, g.derivative());
  const std::vector<Polynomial> chain = sturm_chain(simple);
  while (lo != hi && (variations(chain, lo) != variations(chain, hi) || g.sign_at(hi) == 0)) refine();
  return g.sign_at(hi);
}

std::vector<Root> roots_in_unit_interval(const Polynomial& p) {
  std::vector<Root> out;
  if (p.degree() <= 0) return out;
  const Polynomial simple = (p / gcd(p, p.derivative())).scaled();
  const std::vector<Polynomial> chain = sturm_chain(simple);
  if (simple.sign_at(0) == 0) out.push_back({simple, 0, 0});
  isolate(simple, chain, 0, 1, variations(chain, 0) - variations(chain, 1), out);
  return out;
}

}  // namespace planner_ccd::test
