// Every derivative of every registered contribution against differences at random states.
//
// The five-point difference with step 1e-3 has an error of 1e-12/30 times the fifth derivative plus roundoff of about
// 1e-15/1e-3. Fifth derivatives grow where a formula is nearly singular. Measured over all samples, the differences
// are off by at most 2.7e-9 of the size of the derivative (torsion about an axis), so 1e-8 is what they can confirm;
// a wrong or missing term shows at the size of one.
#include <boost/test/unit_test.hpp>

#include <Eigen/Cholesky>
#include <set>

#include "samples.hpp"

using namespace model_test;

namespace {

constexpr double step = 1e-3, tolerance = 1e-8;

template <class F>
VecX slope(F&& f) {  // df/de at e = 0
  return (8 * (f(step) - f(-step)) - (f(2 * step) - f(-2 * step))) / (12 * step);
}

// d f(state) / d (q or u), column by column.
template <class F>
MatX jacobian_of(const State& s, VecX State::*block, F&& f) {
  const VecX at = f(s);
  MatX J(at.size(), (s.*block).size());
  for (Eigen::Index j = 0; j < J.cols(); ++j)
    J.col(j) = slope([&](double e) {
      State moved = s;
      (moved.*block)[j] += e;
      return f(moved);
    });
  return J;
}

struct Checker {
  const Sample& sample;
  const Contribution& c;
  State s;
  VecX la = VecX::LinSpaced(14, -1.1, 1.7);

  void close(const MatX& exact, const MatX& difference, const char* what) const {
    BOOST_REQUIRE_EQUAL(exact.rows(), difference.rows());
    BOOST_REQUIRE_EQUAL(exact.cols(), difference.cols());
    const double size = 1 + difference.cwiseAbs().maxCoeff();
    const double error = (exact - difference).cwiseAbs().maxCoeff();
    // NaN fails: `error` is then NaN or, for a NaN among numbers, the sum below is.
    BOOST_TEST((error <= tolerance * size && std::isfinite(exact.sum())),
               sample.type << ": " << what << " is wrong by " << error << "\nexact\n" << exact << "\ndifference\n" << difference);
  }

  // Along q' = B u, t' = 1 with u held.
  template <class F>
  VecX along_the_flow(F&& f) const {
    const VecX rate = q_dot_of(c.nodes(), s);
    return slope([&](double e) {
      State moved = s;
      moved.t += e, moved.q += e * rate;
      return f(moved);
    });
  }

  template <class F>
  VecX by_time(F&& f) const {
    return slope([&](double e) {
      State moved = s;
      moved.t += e;
      return f(moved);
    });
  }

  template <class Function>
  void check_Wla_q(const Function& f) const {
    const VecX l = la.head(f.rows());
    const MatX exact = matrix(c.nu(), c.nq(), [&](MatRef A) { f.Wla_q(s, l, A); });
    close(exact, jacobian_of(s, &State::q, [&](const State& x) { return VecX(W(f, x) * l); }), "Wla_q");
  }

  void check(const PositionFunction& f) const {
    const auto value = [&](const State& x) { return g(f, x); };
    const auto rate = [&](const State& x) { return g_dot(f, x); };
    const MatX g_q = matrix(f.rows(), c.nq(), [&](MatRef A) { f.g_q(s, A); });
    MatX B(c.nq(), c.nu());
    for (int j = 0; j < c.nu(); ++j) B.col(j) = q_dot_of(c.nodes(), {s.t, s.q, VecX::Unit(c.nu(), j)});
    close(g_q, jacobian_of(s, &State::q, value), "g_q");
    close(W(f, s), (g_q * B).transpose(), "W");
    close(chi(f, s), by_time(value), "chi");
    close(g_dot(f, s), along_the_flow(value), "g_dot");
    close(g_dot(f, s), W(f, s).transpose() * s.u + chi(f, s), "W^T u + chi");
    close(matrix(f.rows(), c.nq(), [&](MatRef A) { f.g_dot_q(s, A); }), jacobian_of(s, &State::q, rate), "g_dot_q");
    close(zeta(f, s), along_the_flow(rate), "zeta");
    check_Wla_q(f);
  }

