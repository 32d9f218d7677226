// Observed orders on nonlinear equations; the stages are solved by fixed-point iteration, h being small.
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <functional>

#include "tableau_samples.hpp"

using namespace percussion;
using namespace tableau_samples;

namespace {

// x' = (1 + x^2) cos t, x(0) = 0: x = tan(sin t). Not autonomous, all elementary differentials nonzero.
VecX f(const VecX& tau, const VecX& X) {
  return tau.binaryExpr(X, [](double t, double x) { return (1.0 + x * x) * std::cos(t); });
}
double exact(double t) {
  return std::tan(std::sin(t));
}

constexpr int sweeps = 60;  // contraction h |lambda(A)| |df/dx| < 0.4 at the coarsest step below

double step(const Tableau& tableau, const VecX& weights, double t, double h, double x) {
  const VecX tau = VecX::Constant(tableau.s, t) + h * tableau.c, X_n = VecX::Constant(tableau.s, x);
  VecX dX = VecX::Zero(tableau.s);
  for (int k = 0; k < sweeps; ++k) dX = f(tau, X_n + h * (tableau.A * dX));
  return x + h * weights.dot(dX);
}

// Order between the two finest of the runs with 4, 8, 16... steps whose error stands clear of roundoff.
double observed_order(const std::function<double(int)>& error) {
  double coarse = error(4), order = 0.0;
  for (int n = 8; n <= 512; n *= 2) {
    const double fine = error(n);
    if (fine < 2e-13) break;  // 1000 eps
    order = std::log2(coarse / fine);
    coarse = fine;
  }
  return order;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tableau_convergence)

BOOST_AUTO_TEST_CASE(order_on_a_nonlinear_scalar_equation) {
  for (const Sample& sample : samples()) {
    const Tableau& t = sample.tableau;
    if (t.order > 8) continue;  // roundoff is reached with the coarsest steps
    const double order = observed_order([&](int n) {
      const double h = 1.0 / n;
      double x = 0.0;
      for (int i = 0; i < n; ++i) x = step(t, t.b, i * h, h, x);
      return std::abs(x - exact(1.0));
    });
    BOOST_TEST_CONTEXT(t.name) BOOST_TEST(std::abs(order - t.order) < 0.3);  // the next order of h at these h
  }
}

BOOST_AUTO_TEST_CASE(embedded_rule_has_a_local_error_one_order_higher) {
  for (const double r : rho) {
    const Tableau t = tr_theta(r);
    const auto local = [&](const VecX& weights) {
      return observed_order([&](int n) {
        const double h = 1.0 / n;
        return std::abs(step(t, weights, 0.5, h, exact(0.5)) - exact(0.5 + h));
      });
    };
    BOOST_TEST(std::abs(local(t.b) - (t.order + 1)) < 0.3);
    BOOST_TEST(std::abs(local(t.b_hat) - (t.embedded_order + 1)) < 0.3);
  }
}

BOOST_AUTO_TEST_CASE(order_of_the_partitioned_pair_on_the_pendulum) {
  // q' = u, u' = -sin q, released at pi / 2; the finest Radau IIA solution is the reference.
  const auto end = [](const MatX& A, const MatX& A_hat, const VecX& b, int n) {
    const double h = 1.0 / n;
    Vec2 x(std::acos(0.0), 0.0);
    for (int i = 0; i < n; ++i) {
      VecX dQ = VecX::Zero(b.size()), dU = dQ;
      for (int k = 0; k < sweeps; ++k) {
        const VecX Q = VecX::Constant(b.size(), x[0]) + h * (A * dQ);
        dQ = VecX::Constant(b.size(), x[1]) + h * (A_hat * dU);
        dU = Q.unaryExpr([](double angle) { return -std::sin(angle); });
      }
      x += h * Vec2(b.dot(dQ), b.dot(dU));
    }
    return x;
  };
  const Tableau fine = radau_iia(5);
  const Vec2 reference = end(fine.A, fine.A, fine.b, 20);
  for (int s = 2; s <= 4; ++s) {
    const PartitionedTableau t = lobatto_iiia_iiib(s);
    const double order = observed_order([&](int n) { return (end(t.A, t.A_hat, t.b, n) - reference).norm(); });
    BOOST_TEST_CONTEXT(t.name) BOOST_TEST(std::abs(order - t.order) < 0.3);
  }
}

BOOST_AUTO_TEST_SUITE_END()
