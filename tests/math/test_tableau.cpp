// Coefficients: simplifying assumptions at their order and not beyond, structure, printed tables, names.
#include <boost/test/unit_test.hpp>

#include <Eigen/Dense>
#include <cmath>
#include <stdexcept>

#include "math/collocation.hpp"
#include "tableau_samples.hpp"

using namespace percussion;
using namespace tableau_samples;

namespace {

constexpr double roundoff = 1e-14;  // a sum of at most ten products of numbers below one, rounded once
// The first condition beyond the order fails by an error constant that falls with s; the smallest one
// here is 3.9e-7 (radau_iia_6).
constexpr double violated = 1e-8;

MatX matrix(int n, std::initializer_list<double> rows) {
  MatX M(n, n);
  int k = 0;
  for (const double x : rows) M(k / n, k % n) = x, ++k;
  return M;
}

double distance(const MatX& A, const MatX& B) {
  return (A - B).cwiseAbs().maxCoeff();
}

}  // namespace

BOOST_AUTO_TEST_SUITE(tableau)

BOOST_AUTO_TEST_CASE(nodes_are_roots_of_the_legendre_combinations) {
  using collocation::Mat, collocation::Vec;
  for (int s = 1; s <= max_stages; ++s) {
    const Vec c = collocation::radau_right_nodes(s);
    const Mat P = collocation::legendre_values(c, s + 1);
    BOOST_TEST(double((P.row(s) - P.row(s - 1)).cwiseAbs().maxCoeff()) < roundoff);
    BOOST_TEST((c[0] > 0 && c[s - 1] == 1));
    for (int i = 1; i < s; ++i) BOOST_TEST(double(c[i] - c[i - 1]) > 0.01);  // ten distinct roots
  }
  for (int s = 2; s <= max_stages; ++s) {
    const Vec c = collocation::lobatto_nodes(s);
    const Mat P = collocation::legendre_values(c, s + 1);
    BOOST_TEST(double((P.row(s) - P.row(s - 2)).cwiseAbs().maxCoeff()) < roundoff);
    BOOST_TEST((c[0] == 0 && c[s - 1] == 1));
    BOOST_TEST(double((c + c.reverse() - Vec::Ones(s)).cwiseAbs().maxCoeff()) < roundoff);  // symmetric about 1/2
    for (int i = 1; i < s; ++i) BOOST_TEST(double(c[i] - c[i - 1]) > 0.01);
  }
}

BOOST_AUTO_TEST_CASE(simplifying_assumptions_hold_exactly_up_to_their_order) {
  for (const Sample& sample : samples()) {
    const auto& [t, p, eta, zeta, R_inf, stable] = sample;
    BOOST_TEST_CONTEXT(t.name) {
      for (int q = 1; q <= p; ++q) BOOST_TEST(violation_B(t.b, t.c, q) < roundoff);
      for (int q = 1; q <= eta; ++q) BOOST_TEST(violation_C(t.A, t.c, q) < roundoff);
      for (int q = 1; q <= zeta; ++q) BOOST_TEST(violation_D(t.A, t.b, t.c, q) < roundoff);
      BOOST_TEST(violation_B(t.b, t.c, p + 1) > violated);
      BOOST_TEST(violation_C(t.A, t.c, eta + 1) > violated);
      BOOST_TEST(violation_D(t.A, t.b, t.c, zeta + 1) > violated);
      BOOST_TEST(t.order == p);
      BOOST_TEST(t.stage_order == std::min(p, eta));
    }
  }
}

BOOST_AUTO_TEST_CASE(assumptions_hold_for_the_largest_number_of_stages) {
  const int s = max_stages;
  const Tableau radau = radau_iia(s), iiib = lobatto_iiib(s);
  for (int q = 1; q <= 2 * s - 1; ++q) BOOST_TEST(violation_B(radau.b, radau.c, q) < roundoff);
  for (int q = 1; q <= s; ++q) BOOST_TEST(violation_C(radau.A, radau.c, q) < roundoff);
  for (int q = 1; q <= s; ++q) BOOST_TEST(violation_D(iiib.A, iiib.b, iiib.c, q) < roundoff);
}

BOOST_AUTO_TEST_CASE(sdirk_satisfies_the_conditions_that_follow_from_no_assumption) {
  const Tableau t = sdirk(3);
  BOOST_TEST(std::abs(t.b.dot(t.A * t.c) - 1.0 / 6) < roundoff);  // the second tree of order 3
}

