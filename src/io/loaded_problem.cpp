#include "io/loaded_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "io/contact_graph.hpp"
#include "partition/index_blocks.hpp"
#include "partition/send_items.hpp"

namespace percussion {

namespace {

constexpr int most_rows = 5;

/// What a unit is besides its rows of the matrix.
struct UnitData {
  std::int64_t unit;
  double mu, mu_r, c[most_rows];
};

UnitNumbers numbers_of(const FclibProblem& stored) {
  return {stored.contacts, stored.constraints, stored.dimension};
}

std::vector<UnitData> unit_data(MPI_Comm comm, const FclibProblem& stored) {
  const IndexBlocks contacts(comm, stored.contacts), constraints(comm, stored.constraints);
  std::vector<UnitData> data;
  for (std::int64_t k = 0; k < contacts.size(); ++k) {
    UnitData& d = data.emplace_back();
    d = {contacts.first() + k, stored.mu[k], stored.rolling ? stored.mu_r[k] : 0., {}};
    std::copy_n(stored.q.data() + k * stored.dimension, stored.dimension, d.c);
  }
  for (std::int64_t k = 0; k < constraints.size(); ++k)
    data.push_back({stored.contacts + constraints.first() + k, 0., 0., {stored.s[k]}});
  return data;
}

/// Rows of (W V; V' R), or of (H G)'.
std::vector<MatrixEntry> unit_entries(FclibProblem& stored) {
  const std::int64_t after = stored.dimension * stored.contacts;
  std::vector<MatrixEntry> entries = std::move(stored.W.entries);
  for (const MatrixEntry& e : stored.V.entries)
    entries.push_back({e.row, after + e.column, e.value}),
        entries.push_back({after + e.column, e.row, e.value});
  for (const MatrixEntry& e : stored.R.entries) entries.push_back({after + e.row, after + e.column, e.value});
  for (const MatrixEntry& e : stored.H.entries) entries.push_back({e.column, e.row, e.value});
  for (const MatrixEntry& e : stored.G.entries) entries.push_back({after + e.column, e.row, e.value});
  for (StoredMatrix* A : {&stored.W, &stored.V, &stored.R, &stored.H, &stored.G}) A->entries = {};
  return entries;
}

/// Sorted entries of the rows [first, first + n); those in one place are added up.
CompressedRows compressed(const std::vector<MatrixEntry>& entries, std::int64_t first, std::int64_t n) {
  CompressedRows rows;
  std::size_t k = 0;
  for (std::int64_t r = first; r < first + n; ++r) {
    for (; k < entries.size() && entries[k].row == r; ++k) {
      const auto column = static_cast<PetscInt>(entries[k].column);
      if (static_cast<PetscInt>(rows.column.size()) > rows.first.back() && rows.column.back() == column)
        rows.value.back() += entries[k].value;
      else
        rows.column.push_back(column), rows.value.push_back(entries[k].value);
    }
    rows.first.push_back(static_cast<PetscInt>(rows.column.size()));
  }
  return rows;
}

/// Where units are now: a directory in shares of the units.
class UnitPlaces {
 public:
  struct Place {
    std::int64_t unit, row;
  };
  /// Collective. `mine`: the units of this rank and their first rows.
  UnitPlaces(MPI_Comm comm, std::int64_t units, const std::vector<Place>& mine)
      : comm_(comm), share_(comm, units), row_(share_.size(), -1) {
    for (const Place& p :
         send_items(comm, mine, [&](const Place& place) { return share_.owner(place.unit); }))
      row_[p.unit - share_.first()] = p.row;
  }
  /// Collective. The places of some units, ascending like them.
  std::vector<Place> find(const std::vector<std::int64_t>& units) const {
    std::vector<Place> questions;
    for (const std::int64_t unit : units) questions.push_back({unit, share_.rank});
    std::vector<Place> asked =
        send_items(comm_, questions, [&](const Place& q) { return share_.owner(q.unit); });
    std::vector<int> back;
    for (Place& q : asked) back.push_back(static_cast<int>(q.row)), q.row = row_[q.unit - share_.first()];
    std::size_t next = 0;
    std::vector<Place> places = send_items(comm_, asked, [&](const Place&) { return back[next++]; });
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.unit < b.unit; });
    return places;
  }

 private:
  MPI_Comm comm_;
  IndexBlocks share_;
  std::vector<std::int64_t> row_;
};

/// Collective. Columns from the order of the file to that of the ranks.
void renumber_columns(MPI_Comm comm, const UnitNumbers& numbers, const std::vector<UnitPlaces::Place>& mine,
                      std::vector<MatrixEntry>& entries) {
  const UnitPlaces places(comm, numbers.units(), mine);
  std::vector<std::int64_t> units;
  for (const MatrixEntry& e : entries) units.push_back(numbers.unit(e.column));
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  const auto found = places.find(units);
  for (MatrixEntry& e : entries) {
    const std::int64_t unit = numbers.unit(e.column);
    const auto place = found[std::lower_bound(units.begin(), units.end(), unit) - units.begin()];
    e.column = place.row + (e.column - numbers.first_row(unit));
  }
}

