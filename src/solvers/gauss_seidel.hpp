// One sweep of the domain-decomposed projected Gauss-Seidel in the body view: sequential inside a rank, mass splitting
// between ranks (solvers/body_exchange.hpp). Blocks at the interface go first; the interior is swept while the
// corrections of the shared bodies travel. Every block is relaxed alone, whatever its group.
// Cost: O(contacts of the rank) + one message each way per neighbour.
#pragma once
#include "solvers/body_exchange.hpp"
#include "solvers/row_kernel.hpp"

namespace percussion {

/// Collective.
void gauss_seidel_sweep(InclusionProblem& problem, BodyExchange& exchange, double omega);

/// Relaxes a general block: P and the velocities of its bodies. Local.
inline void relax_block(GeneralRows& rows, const RowBlock& block, double omega, double* x) {
  double* P = rows.P.data() + block.first_row;
  const SmallVec before = Eigen::Map<const VecX>(P, block.rows);
  solve_block(block, rows.laws.data() + block.first_law, 1., omega, row_psi(rows, block, x), P);
  const SmallVec dP = Eigen::Map<const VecX>(P, block.rows) - before;
  row_apply(rows, block, dP.data(), x);
}

/// Collective. The order and the messages of a sweep; sphere(contact, k) and block(block) relax.
template <class Sphere, class Block>
void sweep_in_order(InclusionProblem& problem, BodyExchange& exchange, Sphere&& sphere, Block&& block) {
  const auto relax = [&](std::size_t first, std::size_t last, std::size_t first_block, std::size_t last_block) {
    for (std::size_t k = first; k < last; ++k) sphere(problem.spheres[k], k);
    for (std::size_t k = first_block; k < last_block; ++k) block(problem.rows.blocks[k]);
  };
  exchange.begin();
  relax(0, problem.sphere_interface, 0, problem.rows_interface);
  exchange.reduce_start();
  relax(problem.sphere_interface, problem.spheres.size(), problem.rows_interface, problem.rows.blocks.size());
  exchange.finish();
}

}  // namespace percussion
