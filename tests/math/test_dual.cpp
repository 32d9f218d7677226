// Dual numbers against closed forms (exact to roundoff) and against differences.
#include <boost/test/unit_test.hpp>

#include <Eigen/Dense>
#include <cmath>

#include "math/dual.hpp"
#include "math/types.hpp"

using namespace percussion;

namespace {

using D1 = Dual<double, 1>;
using D2 = Dual<D1, 1>;

// First and second derivative at x of a scalar function known in closed form.
template <class F>
void check(F f, double x, double f0, double f1, double f2) {
  const D2 y = f(D2(D1(x, 0), 0));
  const double tol = 1e-13;  // a handful of operations in double
  BOOST_TEST_CONTEXT("x = " << x) {
    BOOST_TEST(std::abs(y.v.v - f0) <= tol * (1.0 + std::abs(f0)));
    BOOST_TEST(std::abs(y.v.d[0] - f1) <= tol * (1.0 + std::abs(f1)));
    BOOST_TEST(std::abs(y.d[0].v - f1) <= tol * (1.0 + std::abs(f1)));
    BOOST_TEST(std::abs(y.d[0].d[0] - f2) <= tol * (1.0 + std::abs(f2)));
  }
}

// Uses most of the operations in one expression with two variables.
const auto tangled = [](const auto& x) {
  using T = std::decay_t<decltype(x[0])>;
  const T a = exp(x[0] * 0.3) / (2.0 + sin(x[1])) - pow(x[0] * x[0] + 1.0, 0.7);
  const T b = atan2(x[1], x[0] + 3.0) + sqrt(a * a + 1.0) - log(cosh(x[1]) + x[0] * x[0]);
  return T(a * b + hypot(x[0], x[1]) / (1.0 + tanh(a)) - tan(0.1 * b) * pow(2.0, x[1]));
};

}  // namespace

BOOST_AUTO_TEST_SUITE(dual)

BOOST_AUTO_TEST_CASE(elementary_functions_have_their_first_and_second_derivatives) {
  for (const double x : {0.2, 0.7}) {
    const double s = std::sin(x), c = std::cos(x), e = std::exp(x), q = std::sqrt(1 - x * x);
    check([](auto t) { return sin(t); }, x, s, c, -s);
    check([](auto t) { return cos(t); }, x, c, -s, -c);
    check([](auto t) { return tan(t); }, x, s / c, 1 / (c * c), 2 * s / (c * c * c));
    check([](auto t) { return asin(t); }, x, std::asin(x), 1 / q, x / (q * q * q));
    check([](auto t) { return acos(t); }, x, std::acos(x), -1 / q, -x / (q * q * q));
    check([](auto t) { return atan(t); }, x, std::atan(x), 1 / (1 + x * x), -2 * x / std::pow(1 + x * x, 2));
    check([](auto t) { return sinh(t); }, x, std::sinh(x), std::cosh(x), std::sinh(x));
    check([](auto t) { return cosh(t); }, x, std::cosh(x), std::sinh(x), std::cosh(x));
    const double th = std::tanh(x);
    check([](auto t) { return tanh(t); }, x, th, 1 - th * th, -2 * th * (1 - th * th));
    check([](auto t) { return exp(t); }, x, e, e, e);
    check([](auto t) { return log(t); }, x, std::log(x), 1 / x, -1 / (x * x));
    check([](auto t) { return sqrt(t); }, x, std::sqrt(x), 0.5 / std::sqrt(x), -0.25 * std::pow(x, -1.5));
    check([](auto t) { return cbrt(t); }, x, std::cbrt(x), std::pow(x, -2. / 3) / 3, -2. / 9 * std::pow(x, -5. / 3));
    check([](auto t) { return pow(t, 3.5); }, x, std::pow(x, 3.5), 3.5 * std::pow(x, 2.5), 8.75 * std::pow(x, 1.5));
    check([](auto t) { return pow(t, t); }, x, std::pow(x, x), std::pow(x, x) * (std::log(x) + 1),
          std::pow(x, x) * (std::pow(std::log(x) + 1, 2) + 1 / x));
    const double l2 = std::log(2.0), p2 = std::pow(2.0, x);
    check([](auto t) { return pow(2.0, t); }, x, p2, l2 * p2, l2 * l2 * p2);
    check([](auto t) { return 3.0 / t - t / 4.0 + (1.0 - t) * 2.0; }, x, 3 / x - x / 4 + 2 - 2 * x,
          -3 / (x * x) - 2.25, 6 / (x * x * x));
  }
}

