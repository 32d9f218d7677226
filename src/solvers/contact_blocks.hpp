// The rows of one rank in blocks of three and in scaled variables, for solvers that live from speed.
//
//   u = W r + q,   W = G / (s_k s_l),   r = s_k P,   u = psi / s_k,   s_k^2 the mean diagonal entry of block k of G
//
// G is the part on the columns of this rank. Where there are others, hold() and sweep_held()
// relax the majoriser of solvers/assembled_sweep.hpp, with `factor` k_r on G.
// One scale per block keeps the friction cones as they are and makes everything after it independent of units. Blocks
// are stored by columns in compressed block rows, the diagonal block first, so that a sweep or a product streams
// through memory with one fused multiply-add per column and lane.
// A block is a contact (normal, two tangents) or up to three bilateral rows; planar contacts and short bilateral blocks are
// filled up with rows that are coupled to nothing, longer bilateral blocks are cut.
#pragma once
#include <cstdint>
#include <vector>

#include "solvers/delassus_rows.hpp"
#include "solvers/local_contact.hpp"

namespace percussion {

/// A contact with a Coulomb disc, or a planar one with an interval, and nothing else.
bool is_coulomb(const GeneralRows& rows, const RowBlock& block);

/// Whether the rows of this rank are of the kinds above: Coulomb discs and planar intervals without a constant part, one
/// per contact, bilateral rows; no groups. Local.
bool fits_contact_blocks(const GeneralRows& rows);
/// Whether a bilateral block would be cut, which costs sweeps: they solve its parts one after the other. Local.
bool cuts_bilateral_blocks(const GeneralRows& rows);

class ContactBlocks {
 public:
  /// P is the start.
  ContactBlocks(const GeneralRows& rows, const DelassusRows& G, LocalSolver local = LocalSolver::exact, double factor = 1);
  ContactBlocks(const ContactBlocks&) = delete;
  ContactBlocks& operator=(const ContactBlocks&) = delete;

  std::int32_t size() const { return static_cast<std::int32_t>(first_row_.size()); }
  bool bilateral(std::int32_t k) const { return bilateral_[k]; }
  double mu(std::int32_t k) const { return mu_[k]; }
  /// Friction coefficient and steps of the natural map; those of bilateral blocks are not used.
  ContactSteps steps(std::int32_t k) const { return {mu_[k], contact_[k].rho_N(), contact_[k].rho_T()}; }

  /// Blocks l with W_kl stored, and the 3x3 blocks by columns; the first one is k itself. The pattern is symmetric.
  std::int32_t begin(std::int32_t k) const { return first_[k]; }
  std::int32_t end(std::int32_t k) const { return first_[k + 1]; }
  std::int32_t column(std::int32_t entry) const { return column_[entry]; }
  const double* block(std::int32_t entry) const { return value_.data() + 9 * static_cast<std::size_t>(entry); }
  std::size_t entries() const { return column_.size(); }

  /// r of all blocks.
  std::vector<double>& r() { return r_; }
  const std::vector<double>& r() const { return r_; }
  /// Whether |r| is within reason of |q|, W having the diagonal one. Without a solution r grows beyond all bounds, and a
  /// residual relative to it vanishes.
  bool bounded() const;
  /// u := W r + q.
  void multiply(const std::vector<double>& r, std::vector<double>& u) const;
  /// Natural map on the friction cones in scaled variables over max(|q|, |r|, |u|): the same in all units.
  double residual(const std::vector<double>& u) const;
  /// One Gauss-Seidel sweep over r: contacts by the local solver, bilateral blocks by the inverse of W_kk. omega: factor on
  /// the change of a block.
  void sweep(double omega);
  /// The same where W r + q is not all of u: hold() says what the velocities are before the sweep, and takes the place of q.
  void hold(const std::vector<double>& psi);
  void sweep_held(double omega);

  /// Percussions and velocities of the rows, without scales.
  void percussions(const std::vector<double>& r, std::vector<double>& P) const;
  void velocities(const std::vector<double>& u, std::vector<double>& psi) const;
  void start(const std::vector<double>& P);

 private:
  void cut_rows(const GeneralRows& rows);
  void copy_entries(const DelassusRows& G);
  void complete_pattern();
  void scale(const GeneralRows& rows, double factor);
  void prepare_local(LocalSolver local);
  template <bool held>
  void relax(std::int32_t k, double omega);

  std::vector<std::int32_t> first_row_, rows_;  ///< of a block in the problem
  std::vector<char> bilateral_;
  std::vector<double> mu_, s_;
  std::vector<std::int32_t> first_{0}, column_;
  std::vector<double> value_;
  std::vector<double> q_, r_, lambda_, change_;
  std::vector<LocalContact> contact_;
  std::vector<double> inverse_;  ///< of bilateral diagonal blocks; of contacts unused
};

}  // namespace percussion
