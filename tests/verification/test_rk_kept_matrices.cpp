// The simplified Newton method keeps its matrices over iterations and steps (Breuling 6.2, 6.3): factorisations are counted.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "integrators/runge_kutta.hpp"
#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

struct Count {
  std::int64_t steps = 0, iterations = 0, stages = 0, mass = 0;
};

Count count(const std::string& file, const Method& method, int steps, const std::vector<std::string>& more = {}) {
  const auto c = rk_case(file, method, more);
  for (int k = 0; k < steps; ++k) BOOST_TEST(c->step().solve.converged);
  const auto& scheme = dynamic_cast<const RungeKutta&>(c->integrator());
  const Count n{steps, scheme.newton_iterations(), scheme.factorisations(), scheme.mass_factorisations()};
  BOOST_TEST_MESSAGE(file << ", " << method << ": " << n.steps << " steps, " << n.iterations << " Newton iterations, " << n.stages
                          << " factorisations of the stages, " << n.mass << " of M");
  return n;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_kept_matrices, *boost::unit_test::precondition(at_most_two_ranks))

// The bar is linear, in flight (100 steps) and in contact: one matrix does for all, and so does M.
BOOST_DATA_TEST_CASE(a_linear_system_is_factorised_once, data::make({radau_2, pair_2, tr_bdf2_0}), method) {
  const Count n = count("elastic_bar/bar_50.yaml", method, 130);
  BOOST_TEST(n.stages == 1);
  // Methods with an explicit first stage solve with M at the beginning of the step too, and keep that one apart.
  BOOST_TEST(n.mass == 1);
}

// Another step size is another matrix.
BOOST_AUTO_TEST_CASE(a_new_step_size_makes_a_new_matrix) {
  const auto c = rk_case("elastic_bar/bar_50.yaml", radau_2);
  for (const double h : {1e-6, 1e-6, 5e-7, 5e-7, 5e-7, 1e-6}) c->step(h);
  BOOST_TEST(dynamic_cast<const RungeKutta&>(c->integrator()).factorisations() == 3);
}

// A mechanism that turns by 0.015 rad per step: a matrix serves several steps, each of several iterations.
BOOST_DATA_TEST_CASE(a_nonlinear_system_keeps_its_matrix_while_it_converges, data::make({radau_2, pair_2}), method) {
  const Count n = count("slider_crank/contacts.yaml", method, 200);
  BOOST_TEST(n.stages < n.steps);
  BOOST_TEST(2 * n.stages < n.iterations);
}

BOOST_AUTO_TEST_SUITE_END()
