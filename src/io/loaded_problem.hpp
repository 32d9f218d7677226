// A stored friction problem on its ranks, ready for a contact solver: contacts distributed by ParMETIS on the
// graph of W (of contacts that share a velocity, for global problems), W as a distributed matrix, one row
// block per contact.
//
//   psi = G P + c  with  P = (r, l),  psi = (u, 0)
//   local    G = (W V; V' R),           c = (q, s)
//   global   G = (H G)' M^-1 (H G),     c = (w, b) + (H G)' M^-1 f
//
// Contacts are blocks of a normal row and a disc (2-D: an interval); rolling friction is a second law.
// Bilateral constraints are blocks of one row. On one rank contacts keep the order of the file.
#pragma once
#include <memory>

#include "assembly/assembled_problem.hpp"
#include "assembly/mass_delassus.hpp"
#include "io/fclib_problem.hpp"

namespace percussion {

struct LoadedProblem {
  AssembledProblem problem;
  std::vector<std::int64_t> contact;     ///< of the first blocks: its number in the file, ascending
  std::vector<std::int64_t> constraint;  ///< of the blocks that follow
  std::unique_ptr<MassDelassus> mass;    ///< global problems
};

/// Collective. The entries of W, V, R, H and G of `stored` are consumed.
std::unique_ptr<LoadedProblem> distribute(MPI_Comm comm, FclibProblem& stored);

/// Collective. P of the problem := r and l, given in shares of the file.
void set_start(LoadedProblem& loaded, const FclibProblem& stored, const FclibSolution& start);

/// Collective. u, r, l and v of the present P, in shares of the file.
FclibSolution solution_of(const LoadedProblem& loaded, const FclibProblem& stored);

}  // namespace percussion
