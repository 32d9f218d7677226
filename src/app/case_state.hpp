// The state of a case in a checkpoint: all that the next step depends on.
//
//   nodes/records, q, u    the owned nodes of each rank in their order: NodeData byte by byte, and the
//   integrator's q and u nodes/places           where ghosts and candidates were searched last: with them
//   their order comes back contacts/percussions   remembered percussions of detected contacts memory/keys,
//   values    what the integrator remembers (assembly/step_memory.hpp); memory/numbers: its own numbers
//
// What never changes in a run (walls, laws, contributions) is not stored: it comes from the input.
#pragma once
#include "app/case.hpp"
#include "io/checkpoint_reader.hpp"
#include "io/checkpoint_writer.hpp"

namespace percussion {

/// What a writer borrows: keep it until the file is written.
struct CaseSnapshot {
  SystemMemory system;
  StepMemory memory;
};
CaseSnapshot snapshot(const Case& c);

/// Local. Adds the state to the file.
void store(const Case& c, const CaseSnapshot& snapshot, CheckpointWriter& file);

/// Collective. The state of `c`, which is built from the input of the run that wrote the file but not begun.
/// On as many ranks as wrote the file, its next step is the one that run would have made, bit by bit; on
/// others, up to the solver's tolerance. InputError if the file is damaged or has other bodies.
void restore(Case& c, const CheckpointReader& file);

}  // namespace percussion