void append_unit(const FclibProblem& stored, const UnitNumbers& numbers, const UnitData& d,
                 GeneralRows& rows) {
  const bool contact = d.unit < numbers.contacts;
  RowBlock block{};
  block.first_row = static_cast<std::int32_t>(rows.c.size()), block.rows = numbers.size(d.unit);
  block.first_law = static_cast<std::int32_t>(rows.laws.size());
  block.bilateral = !contact, block.has_normal = contact;
  if (contact) {
    const int tangents = stored.rolling ? stored.dimension / 2 : stored.dimension - 1;
    const auto law = [&](double mu) { return tangents == 1 ? coulomb_interval(mu) : coulomb_disc(mu); };
    rows.laws.push_back({law(d.mu), 1, 0.});
    if (stored.rolling) rows.laws.push_back({law(d.mu_r), 1 + tangents, 0.});
  }
  block.laws = static_cast<std::int32_t>(rows.laws.size()) - block.first_law;
  rows.blocks.push_back(block);
  rows.c.insert(rows.c.end(), d.c, d.c + block.rows);
  rows.P.insert(rows.P.end(), static_cast<std::size_t>(block.rows), 0.);
}

/// Collective. G and c of a global problem from the rows of (H G)'.
CompressedRows reduce_to_contacts(MPI_Comm comm, FclibProblem& stored, const CompressedRows& Psi,
                                  LoadedProblem& loaded) {
  const IndexBlocks velocities(comm, stored.velocities);
  std::vector<MatrixEntry> entries = std::exchange(stored.M.entries, {});
  for (std::int64_t i = velocities.first(); i < velocities.last(); ++i)
    entries.push_back({i, i, 0.});  // factorisations want a diagonal
  const auto M = send_entries(comm, entries, [&](const MatrixEntry& e) { return velocities.owner(e.row); });
  loaded.mass =
      std::make_unique<MassDelassus>(comm, compressed(M, velocities.first(), velocities.size()), Psi);
  const std::vector<double> psi = loaded.mass->psi(stored.f);
  for (std::size_t r = 0; r < psi.size(); ++r) loaded.problem.rows.c[r] += psi[r];
  return loaded.mass->product();
}

}  // namespace

std::unique_ptr<LoadedProblem> distribute(MPI_Comm comm, FclibProblem& stored) {
  const UnitNumbers numbers = numbers_of(stored);
  const std::int64_t most = std::numeric_limits<PetscInt>::max();
  if (std::max(numbers.rows(), stored.velocities) > most)
    throw RunError(
        fmt::format("the problem has more than {} rows: PETSc with 64-bit indices is needed", most));
  const IndexBlocks share(comm, numbers.units());
  auto data =
      send_items(comm, unit_data(comm, stored), [&](const UnitData& d) { return share.owner(d.unit); });
  auto entries = send_entries(comm, unit_entries(stored),
                              [&](const MatrixEntry& e) { return share.owner(numbers.unit(e.row)); });
  const auto part = partition_units(comm, numbers, entries, stored.velocities);
  data = send_items(comm, data, [&](const UnitData& d) { return part[d.unit - share.first()]; });
  entries = send_entries(comm, entries,
                         [&](const MatrixEntry& e) { return part[numbers.unit(e.row) - share.first()]; });
  std::sort(data.begin(), data.end(), [](const UnitData& a, const UnitData& b) { return a.unit < b.unit; });

  auto loaded = std::make_unique<LoadedProblem>();
  AssembledProblem& problem = loaded->problem;
  problem.comm = comm;
  for (const UnitData& d : data) {
    append_unit(stored, numbers, d, problem.rows);
    if (d.unit < numbers.contacts)
      loaded->contact.push_back(d.unit);
    else
      loaded->constraint.push_back(d.unit - numbers.contacts);
  }
  const auto rows = static_cast<std::int64_t>(problem.rows.c.size());
  std::int64_t first = 0;
  MPI_Scan(&rows, &first, 1, MPI_INT64_T, MPI_SUM, comm);
  first -= rows;
  // Units are ascending on a rank, so entries sorted by their rows in the file are in the order of the new
  // rows, too.
  std::vector<UnitPlaces::Place> mine;
  std::size_t k = 0;
  for (std::size_t b = 0; b < data.size(); ++b) {
    const std::int64_t row = first + problem.rows.blocks[b].first_row,
                       in_file = numbers.first_row(data[b].unit);
    mine.push_back({data[b].unit, row});
    for (; k < entries.size() && numbers.unit(entries[k].row) == data[b].unit; ++k)
      entries[k].row += row - in_file;
  }
  if (!stored.global) renumber_columns(comm, numbers, mine, entries);
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  CompressedRows G = compressed(entries, first, rows);
  if (stored.global) G = reduce_to_contacts(comm, stored, G, *loaded);
  if (share.ranks == 1)
    problem.G_alone = std::move(G);
  else
    problem.G = make_matrix(comm, static_cast<PetscInt>(rows), G).release();
  set_diagonal_blocks(problem);
  return loaded;
}

}  // namespace percussion
