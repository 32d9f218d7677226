// Which case a checkpoint belongs to: the part of the input that a restart must not change.
//
// Free to change: case.title and name, time.end, solver, partition, domain, output, checkpoint. Everything
// else (bodies, walls, contributions, laws, gravity, integrator, time.start, time.step, random_seed) makes
// another case.
#pragma once
#include <string>

#include "base/parameters.hpp"

namespace percussion {

/// YAML of the effective input without what may change.
std::string case_identity(const Parameters& input);

/// The first line in which two identities differ, in words; empty if they are equal.
std::string first_difference(const std::string& stored, const std::string& present);

}  // namespace percussion
