// `percussion convergence`: orders, ranks, and how a study ends.
#include <cmath>

#include "program.hpp"
#include "small_case.hpp"

using namespace cli_test;

namespace {

// A linear oscillator (period 3.1 s) and a mass on an elastic string under gravity: smooth, one for each of two ranks.
const std::string oscillators = R"(case: {name: oscillators}
time: {end: 1.6, step: 0.1}
integrator: {type: moreau_jean, newton_tolerance: 1.0e-12}
solver: {type: gauss_seidel, on_failure: stop}
gravity: [0, -1]
nodes:
  - {type: point_2d, name: a, mass: 1, position: [1, 0], velocity: [0, 0.5]}
  - {type: point_2d, name: b, mass: 2, position: [5, -1]}
contributions:
  - {type: spring_damper, nodes: [a, ground], stiffness: 4, point_2: [0, 0]}
  - {type: spring_damper, nodes: [b, ground], stiffness: 8, length: 0.8, point_2: [4, 0]}
)";

struct Row {
  std::string method;
  double h, q, u, order_q, order_u;  ///< NaN: empty
  std::string rest;
};

/// The rows below the header; method names here have no commas.
std::vector<Row> rows_of(const fs::path& csv) {
  std::istringstream lines(text_of(csv));
  std::string line;
  std::getline(lines, line);
  BOOST_TEST(line == "method,h [s],error_q,error_u,order_q,order_u,norm_q,norm_u,reference,status");
  std::vector<Row> rows;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    Row row;
    std::getline(cells, row.method, ',');
    for (double* value : {&row.h, &row.q, &row.u, &row.order_q, &row.order_u}) {
      std::string cell;
      std::getline(cells, cell, ',');
      *value = cell.empty() ? NAN : std::stod(cell);
    }
    std::getline(cells, row.rest);
    rows.push_back(row);
  }
  return rows;
}

