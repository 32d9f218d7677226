#include "assembly/stage_rows.hpp"

#include <algorithm>

#include "assembly/node_forces.hpp"
#include "base/timer.hpp"

namespace percussion {

void StageRows::collect(System& system, const StageScheme& scheme, double t, double h, double margin) {
  last_h_ = h_, h_ = h;
  blocks_.clear();
  generation_ = system.generation();
  constraint_block_.assign(system.contributions.size(), -1);
  place_walls(system.walls, t, t, planes_);
  const auto found = system.narrow_phase.evaluate(system.candidates, system.nodes, system.nodes.q(), planes_, margin);
  geometry_.assign(found.begin(), found.end());
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) add_contribution(system, scheme, k);
  for (std::size_t k = 0; k < geometry_.size(); ++k) add_detected(system, scheme, k);

  last_signature_.swap(signature_);
  signature_.assign(1, generation_);
  for (const StageBlock& block : blocks_) {
    const bool detected = block.source.role == RowRole::detected;
    signature_.push_back(static_cast<std::int64_t>(block.source.role));
    signature_.push_back(detected ? geometry(block).candidate : block.source.id);
  }
  changed_ = signature_ != last_signature_;
  // Velocities before the step, for the impact laws.
  evaluate(system, 0, t, h);
  for (StageBlock& block : blocks_) block.before = rates(system, block, 0, t);
}

VecX StageRows::rates(const System& system, const StageBlock& block, int i, double t) {
  VecX rate = block.psi[i];
  if (block.contribution < 0) {
    const Candidate& c = system.candidates.candidates()[geometry(block).candidate];
    rate[0] = 0;
    for_each_part(system.nodes, block.nodes, [&](int first, int column, int n) {
      rate[0] += block.W[i].col(0).segment(column, n).dot(Eigen::Map<const VecX>(system.nodes.u().data() + first, n));
    });
    if (c.is_wall()) rate[0] += Eigen::Map<const Vec3>(geometry(block).n).dot(wall_velocity(system, block, c));
    return rate;
  }
  const Contribution& c = *system.contributions[block.contribution].contribution;
  const PositionFunction* g = block.position_level ? c.constraint() : block.n_N ? c.contact()->gap : nullptr;
  if (g) g->g_dot(gathered_.gather(system.nodes, block.nodes, t), rate.head(g->rows()));
  return rate;
}

Vec3 StageRows::wall_velocity(const System& system, const StageBlock& block, const Candidate& c) const {
  return system.wall_velocity(planes_, c, system.contact_point(c, system.arms(geometry(block)).a));
}

VecX StageRows::zeta(const System& system, const StageBlock& block, double t) {
  VecX zeta = VecX::Zero(block.rows);
  if (block.contribution >= 0) {
    const Contribution& c = *system.contributions[block.contribution].contribution;
    const LocalState s = gathered_.gather(system.nodes, block.nodes, t);
    if (block.source.role == RowRole::constraint) c.constraint()->zeta(s, zeta);
    if (block.source.role == RowRole::velocity_constraint) c.velocity_constraint()->zeta(s, zeta);
    if (block.source.role == RowRole::contact && block.n_N) c.contact()->gap->zeta(s, zeta.head(1));
    if (block.source.role == RowRole::contact && block.rows > block.n_N) c.contact()->friction->zeta(s, zeta.tail(block.rows - block.n_N));
    return zeta;
  }
  // Two spheres: n' is the part of v_b - v_a across n over the distance of the centres; the tangents follow,
  // t' = -(t.n') n. Walls do not turn.
  const SphereContactGeometry& g = geometry(block);
  const Candidate& c = system.candidates.candidates()[g.candidate];
  if (c.is_wall()) return zeta;
  const NodeData &a = system.nodes[c.a], &b = system.nodes[c.b];
  const Motion<double> u_a = motion(a.kind, system.nodes.q(c.a).data(), system.nodes.u(c.a).data());
  const Motion<double> u_b = motion(b.kind, system.nodes.q(c.b).data(), system.nodes.u(c.b).data());
  const Vec3 n = Eigen::Map<const Vec3>(g.n), v = u_b.v - u_a.v, spin = a.radius * u_a.omega + b.radius * u_b.omega;
  const Vec3 n_dot = (v - n.dot(v) * n) / (a.radius + b.radius + g.gap);
  const MatT<double, 3, 2> tangents = tangent_frame<double>(n, block.axis);
  zeta[0] = n_dot.dot(v);
  for (int k = 0; k < 2; ++k) {
    const Vec3 tangent = tangents.col(k);
    zeta[1 + k] = -tangent.dot(n_dot) * n.dot(v) + spin.dot(tangent.cross(n_dot));
  }
  return zeta;
}

bool StageRows::was_closed(const System& system, const StageBlock& block) const {
  if (block.n_N == 0) return true;
  if (block.contribution >= 0) return memory_.contains(block.source);
  return !system.remembered(geometry(block)).isZero(0);
}

