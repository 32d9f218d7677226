#include "solvers/gathered_problem.hpp"

#include <algorithm>

#include "partition/outbox.hpp"

namespace percussion {

namespace {

/// What set_diagonal_blocks() does not find in G.
struct BlockKind {
  std::int32_t rows, laws, group;
  bool bilateral, has_normal;
  double P_N;
};

void pack(const AssembledProblem& problem, const DelassusRows& G, Packer& to) {
  const GeneralRows& rows = problem.rows;
  std::vector<BlockKind> kinds;
  std::vector<RowLaw> laws;
  for (const RowBlock& b : rows.blocks) {
    kinds.push_back({b.rows, b.laws, b.group, b.bilateral, b.has_normal, b.P_N});
    laws.insert(laws.end(), rows.laws.begin() + b.first_law, rows.laws.begin() + b.first_law + b.laws);
  }
  std::vector<std::pair<PetscInt, double>> entries;
  std::vector<PetscInt> sizes, columns;
  std::vector<double> values;
  for (PetscInt r = 0; r < static_cast<PetscInt>(rows.c.size()); ++r) {
    entries.clear();
    G.for_own(r, [&](PetscInt c, double v) { entries.emplace_back(G.first_global_row() + c, v); });
    G.for_others(r, [&](PetscInt k, double v) { entries.emplace_back(G.other_columns()[k], v); });
    std::ranges::sort(entries, {}, &std::pair<PetscInt, double>::first);
    sizes.push_back(static_cast<PetscInt>(entries.size()));
    for (const auto& [c, v] : entries) columns.push_back(c), values.push_back(v);
  }
  to.put_array(kinds), to.put_array(laws), to.put_array(rows.c), to.put_array(rows.P), to.put_array(problem.speed);
  to.put_array(sizes), to.put_array(columns), to.put_array(values);
}

/// Appends the rows of one rank; returns how many.
std::size_t unpack(Unpacker from, AssembledProblem& whole) {
  GeneralRows& rows = whole.rows;
  const auto kinds = from.get_array<BlockKind>();
  const auto laws = from.get_array<RowLaw>();
  const auto append = [](auto& all, const auto& part) { all.insert(all.end(), part.begin(), part.end()); };
  auto row = static_cast<std::int32_t>(rows.c.size()), law = static_cast<std::int32_t>(rows.laws.size());
  for (const BlockKind& kind : kinds) {
    RowBlock b{};
    b.first_row = row, b.rows = kind.rows, b.first_law = law, b.laws = kind.laws, b.group = kind.group;
    b.bilateral = kind.bilateral, b.has_normal = kind.has_normal, b.P_N = kind.P_N;
    rows.blocks.push_back(b);
    row += b.rows, law += b.laws;
  }
  append(rows.laws, laws);
  append(rows.c, from.get_array<double>()), append(rows.P, from.get_array<double>()), append(whole.speed, from.get_array<double>());
  const auto sizes = from.get_array<PetscInt>();
  CompressedRows& G = whole.G_alone;
  for (const PetscInt size : sizes) G.first.push_back(G.first.back() + size);
  append(G.column, from.get_array<PetscInt>()), append(G.value, from.get_array<double>());
  return sizes.size();
}

void broadcast(MPI_Comm comm, SolveReport& report) {
  int whole[6] = {report.iterations, report.newton_steps,   report.converged,
                  report.singular,   report.stalled,        static_cast<int>(report.history.size())};
  MPI_Bcast(whole, 6, MPI_INT, 0, comm);
  report.iterations = whole[0], report.newton_steps = whole[1];
  report.converged = whole[2] != 0, report.singular = whole[3] != 0, report.stalled = whole[4] != 0;
  report.history.resize(whole[5]);
  MPI_Bcast(report.history.data(), whole[5], MPI_DOUBLE, 0, comm);
  MPI_Bcast(&report.residual, 1, MPI_DOUBLE, 0, comm);
}

}  // namespace

GatheredProblem::GatheredProblem(const AssembledProblem& problem, const DelassusRows& G) : comm_(problem.comm) {
  MPI_Comm_rank(comm_, &rank_);
  Outbox outbox;
  if (!problem.rows.c.empty()) pack(problem, G, outbox.to(0));
  for (const Message& message : outbox.exchange(comm_)) {
    rows_of_source_.push_back(unpack(Unpacker(message.data), whole_));
    sources_.push_back(message.rank);
  }
  if (rank_ != 0) return;
  whole_.measure = problem.measure;
  set_diagonal_blocks(whole_);
}

void GatheredProblem::send_back(AssembledProblem& problem, SolveReport& report) {
  Outbox outbox;
  const double* P = whole_.rows.P.data();
  for (std::size_t k = 0; k < sources_.size(); ++k) {
    outbox.to(sources_[k]).put_array(std::span<const double>(P, rows_of_source_[k]));
    P += rows_of_source_[k];
  }
  for (const Message& message : outbox.exchange(comm_)) problem.rows.P = Unpacker(message.data).get_array<double>();
  broadcast(comm_, report);
}

}  // namespace percussion
