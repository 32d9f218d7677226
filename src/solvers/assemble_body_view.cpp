#include "solvers/assemble_body_view.hpp"

#include <algorithm>

#include "assembly/petsc.hpp"
#include "base/timer.hpp"
#include "math/rotation.hpp"
#include "solvers/body_exchange.hpp"
#include "solvers/body_kernel.hpp"
#include "solvers/row_kernel.hpp"

namespace percussion {

namespace {

using Map3 = Eigen::Map<const Vec3>;

/// Global numbers of the lines: owners count theirs, ghosts hear of it.
std::vector<PetscInt> global_lines(const InclusionProblem& problem, std::int32_t owned) {
  std::vector<PetscInt> result(problem.lines);
  std::int64_t before = 0, mine = owned;
  MPI_Scan(&mine, &before, 1, MPI_INT64_T, MPI_SUM, problem.comm);
  before -= mine;
  std::vector<double> number;
  if (problem.channel) {
    number.assign(static_cast<std::size_t>(problem.lines) * line_size, 0.);
    for (std::int32_t line = 0; line < owned; ++line) number[std::size_t(line) * line_size] = static_cast<double>(before + line);
    problem.channel->broadcast(number);
  }
  for (std::int32_t line = 0; line < problem.lines; ++line)
    result[line] = problem.channel ? static_cast<PetscInt>(number[std::size_t(line) * line_size]) : static_cast<PetscInt>(line);
  return result;
}

/// Rows of W^T and of (M^-1 W)^T with the masses of the undivided bodies.
class Rows {
 public:
  Rows(const InclusionProblem& problem, std::int32_t owned) : problem_(problem), line_(global_lines(problem, owned)) {}

  /// Entry of the present row.
  void add(std::int32_t line, int column, double w, double copy_Mw) {
    if (line < problem_.lines) row_.push_back({line_[line] * line_size + column, w, copy_Mw / problem_.copies[line]});
  }
  void finish_row() {
    std::ranges::sort(row_, {}, &Entry::column);
    for (const Entry& e : row_) {
      const bool again = static_cast<PetscInt>(Wt.column.size()) > Wt.first.back() && Wt.column.back() == e.column;
      if (again) {
        Wt.value.back() += e.w, MW.value.back() += e.Mw;
        continue;
      }
      Wt.column.push_back(e.column), Wt.value.push_back(e.w);
      MW.column.push_back(e.column), MW.value.push_back(e.Mw);
    }
    Wt.first.push_back(static_cast<PetscInt>(Wt.column.size()));
    MW.first.push_back(static_cast<PetscInt>(MW.column.size()));
    row_.clear();
  }

  CompressedRows Wt, MW;

