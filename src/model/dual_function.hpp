// A TimeFunction evaluated on dual numbers of any nesting depth, through its derivatives.
//
//   apply(f, x)       f(x)
//   apply<1>(f, x)    f'(x), itself differentiable
//
// Derivatives are taken only where x really carries one: a time that is held fixed costs one evaluation. The third
// derivative is a difference (order 6) of the second one with a fixed step of 0.01: relative error about 1e-8 for an
// expression that varies on a scale of one. It enters the curvature terms of contact_curve only. Orders above 3 do not
// compile.
#pragma once
#include <array>

#include "math/dual.hpp"
#include "math/time_function.hpp"

namespace percussion {

namespace detail {

inline double third_derivative(const TimeFunction& f, double x) {
  if (f.is_constant()) return 0.;
  constexpr double h = 1e-2;
  const auto d = [&](int k) { return f.second_derivative(x + k * h) - f.second_derivative(x - k * h); };
  return (0.75 * d(1) - 0.15 * d(2) + d(3) / 60.) / h;
}

/// Derivatives of f at one point, each evaluated at most once.
class Derivatives {
 public:
  Derivatives(const TimeFunction& f, double x) : f_(f), x_(x) {}
  template <int order>
  double get() {
    static_assert(order <= 3, "a TimeFunction has three derivatives");
    if (!known_[order]) {
      known_[order] = true;
      if constexpr (order == 0) value_[0] = f_.value(x_);
      if constexpr (order == 1) value_[1] = f_.first_derivative(x_);
      if constexpr (order == 2) value_[2] = f_.second_derivative(x_);
      if constexpr (order == 3) value_[3] = third_derivative(f_, x_);
    }
    return value_[order];
  }

 private:
  const TimeFunction& f_;
  double x_;
  std::array<double, 4> value_{};
  std::array<bool, 4> known_{};
};

inline bool is_zero(double x) { return x == 0.; }
template <class T, int N>
bool is_zero(const Dual<T, N>& x) {
  if (!is_zero(x.v)) return false;
  for (const T& d : x.d)
    if (!is_zero(d)) return false;
  return true;
}

template <int order>
double compose(Derivatives& f, double) {
  return f.get<order>();
}
template <int order, class T, int N>
Dual<T, N> compose(Derivatives& f, const Dual<T, N>& x) {
  using D = Dual<T, N>;
  for (const T& d : x.d)
    if (!is_zero(d)) return D::chain(compose<order>(f, x.v), compose<order + 1>(f, x.v), x);
  return D(compose<order>(f, x.v));
}

}  // namespace detail

template <int order = 0, class T>
T apply(const TimeFunction& f, const T& x) {
  detail::Derivatives derivatives(f, value(x));
  return detail::compose<order>(derivatives, x);
}

}  // namespace percussion
