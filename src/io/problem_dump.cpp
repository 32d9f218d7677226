#include "io/problem_dump.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "partition/index_blocks.hpp"
#include "partition/send_items.hpp"
#include "solvers/delassus_rows.hpp"

namespace percussion {

namespace {

/// Friction rows of the laws of a problem: sliding, rolling.
struct Shape {
  int slide = 0, roll = 0;
};

[[noreturn]] void refuse(const std::string& what) {
  throw InputError(Complaint{{},
                             "output.dump_problems",
                             "",
                             "this problem cannot be written in FCLIB's format: " + what,
                             "contacts with a disc of Coulomb friction, and one more for rolling friction",
                             "leave output.dump_problems out, or use other laws"});
}

Shape shape_of(const RowBlock& block, const RowLaw* laws) {
  if (!block.has_normal) refuse("friction with a known normal force");
  PERCUSSION_CHECK(block.group == 1, "stages of a Runge-Kutta method are no problem of this kind");
  if (block.laws > 2) refuse(fmt::format("a contact with {} friction laws", block.laws));
  int row = 1;
  Shape shape;
  for (int l = 0; l < block.laws; ++l) {
    const FrictionSet& set = laws[l].set;
    if (set.kind != SetKind::disc && set.kind != SetKind::interval)
      refuse(fmt::format("a {} as reservoir of friction", set_kind_name(set.kind)));
    if (set.r0[0] > 0)
      refuse(fmt::format("a {} of constant size as reservoir of friction", set_kind_name(set.kind)));
    PERCUSSION_CHECK(laws[l].first == row, "laws follow one another");
    (l == 0 ? shape.slide : shape.roll) = set.dim();
    row += set.dim();
  }
  PERCUSSION_CHECK(row == block.rows, "every friction row has a law");
  return shape;
}

Shape largest_shape(const GeneralRows& rows) {
  Shape largest;
  for (const RowBlock& block : rows.blocks) {
    if (block.bilateral) continue;
    const Shape shape = shape_of(block, rows.laws.data() + block.first_law);
    largest = {std::max(largest.slide, shape.slide), std::max(largest.roll, shape.roll)};
  }
  return largest;
}

/// Collective. What all contacts are filled up to; a frictionless problem is spatial.
Shape common_shape(const AssembledProblem& problem) {
  Shape mine;
  all_or_none(problem.comm, [&] { mine = largest_shape(problem.rows); });
  int sizes[2] = {mine.slide, mine.roll};
  MPI_Allreduce(MPI_IN_PLACE, sizes, 2, MPI_INT, MPI_MAX, problem.comm);
  const int tangents = std::max(sizes[0], sizes[1]) == 1 ? 1 : 2;
  return {tangents, sizes[1] > 0 ? tangents : 0};
}

/// Where the rows of this rank stand in the file: contacts first, then bilateral rows, both in the order of
/// the ranks.
struct FileRows {
  std::int64_t contacts = 0, first_contact = 0, constraints = 0, first_constraint = 0;
  std::vector<double> number;  ///< per row; exact as long as it is below 2^53
};

FileRows number_rows(const AssembledProblem& problem, const Shape& shape, int dimension) {
  FileRows f;
  std::int64_t mine[2] = {0, 0}, before[2], all[2];
  for (const RowBlock& block : problem.rows.blocks) mine[block.bilateral] += block.bilateral ? block.rows : 1;
  MPI_Scan(mine, before, 2, MPI_INT64_T, MPI_SUM, problem.comm);
  MPI_Allreduce(mine, all, 2, MPI_INT64_T, MPI_SUM, problem.comm);
  f.contacts = all[0], f.first_contact = before[0] - mine[0], f.constraints = all[1],
  f.first_constraint = before[1] - mine[1];
  std::int64_t contact = f.first_contact, constraint = dimension * f.contacts + f.first_constraint;
  for (const RowBlock& block : problem.rows.blocks) {
    if (block.bilateral) {
      for (int r = 0; r < block.rows; ++r) f.number.push_back(static_cast<double>(constraint++));
      continue;
    }
    const RowLaw* laws = problem.rows.laws.data() + block.first_law;
    const auto place = [&](int r) { return static_cast<double>(dimension * contact + r); };
    f.number.push_back(place(0));
    for (int l = 0; l < block.laws; ++l)
      for (int r = 0; r < laws[l].set.dim(); ++r)
        f.number.push_back(place(1 + r + (l == 0 ? 0 : shape.slide)));
    ++contact;
  }
  return f;
}

/// Collective. Values by their rows in the file -> the share of a vector whose rows are [first, first + n *
/// width).
std::vector<double> share_of(MPI_Comm comm, const std::vector<double>& number,
                             const std::vector<double>& values, std::int64_t first, std::int64_t n,
                             int width) {
  struct Item {
    std::int64_t row;
    double value;
  };
  const IndexBlocks share(comm, n);
  std::vector<Item> items;
  for (std::size_t r = 0; r < number.size(); ++r) {
    const auto row = static_cast<std::int64_t>(number[r]) - first;
    if (row >= 0 && row < n * width) items.push_back({row, values[r]});
  }
  std::vector<double> result(static_cast<std::size_t>(share.size() * width), 0.);
  for (const Item& item : send_items(comm, items, [&](const Item& i) { return share.owner(i.row / width); }))
    result[item.row - share.first() * width] = item.value;
  return result;
}

/// One value per contact of this rank, at the number of its normal row divided by the dimension.
std::vector<double> share_of_contacts(MPI_Comm comm, const FileRows& f, const std::vector<double>& values) {
  std::vector<double> number(values.size());
  for (std::size_t k = 0; k < number.size(); ++k)
    number[k] = static_cast<double>(f.first_contact + static_cast<std::int64_t>(k));
  return share_of(comm, number, values, 0, f.contacts, 1);
}

/// Collective. W, V and R; V' is left out: FCLIB has it once.
void set_matrices(const AssembledProblem& problem, const FileRows& f, int dimension, FclibProblem& out) {
  const DelassusRows G(problem);
  const std::vector<double> others = G.of_others(f.number);
  const std::int64_t m = dimension * f.contacts, p = f.constraints;
  out.W.rows = out.W.columns = m, out.V.rows = m, out.V.columns = out.R.rows = out.R.columns = p;
  for (std::size_t r = 0; r < f.number.size(); ++r) {
    const auto row = static_cast<std::int64_t>(f.number[r]);
    const auto add = [&](double column_number, double value) {
      const auto column = static_cast<std::int64_t>(column_number);
      if (row < m)
        (column < m ? out.W : out.V).entries.push_back({row, column < m ? column : column - m, value});
      else if (column >= m)
        out.R.entries.push_back({row - m, column - m, value});
    };
    G.for_own(static_cast<PetscInt>(r), [&](PetscInt c, double value) { add(f.number[c], value); });
    G.for_others(static_cast<PetscInt>(r), [&](PetscInt c, double value) { add(others[c], value); });
  }
  std::int64_t contact = f.first_contact;
  for (const RowBlock& block : problem.rows.blocks) {
    if (block.bilateral) continue;
    std::vector<bool> used(static_cast<std::size_t>(dimension), false);
    for (int r = 0; r < block.rows; ++r)
      used[static_cast<std::int64_t>(f.number[block.first_row + r]) - dimension * contact] = true;
    for (int r = 0; r < dimension; ++r)
      if (!used[r])
        out.W.entries.push_back({dimension * contact + r, dimension * contact + r, block.G(0, 0)});
    ++contact;
  }
}

}  // namespace

void check_fclib_laws(MPI_Comm comm, const GeneralRows& rows) {
  all_or_none(comm, [&] { largest_shape(rows); });
}

DumpedProblem to_fclib(const AssembledProblem& problem, const std::vector<double>& start) {
  const MPI_Comm comm = problem.comm;
  const Shape shape = common_shape(problem);
  DumpedProblem dump;
  FclibProblem& out = dump.problem;
  out.rolling = shape.roll > 0, out.dimension = 1 + shape.slide + shape.roll;
  const FileRows f = number_rows(problem, shape, out.dimension);
  out.contacts = f.contacts, out.constraints = f.constraints;
  std::vector<double> mu, mu_r, psi;
  for (const RowBlock& block : problem.rows.blocks) {
    if (block.bilateral) continue;
    const RowLaw* laws = problem.rows.laws.data() + block.first_law;
    mu.push_back(block.laws > 0 ? laws[0].set.mu[0] : 0.),
        mu_r.push_back(block.laws > 1 ? laws[1].set.mu[0] : 0.);
  }
  out.mu = share_of_contacts(comm, f, mu);
  if (out.rolling) out.mu_r = share_of_contacts(comm, f, mu_r);
  set_matrices(problem, f, out.dimension, out);
  apply_G(problem, problem.rows.P, psi);
  for (std::size_t r = 0; r < psi.size(); ++r) psi[r] += problem.rows.c[r];
  const auto contact_rows = [&](const std::vector<double>& x) {
    return share_of(comm, f.number, x, 0, f.contacts, out.dimension);
  };
  const auto bilateral_rows = [&](const std::vector<double>& x) {
    return share_of(comm, f.number, x, out.dimension * f.contacts, f.constraints, 1);
  };
  out.q = contact_rows(problem.rows.c), out.s = bilateral_rows(problem.rows.c);
  dump.solution = {contact_rows(psi), contact_rows(problem.rows.P), {}, bilateral_rows(problem.rows.P)};
  apply_G(problem, start, psi);
  for (std::size_t r = 0; r < psi.size(); ++r) psi[r] += problem.rows.c[r];
  dump.start = {contact_rows(psi), contact_rows(start), {}, bilateral_rows(start)};
  return dump;
}

}  // namespace percussion
