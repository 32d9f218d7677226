#include "io/suggest.hpp"

#include <algorithm>
#include <cctype>

namespace percussion {

int edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<int> d((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> int& { return d[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) at(i, 0) = static_cast<int>(i);
  for (std::size_t j = 0; j <= b.size(); ++j) at(0, j) = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = at(i - 1, j - 1) + (a[i - 1] == b[j - 1] ? 0 : 1);
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
    }
  return d.back();
}

std::string nearest(std::string_view written, const std::vector<std::string>& words) {
  const auto lower = [](std::string_view text) {
    std::string result(text);
    for (char& c : result) c = c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return result;
  };
  const std::string mine = lower(written);
  std::string best;
  int best_distance = std::max(1, static_cast<int>(mine.size()) / 3) + 1;
  for (const std::string& word : words) {
    const std::string candidate = lower(word);
    int distance = edit_distance(mine, candidate);
    // An abbreviation or a word too much (`vel`, `mass_kg`) is a likely slip too.
    const std::size_t common = std::min(mine.size(), candidate.size());
    if (common >= 3 && mine.compare(0, common, candidate, 0, common) == 0) distance = std::min(distance, 1);
    if (distance < best_distance) best = word, best_distance = distance;
  }
  return best;
}

}  // namespace percussion
