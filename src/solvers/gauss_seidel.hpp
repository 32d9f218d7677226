// One sweep of the domain-decomposed projected Gauss-Seidel in the body view: sequential inside a rank, mass splitting
// between ranks (solvers/body_exchange.hpp). Blocks at the interface go first; the interior is swept while the
// corrections of the shared bodies travel. Every block is relaxed alone, whatever its group.
// Cost: O(contacts of the rank) + one message each way per neighbour.
#pragma once
#include "solvers/body_exchange.hpp"

namespace percussion {

/// Collective.
void gauss_seidel_sweep(InclusionProblem& problem, BodyExchange& exchange, double omega);

}  // namespace percussion