void StageRows::start_values(StageBlock& block, const StageScheme& scheme, const VecX& last) {
  const int m = scheme.m(), rows = block.rows;
  block.W.resize(scheme.s), block.psi.resize(scheme.s);
  block.mu = VecX::Zero(m * rows), block.dPi_first = VecX::Zero(rows);
  const auto found = memory_.find(block.source);
  const double scale = last_h_ > 0 ? h_ / last_h_ : 1.;
  if (block.contribution >= 0 && found != memory_.end() && static_cast<int>(found->second.mu.size()) == m * rows)
    block.mu = scale * Eigen::Map<const VecX>(found->second.mu.data(), m * rows);
  else if (last.size() == rows)
    for (int r = 0; r < m; ++r) block.mu.segment(r * rows, rows) = scale * scheme.weight[r] * last;
}

void StageRows::add_contribution(const System& system, const StageScheme& scheme, std::int32_t k) {
  const ContributionStore::Entry& entry = system.contributions[k];
  const Contribution& c = *entry.contribution;
  const auto add = [&](RowRole role, int rows) -> StageBlock& {
    StageBlock& block = blocks_.emplace_back();
    block.source = {role, entry.id}, block.nodes = system.contributions.local_nodes(k), block.contribution = k, block.rows = rows;
    start_values(block, scheme, {});
    return block;
  };
  if (c.constraint()) {
    constraint_block_[k] = static_cast<std::int32_t>(blocks_.size());
    StageBlock& block = add(RowRole::constraint, c.constraint()->rows());
    block.bilateral = block.position_level = true;
  }
  if (c.velocity_constraint()) add(RowRole::velocity_constraint, c.velocity_constraint()->rows()).bilateral = true;
  if (const ContactRows* contact = c.contact()) {
    const int n_N = contact->gap ? 1 : 0;
    StageBlock& block = add(RowRole::contact, n_N + (contact->friction ? contact->friction->rows() : 0));
    block.n_N = n_N, block.la_N = contact->la_N, block.e_N = contact->e_N, block.e_F = contact->e_F, block.laws = contact->laws;
    for (FrictionLaw& law : block.laws) law.first += n_N;
  }
}

void StageRows::add_detected(const System& system, const StageScheme& scheme, std::size_t k) {
  const Candidate& c = system.candidates.candidates()[geometry_[k].candidate];
  const SurfaceLaw law = surface_law(system, c);
  const Vec3 n = Eigen::Map<const Vec3>(geometry_[k].n);
  StageBlock& block = blocks_.emplace_back();
  block.source = {RowRole::detected, static_cast<std::int64_t>(k)};
  block.nodes = std::span(&c.a, c.is_wall() ? 1 : 2);
  block.rows = detected_size(law), block.n_N = 1, block.e_N = law.e_N, block.e_F = law.e_F;
  block.laws = detected_laws(law);
  const MatT<double, 3, 2> t = tangent_frame<double>(n);
  block.axis = t.col(0);
  const Vec3 P = system.remembered(geometry_[k]);
  VecX last = VecX::Zero(block.rows);
  last.head<3>() << n.dot(P), t.col(0).dot(P), t.col(1).dot(P);
  start_values(block, scheme, last);
}

void StageRows::evaluate(System& system, int i, double t, double h) {
  place_walls(system.walls, t, t, planes_);
  system.narrow_phase.update(system.candidates, system.nodes, system.nodes.q(), planes_, geometry_);
  for (StageBlock& block : blocks_)
    if (block.contribution < 0) evaluate_detected(system, block, i, h);
    else evaluate_declared(system, block, i, t, h);
}

void StageRows::evaluate_declared(const System& system, StageBlock& block, int i, double t, double h) {
  const Contribution& c = *system.contributions[block.contribution].contribution;
  const LocalState s = gathered_.gather(system.nodes, block.nodes, t);
  MatX& W = block.W[i];
  VecX& psi = block.psi[i];
  W.resize(c.nu(), block.rows), psi.resize(block.rows);
  if (block.source.role == RowRole::constraint) {
    c.constraint()->W(s, W), c.constraint()->g(s, psi);
    psi /= h;
  } else if (block.source.role == RowRole::velocity_constraint) {
    c.velocity_constraint()->W(s, W), c.velocity_constraint()->gamma(s, psi);
  } else {
    const ContactRows& contact = *c.contact();
    if (contact.gap) {
      contact.gap->W(s, W.leftCols(1)), contact.gap->g(s, psi.head(1));
      block.gap = psi[0];
      psi[0] /= h;
    }
    const int n_F = block.rows - block.n_N;
    if (n_F > 0) contact.friction->W(s, W.rightCols(n_F)), contact.friction->gamma(s, psi.tail(n_F));
  }
}