std::vector<std::string> command(const std::vector<std::string>& more, const std::string& integrators = "moreau_jean") {
  std::vector<std::string> words{"convergence", "case.yaml", "--integrators", integrators, "-o", "out.csv"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

BOOST_AUTO_TEST_SUITE(convergence_command)

// The errors e = C (h^2 - h_ref^2) + O(h^4) of the scheme against itself give log2(4.05) = 2.02 for the finest pair, plus
// (h omega)^2 / 4 = 0.01 of the fourth order for the coarsest: both within 0.15.
BOOST_AUTO_TEST_CASE(orders_of_the_theta_scheme) {
  const Scratch scratch;
  scratch.write("case.yaml", oscillators);
  const Outcome outcome = scratch.run(command({"--steps", "0.1,0.025,0.05", "--reference", "0.003125"}, "moreau_jean,moreau_jean{theta=1}"));
  BOOST_TEST_REQUIRE(outcome.code == 0, outcome.all());
  check_contains(outcome.out, {"method", "order q", "order u", "moreau_jean{theta=1}"});
  const auto rows = rows_of(scratch / "out.csv");
  BOOST_TEST_REQUIRE(rows.size() == 6u);
  BOOST_TEST(std::isnan(rows[0].order_q));
  BOOST_TEST(std::isnan(rows[3].order_q));
  for (const std::size_t i : {1, 2}) {
    BOOST_TEST(rows[i].h == 0.1 / (1 << i));
    BOOST_TEST(std::abs(rows[i].order_q - 2) < 0.15, rows[i].order_q);
    BOOST_TEST(std::abs(rows[i].order_u - 2) < 0.15, rows[i].order_u);
    // Order 1 against itself with h_ref = h / 8: log2(15 / 7) = 1.1 for the finest pair.
    BOOST_TEST(std::abs(rows[i + 3].order_q - 1) < 0.2, rows[i + 3].order_q);
    BOOST_TEST(std::abs(rows[i + 3].order_u - 1) < 0.2, rows[i + 3].order_u);
  }
  BOOST_TEST(rows[0].rest == "l1,l1,moreau_jean h=0.003125,ok");
  BOOST_TEST((scratch.listing() == std::vector<std::string>{"case.yaml", "out.csv"}));
}

BOOST_AUTO_TEST_CASE(two_ranks_give_the_same_table) {
  const Scratch scratch;
  scratch.write("case.yaml", oscillators);
  for (const char* distance : {"grid", "graph"}) {
    std::vector<std::vector<Row>> tables;
    for (const int ranks : {1, 2}) {
      const Outcome outcome = scratch.run(command({"time.end=0.8", "--steps", "0.1,0.05", "--reference", "0.025", "--distance", distance}), ranks);
      BOOST_TEST_REQUIRE(outcome.code == 0, outcome.all());
      tables.push_back(rows_of(scratch / "out.csv"));
      BOOST_TEST_REQUIRE(tables.back().size() == 2u);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      const Row &one = tables[0][i], &two = tables[1][i];
      BOOST_TEST(one.method + one.rest == two.method + two.rest);
      // The Newton tolerance 1e-12 times velocities of 1, over 0.8 s; sums in another order.
      for (const auto& [a, b] : {std::pair(one.h, two.h), std::pair(one.q, two.q), std::pair(one.u, two.u)}) BOOST_TEST(std::abs(a - b) < 1e-10);
    }
    BOOST_TEST(std::abs(tables[0][1].order_q - tables[1][1].order_q) < 1e-6);  // 1e-10 in errors of 1e-3
  }
}

// h sum |e| <= T max |e| and the L2 norm lies between: (sum h e^2)^(1/2) <= (T n)^(1/2) max, n = 4 components.
BOOST_AUTO_TEST_CASE(norms_and_another_reference) {
  const Scratch scratch;
  scratch.write("case.yaml", oscillators);
  const auto errors = [&](const std::vector<std::string>& more) {
    auto words = command({"--steps", "0.1", "--reference", "0.0125", "--reference-integrator", "moreau_jean"}, "moreau_jean{theta=1}");
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = scratch.run(words);
    BOOST_TEST_REQUIRE(outcome.code == 0, outcome.all());
    const auto rows = rows_of(scratch / "out.csv");
    BOOST_TEST_REQUIRE(rows.size() == 1u);
    check_contains(rows[0].rest, {"moreau_jean h=0.0125"});
    return rows[0];
  };
  const Row l1 = errors({}), l2 = errors({"--norm", "l2"}), linf = errors({"--norm", "linf"}), graph = errors({"--distance", "graph"});
  BOOST_TEST(errors({"--norm", "lp", "--p", "2"}).q == l2.q);
  BOOST_TEST(errors({"--norm", "lp", "--p", "inf"}).u == linf.u);
  BOOST_TEST(l1.q <= 1.6 * 4 * linf.q);
  BOOST_TEST(l2.q <= std::sqrt(1.6 * 4) * linf.q);
  BOOST_TEST(linf.q > 0);
  // Between grid points both are nearly straight: the graphs are not farther apart than the values, up to h^2 / 8 |u''|
  // < 0.0013 * 8 of the polygons.
  BOOST_TEST(graph.u > 0);
  BOOST_TEST(graph.u <= linf.u + 0.011);
  BOOST_TEST(graph.q == l1.q);
}

BOOST_AUTO_TEST_CASE(a_run_that_fails_is_a_row_and_the_others_go_on) {
  const Scratch scratch;
  scratch.write("case.yaml", oscillators);
  for (const int ranks : {1, 2}) {
    const Outcome outcome = scratch.run(command({"--steps", "0.1", "--reference", "0.05", "--reference-integrator", "moreau_jean"},
                                                "moreau_jean{newton_max=1},moreau_jean"), ranks);
    BOOST_TEST(outcome.code == 3, outcome.all());
    const auto rows = rows_of(scratch / "out.csv");
    BOOST_TEST_REQUIRE(rows.size() == 2u);
    BOOST_TEST(std::isnan(rows[0].q));
    check_contains(rows[0].rest, {"failed: step at t = 0"});
    BOOST_TEST(rows[1].q > 0);
    BOOST_TEST(rows[1].rest.ends_with(",ok"));
    check_contains(outcome.out, {"failed: "});
  }
}

BOOST_AUTO_TEST_CASE(mistakes_end_with_2_and_leave_nothing) {
  const Scratch scratch;
  scratch.write("case.yaml", oscillators);
  const std::vector<std::pair<std::vector<std::string>, std::vector<std::string>>> wrong{
      {command({"--steps", "0.1,0.03", "--reference", "0.0125"}), {"--steps", "0.03", "0.0125", "fix: ", "0.025 (64 steps)"}},
      {command({"--steps", "0.1", "--reference", "0.003"}), {"--reference", "0.003", "fix: "}},
      {command({"--steps", "0.1", "--reference", "0.1"}, "moreau_jeans"), {"integrator.type", "moreau_jeans", "did you mean `moreau"}},
      {command({"--steps", "0.1", "--reference", "0.1"}, "moreau_jean{thet=1}"), {"integrator.thet", "did you mean `theta`"}},
      {command({"--steps", "0.1", "--reference", "0.1", "--reference-integrator", "nobody"}), {"integrator.type", "nobody"}},
      {command({"--steps", "0.1,x", "--reference", "0.1"}), {"--steps", "x", "not a number"}},
      {command({"--steps", "0.1", "--reference", "0.1", "--norm", "lp"}), {"--p"}},
      {command({"--steps", "0.1", "--reference", "0.1", "--norm", "lp", "--p", "0.5"}), {"--p", "0.5"}},
      {command({"--steps", "0.1", "--reference", "0.1", "--norm", "h1"}), {"--norm", "h1"}},
      {command({"--steps", "0.1"}), {"--reference"}}};
  for (const int ranks : {1, 2})
    for (const auto& [words, parts] : wrong) {
      if (ranks == 2 && &words != &wrong[0].first && &words != &wrong[2].first) continue;  // starting mpirun takes a second
      const Outcome outcome = scratch.run(words, ranks);
      BOOST_TEST(outcome.code == 2, outcome.all());
      check_contains(outcome.err, parts);
    }
  BOOST_TEST((scratch.listing() == std::vector<std::string>{"case.yaml"}));
}

BOOST_AUTO_TEST_CASE(a_file_that_cannot_be_written_is_noticed_before_the_runs) {
  const Scratch scratch;
  scratch.write("case.yaml", oscillators);
  const Outcome outcome = scratch.run({"convergence", "case.yaml", "time.end=0.2", "--integrators", "moreau_jean", "--steps", "0.1", "--reference", "0.1", "-o", "no/out.csv"});
  BOOST_TEST(outcome.code == 3, outcome.all());
  check_contains(outcome.err, {"no/out.csv"});
  BOOST_TEST(count(outcome.out, "reference moreau_jean") == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
