#include "assembly/system.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>

#include "assembly/body_slot.hpp"
#include "base/error.hpp"
#include "base/timer.hpp"
#include "contact/ball.hpp"
#include "contact/spatial_order.hpp"
#include "partition/balance.hpp"

namespace percussion {

namespace {

constexpr std::int32_t memory_payload = 2;

double max_over_ranks(MPI_Comm comm, double value) {
  double result = value;
  MPI_Allreduce(&value, &result, 1, MPI_DOUBLE, MPI_MAX, comm);
  return result;
}

bool any_rank(MPI_Comm comm, bool flag) { return max_over_ranks(comm, flag ? 1 : 0) > 0; }

/// Whether neighbours in space are no longer neighbours in memory: the candidates come cell by cell, so from one body to the
/// next the local number should change little. Most jumps are long when bodies have mixed (a drum) or were given in any
/// order (a random fill): then a sweep waits for memory. In Morton order a quarter of them, on a lattice hardly any.
bool scattered(const CandidateList& list, std::int32_t owned) {
  constexpr std::int32_t near = 64;
  std::int64_t bodies = 0, jumps = 0;
  std::int32_t last = -1;
  for (const Candidate& c : list.candidates()) {
    if (c.a == last || c.a >= owned) continue;
    if (last >= 0) ++bodies, jumps += std::abs(c.a - last) > near;
    last = c.a;
  }
  return bodies > 16 * near && 5 * jumps > 3 * bodies;
}

}  // namespace

double System::choose_skin(double h, double reach) const {
  // A quarter of the smallest radius, or eight steps of the fastest body, but not more than half the largest radius:
  // beyond, the candidates of a dense packing cost more memory and time than the rebuilds they save.
  double local[3] = {0, 0, 0};  // r_max, -r_min, v_max
  local[1] = -1e300;
  for (std::int32_t i = 0; i < nodes.owned(); ++i) {
    if (!is_detectable(nodes[i])) continue;
    local[0] = std::max(local[0], nodes[i].radius), local[1] = std::max(local[1], -nodes[i].radius);
    const auto u = nodes.u(i);
    const double v2 = u[0] * u[0] + u[1] * u[1] + (is_planar(nodes[i].kind) ? 0. : u[2] * u[2]);
    local[2] = std::max(local[2], v2);
  }
  double global[3];
  MPI_Allreduce(local, global, 3, MPI_DOUBLE, MPI_MAX, comm());
  if (global[0] == 0) return 0;
  const double wanted = std::min(std::max(0.25 * -global[1], 16 * h * std::sqrt(global[2])), std::max(0.5 * global[0], 0.25 * -global[1]));
  const double skin = std::max(wanted, 4 * reach);
  if (!periodic.any()) return skin;
  // Two bodies must not meet through two sides at once: their reach is below half the period.
  const double room = 0.5 * periodic.shortest() * (1 - 1e-6) - 2 * global[0];
  if (room >= std::max(4 * reach, 0.02 * global[0])) return std::min(skin, room);
  throw RunError(reach > 0 && room > 0.02 * global[0]
                     ? "a body moves too far in one step for the periodic box: take a smaller time.step or a longer domain"
                     : "the periodic box is too narrow: " + std::to_string(periodic.shortest()) + " m, but bodies of radius " + std::to_string(global[0]) +
                           " m need more than 4 radii and a margin; enlarge the domain or leave out domain.periodic");
}

void System::look_at_nodes() {
  bool generalized = false, dense = false, shaped = false;
  for (std::int32_t i = 0; i < nodes.owned(); ++i)
    generalized |= nodes[i].kind == NodeKind::generalized, dense |= !is_round(nodes[i]), shaped |= nodes[i].shape > 0;
  only_spheres_ = !any_rank(comm(), shaped);
  any_generalized_ = any_rank(comm(), generalized);
  any_dense_ = any_rank(comm(), dense);
  any_turning_ = law.turns() || walls.turn();
  any_contributions_ = any_rank(comm(), contributions.size() > 0);
  candidates.set_shapes(&shapes);
  candidates.set_obstacles(&walls.obstacles);
  candidates.set_periodic(periodic);
  distribution.adopt_nodes(nodes);
}

void System::start(double h) {
  look_at_nodes();
  planes_time_ = t;
  place_walls(walls, t, t, planes);
  rebuild(h);
  std::int64_t bodies = nodes.owned();
  MPI_Allreduce(MPI_IN_PLACE, &bodies, 1, MPI_INT64_T, MPI_SUM, comm());
  if (distribution.ranks() == 1 || bodies == 0) return;
  rebalance(RebalanceMethod::geometric, h);
  if (partition.method == RebalanceMethod::graph) rebalance(RebalanceMethod::graph, h);
}

bool System::refresh(double t_planes, double h, double reach) {
  planes_time_ = t_planes;
  place_walls(walls, t_planes, t_planes, planes);
  candidates.set_planes(planes);
  const double moved = max_over_ranks(comm(), candidates.max_displacement(nodes, nodes.q()));
  if (2 * (moved + reach) <= candidates.skin()) return false;
  rebuild(h, reach);
  return true;
}

void System::rebuild(double h, double reach) {
  const PhaseScope phase(Phase::detection);
  const double skin = choose_skin(h, reach);
  distribution.build_ghosts(nodes, 0.5 * skin, contributions.ghost_requests(), periodic);
  contributions.bind(nodes, distribution);
  candidates.set_planes(planes);
  all_or_none(comm(), [&] { candidates.rebuild(nodes, nodes.q(), skin); });
  planes_time_rebuilt_ = planes_time_;
  ++generation_, ++rebuilds_;
}

void System::exchange_nodes(std::span<const std::uint8_t> leaving, std::span<const NodeInit> joining, double h) {
  PERCUSSION_CHECK(std::cmp_equal(leaving.size(), nodes.owned()), "one flag per owned node");
  NodeStore next;
  next.reserve(nodes.owned() + static_cast<std::int32_t>(joining.size()));
  for (std::int32_t i = 0; i < nodes.owned(); ++i)
    if (!leaving[i]) next.add(nodes[i], nodes.q(i), nodes.u(i), false);
  for (const NodeInit& node : joining) next.add(node.data, node.q, node.u, false);
  nodes = std::move(next);
  look_at_nodes();
  planes_time_ = t;
  place_walls(walls, t, t, planes);
  rebuild(h);
}

void System::wrap_positions() {
  if (!periodic.any()) return;
  for (std::int32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].kind == NodeKind::generalized) continue;
    const auto q = nodes.q(i);
    for (int k = 0; k < (is_planar(nodes[i].kind) ? 2 : 3); ++k) {
      const double cells = periodic.cells(k, q[k]);
      if (cells == 0) continue;
      q[k] -= cells * periodic.length[k];
      nodes.image(i)[k] += static_cast<std::int32_t>(cells);
    }
  }
}

