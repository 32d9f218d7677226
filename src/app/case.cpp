#include "app/case.hpp"

#include "app/case_builder.hpp"
#include "app/periodic_domain.hpp"

namespace percussion {

namespace {

/// Collective. The vector that exactly one rank, or none, has, on all ranks.
std::vector<double> from_its_owner(MPI_Comm comm, std::vector<double> mine) {
  auto length = static_cast<std::int64_t>(mine.size());
  MPI_Allreduce(MPI_IN_PLACE, &length, 1, MPI_INT64_T, MPI_MAX, comm);
  mine.resize(length, 0.);
  MPI_Allreduce(MPI_IN_PLACE, mine.data(), static_cast<int>(length), MPI_DOUBLE, MPI_SUM, comm);
  return mine;
}

}  // namespace

Case::Case(MPI_Comm comm, const Parameters& input) : Case(comm, input, Unstarted{}) { begin(input); }

Case::Case(MPI_Comm comm, const Parameters& input, Unstarted) : system(comm), h(input.section("time").real("step")), last_step_(h) {
  CaseNames names = build_system(system, input);
  names_ = std::move(names.nodes), bodies_ = names.bodies;
  all_or_none(comm, [&] { population_.setup(system, input, names.bodies, names.fills_begin, names.fills_end); });
  check_periodic(system, input, population_.largest());
  create_schemes(input);
}

void Case::begin(const Parameters& input) {
  system.start(h);
  check_initial_state(system, input);
  integrator_->start(system, h);
}

void Case::restore_population(const CheckpointReader& file) {
  population_.restore(file);
  bodies_ += population_.entered().bodies - population_.left().bodies;
}

void Case::create_schemes(const Parameters& input) {
  integrator_.reset();  // it refers to the solver
  const Parameters &solver = input.section("solver"), &integrator = input.section("integrator");
  dumps_ = nullptr;
  solver_ = SolverRegistry::instance().create(solver.type(), solver);
  if (const DumpPlan plan = dump_plan(input.section("output").section("dump_problems")); plan.any()) {
    auto dumping = std::make_unique<DumpingSolver>(std::move(solver_), plan, input.section("case").text("name"));
    dumps_ = dumping.get(), solver_ = std::move(dumping);
  }
  integrator_ = IntegratorRegistry::instance().create(integrator.type(), integrator, *solver_);
}

void Case::use_schemes(const Parameters& input) {
  h = last_step_ = input.section("time").real("step");
  create_schemes(input);
  integrator_->start(system, h);
}

NodeState Case::state(std::int64_t id) const {
  const NodeStore& nodes = system.nodes;
  const std::int32_t i = system.distribution.local(id);
  NodeState mine;
  if (i >= 0 && nodes.is_owned(i)) {
    std::vector<double> q;
    integrator_->positions(system, q);
    mine.q.assign(q.begin() + nodes.q_offset()[i], q.begin() + nodes.q_offset()[i + 1]);
    for (std::size_t k = 0; k < 3 && system.periodic.any() && k < mine.q.size(); ++k) mine.q[k] += nodes[i].image[k] * system.periodic.length[k];
    mine.u.assign(nodes.u(i).begin(), nodes.u(i).end());
  }
  return {from_its_owner(system.comm(), std::move(mine.q)), from_its_owner(system.comm(), std::move(mine.u))};
}

std::vector<double> Case::percussion(std::int64_t contribution) const {
  const auto mine = integrator_->percussion(contribution);
  return from_its_owner(system.comm(), {mine.begin(), mine.end()});
}

}  // namespace percussion
