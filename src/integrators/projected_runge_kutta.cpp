// Nonsmooth projected stiffly accurate Runge-Kutta methods (Breuling 4.4-4.6, Fig. 4.8), see integrators/runge_kutta.hpp:
// one registration per family of tableaus. Measured orders through smooth phases with constraints and frictional contact
// closed (direction of sliding constant, docs/methods.md): 2s - 1 for Radau IIA, 2 for TR-BDF2, TRX2 and TR-theta; Lobatto
// IIIC 2s - 2 with joints, but 3 for s = 3 with contacts, whose first stage lies at t_n; SDIRK falls to 1 with either.
// About 1 through impacts.
#include "integrators/runge_kutta.hpp"

namespace percussion {
namespace {

Schema projected_schema() {
  Schema s = runge_kutta_schema();
  s.boolean("projection").fallback(true).doc("velocity projection with impact laws; false: the naive scheme of Breuling 4.5, which has none");
  return s;
}

std::unique_ptr<Integrator> make(const Parameters& p, ContactSolver& solver, const Tableau& tableau) {
  RungeKuttaOptions options = runge_kutta_options(p);
  options.velocity_level = p.boolean("projection");
  return std::make_unique<RungeKutta>(stage_scheme(tableau), solver, options);
}

Schema staged_schema(int least, int most, int fallback) {
  Schema s = projected_schema();
  s.integer("stages").fallback(fallback).between(least, most).doc("number of stages s");
  return s;
}

Schema theta_schema() {
  Schema s = projected_schema();
  s.real("rho_inf").fallback(0.8).between(0, 1).doc("what is left of the highest frequencies after a step");
  return s;
}

const RegisterIntegrator radau{"integrators", "radau_iia", "nonsmooth projected Radau IIA, order 2s - 1 with contact closed, no penetration",
                               staged_schema(1, 3, 2), [](const Parameters& p, ContactSolver& solver) {
                                 return make(p, solver, radau_iia(static_cast<int>(p.integer("stages"))));
                               }};
const RegisterIntegrator lobatto{"integrators", "lobatto_iiic", "nonsmooth projected Lobatto IIIC, order 2s - 2 with joints (s = 3 with contacts: 3), no penetration",
                                 staged_schema(2, 3, 2), [](const Parameters& p, ContactSolver& solver) {
                                   return make(p, solver, lobatto_iiic(static_cast<int>(p.integer("stages"))));
                                 }};
const RegisterIntegrator sdirk_methods{"integrators", "sdirk", "nonsmooth projected SDIRK (Alexander), order s without, 1 with constraints or closed contacts, no penetration",
                                       staged_schema(2, 3, 2), [](const Parameters& p, ContactSolver& solver) {
                                         return make(p, solver, sdirk(static_cast<int>(p.integer("stages"))));
                                       }};
const RegisterIntegrator tr_bdf2_method{"integrators", "tr_bdf2", "nonsmooth projected TR-BDF2, order 2, L-stable, no penetration", projected_schema(),
                                        [](const Parameters& p, ContactSolver& solver) { return make(p, solver, tr_bdf2()); }};
const RegisterIntegrator trx2_method{"integrators", "trx2", "nonsmooth projected TRX2, order 2, no dissipation, no penetration", projected_schema(),
                                     [](const Parameters& p, ContactSolver& solver) { return make(p, solver, trx2()); }};
const RegisterIntegrator tr_theta_method{"integrators", "tr_theta", "nonsmooth projected TR-theta, order 2, dissipation by rho_inf, no penetration",
                                         theta_schema(), [](const Parameters& p, ContactSolver& solver) {
                                           return make(p, solver, tr_theta(p.real("rho_inf")));
                                         }};

}  // namespace
}  // namespace percussion