BOOST_AUTO_TEST_CASE(embedded_weights_have_order_three) {
  for (const double r : rho) {
    const Tableau t = tr_theta(r);
    BOOST_TEST(t.embedded_order == 3);
    for (int q = 1; q <= 3; ++q) BOOST_TEST(violation_B(t.b_hat, t.c, q) < roundoff);
    BOOST_TEST(std::abs(t.b_hat.dot(t.A * t.c) - 1.0 / 6) < roundoff);
    // Not of order 4: this tree fails even for trx2, where b_hat is Simpson's rule and B(4) holds.
    BOOST_TEST(std::abs(t.b_hat.dot(t.A * power(t.c, 2)) - 1.0 / 12) > 1e-3);
    const double th = t.c[1];
    const Vec3 printed((3 * th - 1) / (6 * th), 1 / (6 * th * (1 - th)), (2 - 3 * th) / (6 * (1 - th)));  // (4.46)
    BOOST_TEST(distance(t.b_hat, printed) < roundoff);
  }
  BOOST_TEST(radau_iia(2).embedded_order == 0);
}

BOOST_AUTO_TEST_CASE(flags_say_what_the_matrix_shows) {
  for (const Sample& sample : samples()) {
    const Tableau& t = sample.tableau;
    BOOST_TEST_CONTEXT(t.name) {
      const bool iiib = t.name.starts_with("lobatto_iiib"), tr = t.name.starts_with("tr");
      BOOST_TEST(t.stiffly_accurate == !iiib);
      BOOST_TEST(t.explicit_first_stage == (tr || t.name.starts_with("lobatto_iiia")));
      BOOST_TEST(t.diagonally_implicit ==
                 (tr || t.name.starts_with("sdirk") || t.name == "radau_iia_1" || t.name == "lobatto_iiia_2" ||
                  t.name == "lobatto_iiib_2"));
      BOOST_TEST((t.A_inv.size() == 0) == (t.explicit_first_stage || iiib));
      if (t.A_inv.size() > 0)
        BOOST_TEST(distance(t.A * t.A_inv, MatX::Identity(t.s, t.s)) < 100 * roundoff);  // |A^-1| <= 26 for s = 6
      if (t.stiffly_accurate) BOOST_TEST(t.c[t.s - 1] == 1.0);
      const int n = static_cast<int>(implicit_block(t).rows());
      BOOST_TEST(n == t.s - t.explicit_first_stage);
      BOOST_TEST((implicit_block(t) == t.A.bottomRightCorner(n, n)));
    }
  }
}

BOOST_AUTO_TEST_CASE(printed_tables) {
  const double r6 = std::sqrt(6.0), r2 = std::sqrt(2.0);
  BOOST_TEST(radau_iia(1).A(0, 0) == 1.0);
  BOOST_TEST(distance(radau_iia(2).A, matrix(2, {5. / 12, -1. / 12, 3. / 4, 1. / 4})) < roundoff);
  BOOST_TEST(distance(radau_iia(3).A, matrix(3, {(88 - 7 * r6) / 360, (296 - 169 * r6) / 1800, (-2 + 3 * r6) / 225,
                                                 (296 + 169 * r6) / 1800, (88 + 7 * r6) / 360, (-2 - 3 * r6) / 225,
                                                 (16 - r6) / 36, (16 + r6) / 36, 1. / 9})) < roundoff);
  BOOST_TEST(distance(radau_iia(3).c, Vec3((4 - r6) / 10, (4 + r6) / 10, 1)) < roundoff);
  BOOST_TEST(distance(lobatto_iiic(2).A, matrix(2, {.5, -.5, .5, .5})) < roundoff);
  BOOST_TEST(distance(lobatto_iiic(3).A, matrix(3, {1. / 6, -1. / 3, 1. / 6, 1. / 6, 5. / 12, -1. / 12, 1. / 6, 2. / 3,
                                                    1. / 6})) < roundoff);
  BOOST_TEST(distance(lobatto_iiia(3).A, matrix(3, {0, 0, 0, 5. / 24, 1. / 3, -1. / 24, 1. / 6, 2. / 3, 1. / 6})) <
             roundoff);
  BOOST_TEST(distance(lobatto_iiib(3).A, matrix(3, {1. / 6, -1. / 6, 0, 1. / 6, 1. / 3, 0, 1. / 6, 5. / 6, 0})) <
             roundoff);
  const double a = 1 - r2 / 2, g = sdirk(3).A(0, 0);
  BOOST_TEST(distance(sdirk(2).A, matrix(2, {a, 0, 1 - a, a})) < roundoff);
  BOOST_TEST(std::abs(g - 0.43586652) < 0.5e-8);
  BOOST_TEST(std::abs(((g - 3) * g + 1.5) * g - 1.0 / 6) < roundoff);
  BOOST_TEST(distance(sdirk(3).A, matrix(3, {g, 0, 0, (1 - g) / 2, g, 0, -(6 * g * g - 16 * g + 1) / 4,
                                             (6 * g * g - 20 * g + 5) / 4, g})) < roundoff);
  const double d = (2 - r2) / 2, w = r2 / 4;
  BOOST_TEST(distance(tr_bdf2().A, matrix(3, {0, 0, 0, d, d, 0, w, w, d})) < roundoff);
  BOOST_TEST(distance(tr_bdf2().b_hat, Vec3((1 - w) / 3, (3 * w + 1) / 3, d / 3)) < roundoff);
  BOOST_TEST(distance(trx2().A, matrix(3, {0, 0, 0, .25, .25, 0, .25, .5, .25})) < roundoff);
  BOOST_TEST((tr_theta(0.0).A == tr_bdf2().A));
  BOOST_TEST((tr_theta(1.0).A == trx2().A));
}

