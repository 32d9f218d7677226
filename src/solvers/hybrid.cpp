#include "solvers/hybrid.hpp"

#include <algorithm>
#include <memory>

#include "base/timer.hpp"
#include "solvers/accelerated_gauss_seidel.hpp"
#include "solvers/assemble_body_view.hpp"
#include "solvers/assembled_sweep.hpp"
#include "solvers/contact_blocks.hpp"
#include "solvers/contact_hybrid.hpp"
#include "solvers/gathered_problem.hpp"
#include "solvers/gauss_seidel.hpp"
#include "solvers/proximal_newton.hpp"
#include "solvers/row_kernel.hpp"
#include "solvers/body_kernel.hpp"
#include "solvers/stage_sweep.hpp"
#include "solvers/sweep_loop.hpp"

namespace percussion {
namespace {

// Sweeps before the first Newton step: a dense factorisation of a small problem costs as much as a few sweeps, a sparse
// one as much as a thousand in the body view. After a stalled Newton method `again` of them, and twice as many each time.
constexpr int small_budget = 5, large_budget = 5000, small_again = 20, large_again = 200;
// Rows over all ranks up to which contact blocks are solved on rank 0. Bounds its memory; with more, messages are no longer
// what costs most.
constexpr int gathered_rows = 20000;
// Checks at which the active set must be the same. Measured on packings: after 3 it is not yet that of the solution.
constexpr int quiet_checks = 10;

struct Size {
  bool small;  ///< factorised densely
  bool sweeps_only;
};

Size size_of(MPI_Comm comm, std::size_t local_rows, int newton_rows) {
  std::int64_t rows = static_cast<std::int64_t>(local_rows), largest = rows;
  MPI_Allreduce(MPI_IN_PLACE, &rows, 1, MPI_INT64_T, MPI_SUM, comm);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_INT64_T, MPI_MAX, comm);
  return {rows < newton_dense_rows, largest > newton_rows};
}

SolverOptions sweep_options(const HybridOptions& options, const Size& size) {
  SolverOptions result = options.sweeps;
  if (size.small) result.check_every = std::min(result.check_every, small_budget);
  return result;
}

/// Says at each check whether it is time for Newton: budget used, or the active set the same at several checks.
class Switch {
 public:
  /// Newton gets at least half of `max_iterations`.
  Switch(MPI_Comm comm, const Size& size, int max_iterations) : comm_(comm), size_(size) {
    budget_ = size.small ? small_budget : std::min(large_budget, max_iterations / 2);
    again_ = size.small ? small_again : large_again;
  }

  void next_round(int iterations) {
    until_ = iterations + budget_, quiet_ = 0, last_.clear();
    budget_ = again_, again_ *= 2;
  }
  /// Collective. `bits(out)` lists the active set of this rank.
  template <class Bits>
  bool operator()(const SolveReport& report, Bits&& bits) {
    if (size_.sweeps_only) return false;
    if (report.iterations >= until_) return true;
    if (size_.small) return false;
    now_.clear();
    bits(now_);
    int same = now_ == last_;
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_MIN, comm_);
    quiet_ = same ? quiet_ + 1 : 0;
    std::swap(now_, last_);
    return quiet_ >= quiet_checks;
  }

 private:
  MPI_Comm comm_;
  Size size_;
  int budget_, again_, until_ = 0, quiet_ = 0;
  std::vector<std::uint32_t> now_, last_;
};

void active_set(const RowVelocities& velocities, const GeneralRows& rows, std::vector<std::uint32_t>& bits) {
  for (const RowBlock& block : rows.blocks)
    bits.push_back(active_bits(block, rows.laws.data() + block.first_law, velocities.of(block), rows.P.data() + block.first_row));
}

void active_set(const InclusionProblem& problem, std::vector<std::uint32_t>& bits) {
  for_each_contact(problem, [&](const auto& s) {
    double P[3];
    sphere_prox(s, s.P, contact_psi(s, problem.x.data()), s.inv_G_N, s.inv_G_T, P);
    const double P_N = P[0] * s.n[0] + P[1] * s.n[1] + P[2] * s.n[2], P_2 = P[0] * P[0] + P[1] * P[1] + P[2] * P[2];
    // Slip: on the rim of the disc, up to rounding.
    bits.push_back(P_N > 0 ? 1u + 2u * (P_2 - P_N * P_N < (1 - 1e-12) * s.mu * s.mu * P_N * P_N) : 0u);
  });
  const GeneralRows& rows = problem.rows;
  for (const RowBlock& block : rows.blocks)
    bits.push_back(active_bits(block, rows.laws.data() + block.first_law, row_psi(rows, block, problem.x.data()), rows.P.data() + block.first_row));
}

void solve_assembled(SolveReport& report, AssembledProblem& problem, const HybridOptions& options, const Size& size, bool newton_now);

/// Collective. The whole problem on rank 0.
void solve_gathered(SolveReport& report, AssembledProblem& problem, RowVelocities& velocities, const HybridOptions& options, bool newton_now) {
  HybridOptions asked = options;
  asked.sweeps.tolerance *= 1 - 1e-10;  // sums over ranks round differently
  GatheredProblem gathered(problem, velocities.G());
  report = gathered.solve(problem, [&](AssembledProblem& whole) {
    SolveReport continued = report;
    solve_assembled(continued, whole, asked, size_of(MPI_COMM_SELF, whole.rows.c.size(), options.newton_rows), newton_now);
    return continued;
  });
  report.residual = velocities.residual();
  report.converged = report.converged && report.residual <= options.sweeps.tolerance;
}

