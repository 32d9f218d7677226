// One sweep of the domain-decomposed projected Gauss-Seidel in the body view: sequential inside a rank, mass splitting
// between ranks (solvers/body_exchange.hpp). Blocks at the interface go first; the interior is swept while the
// corrections of the shared bodies travel, and their sums travel back. Every block is relaxed alone, whatever its group.
// Cost: O(contacts of the rank) + one message each way per neighbour.
#pragma once
#include "solvers/body_exchange.hpp"
#include "solvers/row_kernel.hpp"
#include "solvers/step_forecast.hpp"

namespace percussion {

/// Collective. Returns this rank's part of the step.
SweepStep gauss_seidel_sweep(InclusionProblem& problem, BodyExchange& exchange, double omega);

/// Relaxes a general block: P and the velocities of its bodies. Local. Returns the squared energy norm of the change.
inline double relax_block(GeneralRows& rows, const RowBlock& block, double omega, double* x) {
  double* P = rows.P.data() + block.first_row;
  const SmallVec before = Eigen::Map<const VecX>(P, block.rows);
  solve_block(block, rows.laws.data() + block.first_law, 1., omega, row_psi(rows, block, x), P);
  const SmallVec dP = Eigen::Map<const VecX>(P, block.rows) - before;
  row_apply(rows, block, dP.data(), x);
  return std::abs(dP.dot(block.G.lazyProduct(dP)));
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
  // The interior in two parts: one while the corrections travel to the owners, one while the sums travel back.
  const auto middle = [](std::size_t first, std::size_t last) { return first + (last - first) / 2; };
  const std::size_t bodies = problem.bodies.size(), blocks = problem.rows.blocks.size();
  const Range of_spheres{at(problem.sphere_interface), spheres}, of_bodies{at(problem.body_interface), bodies}, of_blocks{at(problem.rows_interface), blocks};
  const Range spheres_first{of_spheres.first, middle(of_spheres.first, spheres)}, bodies_first{of_bodies.first, middle(of_bodies.first, bodies)},
      blocks_first{of_blocks.first, middle(of_blocks.first, blocks)};
  relax(spheres_first, bodies_first, blocks_first);
  exchange.turn();
  relax({spheres_first.last, spheres}, {bodies_first.last, bodies}, {blocks_first.last, blocks});
  exchange.finish();
}

}  // namespace percussion
