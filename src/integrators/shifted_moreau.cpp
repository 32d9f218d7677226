// Shifted Moreau scheme (Breuling 5.62, 5.63):
//
//   q_{n+1} = q_n + h B(q_n) u_n,   M (u_{n+1} - u_n) = h h + W P
//   xi_N, xi_F, g', gamma at (t_{n+1}, q_{n+1}, u_{n+1}) for contacts with g_N(q_{n+1}) <= 0
//
// Print and algebra: (5.63a) takes h and W at q_n, but the text below it says that the scheme coincides with Moreau's
// midpoint rule, whose h and W belong to the midpoint, that is to q_{n+1}; and W at two places would make the Delassus
// operator unsymmetric. Here all of them are taken at q_{n+1}.
// With `recover`, the run starts from q_0 - h/2 B u_0 and positions() returns q_n + h/2 B u_n: the true positions, equal
// to those of Moreau's rule where B is constant.
#include "integrators/kinematics.hpp"
#include "integrators/velocity_step.hpp"

namespace percussion {
namespace {

class ShiftedMoreau final : public VelocityStepIntegrator {
 public:
  ShiftedMoreau(ContactSolver& solver, bool recover) : VelocityStepIntegrator(solver), recover_(recover) {}

  void start(System& system, double h) override {
    h_ = h;
    if (recover_) advance_positions(system.nodes, -0.5 * h), normalise_rotations(system.nodes);
  }

  StepReport step(System& system, double h) override {
    const double t = system.t;
    // With another step size the shift changes too: q* = q + h_/2 f stays what it is.
    if (recover_ && h != h_) advance_positions(system.nodes, 0.5 * (h_ - h));
    h_ = h;
    advance_positions(system.nodes, h);
    normalise_rotations(system.nodes);
    const double t_q = recover_ ? t + 0.5 * h : t + h;
    const StepReport report = velocity_step(system, {recover_ ? t_q : t, t_q, t + h, h});
    system.t = t + h;
    return report;
  }

  void save(const System& system, StepMemory& memory) const override {
    VelocityStepIntegrator::save(system, memory);
    memory.numbers.push_back(h_);
  }
  void load(System& system, StepMemory& memory) override {
    VelocityStepIntegrator::load(system, memory);
    h_ = memory.take_number();
  }

  void positions(const System& system, std::vector<double>& q) const override {
    q = system.nodes.q();
    if (!recover_) return;
    NodeStore nodes = system.nodes;
    advance_positions(nodes, 0.5 * h_);
    normalise_rotations(nodes);
    q = nodes.q();
  }

 private:
  bool recover_;
  double h_ = 0;
};

Schema schema() {
  Schema s;
  s.boolean("recover").fallback(true).doc("start half a step back and recover the true positions for output (below Breuling 5.63)");
  return s;
}

const RegisterIntegrator registered{"integrators", "shifted_moreau", "shifted Moreau scheme of Breuling (5.63), order 1", schema(),
                                    [](const Parameters& p, ContactSolver& solver) {
                                      return std::make_unique<ShiftedMoreau>(solver, p.boolean("recover"));
                                    }};

}  // namespace
}  // namespace percussion
