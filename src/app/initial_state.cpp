// Is the state at the start of a run consistent?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/case_builder.hpp"
#include "assembly/gathered_state.hpp"

namespace percussion {

namespace {

// Inputs are decimal numbers with some six digits; what is larger is a mistake, not rounding.
constexpr double tolerance = 1e-6;
// Spheres that overlap by more than this part of the smaller radius would be thrown apart or never part.
constexpr double deepest_overlap = 0.1;

void check_contribution(const ContributionStore::Entry& entry, const LocalState& s) {
  const Contribution& contribution = *entry.contribution;
  const Parameters& p = entry.parameters;
  VecX value;
  double scale = 1;
  for (int i = 0; i < contribution.nq(); ++i) scale = std::max(scale, std::abs(s.q[i]));
  double u_scale = 1;
  for (int i = 0; i < contribution.nu(); ++i) u_scale = std::max(u_scale, std::abs(s.u[i]));
  const auto complain = [&](const char* what, double size, double limit, const char* fix) {
    p.fail("nodes", fmt::format("the initial state violates {} by {:.3g}", what, size), fmt::format("a violation of at most {:.1g}", limit), fix);
  };
  if (const PositionFunction* g = contribution.constraint()) {
    value.resize(g->rows());
    g->g(s, value);
    if (!(value.norm() <= tolerance * scale)) complain("the constraint g = 0", value.norm(), tolerance * scale, "correct the initial positions or the data of the joint");
    g->g_dot(s, value);
    if (!(value.norm() <= tolerance * u_scale)) complain("g' = 0", value.norm(), tolerance * u_scale, "correct the initial velocities");
  }
  if (const VelocityFunction* gamma = contribution.velocity_constraint()) {
    value.resize(gamma->rows());
    gamma->gamma(s, value);
    if (!(value.norm() <= tolerance * u_scale)) complain("gamma = 0", value.norm(), tolerance * u_scale, "correct the initial velocities");
  }
  if (contribution.contact() && contribution.contact()->gap) {
    value.resize(1);
    contribution.contact()->gap->g(s, value);
    if (!(value[0] >= -tolerance * scale)) complain("g_N >= 0", -value[0], tolerance * scale, "move the body out of the obstacle");
  }
}

}  // namespace

void check_initial_state(const System& system, const Parameters& input) {
  all_or_none(system.comm(), [&] {
    GatheredState gathered;
    for (std::int32_t k = 0; k < system.contributions.size(); ++k)
      check_contribution(system.contributions[k], gathered.gather(system.nodes, system.contributions.local_nodes(k), system.t));

    NarrowPhase narrow;
    for (const SphereContactGeometry& g : narrow.evaluate(system.candidates, system.nodes, system.nodes.q(), system.planes, 0.)) {
      const Candidate& c = system.candidates.candidates()[g.candidate];
      const double r = c.is_wall() ? system.nodes[c.a].radius : std::min(system.nodes[c.a].radius, system.nodes[c.b].radius);
      if (-g.gap <= deepest_overlap * r) continue;
      const std::int64_t id = system.nodes[c.a].id;
      const auto named = static_cast<std::int64_t>(input.sections("nodes").size());
      const std::string partner = c.is_wall() ? "wall `" + system.walls.names[c.plane()] + "`" : fmt::format("body {}", system.nodes[c.b].id);
      const std::string problem = fmt::format("body {} overlaps {} by {:.3g} m at the start", id, partner, -g.gap);
      const std::string allowed = fmt::format("an overlap of at most {:.3g} m, a tenth of the radius", deepest_overlap * r);
      if (id < named) input.sections("nodes")[id].fail("position", problem, allowed, "move the bodies apart");
      input.sections("fills").front().fail("lower", problem, allowed, "move the fill away from walls and other bodies");
    }
  });
}

}  // namespace percussion
