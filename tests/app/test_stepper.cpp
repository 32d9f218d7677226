// What follows non-convergence: stop, shrink, warn.
#include <boost/test/unit_test.hpp>
#include <cmath>

#include "app/stepper.hpp"
#include "verification/stored_case.hpp"

using namespace percussion;

namespace {

std::unique_ptr<Case> stack(const std::string& sweeps) {
  return stored_case("sphere_stack/stack.yaml", {"solver.check_every=1", "solver.tolerance=1e-9", "solver.max_iterations=" + sweeps});
}

}  // namespace

BOOST_AUTO_TEST_SUITE(stepper)

BOOST_AUTO_TEST_CASE(warn_accepts_and_counts) {
  const auto c = stack("3");
  Stepper stepper(OnFailure::warn);
  const StepReport report = stepper.advance(*c, c->h);
  BOOST_TEST(!report.solve.converged);
  BOOST_TEST(stepper.unconverged() == 1);
  BOOST_TEST(c->system.t == c->h);
}

BOOST_AUTO_TEST_CASE(stop_is_a_run_error_on_all_ranks) {
  const auto c = stack("3");
  BOOST_CHECK_THROW(Stepper(OnFailure::stop).advance(*c, c->h), RunError);
}

// Redundant contacts and the plain Newton method: the user is told what it is and what helps.
BOOST_AUTO_TEST_CASE(a_singular_matrix_is_named) {
  const auto c = stored_case("ball_in_corner/ball_in_corner.yaml", {"solver={type: semismooth_newton, tolerance: 1e-10}"});
  Stepper stepper(OnFailure::stop);
  const auto says_so = [](const RunError& e) {
    const std::string text = e.what();
    return text.find("singular") != std::string::npos && text.find("solver.type = hybrid") != std::string::npos;
  };
  const auto all_steps = [&] {
    for (int k = steps_until(*c, 2.); k > 0; --k) stepper.advance(*c, c->h);
  };
  BOOST_CHECK_EXCEPTION(all_steps(), RunError, says_so);
}

// A cold stack needs more sweeps than allowed; each repetition starts from the percussions of the last one.
BOOST_AUTO_TEST_CASE(shrink_repeats_with_smaller_steps_and_arrives) {
  const auto c = stack("150"), reference = stack("20000");
  BOOST_TEST(!stack("150")->step().solve.converged);
  Stepper stepper(OnFailure::shrink);
  for (int k = 0; k < 3; ++k) {
    BOOST_TEST(stepper.advance(*c, c->h).solve.converged);
    reference->step();
  }
  BOOST_TEST(std::abs(c->system.t - 3 * c->h) < 1e-15);
  const NodeState a = c->state("s9"), b = reference->state("s9");
  for (int i = 0; i < 3; ++i) BOOST_TEST(std::abs(a.q[i] - b.q[i]) < 1e-10);  // both rest: h g times the tolerance
}

BOOST_AUTO_TEST_CASE(shrink_gives_up_after_ten_halvings) {
  const auto c = stack("1");
  BOOST_CHECK_THROW(Stepper(OnFailure::shrink).advance(*c, c->h), RunError);
}

BOOST_AUTO_TEST_SUITE_END()
