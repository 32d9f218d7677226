#include "solvers/residual.hpp"

#include <cmath>
#include <limits>
#include <type_traits>

#include "base/timer.hpp"
#include "solvers/body_kernel.hpp"
#include "solvers/row_kernel.hpp"

namespace percussion {

namespace {

constexpr double square_of(double v) { return v * v; }

struct Norms {
  double F = 0, P = 0;
};

/// Delassus entries of a contact with the masses of the undivided bodies, and their inverses.
struct Undivided {
  double N, T, inv_N, inv_T;
};

/// An interior contact touches no shared body: its entries are those of the sweep.
template <class Contact>
Undivided undivided(const InclusionProblem& problem, const Contact& s, bool interior) {
  if (interior) {
    if constexpr (std::is_same_v<Contact, BodyContact>) return {1 / s.inv_G_N, 1 / s.inv_G_T, s.inv_G_N, s.inv_G_T};
    const auto [N, T] = local_delassus(s, problem.x.data(), 1., 1.);
    return {N, T, s.inv_G_N, s.inv_G_T};
  }
  const auto [N, T] = local_delassus(s, problem.x.data(), 1. / problem.copies[s.a], 1. / problem.copies[s.b]);
  return {N, T, 1 / N, 1 / T};
}

/// f(contact, its Delassus entries) for spheres, then for bodies of other shapes.
template <class F>
void for_each_undivided(const InclusionProblem& problem, F&& f) {
  const auto visit = [&](const auto& contacts, std::int32_t interface) {
    for (std::size_t k = 0; k < contacts.size(); ++k) f(contacts[k], undivided(problem, contacts[k], k >= std::size_t(interface)));
  };
  visit(problem.spheres, problem.sphere_interface);
  visit(problem.bodies, problem.body_interface);
}

/// y' G y of the contact.
template <class Contact>
inline double energy(const Contact& s, const Undivided& G, const double* y) {
  const double N = y[0] * s.n[0] + y[1] * s.n[1] + y[2] * s.n[2];
  return G.N * N * N + G.T * (y[0] * y[0] + y[1] * y[1] + y[2] * y[2] - N * N);
}

/// Squared energy norm of the natural map at the percussion P.
template <class Contact>
[[gnu::always_inline]] inline double energy_F(const Contact& s, const Undivided& G, const double* P, const double* x) {
  double F[3];
  sphere_prox(s, P, contact_psi(s, x), G.inv_N, G.inv_T, F);
  for (int i = 0; i < 3; ++i) F[i] = P[i] - F[i];
  return energy(s, G, F);
}

double row_energy_F(const GeneralRows& rows, const RowBlock& block, const double* P, const double* x) {
  const SmallVec F = row_natural_map(block, rows.laws.data() + block.first_law, row_psi(rows, block, x), P);
  return F.dot(block.G * F);
}

/// Squared energy norm of the percussions that would stop the bodies at this contact alone; `bound`: something above it,
/// without the roots that make it dear (the square of a sum of six is at most six times the sum of the squares).
enum class Stopping { exact, bound };
template <class Contact>
double stopping_energy(const Contact& s, const Undivided& G, const double* x, Stopping how) {
  const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
  const auto square = [](const double* v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; };
  const double parts[6] = {square(a), square(b), square_of(arm_a(s)) * square(a + 3), square_of(arm_b(s)) * square(b + 3), s.c_N * s.c_N, square(s.c_T)};
  double sum = 0;
  for (const double part : parts) sum += how == Stopping::exact ? std::sqrt(part) : part;
  return (how == Stopping::exact ? sum * sum : 6 * sum) * G.inv_N;
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
Norms local_start_norms(const InclusionProblem& problem, Stopping how) {
  Norms sum;
  const double* x = problem.x.data();
  const double none[max_small_size] = {};
  for_each_undivided(problem, [&](const auto& s, const Undivided& G) { sum.F += energy_F(s, G, none, x), sum.P += stopping_energy(s, G, x, how); });
  for (const RowBlock& block : problem.rows.blocks)
    sum.F += row_energy_F(problem.rows, block, none, x), sum.P += stopping_energy(problem.rows, block, x);
  return sum;
}

/// Squared norms of the natural map and of P.
Norms local_norms(const InclusionProblem& problem) {
  Norms sum;
  const double* x = problem.x.data();
  for_each_undivided(problem, [&](const auto& s, const Undivided& G) { sum.F += energy_F(s, G, s.P, x), sum.P += energy(s, G, s.P); });
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
  Norms norms = over_ranks(problem.comm, local_start_norms(problem, Stopping::bound));
  // Mostly the floor is far below |F|: then it need not be known.
  if (velocity_floor * norms.P > norms.F) norms = over_ranks(problem.comm, local_start_norms(problem, Stopping::exact));
  start_ = std::max(norms.F, velocity_floor * norms.P);
}

double Residual::operator()(const InclusionProblem& problem) {
  const PhaseScope phase(Phase::residual);
  const Norms norms = over_ranks(problem.comm, local_norms(problem));
  scale_ = std::max(norms.P, start_);
  if (!std::isfinite(scale_)) return std::numeric_limits<double>::infinity();  // percussions that ran away solve nothing
  return scale_ > 0 ? norms.F / scale_ : 0.;
}

}  // namespace percussion
