// The root of the input: which sections a case has.
//
// The schemas of integrators, solvers, nodes... are declared beside their code and come in through the Catalogue.
#pragma once
#include <filesystem>

#include "base/schema.hpp"

namespace percussion {

Schema case_schema();

/// Rules between keys that a schema cannot say: end after start, lower corner below upper, a name fit for files.
/// Throws one InputError about all of them. Local; the same result on all ranks.
void check_case_rules(const Parameters& input);

/// `output.folder`, or results/<case name>.
std::filesystem::path output_folder(const Parameters& input);

}  // namespace percussion
