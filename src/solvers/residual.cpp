#include "solvers/residual.hpp"

#include <cmath>

#include "base/timer.hpp"
#include "solvers/row_kernel.hpp"
#include "solvers/sphere_kernel.hpp"

namespace percussion {

namespace {

struct Norms {
  double F = 0, P = 0;
};

/// Delassus entries of a sphere contact with the masses of the undivided bodies, and their inverses.
struct SphereDelassus {
  double N, T, inv_N, inv_T;
};

/// Contacts from `interior` on touch no shared body: their entries are those of the sweep.
SphereDelassus undivided(const InclusionProblem& problem, const SphereContact& s, bool interior) {
  const double *x = problem.x.data(), *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
  const double w_a = interior ? 1. : 1. / problem.copies[s.a], w_b = interior ? 1. : 1. / problem.copies[s.b];
  const double N = w_a * a[6] + w_b * b[6], T = N + w_a * s.r_a * s.r_a * a[7] + w_b * s.r_b * s.r_b * b[7];
  return interior ? SphereDelassus{N, T, s.inv_G_N, s.inv_G_T} : SphereDelassus{N, T, 1 / N, 1 / T};
}

/// y' G y of the contact.
double energy(const SphereContact& s, const SphereDelassus& G, const double* y) {
  const double N = y[0] * s.n[0] + y[1] * s.n[1] + y[2] * s.n[2];
  return G.N * N * N + G.T * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - N * N);
}

/// Squared energy norm of the natural map at the percussion P.
double sphere_energy_F(const SphereContact& s, const SphereDelassus& G, const double* P, const double* x) {
  double F[3];
  sphere_prox(s, P, sphere_psi(s, x), G.inv_N, G.inv_T, F);
  for (int i = 0; i < 3; ++i) F[i] = P[i] - F[i];
  return energy(s, G, F);
}

double row_energy_F(const GeneralRows& rows, const RowBlock& block, const double* P, const double* x) {
  const SmallVec F = row_natural_map(block, rows.laws.data() + block.first_law, row_psi(rows, block, x), P);
  return F.dot(block.G * F);
}

/// Squared energy norm of the percussions that would stop the bodies at this contact alone.
double stopping_energy(const SphereContact& s, const SphereDelassus& G, const double* x) {
  const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
  const auto norm = [](const double* v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); };
  const double v = norm(a) + norm(b) + s.r_a * norm(a + 3) + s.r_b * norm(b + 3) + std::abs(s.c_N) + norm(s.c_T);
  return v * v * G.inv_N;
}

double stopping_energy(const GeneralRows& rows, const RowBlock& block, const double* x) {
  double sum = 0;
  for (int r = 0; r < block.rows; ++r) {
    double v = std::abs(rows.c[block.first_row + r]);
    for (int k = 0; k < block.arms; ++k) {
      const Arm& arm = rows.arms[block.first_arm + k];
      for (int c = 0; c < arm.columns; ++c)
        v += std::abs(rows.Wt[arm.offset + r * arm.columns + c] * x[std::size_t(arm.line) * line_size + c]);
    }
    if (block.G(r, r) > 0) sum += v * v / block.G(r, r);
  }
  return sum;
}

/// At P = 0: squared norms of the natural map and of the stopping percussions.
Norms local_start_norms(const InclusionProblem& problem) {
  Norms sum;
  const double* x = problem.x.data();
  const double none[max_small_size] = {};
  for (std::size_t k = 0; k < problem.spheres.size(); ++k) {
    const SphereContact& s = problem.spheres[k];
    const SphereDelassus G = undivided(problem, s, k >= std::size_t(problem.sphere_interface));
    sum.F += sphere_energy_F(s, G, none, x), sum.P += stopping_energy(s, G, x);
  }
  for (const RowBlock& block : problem.rows.blocks)
    sum.F += row_energy_F(problem.rows, block, none, x), sum.P += stopping_energy(problem.rows, block, x);
  return sum;
}

/// Squared norms of the natural map and of P.
Norms local_norms(const InclusionProblem& problem) {
  Norms sum;
  const double* x = problem.x.data();
  for (std::size_t k = 0; k < problem.spheres.size(); ++k) {
    const SphereContact& s = problem.spheres[k];
    const SphereDelassus G = undivided(problem, s, k >= std::size_t(problem.sphere_interface));
    sum.F += sphere_energy_F(s, G, s.P, x), sum.P += energy(s, G, s.P);
  }
  const GeneralRows& rows = problem.rows;
  for (const RowBlock& block : rows.blocks) {
    const double* P = rows.P.data() + block.first_row;
    const SmallVec P_block = Eigen::Map<const VecX>(P, block.rows);
    sum.F += row_energy_F(rows, block, P, x), sum.P += P_block.dot(block.G * P_block);
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
  const PhaseScope phase(Phase::residual);
  const Norms norms = over_ranks(problem.comm, local_start_norms(problem));
  start_ = std::max(norms.F, velocity_floor * norms.P);
}

double Residual::operator()(const InclusionProblem& problem) const {
  const PhaseScope phase(Phase::residual);
  const Norms norms = over_ranks(problem.comm, local_norms(problem));
  const double scale = std::max(norms.P, start_);
  return scale > 0 ? norms.F / scale : 0.;
}

}  // namespace percussion
