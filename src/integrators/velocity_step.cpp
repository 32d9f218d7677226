#include "integrators/velocity_step.hpp"

#include <mpi.h>

#include <algorithm>

namespace percussion {

namespace {

/// (contacts, penetration) of two ranks: sum and maximum, in one reduction.
MPI_Op add_summaries() {
  MPI_Op op;
  MPI_Op_create(
      [](void* from, void* into, int* count, MPI_Datatype*) {
        const auto* a = static_cast<const double*>(from);
        auto* b = static_cast<double*>(into);
        for (int k = 0; k < *count; ++k) b[2 * k] += a[2 * k], b[2 * k + 1] = std::max(b[2 * k + 1], a[2 * k + 1]);
      },
      1, &op);
  return op;
}

MPI_Datatype pair_of_doubles() {
  static const MPI_Datatype type = [] {
    MPI_Datatype pair;
    MPI_Type_contiguous(2, MPI_DOUBLE, &pair);
    MPI_Type_commit(&pair);
    return pair;
  }();
  return type;
}

}  // namespace

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
  static const MPI_Op add = add_summaries();
  double summary[2] = {static_cast<double>(local.active), local.penetration};
  MPI_Allreduce(MPI_IN_PLACE, summary, 1, pair_of_doubles(), add, system.comm());
  report.contacts = static_cast<std::int64_t>(summary[0]), report.penetration = summary[1];
}

}  // namespace percussion
