#include "app/stepper.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/log.hpp"

namespace percussion {

namespace {

constexpr int most_halvings = 10;

}  // namespace

OnFailure on_failure_from(const std::string& text) {
  return text == "stop" ? OnFailure::stop : text == "shrink" ? OnFailure::shrink : OnFailure::warn;
}

/// Collective. A state that has left the numbers must not be written as a result. The riders come along.
void Stepper::check_finite(const System& system) {
  const NodeStore& nodes = system.nodes;
  double sum = 0;
  for (std::int32_t k = 0; k < nodes.nq_owned(); ++k) sum += std::abs(nodes.q()[k]);
  for (std::int32_t k = 0; k < nodes.nu_owned(); ++k) sum += std::abs(nodes.u()[k]);
  const Riders mine = ask_ ? ask_() : Riders();
  int shared[3] = {!std::isfinite(sum), mine.stop, mine.checkpoint};
  MPI_Allreduce(MPI_IN_PLACE, shared, 3, MPI_INT, MPI_MAX, system.comm());
  agreed_ = {shared[1], shared[2]};
  if (shared[0])
    throw RunError(fmt::format("the state is not finite at t = {:.6g} s: the integration is unstable; take a smaller time.step or an L-stable integrator (radau_iia)", system.t));
}

// Refreshing ghosts within a step never moves owned nodes, so the owned part can be put back as it was.
void Stepper::save(const System& system) {
  const NodeStore& nodes = system.nodes;
  q_.assign(nodes.q().begin(), nodes.q().begin() + nodes.nq_owned());
  u_.assign(nodes.u().begin(), nodes.u().begin() + nodes.nu_owned());
  t_ = system.t;
  image_.clear();
  for (std::int32_t i = 0; system.periodic.any() && i < nodes.owned(); ++i) image_.push_back(std::to_array(nodes[i].image));
}

void Stepper::restore(System& system) const {
  std::copy(q_.begin(), q_.end(), system.nodes.q().begin());
  std::copy(u_.begin(), u_.end(), system.nodes.u().begin());
  for (std::size_t i = 0; i < image_.size(); ++i) std::copy_n(image_[i].data(), 3, system.nodes.image(static_cast<std::int32_t>(i)));
  system.distribution.update_ghosts(system.nodes);
  system.t = t_;
}

StepReport Stepper::advance(Case& c, double h) {
  const auto failed = [&](const StepReport& report, double size) {
    return fmt::format("step at t = {:.6g} s (h = {:.3g} s): no convergence, residual {:.2e} after {} iterations{}",
                       c.system.t, size, report.solve.residual, report.solve.iterations,
                       report.solve.singular ? "; the matrix of Newton's method is singular, as it is with redundant contacts" : "");
  };
  c.exchange_bodies(h);
  if (on_failure_ != OnFailure::shrink) {
    StepReport report = c.step(h);
    check_finite(c.system);
    if (report.solve.converged) return report;
    if (on_failure_ == OnFailure::stop)
      throw RunError(failed(report, h) + (report.solve.singular ? "; use solver.type = hybrid"
                                                                : "; raise solver.max_iterations or solver.tolerance, or set solver.on_failure"));
    // Every power of two: a run that never converges does not fill the disk.
    ++unconverged_;
    if (c.system.distribution.rank() == 0 && (unconverged_ & (unconverged_ - 1)) == 0)
      log::warn("{} ({} such steps so far)", failed(report, h), unconverged_);
    return report;
  }

  StepReport worst;
  const double end = c.system.t + h;
  double size = h;
  bool first = true;
  while (c.system.t < end - 1e-9 * h) {
    save(c.system);
    size = std::min(size, end - c.system.t);
    const StepReport report = c.step(size);
    check_finite(c.system);
    if (!report.solve.converged) {
      if (size <= h / (1 << most_halvings)) throw RunError(failed(report, size) + "; the step was halved ten times without success");
      log::debug("{}; trying half the step", failed(report, size));
      restore(c.system);
      size *= 0.5;
      continue;
    }
    if (first || report.solve.residual > worst.solve.residual) worst.solve = report.solve;
    worst.contacts = report.contacts;
    worst.penetration = std::max(worst.penetration, report.penetration);
    first = false;
  }
  c.system.t = end;
  return worst;
}

}  // namespace percussion
