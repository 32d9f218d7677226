// Percussions and velocities of a loaded problem, to and from the order of its file.
#include <algorithm>

#include "io/loaded_problem.hpp"
#include "partition/index_blocks.hpp"
#include "partition/send_items.hpp"

namespace percussion {

namespace {

/// One row of the file; `rank`: of who has it or wants it.
struct RowValue {
  std::int64_t row, local;
  int rank;
  double value;
};

/// Rows of this rank, with their numbers in the file counted per kind.
std::vector<RowValue> rows_of(const std::vector<std::int64_t>& units, int width, std::size_t first,
                              int rank) {
  std::vector<RowValue> rows;
  for (std::size_t k = 0; k < units.size(); ++k)
    for (int r = 0; r < width; ++r)
      rows.push_back({units[k] * width + r, static_cast<std::int64_t>(first + k * width) + r, rank, 0.});
  return rows;
}

/// Collective. values[local] := share of the file, for the given units.
void fetch(MPI_Comm comm, std::int64_t n, int width, const std::vector<double>& in_file,
           const std::vector<std::int64_t>& units, std::size_t first, std::vector<double>& values) {
  const IndexBlocks share(comm, n);
  auto rows = send_items(comm, rows_of(units, width, first, share.rank),
                         [&](const RowValue& v) { return share.owner(v.row / width); });
  for (RowValue& v : rows) v.value = in_file[v.row - share.first() * width];
  for (const RowValue& v : send_items(comm, rows, [](const RowValue& r) { return r.rank; }))
    values[v.local] = v.value;
}

/// Collective. The share of the file of values that are distributed like the units.
std::vector<double> deliver(MPI_Comm comm, std::int64_t n, int width, const std::vector<double>& values,
                            const std::vector<std::int64_t>& units, std::size_t first) {
  const IndexBlocks share(comm, n);
  auto rows = rows_of(units, width, first, share.rank);
  for (RowValue& v : rows) v.value = values[v.local];
  std::vector<double> in_file(static_cast<std::size_t>(share.size() * width), 0.);
  for (const RowValue& v :
       send_items(comm, rows, [&](const RowValue& r) { return share.owner(r.row / width); }))
    in_file[v.row - share.first() * width] = v.value;
  return in_file;
}

}  // namespace

void set_start(LoadedProblem& loaded, const FclibProblem& stored, const FclibSolution& start) {
  std::vector<double>& P = loaded.problem.rows.P;
  const MPI_Comm comm = loaded.problem.comm;
  fetch(comm, stored.contacts, stored.dimension, start.r, loaded.contact, 0, P);
  if (stored.constraints > 0)
    fetch(comm, stored.constraints, 1, start.l, loaded.constraint, loaded.contact.size() * stored.dimension,
          P);
}

FclibSolution solution_of(const LoadedProblem& loaded, const FclibProblem& stored) {
  const AssembledProblem& problem = loaded.problem;
  std::vector<double> psi;
  apply_G(problem, problem.rows.P, psi);
  for (std::size_t r = 0; r < psi.size(); ++r) psi[r] += problem.rows.c[r];
  FclibSolution solution;
  solution.u = deliver(problem.comm, stored.contacts, stored.dimension, psi, loaded.contact, 0);
  solution.r = deliver(problem.comm, stored.contacts, stored.dimension, problem.rows.P, loaded.contact, 0);
  if (stored.constraints > 0)
    solution.l = deliver(problem.comm, stored.constraints, 1, problem.rows.P, loaded.constraint,
                         loaded.contact.size() * stored.dimension);
  if (stored.global) solution.v = loaded.mass->velocities(problem.rows.P, stored.f);
  return solution;
}

}  // namespace percussion
