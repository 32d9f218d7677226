// `domain.periodic` of the input: the box, and what does not go together with it.
#pragma once
#include "assembly/system.hpp"
#include "base/parameters.hpp"

namespace percussion {

/// Without `periodic` a box without periodic directions. InputError for z in a planar domain or a direction named twice.
PeriodicBox periodic_box(const Parameters& input);

/// Collective, with all bodies, walls and contributions in place. InputError on all ranks if a body is too large for the box,
/// a contribution or chain may reach across a side, or a wall does not repeat itself with the box.
/// `largest`: radius of bodies that will come later.
void check_periodic(const System& system, const Parameters& input, double largest);

}  // namespace percussion
