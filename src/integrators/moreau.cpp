// Moreau's midpoint rule (Moreau 1999; Studer section 3):
//
//   q_M = q_n + h/2 B(q_n) u_n,   M(q_M) (u_{n+1} - u_n) = h h(t_M, q_M, u_n) + W(q_M) P
//   xi_N, xi_F, g', gamma at (t_{n+1}, q_M, u_{n+1}) for contacts with g_N(t_M, q_M) <= 0
//   q_{n+1} = q_M + h/2 B(q_M) u_{n+1}
#include "integrators/kinematics.hpp"
#include "integrators/velocity_step.hpp"

namespace percussion {
namespace {

class Moreau final : public VelocityStepIntegrator {
 public:
  using VelocityStepIntegrator::VelocityStepIntegrator;

  StepReport step(System& system, double h) override {
    const double t = system.t, t_M = t + 0.5 * h;
    advance_positions(system.nodes, 0.5 * h);
    const StepReport report = velocity_step(system, {t_M, t_M, t + h, h});
    advance_positions(system.nodes, 0.5 * h);
    normalise_rotations(system.nodes);
    system.t = t + h;
    return report;
  }
};

const RegisterIntegrator registered{"integrators", "moreau", "Moreau's midpoint rule, order 1", Schema(),
                                    [](const Parameters&, ContactSolver& solver) { return std::make_unique<Moreau>(solver); }};

}  // namespace
}  // namespace percussion
