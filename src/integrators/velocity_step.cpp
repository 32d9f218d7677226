#include "integrators/velocity_step.hpp"

namespace percussion {

void Integrator::start(System&, double) {}
void Integrator::save(const System&, StepMemory&) const {}
void Integrator::load(System&, StepMemory&) {}

void VelocityStepIntegrator::save(const System& system, StepMemory& memory) const {
  problem_.active().save(system, MemoryKind::row_percussion, memory);
}

void VelocityStepIntegrator::load(System&, StepMemory& memory) { problem_.active().load(MemoryKind::row_percussion, memory); }

StepReport VelocityStepIntegrator::velocity_step(System& system, const VelocityProblemTimes& times) {
  system.refresh(times.t_position, times.h);
  problem_.build(system, times);
  StepReport report;
  report.solve = solver_.solve(problem_.problem());
  problem_.store(system);
  sum_contacts(system, problem_.active().summary(), report);
  return report;
}

void VelocityStepIntegrator::sum_contacts(const System& system, const ContactSummary& local, StepReport& report) {
  MPI_Allreduce(&local.active, &report.contacts, 1, MPI_INT64_T, MPI_SUM, system.comm());
  MPI_Allreduce(&local.penetration, &report.penetration, 1, MPI_DOUBLE, MPI_MAX, system.comm());
}

}  // namespace percussion
