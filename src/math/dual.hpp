// Forward-mode dual numbers: Dual<T, N> carries a value and N directional derivatives.
// Dual<Dual<double, N>, N> carries second derivatives as well. Fixed size, no allocation, usable as
// an Eigen scalar and mixed with double in Eigen expressions.
// Comparisons look at values only, so a branch is differentiated along the side that is taken; abs,
// min and max give one element of the generalized derivative at their kink. sqrt, log and pow have
// no finite derivative at zero and return inf or NaN there: keep arguments away from it.
#pragma once

#include <Eigen/Core>

#include <array>
#include <cmath>
#include <utility>

namespace percussion {

template <class T, int N>
struct Dual {
  T v{};
  std::array<T, N> d{};

  Dual() = default;
  Dual(const T& value) : v(value) {}  // NOLINT: a constant, implicit on purpose
  template <class S>
    requires(std::is_arithmetic_v<S> && !std::is_same_v<S, T>)
  Dual(S value) : v(static_cast<double>(value)) {}  // NOLINT
  Dual(const T& value, int direction) : v(value) { d[direction] = T(1.0); }

  // Chain rule for f(x): value f(x.v), outer derivative f'(x.v).
  static Dual chain(const T& f, const T& df, const Dual& x) {
    Dual r(f);
    for (int i = 0; i < N; ++i) r.d[i] = df * x.d[i];
    return r;
  }
  static Dual chain(const T& f, const T& df_dx, const Dual& x, const T& df_dy, const Dual& y) {
    Dual r(f);
    for (int i = 0; i < N; ++i) r.d[i] = df_dx * x.d[i] + df_dy * y.d[i];
    return r;
  }

  Dual& operator+=(const Dual& b) {
    v += b.v;
    for (int i = 0; i < N; ++i) d[i] += b.d[i];
    return *this;
  }
  Dual& operator-=(const Dual& b) {
    v -= b.v;
    for (int i = 0; i < N; ++i) d[i] -= b.d[i];
    return *this;
  }
  Dual& operator*=(const Dual& b) { return *this = *this * b; }
  Dual& operator/=(const Dual& b) { return *this = *this / b; }
  Dual& operator+=(double b) { v += b; return *this; }
  Dual& operator-=(double b) { v -= b; return *this; }
  Dual& operator*=(double b) {
    v *= b;
    for (int i = 0; i < N; ++i) d[i] *= b;
    return *this;
  }
  Dual& operator/=(double b) { return *this *= 1.0 / b; }

  friend Dual operator+(const Dual& a) { return a; }
  friend Dual operator-(const Dual& a) {
    Dual r(-a.v);
    for (int i = 0; i < N; ++i) r.d[i] = -a.d[i];
    return r;
  }
  friend Dual operator+(Dual a, const Dual& b) { return a += b; }
  friend Dual operator+(Dual a, double b) { return a += b; }
  friend Dual operator+(double a, Dual b) { return b += a; }
  friend Dual operator-(Dual a, const Dual& b) { return a -= b; }
  friend Dual operator-(Dual a, double b) { return a -= b; }
  friend Dual operator-(double a, const Dual& b) { return -b + a; }
  friend Dual operator*(const Dual& a, const Dual& b) { return chain(a.v * b.v, b.v, a, a.v, b); }
  friend Dual operator*(Dual a, double b) { return a *= b; }
  friend Dual operator*(double a, Dual b) { return b *= a; }
  friend Dual operator/(const Dual& a, const Dual& b) {
    const T q = a.v / b.v, inv = 1.0 / b.v;
    return chain(q, inv, a, -q * inv, b);
  }
  friend Dual operator/(Dual a, double b) { return a /= b; }
  friend Dual operator/(double a, const Dual& b) {
    const T q = a / b.v;
    return chain(q, -q / b.v, b);
  }

  friend bool operator==(const Dual& a, const Dual& b) { return a.v == b.v; }
  friend bool operator!=(const Dual& a, const Dual& b) { return a.v != b.v; }
  friend bool operator<(const Dual& a, const Dual& b) { return a.v < b.v; }
  friend bool operator<=(const Dual& a, const Dual& b) { return a.v <= b.v; }
  friend bool operator>(const Dual& a, const Dual& b) { return a.v > b.v; }
  friend bool operator>=(const Dual& a, const Dual& b) { return a.v >= b.v; }

