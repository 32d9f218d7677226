#include "assembly/velocity_problem.hpp"

#include <algorithm>
#include <cmath>

#include "base/timer.hpp"
#include "model/node_terms.hpp"

namespace percussion {

void VelocityProblem::build(System& system, const VelocityProblemTimes& times) {
  const PhaseScope phase(Phase::assembly);
  reshape(system);
  place_walls(system.walls, times.t_position, times.t_constraint, system.planes);
  inertia_.update(system, times.t_position);
  set_free_velocities(system, times);
  active_.detect(system);
  const auto rows = [&] { active_.evaluate(system, times, DetectedRows::turning); };
  if (system.any_contributions() || system.any_turning()) {
    all_or_none(system.comm(), rows);
  } else {
    rows();
  }
  share_bodies(system, active_.geometry());
  order_ = sweep_order_(active_.geometry(), system.candidates.candidates());
  fill_spheres(system);
  fill_bodies(system);
  fill_rows(system);
}

void VelocityProblem::reshape(System& system) {
  if (generation_ == system.generation()) return;
  generation_ = system.generation();
  layout_.rebuild(system.nodes);
  problem_.comm = system.comm();
  problem_.lines = layout_.lines();
  problem_.owned_lines = layout_.line(system.nodes.owned());
  problem_.x.resize(static_cast<std::size_t>(layout_.lines() + 1) * line_size);
  channel_.reset();
  if (system.distribution.ranks() > 1)
    channel_ = std::make_unique<HaloChannel<double>>(system.distribution.halo(), layout_.offsets());
  problem_.channel = channel_.get();
  shares_.reshape(channel_ ? &system.distribution.halo() : nullptr);
}

void VelocityProblem::add_free_forces(System& system, const VelocityProblemTimes& times) {
  const NodeStore& nodes = system.nodes;
  force_.assign(static_cast<std::size_t>(layout_.lines()) * line_size, 0.);
  VecX h;
  std::vector<double> in_slot;
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) {
    const Contribution& contribution = *system.contributions[k].contribution;
    if (!contribution.force()) continue;
    const auto local = system.contributions.local_nodes(k);
    h.resize(contribution.nu());
    contribution.force()->h(gathered_.gather(nodes, local, times.t_force), h);
    const double* h_node = h.data();
    for (const std::int32_t i : local) {
      in_slot.assign(slot_columns(nodes[i]), 0.);
      covector_to_slot(nodes[i], nodes.q(i).data(), h_node, in_slot.data());
      double* f = force_.data() + layout_.offset(i);
      for (std::size_t c = 0; c < in_slot.size(); ++c) f[c] += in_slot[c];
      h_node += nu(nodes[i].kind, nodes[i].dofs);
    }
  }
  if (channel_) channel_->reduce_add(force_);
}

void VelocityProblem::set_free_velocities(System& system, const VelocityProblemTimes& times) {
  NodeStore& nodes = system.nodes;
  double* x = problem_.x.data();
  std::fill_n(x, problem_.x.size(), 0.);
  if (system.any_contributions()) add_free_forces(system, times);
  std::vector<double> f, y;
  // Ghosts have the same q and u as their owners; only forces of contributions are known to the owner alone.
  for (std::int32_t i = 0; i < nodes.size(); ++i) {
    const NodeData& node = nodes[i];
    double* slot = x + layout_.offset(i);
    slot_from_u(node, nodes.q(i).data(), nodes.u(i).data(), slot);
    if (node.kind != NodeKind::generalized)
      for (int k = 0; k < (is_planar(node.kind) ? 2 : 3); ++k) slot[k] += times.h * system.gravity[k];
    const bool gyroscopic = !is_round(node) && node.kind == NodeKind::rigid_body;
    if (!system.any_contributions() && !gyroscopic) continue;
    const int columns = slot_columns(node);
    f.assign(columns, 0.), y.resize(columns);
    if (system.any_contributions()) std::copy_n(force_.data() + layout_.offset(i), columns, f.data());
    if (gyroscopic) Eigen::Map<Vec3>(f.data() + 3) += placement(node.kind, nodes.q(i).data()).A * gyroscopic_torque(node, nodes.u(i).data());
    inertia_.solve(node, i, times.h, f.data(), y.data());
    for (int c = 0; c < columns; ++c) slot[c] += y[c];
  }
  if (channel_ && system.any_contributions()) channel_->broadcast(std::span(x, static_cast<std::size_t>(problem_.lines) * line_size));
}

