#include "solvers/anderson_mixing.hpp"

#include <Eigen/Cholesky>

#include <algorithm>
#include <cmath>
#include <limits>

namespace percussion {

namespace {

constexpr int recent_points = 5;
constexpr int shortest_pause = 5, longest_pause = 80;  // plain steps after a failure
constexpr double fallen_well = 0.3;                    // |f| since the last failure, for the pause to be short again
// Of the trace of dF'dF: differences become nearly dependent close to the solution.
constexpr double regularisation = 1e-12;

}  // namespace

AndersonMixing::AndersonMixing(MPI_Comm comm, std::size_t size, int memory) : comm_(comm), memory_(memory) {
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  alone_ = ranks == 1;
  const auto n = static_cast<Eigen::Index>(size);
  dF_.resize(n, memory), dG_.resize(n, memory), gram_.resize(memory, memory);
  f_.resize(n), products_.resize(2 * memory + 1);
  restart();
}

void AndersonMixing::restart() {
  forget();
  wait_ = 0, pause_ = shortest_pause, kept_ = 0;
  recent_.assign(recent_points, 0.);
  step_at_failure_ = std::numeric_limits<double>::infinity();
}

void AndersonMixing::forget() { columns_ = oldest_ = 0, f_last_.resize(0), mixed_ = false; }

bool AndersonMixing::failed() const {
  const auto points = static_cast<std::ptrdiff_t>(std::min(kept_, recent_points));
  return mixed_ && !(step_ <= *std::max_element(recent_.begin(), recent_.begin() + points));
}

bool AndersonMixing::next(std::vector<double>& w, const std::vector<double>& g) {
  const auto n = f_.size();
  const Eigen::Map<const VecX> g_now(g.data(), n);
  Eigen::Map<VecX> w_now(w.data(), n);
  f_ = g_now - w_now;
  // The new difference takes the place of the oldest one, unless the step turns out to have failed.
  const bool has_last = f_last_.size() == n;
  const int place = columns_ < memory_ ? columns_ : oldest_, columns = has_last ? std::min(columns_ + 1, memory_) : 0;
  if (has_last) dF_.col(place) = f_ - f_last_, dG_.col(place) = g_now - g_last_;
  products_.setZero();
  if (columns > 0) {
    products_.head(columns).noalias() = dF_.leftCols(columns).transpose() * dF_.col(place);
    products_.segment(columns, columns).noalias() = dF_.leftCols(columns).transpose() * f_;
  }
  products_[2 * columns] = f_.squaredNorm();
  if (!alone_) MPI_Allreduce(MPI_IN_PLACE, products_.data(), 2 * columns + 1, MPI_DOUBLE, MPI_SUM, comm_);
  step_ = std::sqrt(products_[2 * columns]);

  if (failed()) {
    const double last = recent_[(kept_ - 1) % recent_points];
    pause_ = last > fallen_well * step_at_failure_ ? std::min(2 * pause_, longest_pause) : shortest_pause;
    step_at_failure_ = last, wait_ = pause_;
    w_now = g_last_;
    forget();
    return false;
  }
  recent_[kept_++ % recent_points] = step_, --wait_;
  if (has_last) {
    if (columns_ == memory_) oldest_ = (oldest_ + 1) % memory_;
    columns_ = columns;
    gram_.row(place).head(columns) = products_.head(columns).transpose();
    gram_.col(place).head(columns) = products_.head(columns);
  }
  f_last_ = f_, g_last_ = g_now;
  mixed_ = columns_ > 0 && wait_ <= 0;
  w_now = g_now;
  if (!mixed_) return true;
  MatX A = gram_.topLeftCorner(columns_, columns_);
  A.diagonal().array() += regularisation * A.trace() + std::numeric_limits<double>::min();
  gamma_ = A.ldlt().solve(products_.segment(columns_, columns_));
  if (!gamma_.allFinite()) {
    forget();
    return true;
  }
  w_now.noalias() -= dG_.leftCols(columns_) * gamma_;
  return true;
}

}  // namespace percussion
