// A discrete friction problem as FCLIB stores it (Acary, Bremond, Koziara, Perignon, INRIA RT-0444, 2014):
//
//   local    u = W r + V l + q,    V' r + R l + s = 0
//   global   M v = H r + G l + f,  u = H' v + w,  G' v + b = 0
//   r in K,  u + (mu |u_T| + mu_r |u_R|) e_N in K*,  perpendicular
//
// V, R, s and G, b are bilateral constraints, if any. r_N >= 0 is compression. A contact has `dimension` rows:
// normal, one or two tangential ones and, with rolling friction, as many again for the rolling moments:
// K = {|r_T| <= mu r_N, |r_R| <= mu_r r_N}. Groups: fclib_local, fclib_global; fclib_rolling (also
// fclib_local_rolling) and fclib_global_rolling with a vector mu_r beside mu.
#pragma once
#include <string>
#include <vector>

#include "io/fclib_matrix.hpp"

namespace percussion {

/// What a rank has of a problem: consecutive shares (partition/index_blocks.hpp) of the vectors, any entries
/// of matrices.
struct FclibProblem {
  bool global = false, rolling = false;
  int dimension = 3;  ///< rows per contact
  // Of all ranks; velocities: global problems only.
  std::int64_t contacts = 0, constraints = 0, velocities = 0;
  std::vector<double> mu, mu_r;    ///< share of the contacts
  std::vector<double> q;           ///< the same contacts, `dimension` numbers each; global: w
  std::vector<double> s;           ///< share of the constraints; global: b
  std::vector<double> f;           ///< share of the velocities
  StoredMatrix W, V, R;            ///< local
  StoredMatrix M, H, G;            ///< global
  std::string title, description;  ///< written if not empty, not read
};

/// A point of the problem: solution or guess, in the order of the file; shares as above. u and r belong to
/// contacts, v to velocities, l to constraints.
struct FclibSolution {
  std::vector<double> u, r, v, l;
};

/// Collective. InputError with what is wrong.
FclibProblem read_fclib(MPI_Comm comm, const std::filesystem::path& path);

/// Collective. A file with this problem and, if given, its solution and the first of the guesses. Whole or
/// not at all.
void write_fclib(MPI_Comm comm, const std::filesystem::path& path, const FclibProblem& problem,
                 MatrixForm form, const FclibSolution* solution = nullptr,
                 const FclibSolution* guess = nullptr);

/// Collective. r and l of the first guess in a file, else of its solution. InputError if it has neither, or
/// of another size.
FclibSolution read_start(MPI_Comm comm, const std::filesystem::path& path, const FclibProblem& problem);

/// Collective. r and l of one group of a file: `solution`, `guesses/1`...
FclibSolution read_point(MPI_Comm comm, const std::filesystem::path& path, const FclibProblem& problem,
                         const std::string& group);

/// Collective. `to` becomes a copy of the problem file `from` with this solution.
void write_solution(MPI_Comm comm, const std::filesystem::path& from, const std::filesystem::path& to,
                    const FclibProblem& problem, const FclibSolution& solution);

}  // namespace percussion
