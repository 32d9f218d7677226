// A cloud of bodies of which every rank knows everything by computing it from the ids: what the distributed code
// finds out by messages is compared with brute force over the whole cloud. For tests only.
#pragma once
#include <mpi.h>

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "math/random.hpp"
#include "model/node_store.hpp"
#include "partition/helpers.hpp"

namespace percussion::test {

inline std::int64_t sum_over_ranks(std::int64_t value) {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  return value;
}

struct Body {
  NodeData data;
  std::vector<double> q, u;
  double x(int d) const { return data.kind == NodeKind::generalized || (is_planar(data.kind) && d == 2) ? 0 : q[d]; }
};

struct Cloud {
  std::vector<Body> bodies;
  std::int64_t id(std::size_t k) const { return bodies[k].data.id; }
  std::size_t size() const { return bodies.size(); }
  /// Place of an id, which leaves gaps on purpose.
  static std::int64_t id_of(std::int64_t k) { return 7 * k + 3; }
  static std::size_t index_of(std::int64_t id) { return static_cast<std::size_t>((id - 3) / 7); }

  bool in_reach(std::size_t i, std::size_t j, double margin) const {
    const Body &a = bodies[i], &b = bodies[j];
    if (a.data.radius == 0 || b.data.radius == 0) return false;
    const double limit = a.data.radius + b.data.radius + 2 * margin;
    double distance2 = 0;
    for (int d = 0; d < 3; ++d) distance2 += (a.x(d) - b.x(d)) * (a.x(d) - b.x(d));
    return distance2 <= limit * limit;
  }
};

/// Bodies of all kinds in a box around the origin; radii in [smallest, largest]. Every tenth body has no shape.
inline Cloud make_cloud(int n, double half_box, double smallest, double largest, std::uint64_t seed = 1) {
  Cloud cloud;
  for (int k = 0; k < n; ++k) {
    Body body;
    body.data.id = Cloud::id_of(k);
    const CounterRandom random(seed, static_cast<std::uint64_t>(body.data.id));
    constexpr NodeKind kinds[] = {NodeKind::rigid_body, NodeKind::point_3d,    NodeKind::rigid_body,
                                  NodeKind::point_2d,   NodeKind::planar_body, NodeKind::generalized};
    body.data.kind = kinds[k % 6];
    const bool generalized = body.data.kind == NodeKind::generalized;
    body.data.dofs = static_cast<std::int8_t>(nu(body.data.kind, 1 + k % 5));
    body.data.shape = k;
    body.data.mass = random.uniform(0, 1, 2);
    for (int d = 0; d < 3; ++d) body.data.inertia[d] = random.uniform(1 + d, 1, 2);
    body.data.radius = generalized || k % 10 == 9 ? 0 : random.uniform(4, smallest, largest);
    body.q.resize(nq(body.data.kind, body.data.dofs));
    body.u.resize(nu(body.data.kind, body.data.dofs));
    for (std::size_t d = 0; d < body.q.size(); ++d) body.q[d] = random.uniform(10 + d, -half_box, half_box);
    for (std::size_t d = 0; d < body.u.size(); ++d) body.u[d] = random.uniform(30 + d, -1, 1);
    cloud.bodies.push_back(std::move(body));
  }
  return cloud;
}

/// The bodies for which `owner(k)` is this rank.
template <class Owner>
NodeStore store_of(const Cloud& cloud, Owner owner) {
  NodeStore nodes;
  for (std::size_t k = 0; k < cloud.size(); ++k)
    if (owner(k) == my_rank()) nodes.add(cloud.bodies[k].data, cloud.bodies[k].q, cloud.bodies[k].u, false);
  return nodes;
}

/// A rank for body k that has nothing to do with where it is.
inline int random_rank(std::size_t k, std::uint64_t seed) {
  return static_cast<int>(CounterRandom(seed, k).bits(0)[0] % static_cast<std::uint64_t>(n_ranks()));
}

/// Whether node i of the store is the body of its id, bit by bit (values travel as they are).
inline bool same_as_body(const Cloud& cloud, const NodeStore& nodes, std::int32_t i) {
  const NodeData& a = nodes[i];
  if (Cloud::index_of(a.id) >= cloud.size()) return false;
  const Body& body = cloud.bodies[Cloud::index_of(a.id)];
  const NodeData& b = body.data;
  const auto q = nodes.q(i), u = nodes.u(i);
  return a.id == b.id && a.kind == b.kind && a.dofs == b.dofs && a.shape == b.shape && a.mass == b.mass &&
         a.inertia[0] == b.inertia[0] && a.inertia[1] == b.inertia[1] && a.inertia[2] == b.inertia[2] &&
         a.radius == b.radius && std::vector<double>(q.begin(), q.end()) == body.q &&
         std::vector<double>(u.begin(), u.end()) == body.u;
}

}  // namespace percussion::test
