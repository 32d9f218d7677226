// A case: everything a validated input describes, ready to step. The simulation loop, studies and tests use it alike.
//
// Node ids: the nodes of the input in their order, then the bodies of the fills, then the nodes of the chains. Contribution
// ids: their order in the input, then the bars of the chains. Each rank makes its share only; named nodes (those of the input
// and the ends of the chains) are known to all ranks by id.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/dumping_solver.hpp"
#include "app/population.hpp"
#include "assembly/system.hpp"
#include "integrators/integrator.hpp"
#include "solvers/solver.hpp"

namespace percussion {

/// A case that is built but has no initial state yet: begin() or restore() (app/case_state.hpp) gives it one.
struct Unstarted {};

struct NodeState {
  std::vector<double> q, u;
};

class Case {
 public:
  /// Collective. InputError on all ranks for mistakes only the model can see: names used twice or unknown, bodies outside
  /// the domain, joints or contacts violated at the start.
  Case(MPI_Comm comm, const Parameters& input);
  Case(MPI_Comm comm, const Parameters& input, Unstarted);
  /// Collective. The initial state of the input, distributed and checked.
  void begin(const Parameters& input);

  System system;
  double h;  ///< step of the input

  Integrator& integrator() { return *integrator_; }
  const Integrator& integrator() const { return *integrator_; }
  ContactSolver& solver() { return *solver_; }
  /// Writer of contact problems, if the input asks for it.
  DumpingSolver* dumps() { return dumps_; }

  /// Collective. Goes on from the present state with the integrator, the solver and the step of another input of the same case.
  void use_schemes(const Parameters& input);

  /// Collective. One step of the given size (default h).
  StepReport step() { return step(h); }
  StepReport step(double size) {
    last_step_ = size;
    const StepReport report = integrator_->step(system, size);
    system.wrap_positions();
    return report;
  }
  double last_step() const { return last_step_; }  ///< size of the last step; h before the first

  std::int64_t node_id(const std::string& name) const { return names_.at(name); }
  const std::map<std::string, std::int64_t>& names() const { return names_; }
  std::int64_t bodies() const { return bodies_; }  ///< all nodes of all ranks

  /// Collective, before a step of size h that will not be taken back: bodies enter and leave.
  void exchange_bodies(double step_size) { bodies_ += population_.exchange(system, step_size); }
  const Population& population() const { return population_; }
  /// Of a checkpoint; the number of bodies follows.
  void restore_population(const CheckpointReader& file);

  /// Collective. q (true positions, periods included) and u of a node, on all ranks.
  NodeState state(std::int64_t id) const;
  NodeState state(const std::string& name) const { return state(node_id(name)); }
  /// Collective. Percussions of a declared contribution in the last step, on all ranks; empty if it was not active.
  std::vector<double> percussion(std::int64_t contribution) const;

 private:
  void create_schemes(const Parameters& input);

  std::map<std::string, std::int64_t> names_;
  std::int64_t bodies_ = 0;
  double last_step_;
  std::unique_ptr<ContactSolver> solver_;
  Population population_;
  DumpingSolver* dumps_ = nullptr;  ///< solver_, or nothing
  std::unique_ptr<Integrator> integrator_;
};

}  // namespace percussion
