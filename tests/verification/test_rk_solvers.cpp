// The contact solver is a means: all of them lead to the same motion.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

BOOST_AUTO_TEST_SUITE(rk_solvers, *boost::unit_test::precondition(at_most_two_ranks))

// Uniquely solvable cases. Tolerance 1e-12 in each of 100 to 250 steps, and sliding does not amplify: 1e-8 is generous.
BOOST_DATA_TEST_CASE(all_solvers_give_the_same_motion,
                     data::make({"rotating_ball/case_2.yaml", "slope/case_1.yaml", "slope/case_2.yaml", "ball_in_hollow_sphere/sphere.yaml"}) *
                         data::make({radau_2, pair_2}),
                     file, method) {
  if (ranks() > 1 && std::string(file) != "rotating_ball/case_2.yaml") return;
  std::vector<std::unique_ptr<Case>> runs;
  const std::vector<std::string> solvers = {"hybrid", "gauss_seidel", "iterative_projection", "semismooth_newton"};
  for (const std::string& solver : solvers)
    runs.push_back(rk_case(file, method, {"solver={type: " + solver + ", tolerance: 1.0e-12, max_iterations: 10000, check_every: 1}"}));
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

BOOST_AUTO_TEST_SUITE_END()
