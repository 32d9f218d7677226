// Clouds of bodies for the tests of detection: random or packed, cut into stores of several "ranks", and the
// candidates found by looking at all pairs.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "contact/candidate_list.hpp"
#include "math/random.hpp"
#include "model/node_store.hpp"

namespace percussion::test {

struct CloudBody {
  NodeData node;
  std::array<double, 3> x;
};
using Cloud = std::vector<CloudBody>;
using IdPair = std::pair<std::int64_t, std::int64_t>;  // (smaller id, larger id) or (id, ~plane)

inline CloudBody sphere_body(std::int64_t id, std::array<double, 3> x, double radius) {
  CloudBody body;
  body.node = {.id = id, .kind = NodeKind::rigid_body, .dofs = 6, .shape = 0, .mass = 1, .radius = radius};
  body.x = x;
  return body;
}

inline CloudBody planar_disc(std::int64_t id, double x, double y, double radius) {
  CloudBody body = sphere_body(id, {x, y, 0}, radius);
  body.node.kind = NodeKind::planar_body;
  body.node.dofs = 3;
  return body;
}

/// Radii between r_min and r_max, uniform in their logarithm; in a cube of edge `edge`. Ids are not consecutive.
inline Cloud random_cloud(int n, std::uint64_t seed, double r_min, double r_max, double edge) {
  Cloud cloud;
  for (int i = 0; i < n; ++i) {
    const CounterRandom random(seed, i);
    const double r = r_min * std::pow(r_max / r_min, random.uniform(3));
    const auto x = [&](int k) { return random.uniform(k, -0.5 * edge, 0.5 * edge); };
    cloud.push_back(sphere_body(7 * std::int64_t{i} % n + n * (i % 3), {x(0), x(1), x(2)}, r));
  }
  return cloud;
}

/// A shuffled copy: the same bodies in another order.
inline Cloud shuffled(Cloud cloud, std::uint64_t seed) {
  for (std::size_t i = cloud.size(); i > 1; --i)
    std::swap(cloud[i - 1], cloud[CounterRandom(seed, i).bits(0)[0] % i]);
  return cloud;
}

inline void add_body(NodeStore& store, const CloudBody& body, bool ghost) {
  // The rotation of a planar body must not be taken for a coordinate: any number but 0.
  const bool rigid = body.node.kind == NodeKind::rigid_body;
  const double angle = body.node.kind == NodeKind::planar_body ? 0.7 : body.x[2];
  const double q[7] = {body.x[0], body.x[1], rigid ? body.x[2] : angle, 1, 0, 0, 0};
  const double u[6] = {};
  const auto n_q = static_cast<std::size_t>(nq(body.node.kind, body.node.dofs));
  const auto n_u = static_cast<std::size_t>(nu(body.node.kind, body.node.dofs));
  store.add(body.node, std::span(q, n_q), std::span(u, n_u), ghost);
}

inline NodeStore store_of(const Cloud& cloud) {
  NodeStore store;
  for (const CloudBody& body : cloud) add_body(store, body, false);
  return store;
}

inline double gap_between(const CloudBody& a, const CloudBody& b) {
  return std::hypot(a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2]) - a.node.radius - b.node.radius;
}

inline double gap_to_plane(const CloudBody& a, const Plane& p) {
  return p.n[0] * a.x[0] + p.n[1] * a.x[1] + p.n[2] * a.x[2] - p.offset - a.node.radius;
}

/// Sorted identities of all contacts with gap <= skin.
inline std::vector<IdPair> brute_force(const Cloud& cloud, std::span<const Plane> planes, double skin) {
  std::vector<IdPair> pairs;
  for (std::size_t i = 0; i < cloud.size(); ++i) {
    if (cloud[i].node.shape < 0 || cloud[i].node.radius == 0) continue;
    for (std::size_t p = 0; p < planes.size(); ++p)
      if (gap_to_plane(cloud[i], planes[p]) <= skin) pairs.emplace_back(cloud[i].node.id, ~static_cast<std::int64_t>(p));
    for (std::size_t j = 0; j < i; ++j) {
      if (cloud[j].node.shape < 0 || cloud[j].node.radius == 0) continue;
      if (gap_between(cloud[i], cloud[j]) <= skin) pairs.push_back(std::minmax(cloud[i].node.id, cloud[j].node.id));
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Sorted identities of a list; a pair that is listed twice shows twice.
inline std::vector<IdPair> identities(const CandidateList& list, const NodeStore& store) {
  std::vector<IdPair> pairs;
  for (const Candidate& c : list.candidates())
    pairs.emplace_back(store[c.a].id, c.is_wall() ? std::int64_t{c.b} : store[c.b].id);
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

/// Touching spheres of radius 1/2 on a cubic lattice, moved at random by up to `jitter`; six neighbours each.
/// Their ids, and so their order in a store, have nothing to do with their place.
inline Cloud packed_cloud(int per_edge, double jitter, std::uint64_t seed) {
  Cloud cloud;
  for (int k = 0; k < per_edge; ++k)
    for (int j = 0; j < per_edge; ++j)
      for (int i = 0; i < per_edge; ++i) {
        const CounterRandom random(seed, cloud.size());
        const auto x = [&](int a, int cell) { return cell + random.uniform(a, -jitter, jitter); };
        cloud.push_back(sphere_body(0, {x(0, i), x(1, j), x(2, k)}, 0.5));
      }
  cloud = shuffled(std::move(cloud), seed + 1);
  for (std::size_t i = 0; i < cloud.size(); ++i) cloud[i].node.id = static_cast<std::int64_t>(i);
  return cloud;
}

}  // namespace percussion::test