 private:
  struct Entry {
    PetscInt column;
    double w, Mw;
  };
  const InclusionProblem& problem_;
  std::vector<PetscInt> line_;
  std::vector<Entry> row_;
};

/// n, t_1, t_2.
template <class Contact>
Mat3 contact_frame(const Contact& s) {
  Mat3 frame;
  frame.col(0) = Map3(s.n);
  frame.rightCols<2>() = tangent_frame<double>(Map3(s.n));
  return frame;
}

template <class Contact>
void add_contact(const Contact& s, const double* x, Rows& rows, AssembledProblem& assembled) {
  GeneralRows& out = assembled.rows;
  const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
  const Mat3 frame = contact_frame(s);
  for (int r = 0; r < 3; ++r) {
    const Vec3 d = frame.col(r);
    const AngularRow turn_a = angular_row(s, d, x, false), turn_b = angular_row(s, d, x, true);
    constexpr bool is_sphere = std::is_same_v<Contact, SphereContact>;
    for (int i = 0; i < 3; ++i) {
      rows.add(s.a, i, -d[i], -d[i] * a[6]), rows.add(s.b, i, d[i], d[i] * b[6]);
      if (is_sphere && r == 0) continue;
      rows.add(s.a, 3 + i, turn_a.w[i], turn_a.Mw[i]), rows.add(s.b, 3 + i, turn_b.w[i], turn_b.Mw[i]);
    }
    rows.finish_row();
  }
  RowBlock block{};
  block.first_row = static_cast<std::int32_t>(out.c.size()), block.rows = 3;
  block.first_law = static_cast<std::int32_t>(out.laws.size()), block.laws = 1;
  block.has_normal = true;
  out.blocks.push_back(block);
  out.laws.push_back({coulomb_disc(s.mu), 1, 0.});
  const SphereVelocity psi = contact_psi(s, x);
  const Vec3 psi_tangential = frame.transpose() * Map3(psi.psi_T), P = frame.transpose() * Map3(s.P);
  out.c.insert(out.c.end(), {psi.psi_N, psi_tangential[1], psi_tangential[2]});
  out.P.insert(out.P.end(), P.data(), P.data() + 3);
  // As in solvers/residual.cpp: one speed for the contact, counted with G_N.
  const double speed = Map3(a).norm() + Map3(b).norm() + arm_a(s) * Map3(a + 3).norm() + arm_b(s) * Map3(b + 3).norm() + std::abs(s.c_N) + Map3(s.c_T).norm();
  assembled.speed.insert(assembled.speed.end(), {speed, 0., 0.});
}

void add_block(const GeneralRows& in, const RowBlock& block, const double* x, Rows& rows, AssembledProblem& assembled) {
  GeneralRows& out = assembled.rows;
  const SmallVec psi = row_psi(in, block, x);
  for (int r = 0; r < block.rows; ++r) {
    double speed = std::abs(in.c[block.first_row + r]);
    for (int k = 0; k < block.arms; ++k) {
      const Arm& arm = in.arms[block.first_arm + k];
      for (int c = 0; c < arm.columns; ++c) {
        const double w = in.Wt[arm.offset + r * arm.columns + c];
        // Slots of more than one line: columns run on through the lines, which are numbered one after the other.
        rows.add(arm.line, c, w, in.MW[arm.offset + r * arm.columns + c]);
        speed += std::abs(w * x[std::size_t(arm.line) * line_size + c]);
      }
    }
    rows.finish_row();
    out.c.push_back(psi[r]), out.P.push_back(in.P[block.first_row + r]);
    assembled.speed.push_back(speed);
  }
  RowBlock copy = block;
  copy.first_row = static_cast<std::int32_t>(out.c.size()) - block.rows;
  copy.first_arm = copy.arms = 0;
  copy.first_law = static_cast<std::int32_t>(out.laws.size());
  out.blocks.push_back(copy);
  for (int l = 0; l < block.laws; ++l) out.laws.push_back(in.laws[block.first_law + l]);
}

}  // namespace

void assemble_body_view(const InclusionProblem& problem, std::span<const double> x_free, AssembledProblem& assembled) {
  const PhaseScope phase(Phase::assembly);
  assembled.comm = problem.comm;
  const std::int32_t owned = problem.channel ? problem.owned_lines : problem.lines;
  Rows rows(problem, owned);
  for_each_contact(problem, [&](const auto& s) { add_contact(s, x_free.data(), rows, assembled); });
  for (const RowBlock& block : problem.rows.blocks) add_block(problem.rows, block, x_free.data(), rows, assembled);
  const PetscInt columns = static_cast<PetscInt>(owned) * line_size;
  const PetscMat Wt = make_matrix(problem.comm, columns, rows.Wt), MWt = make_matrix(problem.comm, columns, rows.MW);
  PetscMat MW;
  PETSC_CALL(MatTranspose(MWt, MAT_INITIAL_MATRIX, MW.out()));
  PETSC_CALL(MatMatMult(Wt, MW, MAT_INITIAL_MATRIX, PETSC_DEFAULT, &assembled.G));
  set_diagonal_blocks(assembled);
}

void write_back(const AssembledProblem& assembled, std::span<const double> x_free, InclusionProblem& problem) {
  const double* P = assembled.rows.P.data();
  for_each_contact(problem, [&](auto& s) {
    Eigen::Map<Vec3>(s.P) = contact_frame(s) * Map3(P);
    P += 3;
  });
  std::copy_n(P, problem.rows.P.size(), problem.rows.P.data());
  std::ranges::copy(x_free, problem.x.data());
  BodyExchange exchange(problem);
  apply_start(problem, exchange);
}

}  // namespace percussion