void VelocityProblem::share_bodies(System& system, std::span<const SphereContactGeometry> contacts) {
  const NodeStore& nodes = system.nodes;
  used_.assign(nodes.size(), 0);
  if (channel_) {
    for (const SphereContactGeometry& g : contacts) {
      const Candidate& c = system.candidates.candidates()[g.candidate];
      used_[c.a] = 1;
      if (!c.is_wall()) used_[c.b] = 1;
    }
    for (const PendingRows& rows : active_.blocks())
      for (const std::int32_t i : rows.nodes) used_[i] = 1;
  }
  shares_.divide(used_);
  problem_.copies.assign(problem_.lines + 1, 1.);
  problem_.shared.clear();
  double* x = problem_.x.data();
  for (std::int32_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].kind != NodeKind::generalized) {
      x[layout_.offset(i) + 6] = shares_.copies(i) / nodes[i].mass;
      x[layout_.offset(i) + 7] = is_round(nodes[i]) ? shares_.copies(i) * inverse_theta(nodes[i]) : 0.;
    }
    if (!shares_.shared(i)) continue;
    for (std::int32_t line = layout_.line(i); line < layout_.line(i + 1); ++line)
      problem_.copies[line] = shares_.copies(i), problem_.shared.push_back(line);
  }
}

/// Bodies, arms, friction and local Delassus entries.
void VelocityProblem::set_masses(const System& system, const Candidate& c, SphereContact& s) const {
  const NodeStore& nodes = system.nodes;
  const double* x = problem_.x.data();
  const bool wall = c.is_wall();
  s.a = layout_.line(c.a), s.b = wall ? problem_.lines : layout_.line(c.b);
  s.r_a = nodes[c.a].radius, s.r_b = wall ? 0. : nodes[c.b].radius;
  s.mu = surface_law(system, c).mu;
  const double *x_a = x + std::size_t(s.a) * line_size, *x_b = x + std::size_t(s.b) * line_size;
  const double G_N = x_a[6] + x_b[6];
  const double G_T = G_N + s.r_a * s.r_a * x_a[7] + s.r_b * s.r_b * x_b[7];
  s.inv_G_N = 1 / G_N, s.inv_G_T = 1 / G_T;
}

void VelocityProblem::build_closed(System& system, std::span<const ClosedSphere> closed) {
  const PhaseScope phase(Phase::assembly);
  const NodeStore& nodes = system.nodes;
  reshape(system);
  std::fill_n(problem_.x.data(), problem_.x.size(), 0.);
  for (std::int32_t i = 0; i < nodes.size(); ++i) slot_from_u(nodes[i], nodes.q(i).data(), nodes.u(i).data(), problem_.x.data() + layout_.offset(i));
  std::vector<SphereContactGeometry> geometry;
  geometry.reserve(closed.size());
  for (const ClosedSphere& c : closed) geometry.push_back(c.geometry);
  share_bodies(system, geometry);
  problem_.rows.clear(), problem_.rows_interface = 0;
  problem_.spheres.clear(), sphere_candidate_.clear();
  problem_.bodies.clear(), problem_.body_interface = 0;
  for (const bool interface : {true, false}) {
    for (std::size_t k = 0; k < closed.size(); ++k) {
      const Candidate& c = system.candidates.candidates()[geometry[k].candidate];
      if (touches_shared(c) != interface) continue;
      SphereContact& s = problem_.spheres.emplace_back();
      set_masses(system, c, s);
      std::copy_n(geometry[k].n, 3, s.n);
      const Vec3 n = Eigen::Map<const Vec3>(s.n);
      s.c_N = n.dot(closed[k].c);
      const Vec3 c_T = closed[k].c - s.c_N * n;
      std::copy_n(c_T.data(), 3, s.c_T), std::copy_n(closed[k].P.data(), 3, s.P);
      sphere_candidate_.push_back(static_cast<std::int32_t>(k));
    }
    if (interface) problem_.sphere_interface = static_cast<std::int32_t>(problem_.spheres.size());
  }
}

void VelocityProblem::end_velocities(System& system, std::span<ClosedSphere> closed) {
  const PhaseScope phase(Phase::update);
  NodeStore& nodes = system.nodes;
  if (channel_) channel_->broadcast(std::span(problem_.x.data(), static_cast<std::size_t>(problem_.lines) * line_size));
  for (std::int32_t i = 0; i < nodes.size(); ++i)
    u_from_slot(nodes[i], nodes.q(i).data(), problem_.x.data() + layout_.offset(i), nodes.u(i).data());
  for (std::size_t k = 0; k < problem_.spheres.size(); ++k) closed[sphere_candidate_[k]].P = Eigen::Map<const Vec3>(problem_.spheres[k].P);
}

void VelocityProblem::fill_sphere(const System& system, const SphereContactGeometry& g, SphereContact& s) const {
  const NodeStore& nodes = system.nodes;
  const Candidate& c = system.candidates.candidates()[g.candidate];
  const bool wall = c.is_wall();
  std::copy_n(g.n, 3, s.n);
  set_masses(system, c, s);
  const SurfaceLaw law = surface_law(system, c);

  // c: what the wall moves by itself, and e times the relative velocity at the beginning of the step.
  using Map = Eigen::Map<const Vec3>;
  const Vec3 n = Map(s.n), v_wall = wall ? system.wall_velocity(c, system.contact_point(c, s.r_a * n)) : Vec3(Vec3::Zero());
  Vec3 constant = v_wall;
  if (law.e_N > 0 || law.e_F > 0) {
    const Motion<double> a = motion(nodes[c.a].kind, nodes.q(c.a).data(), nodes.u(c.a).data());
    Vec3 before = v_wall - a.v + n.cross(s.r_a * a.omega);
    if (!wall) {
      const Motion<double> b = motion(nodes[c.b].kind, nodes.q(c.b).data(), nodes.u(c.b).data());
      before += b.v + n.cross(s.r_b * b.omega);
    }
    const double before_N = n.dot(before);
    constant += law.e_N * before_N * n + law.e_F * (before - before_N * n);
  }
  s.c_N = n.dot(constant);
  const Vec3 c_T = constant - s.c_N * n;
  std::copy_n(c_T.data(), 3, s.c_T);

  warm_start(active_.memory_scale() * Map(c.P), s);
}

