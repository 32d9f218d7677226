// Sparse Cholesky factorisation A = L L' on one rank for matrices whose rows come in blocks, as those of contacts do: rows of
// one contact, and of all contacts between the same two bodies, couple with the same rows.
//
// Rows of equal pattern are one node of a quotient graph, which is ordered by minimum degree; columns of L of (nearly)
// the same pattern are stored as one dense panel. All work is then on dense panels: updates are products of panels, a
// solution reads L once, in order. Right-looking; the pattern is analysed once.
// Measured against Eigen's simplicial factorisation: 570 contacts of stacked planks, 12 rows per node and 144,000 entries in L,
// 1.4 ms against 9.4 ms, a solution 0.08 ms against 0.26 ms; equal for 356 contacts of spheres with 4200 entries.
#pragma once
#include <cstdint>
#include <vector>

#include "assembly/petsc.hpp"
#include "math/types.hpp"

namespace percussion {

class BlockCholesky {
 public:
  /// The pattern of A; symmetric, the diagonal may be missing. Only the lower part of the values is read.
  explicit BlockCholesky(const CompressedRows& A);

  /// A with `values` (in the places of the pattern) + diag(shift). False if it is not positive definite.
  bool factorise(const std::vector<double>& values, const std::vector<double>& shift);
  /// x := A^-1 b.
  void solve(const std::vector<double>& b, std::vector<double>& x);

 private:
  /// Consecutive columns [first, first + width) of L, numbered as they are eliminated; below them the rows `below`.
  struct Panel {
    std::int32_t first, width;
    std::int32_t below, n_below;  ///< in below_
    std::int64_t offset;          ///< in L_, width + n_below rows by columns
    std::int32_t height() const { return width + n_below; }
  };
  void make_panels(const std::vector<std::vector<std::int32_t>>& structure, const std::vector<std::int32_t>& parent, const std::vector<std::int32_t>& begin);
  void place_entries(const CompressedRows& A);
  void update_ancestors(const Panel& panel);
  std::int64_t place(std::int32_t row, std::int32_t column) const;

  std::vector<std::int32_t> position_;  ///< of each row of A in the order of elimination
  std::vector<std::int32_t> panel_of_;  ///< of each column of L
  std::vector<Panel> panels_;
  std::vector<std::int32_t> below_;
  std::vector<std::int64_t> target_, diagonal_;  ///< places in L_ of the entries of A (-1: upper part) and of its diagonal
  std::vector<double> L_, y_, part_;
  std::vector<std::int32_t> relative_;
  MatX update_;
};

}  // namespace percussion