  void check(const VelocityFunction& f) const {
    const auto value = [&](const State& x) { return gamma(f, x); };
    close(matrix(f.rows(), c.nq(), [&](MatRef A) { f.gamma_q(s, A); }), jacobian_of(s, &State::q, value), "gamma_q");
    close(W(f, s).transpose(), jacobian_of(s, &State::u, value), "W");
    close(gamma(f, s), W(f, s).transpose() * s.u + chi(f, s), "W^T u + chi");
    close(zeta(f, s), along_the_flow(value), "zeta");
    check_Wla_q(f);
  }

  void check(const Force& f) const {
    const auto value = [&](const State& x) { return h(f, x); };
    close(matrix(c.nu(), c.nq(), [&](MatRef A) { f.h_q(s, A); }), jacobian_of(s, &State::q, value), "h_q");
    close(matrix(c.nu(), c.nu(), [&](MatRef A) { f.h_u(s, A); }), jacobian_of(s, &State::u, value), "h_u");
  }

  void check(const Inertia& f) const {
    const MatX mass = M(f, s);
    const VecX v = la.head(c.nu());
    BOOST_TEST((mass - mass.transpose()).norm() <= 1e-14 * mass.norm(), sample.type << ": M is not symmetric");
    BOOST_TEST((mass.llt().info() == Eigen::Success), sample.type << ": M is not positive definite");
    close(matrix(c.nu(), c.nq(), [&](MatRef A) { f.Mv_q(s, v, A); }),
          jacobian_of(s, &State::q, [&](const State& x) { return VecX(M(f, x) * v); }), "Mv_q");
  }

  void check_all() const {
    if (c.force()) check(*c.force());
    if (c.inertia()) check(*c.inertia());
    if (c.constraint()) check(*c.constraint());
    if (c.velocity_constraint()) check(*c.velocity_constraint());
    if (!c.contact()) return;
    if (c.contact()->gap) check(*c.contact()->gap);
    if (c.contact()->friction) check(*c.contact()->friction);
  }
};

}  // namespace

BOOST_AUTO_TEST_SUITE(derivatives)

BOOST_AUTO_TEST_CASE(every_registered_type_has_a_sample) {
  std::set<std::string> registered, sampled;
  for (const Catalogue::Entry* entry : Catalogue::instance().entries("contributions")) registered.insert(entry->name);
  for (const Sample& sample : samples()) sampled.insert(sample.type);
  BOOST_TEST(!registered.empty());
  BOOST_TEST(registered == sampled, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(all_derivatives_agree_with_differences) {
  for (const Sample& sample : samples()) {
    const auto c = make(sample.type, sample.kinds, sample.given, sample.dofs);
    const auto has_role = c->force() || c->inertia() || c->constraint() || c->velocity_constraint() || c->contact();
    BOOST_TEST(has_role, sample.type << " does nothing");
    for (std::uint64_t seed = 0; seed < 4; ++seed) Checker{sample, *c, random_state(c->nodes(), seed)}.check_all();
  }
}

BOOST_AUTO_TEST_CASE(laws_and_scales_fit_the_friction_rows) {
  for (const Sample& sample : samples()) {
    const auto c = make(sample.type, sample.kinds, sample.given, sample.dofs);
    const ContactRows* rows = c->contact();
    if (!rows) continue;
    BOOST_TEST((rows->gap != nullptr) != (rows->la_N > 0), sample.type << ": either a gap or a known normal force");
    int first = 0;
    for (const FrictionLaw& law : rows->laws) {
      BOOST_TEST(law.first == first, sample.type);
      first += law.set.dim();
    }
    BOOST_TEST(first == (rows->friction ? rows->friction->rows() : 0), sample.type);
    BOOST_TEST(int(rows->scale.size()) == first, sample.type);
  }
}

BOOST_AUTO_TEST_SUITE_END()
