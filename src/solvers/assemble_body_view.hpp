// From the body view to the assembled view of the same problem: G = W^T M^-1 W of the undivided bodies, c = W^T x_free + c,
// by sparse products. Sphere contacts become blocks of a normal and two tangential rows with a Coulomb disc; general
// blocks stay what they are. Rows stay on their rank, in the order spheres, then general blocks.
// Cost: O(contacts x contacts per body); two sparse products' worth of messages.
#pragma once
#include <span>
#include <vector>

#include "assembly/assembled_problem.hpp"
#include "solvers/residual.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// Collective. x_free: the slots as the builder left them; P is that of the problem. `assembled` is new.
void assemble_body_view(const InclusionProblem& problem, std::span<const double> x_free, AssembledProblem& assembled);

/// Collective. P of `assembled` into the problem and x := x_free + M^-1 W P on all copies.
void write_back(const AssembledProblem& assembled, std::span<const double> x_free, InclusionProblem& problem);

/// Collective. The body view solved by `solve(AssembledProblem&) -> SolveReport`, judged by the residual of the body view.
template <class Solve>
SolveReport solve_assembled_view(InclusionProblem& problem, double tolerance, Solve&& solve) {
  Residual residual(problem);
  const std::vector<double> x_free(problem.x.data(), problem.x.data() + problem.x.size());
  AssembledProblem assembled;
  assemble_body_view(problem, x_free, assembled);
  SolveReport report = solve(assembled);
  write_back(assembled, x_free, problem);
  report.residual = residual(problem);
  report.converged = !report.singular && report.residual <= tolerance;
  return report;
}

}  // namespace percussion
