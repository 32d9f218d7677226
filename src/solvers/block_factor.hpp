// Sparse LU factorisation of the Newton matrix on contact blocks,
//
//   J_kl = A_k W_kl + delta_kl (B_k + eps A_k)     on the blocks that take part,
//
// with 3x3 blocks as entries: row by row, with a minimum-degree ordering of the blocks (once) and the elimination tree
// of those that take part (each time; it costs less than a row of the numbers). No pivoting between blocks: eps keeps
// the diagonal blocks regular. Contacts couple through the bodies they share, so the fill is small: on stored problems
// of rigid bodies the factors have one to three times the entries of W, and a factorisation costs as much as 5 to 50 sweeps.
#pragma once
#include <cstdint>
#include <vector>

#include "solvers/contact_blocks.hpp"

namespace percussion {

class BlockFactor {
 public:
  explicit BlockFactor(const ContactBlocks& blocks);

  /// Takes the blocks k with takes_part[k]; false if a diagonal block turns out singular or not finite, or if the factors
  /// would be too large.
  bool factorise(const std::vector<char>& takes_part, const std::vector<BlockEquation>& equation, double eps);
  /// x := J^-1 x, three values per block that takes part, zero for the others.
  void solve(std::vector<double>& x) const;
  /// Multiplications and additions of the last factorisation; of one with all blocks before the first.
  /// Infinite if its factors would be too large.
  double work() const { return work_; }

 private:
  bool analyse(const std::vector<char>& takes_part);
  void gather(std::int32_t i, const BlockEquation& equation, double eps);
  bool eliminate(std::int32_t i);

  const ContactBlocks& blocks_;
  std::vector<std::int32_t> order_;           ///< block at a place of the minimum-degree ordering
  std::vector<std::int32_t> rows_, place_;    ///< blocks that take part in order; place of a block or -1
  std::vector<std::int32_t> parent_, mark_, path_;
  std::vector<std::int32_t> L_first_, L_column_, U_first_, U_column_, next_;
  std::vector<double> L_, U_, D_inv_, row_;   ///< blocks of 4x3 by columns: a lane to spare, so that columns are aligned
  double work_ = 0;
};

}  // namespace percussion
