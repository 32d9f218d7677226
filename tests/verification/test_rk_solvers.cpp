// The contact solver is a means: all of them lead to the same motion.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

const std::vector<std::string> solvers = {"hybrid", "gauss_seidel", "accelerated_gauss_seidel", "semismooth_newton", "fischer_burmeister",
                                          "admm", "projected_gradient", "projected_jacobi", "iterative_projection"};

std::string section(const std::string& solver, const char* tolerance) {
  return "solver={type: " + solver + ", tolerance: " + tolerance + ", max_iterations: 20000, check_every: 1}";
}

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_solvers)

// Uniquely solvable cases. Tolerance 1e-12 in each of 100 to 250 steps, and sliding does not amplify: 1e-8 is generous.
BOOST_DATA_TEST_CASE(all_solvers_give_the_same_motion,
                     data::make({"rotating_ball/case_2.yaml", "slope/case_1.yaml", "slope/case_2.yaml", "ball_in_hollow_sphere/sphere.yaml"}) *
                         data::make({radau_2, pair_2}),
                     file, method) {
  if (ranks() > 2 || (ranks() == 2 && std::string(file) != "rotating_ball/case_2.yaml")) return;  // one body
  std::vector<std::unique_ptr<Case>> runs;
  for (const std::string& solver : solvers) runs.push_back(rk_case(file, method, {section(solver, "1.0e-12")}));
  const std::string node = runs[0]->names().begin()->first;
  std::vector<double> worst(solvers.size(), 0.);
  std::vector<int> nc(solvers.size(), 0);
  for (int k = steps_until(*runs[0], std::string(file).find("slope") == 0 ? 2.5 : 1.); k > 0; --k) {
    for (std::size_t i = 0; i < runs.size(); ++i) nc[i] += !runs[i]->step().solve.converged;
    const NodeState a = runs[0]->state(node);
    for (std::size_t i = 1; i < runs.size(); ++i) {
      const NodeState b = runs[i]->state(node);
      for (std::size_t j = 0; j < a.q.size(); ++j) worst[i] = std::max(worst[i], std::abs(a.q[j] - b.q[j]));
      for (std::size_t j = 0; j < a.u.size(); ++j) worst[i] = std::max(worst[i], std::abs(a.u[j] - b.u[j]));
    }
  }
  for (std::size_t i = 0; i < solvers.size(); ++i) {
    BOOST_TEST_MESSAGE(file << ", " << method << ", " << solvers[i] << ": " << worst[i] << ", " << nc[i] << " steps not converged");
    BOOST_TEST(nc[i] == 0, solvers[i] << ": " << nc[i] << " steps not converged");
    BOOST_TEST(worst[i] < 1e-8, solvers[i] << ": differs by " << worst[i]);
  }
}

// Three bodies, six joints and four corners, coupled over the ranks: every solver on all ranks against one of them on one. The
// slider turns with up to 17 rad/s and multiplies what the solvers leave in each of the impacts. Left out: the plain Newton method,
// which is not globalised and finds no way from zero percussions to this start (it says so; hybrid is what helps), and the
// projected gradient where G is unsymmetric, where it has no energy to descend (src/solvers/projected_gradient.cpp).
BOOST_DATA_TEST_CASE(all_solvers_on_any_number_of_ranks, data::make({radau_2, pair_2}) * data::make(solvers), method, solver) {
  if (solver == "semismooth_newton" || (solver == "projected_gradient" && method == radau_2)) return;
  if (ranks() > 2 && solver != "hybrid" && solver != "gauss_seidel") return;  // thousands of messages
  const std::vector<std::string> integrator = {"integrator={" + method + ", atol: 1.0e-12, rtol: 1.0e-12}"};  // of Newton's method
  auto reference = integrator, other = integrator;
  reference.push_back(section("hybrid", "1.0e-12")), other.push_back(section(solver, "1.0e-12"));
  const auto alone = stored_case("slider_crank/contacts.yaml", reference, MPI_COMM_SELF), together = stored_case("slider_crank/contacts.yaml", other);
  double worst = 0, residual = 0;
  std::int64_t contacts = 0;
  for (int k = 0; k < (ranks() > 2 ? 15 : 25); ++k) {
    alone->step();
    const StepReport report = together->step();
    BOOST_TEST(report.solve.converged, solver << " at step " << k << ": residual " << report.solve.residual);
    contacts += report.contacts, residual = std::max(residual, report.solve.residual);
    for (const char* name : {"crank", "rod", "slider"}) {
      const NodeState a = alone->state(name), b = together->state(name);
      for (int i = 0; i < 3; ++i) worst = std::max({worst, std::abs(a.q[i] - b.q[i]), 1e-2 * std::abs(a.u[i] - b.u[i])});
    }
  }
  BOOST_TEST_MESSAGE(method << ", " << solver << ": differs by " << worst << ", " << contacts << " contacts");
  BOOST_TEST(contacts > 0);
  BOOST_TEST(worst < 1e-8);  // as in test_rk_slider_crank.cpp
}

BOOST_AUTO_TEST_SUITE_END()
