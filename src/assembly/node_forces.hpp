// Forces and inertia of the whole system at the present positions and velocities of its nodes, as arrays like nodes.u().
// All functions are local: every rank adds the terms of its owned nodes and of its contributions, not yet summed over
// ranks. Cost: O(owned nodes + contributions).
#pragma once
#include <span>

#include "assembly/gathered_state.hpp"
#include "assembly/system.hpp"

namespace percussion {

/// f += scale h(t, q, u), gravity and gyroscopic forces included.
void add_forces(const System& system, double t, double scale, GatheredState& gathered, std::span<double> f);
/// y += M(t, q) x.
void add_mass_times(const System& system, double t, std::span<const double> x, GatheredState& gathered, std::span<double> y);

/// y += diagonal of M(t, q).
void add_mass_diagonal(const System& system, double t, GatheredState& gathered, std::span<double> y);

/// f(first entry in a u array, columns of the block before it, size) for the nodes of a contribution, in its order.
template <class F>
void for_each_part(const NodeStore& nodes, std::span<const std::int32_t> local, F&& f) {
  int column = 0;
  for (const std::int32_t i : local) {
    const int n = nodes.u_offset()[i + 1] - nodes.u_offset()[i];
    f(nodes.u_offset()[i], column, n);
    column += n;
  }
}

}  // namespace percussion