Vec3 System::unwrapped(std::int32_t i, const std::vector<double>& q) const {
  Vec3 r = placement(nodes[i].kind, q.data() + nodes.q_offset()[i]).r;
  for (int k = 0; k < 3; ++k) r[k] += nodes[i].image[k] * periodic.length[k];
  return r;
}

ContactArms System::arms(const SphereContactGeometry& g) const {
  if (g.shaped >= 0) return {narrow_phase.shaped(g).arm_a, narrow_phase.shaped(g).arm_b};
  const Candidate& c = candidates.candidates()[g.candidate];
  const Vec3 n = Eigen::Map<const Vec3>(g.n);
  return {nodes[c.a].radius * n, c.is_wall() ? Vec3(Vec3::Zero()) : Vec3(-nodes[c.b].radius * n)};
}

Vec3 System::remembered(const SphereContactGeometry& g) const {
  if (g.shaped >= 0 && !narrow_phase.shaped(g).remembered) return Vec3::Zero();
  return Eigen::Map<const Vec3>(candidates.candidates()[g.candidate].P);
}

void System::remember(const SphereContactGeometry& g, const Vec3& P) {
  Eigen::Map<Vec3>(candidates.candidates()[g.candidate].P) = P;
  if (g.shaped >= 0) candidates.set_feature(g.candidate, narrow_phase.shaped(g).feature);
}

