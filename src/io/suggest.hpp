// "Did you mean ...?": the nearest of the allowed words.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace percussion {

/// Insertions, deletions, replacements and swaps of neighbours that turn a into b (optimal string alignment).
int edit_distance(std::string_view a, std::string_view b);

/// The word nearest to `written`, or empty if none is near enough to be a likely slip.
std::string nearest(std::string_view written, const std::vector<std::string>& words);

}  // namespace percussion
