// Moreau-Jean theta scheme (Jean & Moreau; Acary 41, with the weights of 36):
//
//   q~ = q_n + h/2 B(q_n) u_n
//   M(q~) (u_{n+1} - u_n) = h h(t_theta, q_theta, u_theta) + W(q~) P,   t_theta = t_n + theta h
//   u_theta = theta u_{n+1} + (1 - theta) u_n,   q_theta = theta q_{n+1} + (1 - theta) q_n
//   xi_N, xi_F, g', gamma at (t_{n+1}, q~, u_{n+1}) for contacts with g_N(t_n + h/2, q~) <= 0
//   q_{n+1} = q_n + h B(q~) u_theta
//
// Forces are implicit: stable for any stiffness if theta >= 1/2; a linear oscillator loses the part
// 1 - (1 + (1-theta)^2 z^2) / (1 + theta^2 z^2) of its energy per step, z = h omega, nothing for theta = 1/2. Order 2 in
// smooth phases for theta = 1/2, else 1; order 1 through impacts.
// Without forces that depend on the state H_xx is M, block-diagonal: then the body view gives the same step at O(n) cost.
#include <algorithm>

#include "assembly/body_slot.hpp"
#include "assembly/implicit_problem.hpp"
#include "integrators/kinematics.hpp"
#include "integrators/velocity_step.hpp"

namespace percussion {
namespace {

struct Options {
  double theta;
  double newton_tolerance;
  int newton_max;
};

class MoreauJean final : public VelocityStepIntegrator {
 public:
  MoreauJean(ContactSolver& solver, const Options& options) : VelocityStepIntegrator(solver), solver_(solver), options_(options) {}

  StepReport step(System& system, double h) override {
    predict(system, h);
    const double t = system.t;
    choose_view(system);
    const ThetaStep theta{t, h, options_.theta};
    const StepReport report = assembled_ ? implicit_step(system, theta) : velocity_step(system, {theta.t_theta(), t + 0.5 * h, t + h, h});
    finish(system, h);
    system.t = t + h;
    return report;
  }

  void contacts(const System& system, std::vector<ContactRecord>& contacts) const override {
    if (assembled_) implicit_.active().append_contacts(system, contacts);
    else VelocityStepIntegrator::contacts(system, contacts);
  }
  std::span<const double> percussion(std::int64_t contribution_id) const override {
    return assembled_ ? implicit_.active().percussion(contribution_id) : VelocityStepIntegrator::percussion(contribution_id);
  }
  void save(const System& system, StepMemory& memory) const override {
    VelocityStepIntegrator::save(system, memory);
    implicit_.active().save(system, MemoryKind::implicit_percussion, memory);
  }
  void load(System& system, StepMemory& memory) override {
    VelocityStepIntegrator::load(system, memory);
    implicit_.active().load(MemoryKind::implicit_percussion, memory);
  }
  std::size_t memory() const override {
    return VelocityStepIntegrator::memory() + implicit_.memory() + (q_n_.capacity() + u_n_.capacity()) * sizeof(double);
  }

 private:
  /// The system goes to q~, with ghosts and candidates for it; q_n_ and u_n_ keep the state of all local nodes.
  void predict(System& system, double h) {
    NodeStore& nodes = system.nodes;
    const auto advance = [&] { advance_positions(nodes, 0.5 * h), normalise_rotations(nodes); };
    q_n_ = nodes.q();
    advance();
    if (system.refresh(system.t + 0.5 * h, h)) {
      // The ghosts are new and stand at q~ already. Owned nodes keep their places in a rebuild.
      std::copy_n(q_n_.begin(), nodes.nq_owned(), nodes.q().begin());
      system.distribution.update_ghosts(nodes);
      q_n_ = nodes.q();
      advance();
    }
    u_n_ = nodes.u();
  }

  /// Collective. Whether anything on any rank makes H_xx differ from a block-diagonal M.
  void choose_view(const System& system) {
    if (generation_ == system.generation()) return;
    generation_ = system.generation();
    int coupled = 0;
    for (std::int32_t i = 0; i < system.nodes.owned(); ++i)
      coupled |= system.nodes[i].kind == NodeKind::rigid_body && !is_round(system.nodes[i]);  // gyroscopic forces
    for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
      const Contribution& c = *system.contributions[k].contribution;
      const auto local = system.contributions.local_nodes(k);
      coupled |= c.force() || (c.inertia() && (local.size() > 1 || is_round(system.nodes[local[0]])));
    }
    MPI_Allreduce(MPI_IN_PLACE, &coupled, 1, MPI_INT, MPI_MAX, system.comm());
    assembled_ = coupled;
  }

  StepReport implicit_step(System& system, const ThetaStep& step) {
    StepReport report;
    implicit_.begin(system, step, q_n_);
    for (int k = 1;; ++k) {
      implicit_.linearise(system);
      SolveReport solve = solver_.solve(implicit_.problem());
      const NewtonChange change = implicit_.advance(system);
      report.solve.iterations += solve.iterations;
      report.solve.converged = solve.converged, report.solve.residual = solve.residual;
      report.solve.history.insert(report.solve.history.end(), solve.history.begin(), solve.history.end());
      const double left = std::min(change.residual, change.increment);
      if (left <= options_.newton_tolerance) break;
      if (k == options_.newton_max) {
        report.solve.converged = false, report.solve.residual = std::max(solve.residual, left);
        break;
      }
    }
    implicit_.store(system);
    sum_contacts(system, implicit_.active().summary(), report);
    return report;
  }

  /// From (q~, u_{n+1}) to (q_{n+1}, u_{n+1}), owned nodes and ghosts alike.
  void finish(System& system, double h) {
    NodeStore& nodes = system.nodes;
    const std::vector<double> q_B = nodes.q(), u = nodes.u();
    for (std::size_t i = 0; i < u.size(); ++i) nodes.u()[i] = options_.theta * u[i] + (1 - options_.theta) * u_n_[i];
    nodes.q() = q_n_;
    advance_positions(nodes, h, q_B.data());
    normalise_rotations(nodes);
    nodes.u() = u;
  }

  ContactSolver& solver_;
  Options options_;
  ImplicitProblem implicit_;
  bool assembled_ = false;
  std::int64_t generation_ = -1;
  std::vector<double> q_n_, u_n_;
};

Schema schema() {
  Schema s;
  s.real("theta").fallback(0.5).between(0.5, 1).doc("weight of the end of the step; 0.5: order 2, no dissipation; 1: implicit Euler");
  s.real("newton_tolerance").fallback(1e-10).positive().doc("relative residual, or change of the velocities, at which the Newton iteration ends");
  s.integer("newton_max").fallback(20).at_least(1).doc("Newton iterations after which a step counts as not converged");
  return s;
}

const RegisterIntegrator registered{
    "integrators", "moreau_jean", "Moreau-Jean theta scheme, implicit in the forces, order 1 through impacts", schema(),
    [](const Parameters& p, ContactSolver& solver) {
      const Options options{p.real("theta"), p.real("newton_tolerance"), static_cast<int>(p.integer("newton_max"))};
      return std::make_unique<MoreauJean>(solver, options);
    }};

}  // namespace
}  // namespace percussion