/// Collective. Whether rank 0 may have the whole problem.
bool may_gather(const AssembledProblem& problem, const DelassusRows& G, const HybridOptions& options) {
  if (G.alone() || G.global_rows() > std::max(options.newton_rows, gathered_rows)) return false;
  if (G.global_rows() <= options.newton_rows) return true;
  int fits = fits_contact_blocks(problem.rows);
  MPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, problem.comm);
  return fits != 0;
}

/// Continues `report`; `newton_now`: the sweeps have been done elsewhere.
void solve_assembled(SolveReport& report, AssembledProblem& problem, const HybridOptions& options, const Size& size, bool newton_now) {
  const SolverOptions sweeps = sweep_options(options, size);
  RowVelocities velocities(problem);
  if (options.newton_max > 0 && velocities.G().alone() && fits_contact_blocks(problem.rows)) {
    contact_hybrid(report, velocities, options.sweeps, newton_now);
    return;
  }
  if (options.newton_max > 0 && may_gather(problem, velocities.G(), options)) {
    solve_gathered(report, problem, velocities, options, newton_now);
    return;
  }
  AssembledGaussSeidel gauss_seidel(velocities, sweeps.relaxation);
  std::unique_ptr<ActiveSetNewton> newton;
  Switch time_for_newton(problem.comm, size, options.sweeps.max_iterations);
  const auto leave = [&](const SolveReport& r) {
    return time_for_newton(r, [&](std::vector<std::uint32_t>& bits) { active_set(velocities, problem.rows, bits); });
  };
  for (bool first = true;; first = false) {
    time_for_newton.next_round(report.iterations);
    if (!(first && newton_now))
      sweep_until_solved(report, sweeps, [&] { return velocities.residual(); }, [&] { gauss_seidel.sweep(); }, leave);
    if (report.converged || report.iterations >= sweeps.max_iterations) return;
    if (!newton) newton = std::make_unique<ActiveSetNewton>(velocities);
    const int steps = std::min(options.newton_max, sweeps.max_iterations - report.iterations);
    proximal_newton(report, velocities, *newton, sweeps.tolerance, steps, size.small && first);
    if (sweeps.history) report.history.push_back(report.residual);
    if (report.converged) return;
  }
}

class Hybrid final : public ContactSolver {
 public:
  explicit Hybrid(const HybridOptions& options) : options_(options) {}
  SolveReport solve(InclusionProblem& problem) override { return hybrid(problem, options_); }
  SolveReport solve(AssembledProblem& problem) override { return hybrid(problem, options_); }
  bool wants_stage_spheres(std::int64_t rows) const override { return rows > options_.newton_rows; }
  SolveReport solve(StageSphereProblem& problem) override { return stage_gauss_seidel(problem, options_.sweeps, true); }

 private:
  HybridOptions options_;
};

Schema schema() {
  Schema s = sweep_schema();
  s.integer("newton_max").fallback(300).at_least(0).doc("Newton steps in one attempt before the solver goes back to sweeps; 0: sweeps only");
  s.integer("newton_rows").fallback(3000).at_least(0).doc("with more rows than this on any rank the solver only sweeps");
  return s;
}

const RegisterSolver registered{
    "solvers", "hybrid", "Gauss-Seidel sweeps, then semismooth Newton in a proximal-point loop; also for redundant contacts",
    schema(), [](const Parameters& p) {
      return std::make_unique<Hybrid>(
          HybridOptions{solver_options(p), static_cast<int>(p.integer("newton_max")), static_cast<int>(p.integer("newton_rows"))});
    }};

}  // namespace

SolveReport hybrid(AssembledProblem& problem, const HybridOptions& options) {
  const PhaseScope phase(Phase::solve);
  SolveReport report;
  Size size = size_of(problem.comm, problem.rows.c.size(), options.newton_rows);
  size.sweeps_only |= options.newton_max == 0;
  solve_assembled(report, problem, options, size, false);
  return report;
}

SolveReport hybrid(InclusionProblem& problem, const HybridOptions& options) {
  const PhaseScope phase(Phase::solve);
  Size size = size_of(problem.comm, 3 * (problem.spheres.size() + problem.bodies.size()) + problem.rows.c.size(), options.newton_rows);
  size.sweeps_only |= options.newton_max == 0;
  if (size.sweeps_only) return accelerated_gauss_seidel(problem, options.sweeps);
  const std::vector<double> x_free(problem.x.data(), problem.x.data() + problem.x.size());
  Residual residual(problem);
  SolveReport report;
  {
    BodyExchange exchange(problem);
    apply_start(problem, exchange);
    Switch time_for_newton(problem.comm, size, options.sweeps.max_iterations);
    time_for_newton.next_round(0);
    sweep_until_solved(
        report, sweep_options(options, size), [&] { return residual(problem); },
        [&] { gauss_seidel_sweep(problem, exchange, options.sweeps.relaxation); },
        [&](const SolveReport& r) { return time_for_newton(r, [&](std::vector<std::uint32_t>& bits) { active_set(problem, bits); }); });
  }
  if (report.converged || report.iterations >= options.sweeps.max_iterations) return report;

  AssembledProblem assembled;
  assemble_body_view(problem, x_free, assembled);
  // Blocks of shared bodies are measured with the masses of their copies in the body view: ask for more if need be.
  HybridOptions asked = options;
  for (int attempt = 0; attempt < 3; ++attempt, asked.sweeps.tolerance *= 0.1) {
    solve_assembled(report, assembled, asked, size, true);
    const bool done = report.converged;
    write_back(assembled, x_free, problem);
    report.residual = residual(problem);
    report.converged = report.residual <= options.sweeps.tolerance;
    if (report.converged || !done) break;
  }
  return report;
}

}  // namespace percussion
