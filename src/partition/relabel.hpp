// New names for the parts of a partition, so that as little as possible has to move.
//
// A partitioner numbers its parts as it likes; here part p is given to a rank that already holds much of it. Greedy:
// the largest pieces (rank, part) choose first, with the four largest pieces of each rank in the game.
// Memory and time O(ranks): for redistribution, not inside a step.
#pragma once
#include <mpi.h>

#include <cstdint>
#include <span>

namespace percussion {

/// Collective. Exchanges the names in `part` (values 0 .. ranks-1, one per local entity); who is together stays
/// together. `weights`: what it costs to move each entity; empty for 1.
void relabel_parts(MPI_Comm comm, std::span<std::int32_t> part, std::span<const std::int64_t> weights = {});

}  // namespace percussion
