// Small random friction problems, the same on all ranks, as dense matrices and in the shares of a file; and
// their residual written out independently of src/.
#pragma once
#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "io/fclib_problem.hpp"
#include "math/types.hpp"
#include "partition/index_blocks.hpp"

namespace percussion::test {

/// Everything of a problem on one rank. A global one has M, H and G, from which W, V, R, q and s are derived.
struct DenseProblem {
  bool global = false, rolling = false;
  int dimension = 3;
  MatX W, V, R, M, H, G;
  VecX q, s, f, w, b, mu, mu_r;
  int contacts() const { return static_cast<int>(mu.size()); }
  int rows() const { return dimension * contacts(); }
};

inline MatX random_matrix(int rows, int columns, std::mt19937& random) {
  std::normal_distribution<double> normal;
  return MatX::NullaryExpr(rows, columns, [&] { return normal(random); });
}

/// Contacts with the few bodies they touch: H has sparse columns, so has W. Bodies have `dimension`
/// velocities and blocks of M of that size; more velocities than rows make W regular.
inline DenseProblem random_problem(int contacts, int constraints, int dimension, bool rolling, bool global,
                                   int seed = 1) {
  std::mt19937 random(seed);
  DenseProblem p;
  p.global = global, p.rolling = rolling, p.dimension = dimension;
  const int m = dimension * contacts, bodies = contacts + constraints + 2, n = dimension * bodies;
  p.M = MatX::Zero(n, n), p.H = MatX::Zero(n, m), p.G = MatX::Zero(n, constraints);
  for (int k = 0; k < bodies; ++k) {
    const MatX A = random_matrix(dimension, dimension, random);
    p.M.block(k * dimension, k * dimension, dimension, dimension) =
        A * A.transpose() + MatX::Identity(dimension, dimension);
  }
  const auto touch = [&](MatX& A, int first, int columns, int body) {
    A.block(body * dimension, first, dimension, columns) = random_matrix(dimension, columns, random);
  };
  for (int k = 0; k < contacts; ++k)
    touch(p.H, k * dimension, dimension, k), touch(p.H, k * dimension, dimension, (k + 1) % bodies);
  for (int k = 0; k < constraints; ++k) touch(p.G, k, 1, contacts + k), touch(p.G, k, 1, (3 * k) % contacts);
  p.f = random_matrix(n, 1, random), p.w = random_matrix(m, 1, random),
  p.b = random_matrix(constraints, 1, random);
  for (int k = 0; k < contacts; ++k) p.w[k * dimension] -= 1;
  p.mu = (0.4 * random_matrix(contacts, 1, random).cwiseAbs()).eval(),
  p.mu_r = (0.2 * random_matrix(contacts, 1, random).cwiseAbs()).eval();
  p.mu[0] = 0;  // frictionless
  const MatX inverse = p.M.inverse();
  p.W = p.H.transpose() * inverse * p.H, p.V = p.H.transpose() * inverse * p.G,
  p.R = p.G.transpose() * inverse * p.G;
  p.q = p.w + p.H.transpose() * inverse * p.f, p.s = p.b + p.G.transpose() * inverse * p.f;
  return p;
}

/// This rank's part: the entries that are not zero are dealt out in turn, so that no rank has rows or columns
/// of its own.
inline StoredMatrix stored(const MatX& A, MPI_Comm comm) {
  int rank = 0, ranks = 1, turn = 0;
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &ranks);
  StoredMatrix result{A.rows(), A.cols(), {}};
  for (Eigen::Index r = 0; r < A.rows(); ++r)
    for (Eigen::Index c = 0; c < A.cols(); ++c)
      if (A(r, c) != 0 && turn++ % ranks == rank) result.entries.push_back({r, c, A(r, c)});
  return result;
}

inline std::vector<double> share(const VecX& x, MPI_Comm comm, int width = 1) {
  const IndexBlocks blocks(comm, x.size() / width);
  return {x.data() + blocks.first() * width, x.data() + blocks.last() * width};
}

