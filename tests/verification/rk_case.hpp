// What the tests of the Runge-Kutta families share: the methods by name, a stored case with one of them, orders.
#pragma once
#include <boost/test/unit_test.hpp>
#include <cmath>
#include <functional>
#include <limits>

#include "app/convergence.hpp"
#include "assembly/energy.hpp"
#include "base/log.hpp"
#include "test_paths.hpp"
#include "verification/stored_case.hpp"

namespace percussion {

/// An integrator as `integrator={...}` takes it.
using Method = std::string;

inline const Method radau_1 = "type: radau_iia, stages: 1", radau_2 = "type: radau_iia, stages: 2", radau_3 = "type: radau_iia, stages: 3";
inline const Method lobatto_2 = "type: lobatto_iiic, stages: 2", lobatto_3 = "type: lobatto_iiic, stages: 3";
inline const Method sdirk_2 = "type: sdirk, stages: 2", sdirk_3 = "type: sdirk, stages: 3";
inline const Method tr_bdf2_0 = "type: tr_bdf2", trx2_0 = "type: trx2", tr_theta_0 = "type: tr_theta";
inline const Method pair_2 = "type: lobatto_iiia_iiib, stages: 2", pair_3 = "type: lobatto_iiia_iiib, stages: 3", pair_4 = "type: lobatto_iiia_iiib, stages: 4";

/// All with contact laws on position level.
inline const std::vector<Method> runge_kutta_methods = {radau_1,   radau_2, radau_3,    lobatto_2, lobatto_3, sdirk_2, sdirk_3,
                                                        tr_bdf2_0, trx2_0,  tr_theta_0, pair_2,    pair_3,    pair_4};

/// Collective. A case with this method and, unless `more` says otherwise, the hybrid solver at 1e-12.
inline std::unique_ptr<Case> rk_case(const std::string& file, const Method& method, const std::vector<std::string>& more = {}) {
  std::vector<std::string> overrides = {"integrator={" + method + "}", "solver={type: hybrid, tolerance: 1.0e-12}"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return stored_case(file, overrides);
}

/// Collective. Steps until `end`; every step must converge. `visit(report)` after each.
inline void run(Case& c, double end, const std::function<void(const StepReport&)>& visit = {}) {
  for (int k = steps_until(c, end); k > 0; --k) {
    const StepReport report = c.step();
    BOOST_TEST(report.solve.converged, "not converged at t = " << c.system.t << ", residual " << report.solve.residual);
    if (visit) visit(report);
  }
}

/// Collective.
inline double total_energy(const Case& c) {
  std::vector<double> q;
  c.integrator().positions(c.system, q);
  const Energies e = local_energies(c.system, q);
  double sum = e.kinetic + e.potential;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, c.system.comm());
  return sum;
}

inline int ranks() {
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Preconditions. One body or a small mechanism: a third rank has nothing to do. Long tables: the second one has not either.
inline boost::test_tools::assertion_result at_most_two_ranks(boost::unit_test::test_unit_id) { return ranks() <= 2; }
inline boost::test_tools::assertion_result on_one_rank(boost::unit_test::test_unit_id) { return ranks() == 1; }

/// On two ranks, where each step waits for messages, one method stands for each of the two families.
inline bool runs_here(const Method& method) { return ranks() == 1 || method == radau_2 || method == pair_2; }

/// Collective. Errors in the maximum norm against Radau IIA, s = 3, with its rows by method and step.
inline ConvergenceRows orders(const std::string& file, const std::vector<std::string>& overrides, const std::string& methods,
                              const std::vector<double>& steps, double reference, double p = std::numeric_limits<double>::infinity()) {
  ConvergenceStudy study;
  study.file = std::string(PERCUSSION_TEST_SOURCE_DIR) + "/inputs/" + file;
  study.overrides = overrides;
  study.methods = parse_methods(methods, "methods");
  study.steps = steps, study.reference_step = reference, study.p = p;
  study.reference_method = parse_methods("radau_iia{stages=3,atol=1e-15,rtol=1e-15}", "reference")[0];
  const auto level = spdlog::get_level();
  spdlog::set_level(spdlog::level::warn);  // not a line per run
  ConvergenceRows rows = run_convergence(MPI_COMM_WORLD, study, [](const ConvergenceRows&) {});
  spdlog::set_level(level);
  return rows;
}

/// The row of a method at a step.
inline const ConvergenceRow& row_of(const ConvergenceRows& rows, const std::string& method, double h) {
  for (const ConvergenceRow& row : rows)
    if (row.method == method && std::abs(row.h / h - 1) < 1e-9) return row;
  throw std::out_of_range(method);
}

}  // namespace percussion