BOOST_AUTO_TEST_CASE(partitioned_pair_has_the_form_of_the_constrained_method_and_is_symplectic) {
  for (int s = 2; s <= most; ++s) {
    const PartitionedTableau t = lobatto_iiia_iiib(s);
    BOOST_TEST_CONTEXT(t.name) {
      BOOST_TEST(t.order == 2 * s - 2);
      BOOST_TEST((t.b == lobatto_iiib(s).b));  // (5.11a)
      const MatX B = t.b.asDiagonal();
      BOOST_TEST(distance(B * t.A_hat + t.A.transpose() * B, t.b * t.b.transpose()) < roundoff);  // (5.11b)
      BOOST_TEST((t.A.row(s - 1) == t.b.transpose()));                                           // (5.12)
      BOOST_TEST(t.A_hat.col(s - 1).isZero(0.0));                                                // (5.13)
      BOOST_TEST(t.A.row(0).isZero(0.0));                                                        // (5.15)
      BOOST_TEST(distance(t.A_hat.col(0), VecX::Constant(s, t.b[0])) < roundoff);                // (5.18)
      // B(2s-2), C(s) of A and D(s) of A_hat as in (5.57) and below
      for (int q = 1; q <= 2 * s - 2; ++q) BOOST_TEST(violation_B(t.b, t.c, q) < roundoff);
      for (int q = 1; q <= s; ++q) BOOST_TEST(violation_C(t.A, t.c, q) < roundoff);
      for (int q = 1; q <= s; ++q) BOOST_TEST(violation_D(t.A_hat, t.b, t.c, q) < roundoff);
      BOOST_TEST((t.A_alpha == t.A.bottomRows(s - 1)));
      BOOST_TEST((t.A_hat_beta == t.A_hat.leftCols(s - 1)));
      const double size = 1.0 / t.b[s - 1];
      BOOST_TEST(distance(t.shift * t.shift_inv, MatX::Identity(s, s)) < size * roundoff);
      VecX dPi = VecX::LinSpaced(s, 1.0, 2.0), dmu = dPi;
      dmu[s - 1] = t.b.dot(dPi);  // (5.46)
      BOOST_TEST(distance(t.shift * dPi, dmu) < roundoff);
    }
  }
}

BOOST_AUTO_TEST_CASE(names_lead_to_the_same_data) {
  for (const std::string& name : tableau_names()) BOOST_TEST(tableau_from_name(name).name == name);
  for (const std::string& name : partitioned_tableau_names())
    BOOST_TEST(partitioned_tableau_from_name(name).name == name);
  BOOST_TEST((tableau_from_name("radau_iia_5").A == radau_iia(5).A));
  BOOST_TEST((tableau_from_name("radau_iia_10").A == radau_iia(10).A));
  BOOST_TEST((tableau_from_name("tr_theta", 0.8).A == tr_theta(0.8).A));
  BOOST_TEST((partitioned_tableau_from_name("lobatto_iiia_iiib_3").A_hat == lobatto_iiib(3).A));
  for (const char* name : {"", "radau", "radau_iia", "radau_iia_", "radau_iia_0", "radau_iia_11", "radau_iia_2x",
                           "radau_iia_-1", "lobatto_iiic_1", "sdirk_4", "sdirk_1", "lobatto_iiia_iiib_3"})
    BOOST_CHECK_THROW(tableau_from_name(name), std::invalid_argument);
  for (const char* name : {"lobatto_iiia_iiib", "lobatto_iiia_iiib_1", "radau_iia_2"})
    BOOST_CHECK_THROW(partitioned_tableau_from_name(name), std::invalid_argument);
  for (const double r : {-0.01, 1.01, std::nan("")}) BOOST_CHECK_THROW(tr_theta(r), std::invalid_argument);
}

BOOST_AUTO_TEST_SUITE_END()