inline FclibProblem shares_of(const DenseProblem& p, MPI_Comm comm) {
  FclibProblem out;
  out.global = p.global, out.rolling = p.rolling, out.dimension = p.dimension;
  out.contacts = p.contacts(), out.constraints = p.s.size(), out.velocities = p.global ? p.f.size() : 0;
  out.mu = share(p.mu, comm);
  if (p.rolling) out.mu_r = share(p.mu_r, comm);
  out.q = share(p.global ? p.w : p.q, comm, p.dimension), out.s = share(p.global ? p.b : p.s, comm);
  if (p.global)
    out.f = share(p.f, comm), out.M = stored(p.M, comm), out.H = stored(p.H, comm), out.G = stored(p.G, comm);
  else
    out.W = stored(p.W, comm), out.V = stored(p.V, comm), out.R = stored(p.R, comm);
  return out;
}

/// Collective. A vector from its shares, on all ranks.
inline VecX gathered(const std::vector<double>& mine, MPI_Comm comm, std::int64_t n, int width = 1) {
  const IndexBlocks blocks(comm, n);
  VecX all = VecX::Zero(n * width);
  std::copy(mine.begin(), mine.end(), all.data() + blocks.first() * width);
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, comm);
  return all;
}

/// Collective. A matrix from whatever entries the ranks have, on all ranks.
inline MatX gathered(const StoredMatrix& A, MPI_Comm comm) {
  MatX all = MatX::Zero(A.rows, A.columns);
  for (const MatrixEntry& e : A.entries) all(e.row, e.column) += e.value;
  MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, comm);
  return all;
}

struct DenseResidual {
  double relative, absolute;
};

/// |r - proj_K(r - u - (mu |u_T| + mu_r |u_R|) e_N)|, and that over max(|q|, |r|, |u|), with the rows of the
/// constraints. The projection of z on K has the normal part x > 0 where  x - z_N = mu max(|z_T| - mu x, 0) +
/// mu_r max(|z_R| - mu_r x, 0): found by bisection, since the left side rises and the right side falls.
inline DenseResidual dense_residual(const DenseProblem& p, const VecX& r, const VecX& l) {
  const int d = p.dimension, tangents = p.rolling ? d / 2 : d - 1;
  VecX u = p.W * r + p.q;
  VecX constraint(0);
  if (p.s.size() > 0) u += p.V * l, constraint = p.V.transpose() * r + p.R * l + p.s;
  double sum = constraint.squaredNorm();
  for (int k = 0; k < p.contacts(); ++k) {
    const double mu[2] = {p.mu[k], p.rolling ? p.mu_r[k] : 0.};
    const auto tangential = [&](VecX& x, int law) { return x.segment(1 + law * tangents, tangents); };
    const int laws = p.rolling ? 2 : 1;
    VecX u_k = u.segment(k * d, d), z = r.segment(k * d, d) - u_k;
    for (int i = 0; i < laws; ++i) z[0] -= mu[i] * tangential(u_k, i).norm();
    double size[2] = {0, 0};
    for (int i = 0; i < laws; ++i) size[i] = tangential(z, i).norm();
    const auto excess = [&](double x) {
      double sum_of_laws = x - z[0];
      for (int i = 0; i < laws; ++i) sum_of_laws -= mu[i] * std::max(size[i] - mu[i] * x, 0.);
      return sum_of_laws;
    };
    double low = 0, high = z.cwiseAbs().sum() * (2 + mu[0] + mu[1]);
    if (excess(0) >= 0) high = 0;
    for (int step = 0; step < 200; ++step) (excess(0.5 * (low + high)) < 0 ? low : high) = 0.5 * (low + high);
    VecX projection = z;
    projection[0] = high;
    for (int i = 0; i < laws; ++i)
      if (size[i] > mu[i] * high) tangential(projection, i) *= mu[i] * high / size[i];
    sum += (r.segment(k * d, d) - projection).squaredNorm();
  }
  const double scale =
      std::sqrt(std::max({p.q.squaredNorm() + p.s.squaredNorm(), r.squaredNorm() + l.squaredNorm(),
                          u.squaredNorm() + constraint.squaredNorm()}));
  return {std::sqrt(sum) / scale, std::sqrt(sum)};
}

}  // namespace percussion::test
