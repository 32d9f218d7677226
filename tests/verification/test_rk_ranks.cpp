// Every benchmark of the Runge-Kutta families, and a bar whose nodes lie on several ranks: the motion does not depend on ranks.
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include "verification/rk_case.hpp"

namespace data = boost::unit_test::data;
using namespace percussion;

namespace {

struct Benchmark {
  const char* file;
  int steps;  ///< some of them in contact
  bool contact = true;
  bool stiff = false;
  const char* start = "";  ///< an override
};

const std::vector<Benchmark> benchmarks = {
    {"spring_pendulum/spring_pendulum.yaml", 30, false},
    {"bouncing_ball/bouncing_ball.yaml", 3},
    {"rotating_ball/case_1.yaml", 60},
    {"rotating_ball/case_2.yaml", 60},
    {"rotating_ball/case_3.yaml", 60},
    {"rolling_ball/rolling_ball.yaml", 30},
    {"ball_in_hollow_sphere/sphere.yaml", 40},
    {"ball_in_hollow_sphere/cylinder.yaml", 40},
    {"block_on_belt/block_on_belt.yaml", 40, true, false, "nodes[0].position=[4.95,0]"},
    {"elastic_pendulum/elastic_pendulum.yaml", 62, true, true},
    {"slider_crank/contacts.yaml", 60},
    {"slope/case_1.yaml", 30},
    {"slope/case_2.yaml", 80},
    {"painleve_rod/painleve_rod.yaml", 40},
    {"ball_in_corner/ball_in_corner.yaml", 60},
    {"tippedisk/tippedisk.yaml", 40},
    {"tetrahedron/ellipse.yaml", 40},
    {"tetrahedron/rectangle.yaml", 40},
    {"elastic_bar/bar_50.yaml", 130},
};

boost::test_tools::assertion_result on_several_ranks(boost::unit_test::test_unit_id) { return ranks() > 1; }

}  // namespace

BOOST_AUTO_TEST_SUITE(rk_ranks, *boost::unit_test::precondition(on_several_ranks))

// Alone the linear systems are dense, on several ranks MUMPS solves them: rounding, and the tolerances of 1e-12 of the solver
// and 1e-10 of Newton's method. Velocities against the fastest of the case.
BOOST_DATA_TEST_CASE(benchmarks_move_the_same, data::make({radau_2, pair_2}), method) {
  for (const Benchmark& b : benchmarks) {
    if (b.stiff && method == pair_2) continue;  // needs 100 times as many steps
    std::vector<std::string> overrides = {"integrator={" + method + "}", "solver={type: hybrid, tolerance: 1.0e-12}"};
    if (*b.start) overrides.emplace_back(b.start);
    const auto together = stored_case(b.file, overrides), alone = stored_case(b.file, overrides, MPI_COMM_SELF);
    std::int64_t contacts = 0;
    double q = 0, u = 0, speed = 0;
    for (int k = 0; k < b.steps; ++k) {
      const StepReport x = together->step(), y = alone->step();
      BOOST_TEST(x.solve.converged);
      BOOST_TEST(x.contacts == y.contacts, b.file << ", step " << k << ": " << x.contacts << " contacts, alone " << y.contacts);
      contacts += x.contacts;
      for (const auto& [name, id] : together->names()) {
        const NodeState a = together->state(id), c = alone->state(id);
        for (std::size_t i = 0; i < a.q.size(); ++i) q = std::max(q, std::abs(a.q[i] - c.q[i]));
        for (std::size_t i = 0; i < a.u.size(); ++i) u = std::max(u, std::abs(a.u[i] - c.u[i])), speed = std::max(speed, std::abs(c.u[i]));
      }
    }
    BOOST_TEST_MESSAGE(b.file << ", " << method << ": " << q << " in q, " << u << " in u, " << contacts << " contacts");
    BOOST_TEST((contacts > 0) == b.contact, b.file);
    BOOST_TEST(q < 1e-9, b.file << ": " << q);
    BOOST_TEST(u < 1e-8 * std::max(1., speed), b.file << ": " << u << " of " << speed);
  }
}

// A flexible body is not on one rank: bars lead from one rank to the next, and the end that touches is the first rank's only.
BOOST_AUTO_TEST_CASE(a_bar_lies_on_all_ranks) {
  const auto c = rk_case("elastic_bar/bar_50.yaml", radau_2);
  const System& system = c->system;
  std::int64_t counts[2] = {0, 0};  // bars, of these between two ranks
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    const auto local = system.contributions.local_nodes(k);
    if (local.size() < 2) continue;
    ++counts[0], counts[1] += !system.nodes.is_owned(local[0]) || !system.nodes.is_owned(local[1]);
  }
  std::int32_t fewest = system.nodes.owned();
  MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INT64_T, MPI_SUM, system.comm());
  MPI_Allreduce(MPI_IN_PLACE, &fewest, 1, MPI_INT32_T, MPI_MIN, system.comm());
  BOOST_TEST(counts[0] == 50);
  BOOST_TEST(counts[1] >= ranks() - 1);
  BOOST_TEST(fewest > 0);
}

BOOST_AUTO_TEST_SUITE_END()
