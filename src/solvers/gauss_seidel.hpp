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

/// Collective. The order and the messages of a sweep: contact(contact, k) relaxes contact k, spheres first, then bodies of
/// other shapes; block(block) relaxes a general block.
template <class Contact, class Block>
void sweep_in_order(InclusionProblem& problem, BodyExchange& exchange, Contact&& contact, Block&& block) {
  struct Range {
    std::size_t first, last;
  };
  const std::size_t spheres = problem.spheres.size();
  const auto relax = [&](Range of_spheres, Range of_bodies, Range of_blocks) {
    for (std::size_t k = of_spheres.first; k < of_spheres.last; ++k) contact(problem.spheres[k], k);
    for (std::size_t k = of_bodies.first; k < of_bodies.last; ++k) contact(problem.bodies[k], spheres + k);
    for (std::size_t k = of_blocks.first; k < of_blocks.last; ++k) block(problem.rows.blocks[k]);
  };
  const auto at = [](std::int32_t k) { return static_cast<std::size_t>(k); };
  exchange.begin();
  relax({0, at(problem.sphere_interface)}, {0, at(problem.body_interface)}, {0, at(problem.rows_interface)});
  exchange.reduce_start();
  relax({at(problem.sphere_interface), spheres}, {at(problem.body_interface), problem.bodies.size()},
        {at(problem.rows_interface), problem.rows.blocks.size()});
  exchange.finish();
}

}  // namespace percussion