void StageRows::evaluate_detected(const System& system, StageBlock& block, int i, double h) {
  const SphereContactGeometry& g = geometry(block);
  const Candidate& c = system.candidates.candidates()[g.candidate];
  const Vec3 n = Eigen::Map<const Vec3>(g.n);
  Mat3 frame;
  frame << n, tangent_frame<double>(n, block.axis);
  MatX& W = block.W[i];
  contact_directions(system.nodes, c, system.arms(g), frame, block.rows, W);
  VecX gamma = VecX::Zero(block.rows);
  if (c.is_wall()) gamma.head<3>() = frame.transpose() * wall_velocity(system, block, c);
  if (c.is_wall() && block.rows > 3) gamma.tail<3>() = turning_components(frame, system.wall_spin(planes_, c));
  for_each_part(system.nodes, block.nodes, [&](int first, int column, int size) {
    gamma += W.middleRows(column, size).transpose() * Eigen::Map<const VecX>(system.nodes.u().data() + first, size);
  });
  gamma[0] = g.gap / h;
  block.psi[i] = gamma;
  block.gap = g.gap;
}

VecX StageRows::dPi(const StageScheme& scheme, const StageBlock& block, int j) {
  VecX result = VecX::Zero(block.rows);
  for (int r = 0; r < scheme.m(); ++r) {
    result += scheme.S(j, r) * block.mu.segment(r * block.rows, block.rows);
    if (scheme.explicit_first_stage) result -= scheme.S(j, r) * scheme.A(scheme.rows[r], 0) * block.dPi_first;
  }
  return result;
}

void StageRows::subtract_percussions(const System& system, const StageScheme& scheme, int j, std::span<double> f) const {
  for (const StageBlock& block : blocks_) {
    const VecX force = block.W[scheme.unknown[j]] * dPi(scheme, block, j);
    for_each_part(system.nodes, block.nodes, [&](int first, int column, int n) {
      for (int r = 0; r < n; ++r) f[first + r] -= force[column + r];
    });
  }
}

std::span<const double> StageRows::constraint_percussion(const StageScheme& scheme, std::int32_t k, int j) {
  if (constraint_block_[k] < 0) return {};
  constraint_dPi_ = dPi(scheme, blocks_[constraint_block_[k]], j);
  return {constraint_dPi_.data(), static_cast<std::size_t>(constraint_dPi_.size())};
}

void StageRows::forget(System& system) {
  for (Candidate& c : system.candidates.candidates()) std::fill_n(c.P, 3, 0.);
  memory_.clear();
}

void StageRows::remember(System& system, const StageBlock& block, const VecX& delta_pi) {
  if (block.contribution >= 0) {
    Memory& memory = memory_[block.source];
    memory.mu.assign(block.mu.data(), block.mu.data() + block.mu.size());
    memory.delta_pi.assign(delta_pi.data(), delta_pi.data() + delta_pi.size());
    return;
  }
  const SphereContactGeometry& g = geometry(block);
  const Vec3 n = Eigen::Map<const Vec3>(g.n);
  system.remember(g, delta_pi[0] * n + tangent_frame<double>(n, block.axis) * Vec2(delta_pi[1], delta_pi[2]));
}

std::span<const double> StageRows::percussion(std::int64_t contribution_id) const {
  for (const RowRole role : {RowRole::constraint, RowRole::velocity_constraint, RowRole::contact}) {
    const auto found = memory_.find({role, contribution_id});
    if (found != memory_.end()) return found->second.delta_pi;
  }
  return {};
}

void StageRows::save(const System& system, StepMemory& memory) const {
  memory.numbers.push_back(h_);
  std::vector<double> record;
  for_each_remembered(system.contributions, memory_, [&](std::int64_t node, const RowSource& source, const Memory& m) {
    record = m.mu;
    record.insert(record.end(), m.delta_pi.begin(), m.delta_pi.end());
    record.push_back(static_cast<double>(m.mu.size()));
    memory.add(MemoryKind::stage_percussion, node, static_cast<std::int64_t>(source.role), source.id, record);
  });
}

void StageRows::load(StepMemory& memory) {
  h_ = memory.take_number();
  memory_.clear();
  memory.for_each(MemoryKind::stage_percussion, [&](const MemoryKey& key, std::span<const double> record) {
    const auto n = static_cast<std::size_t>(record.back());
    Memory& m = memory_[{static_cast<RowRole>(key.a), key.b}];
    m.mu.assign(record.begin(), record.begin() + n), m.delta_pi.assign(record.begin() + n, record.end() - 1);
  });
}

void StageRows::append_contacts(const System& system, std::vector<ContactRecord>& contacts) const {
  PERCUSSION_CHECK(generation_ < 0 || generation_ == system.generation(), "contacts of a step are read before nodes move to other ranks");
  for (const StageBlock& block : blocks_) {
    if (block.contribution < 0) {
      const Candidate& c = system.candidates.candidates()[geometry(block).candidate];
      if (Eigen::Map<const Vec3>(c.P).isZero(0)) continue;
      contacts.push_back(detected_record(system, geometry(block)));
    } else if (const auto found = memory_.find(block.source); block.source.role == RowRole::contact && found != memory_.end()) {
      append_declared_record(system, block.nodes, block.W.back(), {found->second.delta_pi, block.n_N == 1, block.la_N * h_, block.laws, h_}, block.gap, contacts);
    }
  }
}

}  // namespace percussion
