// Energy and momentum of the owned part of a system; sums over ranks are the caller's.
#pragma once
#include <vector>

#include "assembly/system.hpp"

namespace percussion {

struct Energies {
  double kinetic = 0;    ///< nodes and inertia contributions
  double potential = 0;  ///< gravity and forces that have a potential
  Vec3 momentum = Vec3::Zero();
  Vec3 angular_momentum = Vec3::Zero();  ///< about the origin
};

/// Local. At positions q (laid out like nodes.q()) and the present velocities.
Energies local_energies(const System& system, const std::vector<double>& q);

}  // namespace percussion
