#include "partition/relabel.hpp"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"

namespace percussion {
namespace {

constexpr int pieces_per_rank = 4;

struct Piece {
  std::int64_t weight = 0, rank = 0, part = -1;
};

std::vector<Piece> largest_pieces(std::span<const std::int32_t> part, std::span<const std::int64_t> weights, int me) {
  std::unordered_map<std::int32_t, std::int64_t> held;
  for (std::size_t i = 0; i < part.size(); ++i) held[part[i]] += weights.empty() ? 1 : weights[i];
  std::vector<Piece> pieces;
  for (const auto& [p, weight] : held) pieces.push_back({weight, me, p});
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(b.weight, a.part) < std::tie(a.weight, b.part);
  });
  pieces.resize(pieces_per_rank);  // padded with part = -1
  return pieces;
}

}  // namespace

void relabel_parts(MPI_Comm comm, std::span<std::int32_t> part, std::span<const std::int64_t> weights) {
  int me = 0, ranks = 1;
  MPI_Comm_rank(comm, &me);
  MPI_Comm_size(comm, &ranks);
  all_or_none(comm, [&] {
    if (!weights.empty() && weights.size() != part.size()) throw RunError("relabel: one weight per entity, or none");
    for (const auto p : part)
      if (p < 0 || p >= ranks) throw RunError("relabel: a part has no rank to go to");
  });

  const auto mine = largest_pieces(part, weights, me);
  std::vector<Piece> pieces(static_cast<std::size_t>(ranks) * pieces_per_rank);
  constexpr int numbers = pieces_per_rank * static_cast<int>(sizeof(Piece) / sizeof(std::int64_t));
  MPI_Allgather(mine.data(), numbers, MPI_INT64_T, pieces.data(), numbers, MPI_INT64_T, comm);
  std::sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return std::tie(b.weight, a.rank, a.part) < std::tie(a.weight, b.rank, b.part);
  });

  std::vector<std::int32_t> rank_of(static_cast<std::size_t>(ranks), -1);
  std::vector<bool> taken(static_cast<std::size_t>(ranks), false);
  for (const auto& piece : pieces) {
    if (piece.part < 0 || rank_of[piece.part] >= 0 || taken[piece.rank]) continue;
    rank_of[piece.part] = static_cast<std::int32_t>(piece.rank);
    taken[piece.rank] = true;
  }
  std::int32_t free_rank = 0;
  for (auto& rank : rank_of) {
    if (rank >= 0) continue;
    while (taken[free_rank]) ++free_rank;
    rank = free_rank++;
  }
  for (auto& p : part) p = rank_of[p];
}

}  // namespace percussion
