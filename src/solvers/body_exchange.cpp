#include "solvers/body_exchange.hpp"

#include <algorithm>

#include "base/timer.hpp"
#include "solvers/body_kernel.hpp"
#include "solvers/row_kernel.hpp"

namespace percussion {

BodyExchange::BodyExchange(InclusionProblem& problem) : problem_(problem) {
  if (!problem.channel) return;
  before_.resize(problem.shared.size() * line_size);
  delta_.assign(static_cast<std::size_t>(problem.lines) * line_size, 0.);
}

void BodyExchange::begin() {
  double* before = before_.data();
  for (const std::int32_t line : problem_.shared)
    before = std::copy_n(problem_.x.data() + std::size_t(line) * line_size, line_size, before);
}

void BodyExchange::reduce_start() {
  if (!problem_.channel) return;
  const PhaseScope phase(Phase::exchange);
  const double* before = before_.data();
  for (const std::int32_t line : problem_.shared) {
    const double* x = problem_.x.data() + std::size_t(line) * line_size;
    double* delta = delta_.data() + std::size_t(line) * line_size;
    const double share = 1. / problem_.copies[line];
    for (int i = 0; i < line_size; ++i) delta[i] = share * (x[i] - *before++);
  }
  problem_.channel->reduce_add_start(delta_);
}

void BodyExchange::turn() {
  if (!problem_.channel) return;
  const PhaseScope phase(Phase::exchange);
  problem_.channel->reduce_add_finish(delta_);
  // Owners' sums go back to the ghosts; then every copy does the same arithmetic.
  problem_.channel->broadcast_start(delta_);
  turned_ = true;
}

void BodyExchange::finish() {
  if (!problem_.channel) return;
  if (!turned_) turn();
  const PhaseScope phase(Phase::exchange);
  problem_.channel->broadcast_finish(delta_);
  turned_ = false;
  const double* before = before_.data();
  for (const std::int32_t line : problem_.shared) {
    double* x = problem_.x.data() + std::size_t(line) * line_size;
    const double* delta = delta_.data() + std::size_t(line) * line_size;
    for (int i = 0; i < line_size; ++i) x[i] = *before++ + delta[i];
  }
}

void apply_start(InclusionProblem& problem, BodyExchange& exchange) {
  double* x = problem.x.data();
  exchange.begin();
  for_each_contact(problem, [&](const auto& s) { contact_apply(s, s.P, x, x); });
  for (const RowBlock& block : problem.rows.blocks) row_apply(problem.rows, block, problem.rows.P.data() + block.first_row, x);
  exchange.reduce_start();
  exchange.finish();
}

}  // namespace percussion
