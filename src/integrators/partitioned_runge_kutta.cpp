// Nonsmooth partitioned Runge-Kutta methods with the pair Lobatto IIIA-IIIB (Breuling 5.3, 5.4, Fig. 5.1), see
// integrators/runge_kutta.hpp. Order 2s - 2 through smooth phases, contact closed or not; about 1 through impacts.
// s = 2 is RATTLE: (5.59), then (5.60), two systems without coupling. Not for stiff forces (7.5).
#include "integrators/runge_kutta.hpp"

namespace percussion {
namespace {

Schema schema() {
  Schema s = runge_kutta_schema();
  s.integer("stages").fallback(2).between(2, 4).doc("number of stages s; 2 is RATTLE");
  s.boolean("integrated_percussions").fallback(false).doc("contact laws on integrated percussions (Breuling 5.42): loses order, for comparison only");
  return s;
}

const RegisterIntegrator registered{
    "integrators", "lobatto_iiia_iiib", "nonsmooth partitioned Lobatto IIIA-IIIB, order 2s - 2 with contact closed, no penetration", schema(),
    [](const Parameters& p, ContactSolver& solver) {
      const PartitionedTableau tableau = lobatto_iiia_iiib(static_cast<int>(p.integer("stages")));
      return std::make_unique<RungeKutta>(stage_scheme(tableau, p.boolean("integrated_percussions")), solver, runge_kutta_options(p));
    }};

}  // namespace
}  // namespace percussion