BOOST_AUTO_TEST_CASE(atan2_is_the_polar_angle_in_all_quadrants) {
  for (const double phi : {0.4, 2.0, -2.5, -0.3}) {
    const D2 angle(D1(phi, 0), 0);  // atan2(r sin, r cos) = angle, first derivative 1, second 0
    const D2 back = atan2(1.7 * sin(angle), 1.7 * cos(angle));
    BOOST_TEST(back.v.v == phi, boost::test_tools::tolerance(1e-14));
    BOOST_TEST(std::abs(back.d[0].v - 1.0) < 1e-14);
    BOOST_TEST(std::abs(back.d[0].d[0]) < 1e-14);
  }
}

BOOST_AUTO_TEST_CASE(powers_at_zero_are_finite_where_the_derivative_is) {
  const D2 zero(D1(0.0, 0), 0);
  const D2 square = pow(zero, 2.0), one = pow(zero, 0.0), line = pow(zero, 1.0);
  BOOST_TEST(square.d[0].d[0] == 2.0);
  BOOST_TEST(one.v.v == 1.0);
  BOOST_TEST(one.d[0].v == 0.0);
  BOOST_TEST(line.d[0].v == 1.0);
}

BOOST_AUTO_TEST_CASE(branches_follow_the_value) {
  const D1 x(-2.0, 0), y(3.0);
  BOOST_TEST(abs(x).d[0] == -1.0);
  BOOST_TEST(max(x, y).d[0] == 0.0);
  BOOST_TEST(min(x, y).d[0] == 1.0);
  BOOST_TEST((x < y && y > x && x <= x && x >= x && x != y && x < 0.0 && y == 3.0));
  BOOST_TEST(isnan(sqrt(x)));
  BOOST_TEST(!isfinite(1.0 / D1(0.0, 0)));
}

BOOST_AUTO_TEST_CASE(gradient_and_hessian_match_differences) {
  const Vec2 x(0.8, -0.6);
  const auto r = hessian(tangled, x);
  const double h = 1e-3;  // order-4 differences: error h^4 ~ 1e-12 times derivatives, roundoff 1e-13
  const auto f = [&](const Vec2& y) {
    return tangled(std::array<Dual<double, 1>, 2>{y[0], y[1]}).v;
  };
  Mat2 H;
  for (int i = 0; i < 2; ++i) {
    const Vec2 e = h * Vec2::Unit(i);
    const double g = (8 * (f(x + e) - f(x - e)) - (f(x + 2 * e) - f(x - 2 * e))) / (12 * h);
    BOOST_TEST(std::abs(r.g[i] - g) < 1e-10);
    H.col(i) = (8 * (hessian(tangled, Vec2(x + e)).g - hessian(tangled, Vec2(x - e)).g) -
                (hessian(tangled, Vec2(x + 2 * e)).g - hessian(tangled, Vec2(x - 2 * e)).g)) /
               (12 * h);
  }
  BOOST_TEST((r.H - H).norm() < 1e-9);  // third derivatives of size 10
  BOOST_TEST(std::abs(r.H(0, 1) - r.H(1, 0)) < 1e-14);
  BOOST_TEST(std::abs(r.f - f(x)) < 1e-15);
}

BOOST_AUTO_TEST_CASE(works_as_an_eigen_scalar_and_mixes_with_double) {
  // x -> S(x)^-1 b: derivative -S^-1 S' S^-1 b with S linear in x.
  Mat3 S0, S1;
  S0 << 4, 1, 0, 1, 3, 1, 0, 1, 5;
  S1 << 0.3, 0.1, -0.2, 0.1, 0.5, 0.4, -0.2, 0.4, 0.1;
  const Vec3 b(1, -2, 3);
  const auto solve = [&](const auto& x) {
    using T = typename std::decay_t<decltype(x)>::Scalar;
    const MatT<T, 3, 3> S = S0 + S1 * x[0];        // double matrix times Dual
    const VecT<T, 3> y = S.partialPivLu().solve(b.template cast<T>());
    return VecT<T, 3>(S0 * y - 2.0 * y.normalized());  // double times Dual vector, norm
  };
  const VecT<double, 1> x(0.7);
  const auto r = jacobian(solve, x);
  const Mat3 S = S0 + S1 * x[0];
  const Vec3 y = S.inverse() * b, dy = -S.inverse() * S1 * y;
  const Vec3 n = y.normalized();
  const Vec3 expected = S0 * dy - 2.0 / y.norm() * (dy - n * n.dot(dy));
  BOOST_TEST((r.J - expected).norm() < 1e-13);  // small well-conditioned matrices
  BOOST_TEST((r.f - (S0 * y - 2.0 * n)).norm() < 1e-13);
}

BOOST_AUTO_TEST_SUITE_END()
