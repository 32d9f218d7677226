// The inclusion problem of a velocity-level step in the body view (docs/architecture.md, "One discrete problem"):
//
//   x = x_free + M^-1 W P,   psi = W^T x + c,   psi^k in N_{C^k(P)}(-P^k) for every row block k     (Breuling 6.1, s = 1)
//
// x are the body slots (assembly/body_slot.hpp), P the percussions. Row blocks have three layouts: sphere contacts,
// whose W is implied by the normal and the radii (128 bytes each, the granular hot path); body contacts, whose W is implied
// by the normal and two arms (256 bytes); and general blocks with explicit rows: bilateral constraints (psi = 0), contacts
// with any set of friction laws. c holds what restitution
// and moving walls add: psi_N = xi_N, psi_F = xi_F (3.44, 3.46).
//
// Ranks: a body may be used by several ranks; each copy carries a share 1/copies of its mass (assembly/mass_shares.hpp), so
// all inverse masses here are those of the copies (solvers/body_exchange.hpp). The first blocks of each layout touch shared bodies, the rest not.
//
// Contract: the builder leaves x = x_free (equal on all copies) and P = start; a solver leaves x = x_free + M^-1 W P,
// equal on all copies, and changes nothing else.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assembly/body_slot.hpp"
#include "math/friction_set.hpp"
#include "math/small_dense.hpp"
#include "partition/halo_channel.hpp"

namespace percussion {

/// Contact of two round bodies, or of one with a wall (b = ground line). n points from a to b; P (I) acts on b.
struct SphereContact {
  std::int32_t a, b;  ///< lines of x
  double n[3];
  double P[3];
  double c_N, c_T[3];
  double inv_G_N, inv_G_T;  ///< inverse local Delassus entries
  double mu;
  double r_a, r_b;  ///< arms along n
};
static_assert(sizeof(SphereContact) == 128);

/// Contact of bodies of any shape, or of one with a wall: arms and inverse inertias (I) are part of it.
struct BodyContact {
  std::int32_t a, b;  ///< lines of x
  double n[3];
  double P[3];
  double c_N, c_T[3];
  double inv_G_N, inv_G_T;  ///< G_NN and the largest eigenvalue of the tangential block
  double mu;
  double r_a[3], r_b[3];  ///< arms from the reference points
  double J_a[6], J_b[6];  ///< xx, xy, xz, yy, yz, zz
};
static_assert(sizeof(BodyContact) == 256);

/// G_NN and the largest eigenvalue of the tangential block of a contact.
struct LocalDelassus {
  double N, T;
};
/// With inverse masses m_a, m_b and the inverse inertias of the contact times w_a, w_b.
LocalDelassus body_delassus(const BodyContact& s, double m_a, double m_b, double w_a, double w_b);

/// One node of a general block.
struct Arm {
  std::int32_t line;
  std::int32_t columns;
  std::int32_t offset;  ///< of Wt (rows x columns) and of MW = M^-1 W, transposed alike
};

struct RowBlock {
  std::int32_t first_row, rows;
  std::int32_t first_arm, arms;
  std::int32_t first_law, laws;  ///< friction laws; bilateral blocks have none
  bool bilateral;
  bool has_normal;  ///< row 0 is xi_N; otherwise P_N is known
  double P_N;       ///< the known normal percussion
  SmallMat G;       ///< local Delassus block
  SmallMat G_inv;   ///< bilateral: (pseudo-)inverse
  std::int32_t group = 1;  ///< blocks from this one on that are relaxed together; 0: inside the group of an earlier one
};

struct RowLaw {
  FrictionSet set;
  std::int32_t first;  ///< row within the block
  double rho;          ///< 1 / largest eigenvalue of its diagonal block of G
};

struct GeneralRows {
  std::vector<RowBlock> blocks;
  std::vector<Arm> arms;
  std::vector<RowLaw> laws;
  std::vector<double> Wt, MW;
  std::vector<double> c, P;
  void clear() { blocks.clear(), arms.clear(), laws.clear(), Wt.clear(), MW.clear(), c.clear(), P.clear(); }
};

/// Doubles on a cache-line boundary.
class SlotArray {
 public:
  void resize(std::size_t n) {
    storage_.resize(n + line_size), size_ = n;
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    data_ = storage_.data() + ((64 - address % 64) % 64) / sizeof(double);
  }
  double* data() { return data_; }
  const double* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<double> span() { return {data_, size_}; }
  std::size_t memory() const { return storage_.capacity() * sizeof(double); }

 private:
  std::vector<double> storage_;
  double* data_ = nullptr;
  std::size_t size_ = 0;
};

struct InclusionProblem {
  InclusionProblem() = default;
  InclusionProblem(const InclusionProblem&) = delete;
  InclusionProblem& operator=(const InclusionProblem&) = delete;

  MPI_Comm comm = MPI_COMM_SELF;
  HaloChannel<double>* channel = nullptr;  ///< of the slots (without the ground); nullptr: one rank
  std::int32_t lines = 0;                  ///< of all local nodes; line `lines` is the ground: at rest, infinitely heavy
  std::int32_t owned_lines = 0;            ///< the first ones: of nodes that this rank owns
  SlotArray x;                             ///< (lines + 1) x 8
  std::vector<double> copies;              ///< per line: 1 / share of this rank in the mass of the body, at least 1
  std::vector<std::int32_t> shared;        ///< lines that other ranks change, too

  std::vector<SphereContact> spheres;
  std::int32_t sphere_interface = 0;
  std::vector<BodyContact> bodies;
  std::int32_t body_interface = 0;
  GeneralRows rows;
  std::int32_t rows_interface = 0;

  /// Row blocks on this rank.
  std::int64_t blocks() const { return static_cast<std::int64_t>(spheres.size() + bodies.size() + rows.blocks.size()); }
};

}  // namespace percussion
