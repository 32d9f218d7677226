// Systems of a few nodes for the tests of assembly, solvers and integrators, built without any input file.
//
// A Plan lists nodes and contributions; system_of() builds it on a communicator, so the same plan can run on all ranks
// (MPI_COMM_WORLD) and, as the reference, on every rank alone (MPI_COMM_SELF).
#pragma once
#include <mpi.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "assembly/system.hpp"
#include "model/model_fixture.hpp"
#include "solvers/solver.hpp"

namespace percussion::test {

using model_test::Givens;

struct PlannedNode {
  NodeData data;
  std::vector<double> q, u;
};

struct PlannedContribution {
  Parameters parameters;
  std::vector<std::int64_t> nodes;
};

struct Plan {
  std::vector<PlannedNode> nodes;
  std::vector<PlannedContribution> contributions;
  std::vector<Plane> planes;
  ParametersList walls;  ///< sections as in an input, instead of `planes`
  ShapeTable shapes{sphere_shape(1.)};
  SurfaceLaw law;
  Vec3 gravity = Vec3::Zero();

  /// Returns the id.
  std::int64_t add(NodeKind kind, double mass, std::vector<double> q, std::vector<double> u) {
    NodeData d;
    d.id = static_cast<std::int64_t>(nodes.size());
    d.kind = kind, d.mass = mass, d.dofs = static_cast<std::int8_t>(u.size());
    nodes.push_back({d, std::move(q), std::move(u)});
    return d.id;
  }
  std::int64_t add_point(double mass, const Vec3& r, const Vec3& v) {
    return add(NodeKind::point_3d, mass, {r[0], r[1], r[2]}, {v[0], v[1], v[2]});
  }
  /// A homogeneous sphere that contact detection sees.
  std::int64_t add_sphere(double mass, double radius, const Vec3& r, const Vec3& v, const Vec3& omega = Vec3::Zero()) {
    const auto id = add(NodeKind::rigid_body, mass, {r[0], r[1], r[2], 1, 0, 0, 0}, {v[0], v[1], v[2], omega[0], omega[1], omega[2]});
    NodeData& d = nodes.back().data;
    d.shape = 0, d.radius = radius;
    for (double& theta : d.inertia) theta = 0.4 * mass * radius * radius;
    return id;
  }
  /// A homogeneous body of a shape; radius, mass and inertia follow from it.
  std::int64_t add_body(const Shape& shape, double density, const Vec3& r, const Vec3& v, const Vec3& omega = Vec3::Zero()) {
    const double mass = density * shape.volume;
    const auto id = add(NodeKind::rigid_body, mass, {r[0], r[1], r[2], 1, 0, 0, 0}, {v[0], v[1], v[2], omega[0], omega[1], omega[2]});
    NodeData& d = nodes.back().data;
    d.shape = static_cast<std::int32_t>(shapes.size()), d.radius = shape.radius;
    for (int i = 0; i < 3; ++i) d.inertia[i] = mass * shape.inertia_per_mass[i];
    shapes.push_back(shape);
    return id;
  }
  void connect(const std::string& type, std::vector<std::int64_t> ids, Givens given) {
    std::vector<std::string> names;
    for (const auto id : ids) names.push_back("node_" + std::to_string(id));
    given.emplace_back("nodes", names);
    contributions.push_back({model_test::typed("contributions", type, given), std::move(ids)});
  }
};

/// Collective. Nodes are dealt out in turn first, then distributed as in a run.
inline std::unique_ptr<System> system_of(const Plan& plan, MPI_Comm comm, double h) {
  auto system = std::make_unique<System>(comm);
  const auto here = [&](std::int64_t id) { return id % system->distribution.ranks() == system->distribution.rank(); };
  for (const PlannedNode& node : plan.nodes)
    if (here(node.data.id)) system->nodes.add(node.data, node.q, node.u, false);
  for (std::size_t k = 0; k < plan.contributions.size(); ++k)
    if (here(plan.contributions[k].nodes.front()))
      system->contributions.add(static_cast<std::int64_t>(k), plan.contributions[k].parameters, plan.contributions[k].nodes);
  if (plan.walls.empty()) system->walls.planes = plan.planes;
  else system->walls = make_walls(plan.walls, plan.law);
  system->shapes = plan.shapes;
  system->law = plan.law, system->gravity = plan.gravity;
  system->start(h);
  return system;
}

/// Collective over `comm` of the system. Values of all nodes by id, on every rank: nodes.q() or nodes.u().
inline std::vector<std::vector<double>> gathered(const System& system, const Plan& plan, bool velocities) {
  std::vector<std::vector<double>> all;
  for (const PlannedNode& node : plan.nodes) {
    std::vector<double> x(velocities ? node.u.size() : node.q.size(), 0.);
    const std::int32_t i = system.distribution.local(node.data.id);
    if (i >= 0 && system.nodes.is_owned(i)) {
      const auto mine = velocities ? system.nodes.u(i) : system.nodes.q(i);
      x.assign(mine.begin(), mine.end());
    }
    MPI_Allreduce(MPI_IN_PLACE, x.data(), static_cast<int>(x.size()), MPI_DOUBLE, MPI_SUM, system.comm());
    all.push_back(std::move(x));
  }
  return all;
}

inline double largest_difference(const std::vector<std::vector<double>>& a, const std::vector<std::vector<double>>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < a[i].size(); ++k) largest = std::max(largest, std::abs(a[i][k] - b[i][k]));
  return largest;
}

/// Local. Largest difference between ghosts and their owners, known from gathered().
inline double ghost_error(const System& system, const Plan& plan) {
  const auto q = gathered(system, plan, false), u = gathered(system, plan, true);
  double largest = 0;
  for (std::int32_t i = 0; i < system.nodes.size(); ++i) {
    const auto id = static_cast<std::size_t>(system.nodes[i].id);
    for (std::size_t k = 0; k < q[id].size(); ++k) largest = std::max(largest, std::abs(system.nodes.q(i)[k] - q[id][k]));
    for (std::size_t k = 0; k < u[id].size(); ++k) largest = std::max(largest, std::abs(system.nodes.u(i)[k] - u[id][k]));
  }
  return largest;
}

inline std::unique_ptr<ContactSolver> solver_of(const std::string& type, double tolerance, int max_iterations) {
  const Parameters p = model_test::typed("solvers", type, {{"tolerance", tolerance}, {"max_iterations", max_iterations}});
  return SolverRegistry::instance().create(type, p);
}

}  // namespace percussion::test
