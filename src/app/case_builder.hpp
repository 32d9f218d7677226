// From validated input to the owned part of a System. See app/case.hpp for the numbering.
#pragma once
#include <map>
#include <string>

#include "assembly/system.hpp"

namespace percussion {

struct CaseNames {
  std::map<std::string, std::int64_t> nodes;
  std::int64_t bodies = 0;  ///< of all ranks
  std::int64_t fills_begin = 0, fills_end = 0;  ///< ids of the bodies of fills
};

/// Collective. Nodes, fills, chains, walls, contributions, law, gravity, partition options into `system` (not yet started).
CaseNames build_system(System& system, const Parameters& input);

/// Collective, after System::start. InputError if a joint, a declared contact or a pair of bodies violates its
/// constraint at the start by more than rounding of the input explains, or if a node has no inertia.
void check_initial_state(const System& system, const Parameters& input);

}  // namespace percussion