bool System::rebalance_if_needed(double cost, double h) {
  if (any_rank(comm(), scattered(candidates, nodes.owned()))) {
    const PhaseScope phase(Phase::balance);
    distribution.reorder(nodes, spatial_order(nodes, nodes.q()));
    rebuild(h);
    if (distribution.ranks() == 1) return true;
  }
  if (distribution.ranks() == 1) return false;
  std::int64_t bodies = nodes.owned();  // bodies may come and go
  MPI_Allreduce(MPI_IN_PLACE, &bodies, 1, MPI_INT64_T, MPI_SUM, comm());
  if (bodies == 0) return false;
  const Load load = load_balance(comm(), cost);
  // Bodies that mix make the interface grow while the load stays even: half as many ghosts again, and some percent of all.
  const bool frayed = static_cast<double>(count_ghosts()) > 1.5 * static_cast<double>(ghosts_after_rebalance_) + 0.02 * static_cast<double>(bodies_);
  if (!frayed && !needs_redistribution(load.ratio, partition.threshold)) return false;
  rebalance(partition.method, h, cost);
  return true;
}

std::int64_t System::count_ghosts() const {
  std::int64_t ghosts = nodes.size() - nodes.owned();
  MPI_Allreduce(MPI_IN_PLACE, &ghosts, 1, MPI_INT64_T, MPI_SUM, comm());
  return ghosts;
}

Rebalance System::rebalance(RebalanceMethod method, double h, double measured) {
  const PhaseScope phase(Phase::balance);
  std::vector<NodeEdge> edges;
  std::vector<double> cost(nodes.size(), 1.);
  for (const Candidate& c : candidates.candidates()) {
    if (!c.is_wall()) edges.push_back({c.a, c.b, 1});
    cost[c.a] += 1;
    if (!c.is_wall()) cost[c.b] += 1;
  }
  append_edges(contributions, 8, edges);
  halo_reduce_add<double>(distribution.halo(), cost);
  cost.resize(nodes.owned());
  // What a body with its contacts costs is measured per rank: cores, caches and kinds of contacts differ.
  const double counted = std::accumulate(cost.begin(), cost.end(), 0.);
  if (measured > 0 && counted > 0)
    for (double& c : cost) c *= measured / counted;
  // Bodies in free flight have hardly any edges: a partition of such a graph would scatter them.
  std::int64_t counts[2] = {static_cast<std::int64_t>(edges.size()), nodes.owned()};
  MPI_Allreduce(MPI_IN_PLACE, counts, 2, MPI_INT64_T, MPI_SUM, comm());
  bodies_ = counts[1];
  if (counts[0] < counts[1]) method = RebalanceMethod::geometric;
  if (method == RebalanceMethod::geometric) edges.clear();
  Rebalance proposal = propose_rebalance(nodes, distribution, edges, cost, method);

  // Percussions follow their contacts; those of nodes that stay need not travel.
  std::vector<Payload> payloads;
  std::vector<RememberedPercussion> arrived;
  for (const RememberedPercussion& memory : candidates.export_memory()) {
    if (proposal.destination[distribution.local(designated_node(memory))] == distribution.rank()) {
      arrived.push_back(memory);
      continue;
    }
    Payload p{designated_node(memory), memory_payload, std::vector<std::byte>(sizeof memory)};
    std::memcpy(p.data.data(), &memory, sizeof memory);
    payloads.push_back(std::move(p));
  }
  contributions.release(payloads);
  distribution.migrate(nodes, proposal.destination, payloads);
  contributions.absorb(payloads);
  for (const Payload& p : payloads) {
    if (p.kind != memory_payload) continue;
    std::memcpy(&arrived.emplace_back(), p.data.data(), sizeof(RememberedPercussion));
  }
  candidates.import_memory(arrived);
  rebuild(h);
  ghosts_after_rebalance_ = count_ghosts();
  return proposal;
}

}  // namespace percussion
