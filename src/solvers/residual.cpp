#include "solvers/residual.hpp"

#include <cmath>
#include <limits>

#include "solvers/row_kernel.hpp"
#include "solvers/sphere_kernel.hpp"

namespace percussion {

namespace {

struct Norms {
  double F = 0, P = 0;
};

/// Squared energy norm of the percussions that would stop the bodies at their contacts, one by one.
double local_stopping_norm(const InclusionProblem& problem) {
  double sum = 0;
  const double* x = problem.x.data();
  for (const SphereContact& s : problem.spheres) {
    const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
    const auto norm = [](const double* v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); };
    const double v = norm(a) + norm(b) + s.r_a * norm(a + 3) + s.r_b * norm(b + 3) + std::abs(s.c_N) + norm(s.c_T);
    sum += v * v / (a[6] / problem.copies[s.a] + b[6] / problem.copies[s.b]);
  }
  const GeneralRows& rows = problem.rows;
  for (const RowBlock& block : rows.blocks) {
    for (int r = 0; r < block.rows; ++r) {
      double v = std::abs(rows.c[block.first_row + r]);
      for (int k = 0; k < block.arms; ++k) {
        const Arm& arm = rows.arms[block.first_arm + k];
        for (int c = 0; c < arm.columns; ++c)
          v += std::abs(rows.Wt[arm.offset + r * arm.columns + c] * x[std::size_t(arm.line) * line_size + c]);
      }
      if (block.G(r, r) > 0) sum += v * v / block.G(r, r);
    }
  }
  return sum;
}

/// Squared local energy norms; `zero`: at P = 0 instead of the present P.
Norms local_norms(const InclusionProblem& problem, bool zero) {
  Norms sum;
  const double* x = problem.x.data();
  for (const SphereContact& contact : problem.spheres) {
    SphereContact s = contact;
    if (zero) std::fill_n(s.P, 3, 0.);
    // The masses of the undivided bodies.
    const double w_a = 1. / problem.copies[s.a], w_b = 1. / problem.copies[s.b];
    const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
    const double G_N = w_a * a[6] + w_b * b[6];
    const double G_T = G_N + w_a * s.r_a * s.r_a * a[7] + w_b * s.r_b * s.r_b * b[7];
    double P[3];
    sphere_prox(s, sphere_psi(s, x), 1 / G_N, 1 / G_T, P);
    double F[3];
    for (int i = 0; i < 3; ++i) F[i] = s.P[i] - P[i];
    const auto energy = [&](const double* y) {
      const double N = y[0] * s.n[0] + y[1] * s.n[1] + y[2] * s.n[2];
      return G_N * N * N + G_T * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - N * N);
    };
    sum.F += energy(F), sum.P += energy(s.P);
  }
  const GeneralRows& rows = problem.rows;
  const double none[max_small_size] = {};
  for (const RowBlock& block : rows.blocks) {
    const double* P = zero ? none : rows.P.data() + block.first_row;
    const SmallVec F = row_natural_map(block, rows.laws.data() + block.first_law, row_psi(rows, block, x), P);
    const SmallVec P_block = Eigen::Map<const VecX>(P, block.rows);
    sum.F += F.dot(block.G * F), sum.P += P_block.dot(block.G * P_block);
  }
  return sum;
}

Norms over_ranks(MPI_Comm comm, Norms local) {
  Norms sum;
  MPI_Allreduce(&local, &sum, 2, MPI_DOUBLE, MPI_SUM, comm);
  return {std::sqrt(sum.F), std::sqrt(sum.P)};
}

}  // namespace

Residual::Residual(const InclusionProblem& problem) {
  const Norms norms = over_ranks(problem.comm, {local_norms(problem, true).F, local_stopping_norm(problem)});
  start_ = std::max(norms.F, velocity_floor * norms.P);
}

double Residual::operator()(const InclusionProblem& problem) const {
  const Norms norms = over_ranks(problem.comm, local_norms(problem, false));
  const double scale = std::max(norms.P, start_);
  if (!std::isfinite(scale)) return std::numeric_limits<double>::infinity();  // percussions that ran away solve nothing
  return scale > 0 ? norms.F / scale : 0.;
}

}  // namespace percussion
