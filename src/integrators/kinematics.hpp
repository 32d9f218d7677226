// Position updates q := q + tau B(q) u that several schemes share, on owned nodes and ghosts alike.
#pragma once
#include "model/node_store.hpp"

namespace percussion {

/// q += tau B(q_at) u for every local node; q_at is laid out like nodes.q() (nullptr: at q itself).
void advance_positions(NodeStore& nodes, double tau, const double* q_at = nullptr);

/// Quaternions back to length one.
void normalise_rotations(NodeStore& nodes);

}  // namespace percussion