void VelocityProblem::fill_spheres(const System& system) {
  problem_.spheres.clear(), sphere_candidate_.clear();
  const std::size_t expected = system.only_spheres() ? active_.geometry().size() : 0;
  problem_.spheres.reserve(expected), sphere_candidate_.reserve(expected);
  problem_.sphere_interface = fill_interface_first(system, true, [&](std::int32_t k) {
    const SphereContactGeometry& g = active_.geometry()[k];
    fill_sphere(system, g, problem_.spheres.emplace_back());
    sphere_candidate_.push_back(g.candidate);
  });
}

void VelocityProblem::fill_rows(const System& system) {
  problem_.rows.clear(), block_.clear();
  for (const bool interface : {true, false}) {
    for (std::size_t k = 0; k < active_.blocks().size(); ++k) {
      const PendingRows& rows = active_.blocks()[k];
      if (std::ranges::any_of(rows.nodes, [&](std::int32_t i) { return shares_.shared(i); }) != interface) continue;
      add_rows(system, rows);
      block_.push_back(static_cast<std::int32_t>(k));
    }
    if (interface) problem_.rows_interface = static_cast<std::int32_t>(problem_.rows.blocks.size());
  }
}

void VelocityProblem::add_rows(const System& system, const PendingRows& pending) {
  GeneralRows& rows = problem_.rows;
  RowBlock& block = append_block(rows, pending);
  block.arms = static_cast<std::int32_t>(pending.nodes.size());
  const int n = block.rows;
  Eigen::Index first = 0;
  for (const std::int32_t i : pending.nodes) {
    const NodeData& node = system.nodes[i];
    const int columns = slot_columns(node), n_u = nu(node.kind, node.dofs);
    const std::size_t offset = rows.Wt.size(), size = static_cast<std::size_t>(n) * columns;
    rows.arms.push_back({layout_.line(i), columns, static_cast<std::int32_t>(offset)});
    rows.Wt.resize(offset + size, 0.), rows.MW.resize(offset + size, 0.);
    for (int r = 0; r < n; ++r) {
      double *w = rows.Wt.data() + offset + r * columns, *Mw = rows.MW.data() + offset + r * columns;
      const VecX w_u = pending.W.col(r).segment(first, n_u);
      covector_to_slot(node, system.nodes.q(i).data(), w_u.data(), w);
      inertia_.solve(node, i, shares_.copies(i), w, Mw);
    }
    using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;
    block.G += Rows(rows.Wt.data() + offset, n, columns) * Rows(rows.MW.data() + offset, n, columns).transpose();
    first += n_u;
  }
  set_block_steps(rows, block);
}

void VelocityProblem::store(System& system) {
  const PhaseScope phase(Phase::update);
  NodeStore& nodes = system.nodes;
  // Ghosts that no row of this rank touches have not heard of the percussions yet.
  if (channel_) channel_->broadcast(std::span(problem_.x.data(), static_cast<std::size_t>(problem_.lines) * line_size));
  for (std::int32_t i = 0; i < nodes.size(); ++i)
    u_from_slot(nodes[i], nodes.q(i).data(), problem_.x.data() + layout_.offset(i), nodes.u(i).data());

  active_.forget(system);
  for (std::size_t k = 0; k < problem_.spheres.size(); ++k)
    std::copy_n(problem_.spheres[k].P, 3, system.candidates.candidates()[sphere_candidate_[k]].P);
  for (std::size_t k = 0; k < problem_.bodies.size(); ++k)
    system.remember(active_.geometry()[body_geometry_[k]], Eigen::Map<const Vec3>(problem_.bodies[k].P));
  const GeneralRows& rows = problem_.rows;
  for (std::size_t k = 0; k < rows.blocks.size(); ++k)
    active_.remember(system, active_.blocks()[block_[k]], rows.P.data() + rows.blocks[k].first_row);
}

std::size_t VelocityProblem::memory() const {
  const GeneralRows& r = problem_.rows;
  return problem_.x.memory() + problem_.spheres.capacity() * sizeof(SphereContact) + problem_.bodies.capacity() * sizeof(BodyContact) + sphere_candidate_.capacity() * 4 +
         problem_.copies.capacity() * 8 + shares_.memory() + used_.capacity() + force_.capacity() * 8 +
         r.blocks.capacity() * sizeof(RowBlock) + (r.Wt.capacity() + r.MW.capacity() + r.c.capacity() + r.P.capacity()) * 8;
}

}  // namespace percussion
