// The inclusion problem of a velocity-level step in the body view (docs/architecture.md, "One discrete problem"):
//
//   x = x_free + M^-1 W P,   psi = W^T x + c,   psi^k in K^k(P) for every row block k   (Breuling 6.1, s = 1)
//
// x are the body slots (assembly/body_slot.hpp), P the percussions. Row blocks are of two layouts: sphere contacts,
// whose W is implied by the normal and the radii (128 bytes each, the granular hot path), and general blocks with
// explicit rows: bilateral constraints (psi = 0), contacts with any set of friction laws. c holds what restitution
// and moving walls add: psi_N = xi_N, psi_F = xi_F (3.44, 3.46).
//
// Ranks: a body may be used by several ranks; each copy carries 1/copies of its mass (inverse masses are multiplied by
// `copies`), see solvers/body_exchange.hpp. Blocks [0, interface) touch a shared body, the rest does not.
// The problem is filled by assembly/velocity_problem.hpp; solvers change x and P only.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "assembly/body_slot.hpp"
#include "math/friction_set.hpp"
#include "math/small_dense.hpp"
#include "partition/halo.hpp"

namespace percussion {

/// Contact of two round bodies, or of one with a wall (b = ground). n points from a to b; P (inertial) acts on b.
struct SphereContact {
  std::int32_t a, b;  ///< nodes
  double n[3];
  double P[3];
  double c_N, c_T[3];
  double inv_G_N, inv_G_T;  ///< inverse local Delassus entries, with the masses of the copies
  double mu;
  double r_a, r_b;  ///< arms along n
};
static_assert(sizeof(SphereContact) == 128);

/// One node of a general block.
struct Arm {
  std::int32_t node;
  std::int32_t columns;
  std::int32_t offset;  ///< of Wt (rows x columns, row-major) and of MW (columns x rows, row-major)
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
};

struct RowLaw {
  FrictionSet set;
  std::int32_t first;  ///< row within the block
  double rho;          ///< 1 / largest eigenvalue of its block of G
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
    storage_.resize(n + slot_size), size_ = n;
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    data_ = storage_.data() + ((64 - address % 64) % 64) / sizeof(double);
  }
  double* data() { return data_; }
  const double* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::span<double> span() { return {data_, size_}; }

 private:
  std::vector<double> storage_;
  double* data_ = nullptr;
  std::size_t size_ = 0;
};

struct InclusionProblem {
  const Halo* halo = nullptr;  ///< of the nodes; ranks exchange through it
  std::int32_t nodes = 0;      ///< owned + ghosts; slot `nodes` is the ground: at rest, infinitely heavy
  SlotArray x;                 ///< nodes + 1 slots
  std::vector<std::int32_t> copies;  ///< ranks that use each body, at least 1

  std::vector<SphereContact> spheres;
  std::int32_t sphere_interface = 0;  ///< the first ones touch shared bodies
  GeneralRows rows;
  std::int32_t rows_interface = 0;

  /// Unknown row blocks on this rank.
  std::int64_t blocks() const { return static_cast<std::int64_t>(spheres.size() + rows.blocks.size()); }
};

}  // namespace percussion
