// Is the state at the start of a run consistent?
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/case_builder.hpp"
#include "assembly/gathered_state.hpp"
#include "partition/halo_channel.hpp"

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

bool needs_inertia(const NodeData& node) { return node.kind == NodeKind::generalized || node.mass == 0; }

/// Collective. Every node without a mass of its own must get inertia from a contribution, on whichever rank that is.
void check_inertia(const System& system, const Parameters& input) {
  const NodeStore& nodes = system.nodes;
  int wanted = 0;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) wanted |= needs_inertia(nodes[i]);
  MPI_Allreduce(MPI_IN_PLACE, &wanted, 1, MPI_INT, MPI_MAX, system.comm());
  if (!wanted) return;
  std::vector<std::int32_t> inertias(nodes.size(), 0);
  for (std::int32_t k = 0; k < system.contributions.size(); ++k)
    if (system.contributions[k].contribution->inertia())
      for (const std::int32_t i : system.contributions.local_nodes(k)) ++inertias[i];
  if (system.distribution.ranks() > 1) HaloChannel<std::int32_t>(system.distribution.halo(), 1).reduce_add(inertias);
  all_or_none(system.comm(), [&] {
    const ParametersList& list = input.sections("nodes");
    for (std::int32_t i = 0; i < nodes.owned(); ++i) {
      if (!needs_inertia(nodes[i]) || inertias[i] > 0) continue;
      const std::int64_t id = nodes[i].id;  // a node of a chain always has its bar
      if (nodes[i].kind == NodeKind::generalized)
        list.at(id).fail("type", "a generalized node has no mass of its own", "an inertia contribution such as linear_system on the node", "add the contribution");
      list.at(id).fail("mass", "the node has no mass and no element brings it", "a number > 0 in kg, or 0 where an element such as a bar ends", "give a mass, or attach an element");
    }
  });
}

}  // namespace

void check_initial_state(const System& system, const Parameters& input) {
  check_inertia(system, input);
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
      const std::string partner = c.is_wall() ? "wall `" + system.walls.name(c.surface()) + "`" : fmt::format("body {}", system.nodes[c.b].id);
      const std::string problem = fmt::format("body {} overlaps {} by {:.3g} m at the start", id, partner, -g.gap);
      const std::string allowed = fmt::format("an overlap of at most {:.3g} m, a tenth of the radius", deepest_overlap * r);
      if (id < named) input.sections("nodes")[id].fail("position", problem, allowed, "move the bodies apart");
      input.sections("fills").front().fail("lower", problem, allowed, "move the fill away from walls and other bodies");
    }
  });
}

}  // namespace percussion
