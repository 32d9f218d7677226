// Time integrators behind one step interface. Registered in the catalogue "integrators": a new scheme is one file.
//
// An integrator advances t, q and u of a System. q and u of ghosts are as valid after a step as before it: the scheme
// does the same arithmetic on owned nodes and ghosts, or updates the ghosts itself.
#pragma once
#include <memory>
#include <span>
#include <vector>

#include "assembly/system.hpp"
#include "assembly/velocity_problem.hpp"
#include "solvers/solver.hpp"

namespace percussion {

struct StepReport {
  SolveReport solve;
  std::int64_t contacts = 0;   ///< active contacts, on all ranks
  double penetration = 0;      ///< deepest at the positions of the scheme's contact test, on all ranks, >= 0
  double error_estimate = -1;  ///< of the step, by schemes that have one; negative: none
};

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Collective, once before the first step (and after a restart with `h` of the next step): shifts, starting values.
  virtual void start(System& system, double h);
  /// Collective. One step from t to t + h. If it did not converge, the state is advanced all the same; the caller
  /// decides.
  virtual StepReport step(System& system, double h) = 0;

  /// Local. Positions at system.t for output, laid out like nodes.q(); they may differ from the scheme's own q.
  virtual void positions(const System& system, std::vector<double>& q) const { q = system.nodes.q(); }
  /// Local. Active contacts of the last step on this rank.
  virtual void contacts(const System& system, std::vector<ContactRecord>& contacts) const = 0;
  /// Local. Percussions of a declared contribution in the last step, on its rank; empty if it was not active.
  virtual std::span<const double> percussion(std::int64_t contribution_id) const = 0;
  /// Local. What the next step needs beside t, q, u and the candidates: nothing if a scheme keeps nothing.
  virtual void save(const System& system, StepMemory& memory) const;
  /// Collective, instead of start(): a step after it is the one that would have followed save(), bit by bit if the
  /// system is the same to the order of its nodes. Records of another number of ranks may be fewer.
  virtual void load(System& system, StepMemory& memory);
  /// Bytes held between steps.
  virtual std::size_t memory() const { return 0; }
};

using IntegratorRegistry = Registry<Integrator, const Parameters&, ContactSolver&>;
using RegisterIntegrator = Registration<Integrator, const Parameters&, ContactSolver&>;

}  // namespace percussion