  // Found by argument-dependent lookup; the `using std::` picks the double overload at the bottom
  // of the nesting.
  friend Dual sqrt(const Dual& x) { using std::sqrt; const T s = sqrt(x.v); return chain(s, 0.5 / s, x); }
  friend Dual cbrt(const Dual& x) { using std::cbrt; const T s = cbrt(x.v); return chain(s, 1.0 / (3.0 * s * s), x); }
  friend Dual exp(const Dual& x) { using std::exp; const T e = exp(x.v); return chain(e, e, x); }
  friend Dual log(const Dual& x) { using std::log; return chain(log(x.v), 1.0 / x.v, x); }
  friend Dual sin(const Dual& x) { using std::sin; using std::cos; return chain(sin(x.v), cos(x.v), x); }
  friend Dual cos(const Dual& x) { using std::sin; using std::cos; return chain(cos(x.v), -sin(x.v), x); }
  friend Dual tan(const Dual& x) { using std::tan; const T t = tan(x.v); return chain(t, 1.0 + t * t, x); }
  friend Dual asin(const Dual& x) { using std::asin; using std::sqrt; return chain(asin(x.v), 1.0 / sqrt(1.0 - x.v * x.v), x); }
  friend Dual acos(const Dual& x) { using std::acos; using std::sqrt; return chain(acos(x.v), -1.0 / sqrt(1.0 - x.v * x.v), x); }
  friend Dual atan(const Dual& x) { using std::atan; return chain(atan(x.v), 1.0 / (1.0 + x.v * x.v), x); }
  friend Dual sinh(const Dual& x) { using std::sinh; using std::cosh; return chain(sinh(x.v), cosh(x.v), x); }
  friend Dual cosh(const Dual& x) { using std::sinh; using std::cosh; return chain(cosh(x.v), sinh(x.v), x); }
  friend Dual tanh(const Dual& x) { using std::tanh; const T t = tanh(x.v); return chain(t, 1.0 - t * t, x); }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    const T inv = 1.0 / (x.v * x.v + y.v * y.v);
    return chain(atan2(y.v, x.v), x.v * inv, y, -y.v * inv, x);
  }
  friend Dual hypot(const Dual& x, const Dual& y) { return sqrt(x * x + y * y); }
  friend Dual pow(const Dual& x, double p) {
    using std::pow;
    if (p == 0.0) return Dual(1.0);  // also at x = 0, where p x^(p-1) would be 0 * inf
    return chain(pow(x.v, p), p * pow(x.v, p - 1.0), x);
  }
  friend Dual pow(const Dual& x, const Dual& y) {
    using std::pow;
    using std::log;
    const T f = pow(x.v, y.v);
    return chain(f, y.v * pow(x.v, y.v - 1.0), x, f * log(x.v), y);
  }
  friend Dual pow(double x, const Dual& y) {
    using std::pow;
    const T f = pow(x, y.v);
    return chain(f, f * std::log(x), y);
  }
  friend Dual abs(const Dual& x) { return x.v < T(0.0) ? -x : x; }
  friend Dual fabs(const Dual& x) { return abs(x); }
  friend Dual abs2(const Dual& x) { return x * x; }
  friend Dual min(const Dual& a, const Dual& b) { return b.v < a.v ? b : a; }
  friend Dual max(const Dual& a, const Dual& b) { return a.v < b.v ? b : a; }
  friend bool isfinite(const Dual& x) {
    using std::isfinite;
    bool ok = isfinite(x.v);
    for (int i = 0; i < N; ++i) ok = ok && isfinite(x.d[i]);
    return ok;
  }
  friend bool isnan(const Dual& x) {
    using std::isnan;
    bool bad = isnan(x.v);
    for (int i = 0; i < N; ++i) bad = bad || isnan(x.d[i]);
    return bad;
  }
};

// Innermost value, at any nesting depth.
inline double value(double x) { return x; }
template <class T, int N>
double value(const Dual<T, N>& x) { return value(x.v); }

// x as N independent variables (first derivatives only).
template <class T, int N>
Eigen::Matrix<Dual<T, N>, N, 1> variables(const Eigen::Matrix<T, N, 1>& x) {
  Eigen::Matrix<Dual<T, N>, N, 1> X;
  for (int i = 0; i < N; ++i) X[i] = Dual<T, N>(x[i], i);
  return X;
}

template <int M, int N>
struct ValueJacobian {
  Eigen::Matrix<double, M, 1> f;
  Eigen::Matrix<double, M, N> J;
};

// f: R^N -> R^M given as a generic callable on Eigen vectors.
template <class F, int N>
auto jacobian(F&& function, const Eigen::Matrix<double, N, 1>& x) {
  const auto y = function(variables<double, N>(x)).eval();
  constexpr int M = std::decay_t<decltype(y)>::RowsAtCompileTime;
  ValueJacobian<M, N> r;
  for (int i = 0; i < M; ++i) {
    r.f[i] = y[i].v;
    for (int j = 0; j < N; ++j) r.J(i, j) = y[i].d[j];
  }
  return r;
}

template <int N>
struct ValueGradientHessian {
  double f;
  Eigen::Matrix<double, N, 1> g;
  Eigen::Matrix<double, N, N> H;
};

// f: R^N -> R.
template <class F, int N>
ValueGradientHessian<N> hessian(F&& function, const Eigen::Matrix<double, N, 1>& x) {
  const auto y = function(variables<Dual<double, N>, N>(variables<double, N>(x)));
  ValueGradientHessian<N> r;
  r.f = y.v.v;
  for (int i = 0; i < N; ++i) {
    r.g[i] = y.v.d[i];
    for (int j = 0; j < N; ++j) r.H(i, j) = y.d[i].d[j];
  }
  return r;
}

}  // namespace percussion

namespace Eigen {

template <class T, int N>
struct NumTraits<percussion::Dual<T, N>> : NumTraits<double> {
  using Real = percussion::Dual<T, N>;
  using NonInteger = Real;
  using Nested = Real;
  using Literal = double;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = (N + 1) * NumTraits<T>::ReadCost,
    AddCost = (N + 1) * NumTraits<T>::AddCost,
    MulCost = (2 * N + 1) * NumTraits<T>::MulCost
  };
};

template <class T, int N, class Op>
struct ScalarBinaryOpTraits<percussion::Dual<T, N>, double, Op> {
  using ReturnType = percussion::Dual<T, N>;
};
template <class T, int N, class Op>
struct ScalarBinaryOpTraits<double, percussion::Dual<T, N>, Op> {
  using ReturnType = percussion::Dual<T, N>;
};

}  // namespace Eigen
