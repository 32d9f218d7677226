#include "assembly/stage_spheres.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

#include "base/timer.hpp"

namespace percussion {

namespace {

using ConstVec3 = Eigen::Map<const Vec3>;

/// Part of a gap below zero that a step takes back: what the solver's tolerance left at closed contacts, or overlaps that
/// another scheme left. All of it would ask every step for percussions of the size gap / h against the softest modes of a
/// packing, which sweeps resolve last: measured, five times the sweeps in a settled packing, and an explosion of one that
/// Moreau's rule settled. It vanishes with the tolerance, so the scheme is the same. Stage i takes back the part c_i of it:
/// then one velocity serves all stages. With the whole part at every stage the velocities of two-stage Radau IIA had to
/// change sign from one stage to the next, and a settled packing took half as many sweeps again.
constexpr double gap_correction = 0.05;

}  // namespace

bool StageSpheres::fits(const System& system, const StageScheme& scheme) {
  if (scheme.explicit_first_stage || scheme.m() > max_row_stages) return false;
  return !system.any_contributions() && !system.any_generalized() && !system.any_dense() && !system.any_turning() && system.only_spheres();
}

void StageSpheres::reshape(System& system) {
  const int m = scheme_.m();
  if (generation_ == system.generation() && problem_.m == m && problem_.C.size()) return;
  generation_ = system.generation();
  const NodeStore& nodes = system.nodes;
  problem_.m = m;
  problem_.C.resize(m, m), problem_.D.resize(m, m);
  for (int r = 0; r < m; ++r)
    for (int l = 0; l < m; ++l) problem_.C(r, l) = scheme_.position(scheme_.rows[r], l), problem_.D(r, l) = scheme_.velocity(scheme_.rows[r], l);
  problem_.C *= scheme_.S, problem_.D *= scheme_.S;
  problem_.subset_inverse.assign(std::size_t(1) << m, MatX::Zero(m, m));
  for (std::size_t bits = 1; bits < problem_.subset_inverse.size(); ++bits) {
    std::vector<int> set;
    for (int i = 0; i < m; ++i)
      if (bits >> i & 1) set.push_back(i);
    const MatX block = problem_.C(set, set), inverse = block.inverse();
    for (std::size_t i = 0; i < set.size(); ++i)
      for (std::size_t j = 0; j < set.size(); ++j) problem_.subset_inverse[bits](set[i], set[j]) = inverse(i, j);
  }
  InclusionProblem& bodies = problem_.bodies;
  bodies.comm = system.comm();
  bodies.lines = nodes.size() * m;
  bodies.owned_lines = nodes.owned() * m;
  bodies.x.resize(static_cast<std::size_t>(bodies.lines + m) * line_size);
  slot_channel_.reset(), force_channel_.reset(), end_channel_.reset();
  if (system.distribution.ranks() > 1) {
    const Halo& halo = system.distribution.halo();
    slot_channel_ = std::make_unique<HaloChannel<double>>(halo, m * line_size);
    force_channel_ = std::make_unique<HaloChannel<double>>(halo, 6 * m);
    end_channel_ = std::make_unique<HaloChannel<double>>(halo, 6);
  }
  bodies.channel = slot_channel_.get();
}

void StageSpheres::begin(System& system, const StageScheme& scheme, double t, double h, double margin) {
  const PhaseScope phase(Phase::assembly);
  scheme_ = scheme, t_ = t, last_h_ = h_, h_ = h;
  reshape(system);
  const NodeStore& nodes = system.nodes;
  v_n_.resize(static_cast<std::size_t>(nodes.size()) * 6);
  double slot[line_size];
  for (std::int32_t i = 0; i < nodes.size(); ++i) {
    slot_from_u(nodes[i], nodes.q(i).data(), nodes.u(i).data(), slot);
    std::copy_n(slot, 6, v_n_.data() + std::size_t(i) * 6);
  }
  Q_.assign(scheme_.s, nodes.q()), V_.resize(scheme_.s);
  prepare_memory(system);
  choose_contacts(system, margin);
  evaluate(system);
}

void StageSpheres::choose_contacts(System& system, double margin) {
  place_walls(system.walls, t_, t_, planes_);
  const auto found = system.narrow_phase.evaluate(system.candidates, system.nodes, system.nodes.q(), planes_, margin);
  geometry_.clear();
  for (const std::int32_t k : sweep_order_(found, system.candidates.candidates())) geometry_.push_back(found[k]);
  share_bodies(system);
  const auto candidates = system.candidates.candidates();
  const auto middle = std::stable_partition(geometry_.begin(), geometry_.end(), [&](const SphereContactGeometry& g) {
    const Candidate& c = candidates[g.candidate];
    return copies_[c.a] > 1 || (!c.is_wall() && copies_[c.b] > 1);
  });
  problem_.interface = static_cast<std::int32_t>(middle - geometry_.begin());

  const std::size_t n = geometry_.size();
  const int m = problem_.m;
  const double scale = last_h_ > 0 ? h_ / last_h_ : 1.;
  problem_.contacts.resize(n), mu_.resize(n * m * 3);
  axis_.resize(n), before_.resize(n), overlap_.resize(n);
  frames_.assign(scheme_.s, std::vector<Frame>(n));
  for (std::size_t k = 0; k < n; ++k) {
    const Candidate& c = candidates[geometry_[k].candidate];
    const Vec3 normal = ConstVec3(geometry_[k].n);
    const MatT<double, 3, 2> tangents = tangent_frame<double>(normal);
    axis_[k] = tangents.col(0);
    const Vec3 v = relative_velocity(system, c, geometry_[k].n, system.nodes.q(), v_n_);
    before_[k] = Vec3(normal.dot(v), tangents.col(0).dot(v), normal.cross(axis_[k]).dot(v));
    const bool closed = c.P[0] != 0 || c.P[1] != 0 || c.P[2] != 0;
    overlap_[k] = closed || geometry_[k].gap < 0 ? geometry_[k].gap : 0.;
    set_contact(system, k, problem_.contacts[k]);
    Frame frame;
    std::copy_n(geometry_[k].n, 3, frame.n), std::copy_n(axis_[k].data(), 3, frame.t);
    for (auto& stage : frames_) stage[k] = frame;
    if (const double* last = remembered(system, geometry_[k].candidate)) {
      for (int i = 0; i < 3 * m; ++i) mu_[k * m * 3 + i] = scale * last[i];
      continue;
    }
    // Start: the percussion of the last step, spread over the stages.
    const Vec3 P = scale * ConstVec3(c.P);
    double start[3] = {std::max(0., normal.dot(P)), tangents.col(0).dot(P), tangents.col(1).dot(P)};
    project_disc(problem_.contacts[k].mu * start[0], start + 1);
    for (int r = 0; r < m; ++r)
      for (int i = 0; i < 3; ++i) mu_[(k * m + r) * 3 + i] = scheme_.weight[r] * start[i];
  }
}

// Local indices change with every rebuild of the candidates, ids do not.
void StageSpheres::prepare_memory(const System& system) {
  if (memory_.rebuilds == system.rebuilds() || !memory_.by_ids.empty()) return;
  memory_.by_ids.reserve(memory_.pairs.size());
  for (std::size_t k = 0; k < memory_.pairs.size(); ++k) memory_.by_ids.emplace(memory_.pairs[k], static_cast<std::int32_t>(k));
}

const double* StageSpheres::remembered(const System& system, std::int32_t candidate) const {
  std::int32_t k = -1;
  if (memory_.rebuilds == system.rebuilds()) {
    k = memory_.of_candidate[candidate];
  } else {
    const Candidate& c = system.candidates.candidates()[candidate];
    const auto found = memory_.by_ids.find({system.nodes[c.a].id, c.is_wall() ? c.b : system.nodes[c.b].id});
    if (found != memory_.by_ids.end()) k = found->second;
  }
  return k < 0 ? nullptr : memory_.mu.data() + std::size_t(k) * 3 * problem_.m;
}

void StageSpheres::remember(const System& system) {
  const auto candidates = system.candidates.candidates();
  memory_.by_ids.clear();
  memory_.pairs.resize(geometry_.size());
  memory_.of_candidate.assign(candidates.size(), -1);
  memory_.rebuilds = system.rebuilds();
  for (std::size_t k = 0; k < geometry_.size(); ++k) {
    const Candidate& c = candidates[geometry_[k].candidate];
    memory_.of_candidate[geometry_[k].candidate] = static_cast<std::int32_t>(k);
    memory_.pairs[k] = {system.nodes[c.a].id, c.is_wall() ? c.b : system.nodes[c.b].id};
  }
  memory_.mu = mu_;
}

void StageSpheres::save(StepMemory& memory) const {
  memory.numbers.push_back(h_);
  const std::size_t n = memory_.pairs.size(), width = n ? memory_.mu.size() / n : 0;
  for (std::size_t k = 0; k < n; ++k) {
    const auto [a, b] = memory_.pairs[k];
    memory.add(MemoryKind::sphere_percussion, b < 0 ? a : designated_node(a, b), a, b, std::span(memory_.mu).subspan(k * width, width));
  }
}

void StageSpheres::load(StepMemory& memory) {
  h_ = memory.take_number();
  memory_ = {};
  memory.for_each(MemoryKind::sphere_percussion, [&](const MemoryKey& key, std::span<const double> mu) {
    memory_.pairs.push_back({key.a, key.b});
    memory_.mu.insert(memory_.mu.end(), mu.begin(), mu.end());
  });
}

void StageSpheres::share_bodies(System& system) {
  const NodeStore& nodes = system.nodes;
  used_.assign(nodes.size(), 0);
  std::fill_n(used_.begin(), nodes.owned(), 1);  // an owner counts in any case: then all ranks agree what is shared
  for (const SphereContactGeometry& g : geometry_) {
    const Candidate& c = system.candidates.candidates()[g.candidate];
    used_[c.a] = 1;
    if (!c.is_wall()) used_[c.b] = 1;
  }
  if (slot_channel_) copies_ = system.distribution.halo().copies(used_);
  else copies_.assign(nodes.size(), 1);
  InclusionProblem& bodies = problem_.bodies;
  const int m = problem_.m;
  bodies.copies.assign(bodies.lines + m, 1);
  bodies.shared.clear();
  double* x = bodies.x.data();
  std::fill_n(x, bodies.x.size(), 0.);
  for (std::int32_t i = 0; i < nodes.size(); ++i)
    for (std::int32_t line = i * m; line < (i + 1) * m; ++line) {
      x[std::size_t(line) * line_size + 6] = copies_[i] * 1 / nodes[i].mass;
      x[std::size_t(line) * line_size + 7] = copies_[i] * inverse_theta(nodes[i]);
      if (copies_[i] > 1) bodies.copies[line] = copies_[i], bodies.shared.push_back(line);
    }
}

void StageSpheres::set_contact(const System& system, std::size_t k, StageContact& s) const {
  const Candidate& c = system.candidates.candidates()[geometry_[k].candidate];
  const int m = problem_.m;
  const bool wall = c.is_wall();
  s.a = c.a * m, s.b = wall ? problem_.bodies.lines : c.b * m;
  s.r_a = system.nodes[c.a].radius, s.r_b = wall ? 0. : system.nodes[c.b].radius;
  s.mu = surface_law(system, c).mu;
  const double* x = problem_.bodies.x.data();
  const double *a = x + std::size_t(s.a) * line_size, *b = x + std::size_t(s.b) * line_size;
  const double G_N = a[6] + b[6];
  s.inv_G_N = 1 / G_N, s.inv_G_T = 1 / (G_N + s.r_a * s.r_a * a[7] + s.r_b * s.r_b * b[7]);
}

Vec3 StageSpheres::wall_velocity(const System& system, const Candidate& c, const Vec3& n, const std::vector<double>& Q) const {
  const NodeData& a = system.nodes[c.a];
  return system.wall_velocity(planes_, c, placement(a.kind, Q.data() + system.nodes.q_offset()[c.a]).r + a.radius * n);
}

Vec3 StageSpheres::relative_velocity(const System& system, const Candidate& c, const double* normal, const std::vector<double>& Q, const std::vector<double>& V) const {
  const ConstVec3 n(normal);
  const double* a = V.data() + std::size_t(c.a) * 6;
  const double r_a = system.nodes[c.a].radius;
  if (c.is_wall()) return wall_velocity(system, c, n, Q) - Vec3(ConstVec3(a)) + n.cross(r_a * ConstVec3(a + 3));
  const double* b = V.data() + std::size_t(c.b) * 6;
  return Vec3(ConstVec3(b)) - Vec3(ConstVec3(a)) + n.cross(r_a * ConstVec3(a + 3) + system.nodes[c.b].radius * ConstVec3(b + 3));
}

void StageSpheres::sum_at_nodes(std::vector<double>& values, HaloChannel<double>* channel) const {
  if (!channel) return;
  channel->reduce_add(values);
  channel->broadcast(values);
}

/// force_ := W(Q_j) dPi_j of all contacts.
void StageSpheres::add_percussions(const System& system) {
  const int m = problem_.m;
  const std::size_t stride = std::size_t(6) * m;
  force_.assign(static_cast<std::size_t>(system.nodes.size()) * stride, 0.);
  const auto candidates = system.candidates.candidates();
  for (std::size_t k = 0; k < geometry_.size(); ++k) {
    const Candidate& c = candidates[geometry_[k].candidate];
    const double* mu = mu_.data() + k * m * 3;
    for (int j = 0; j < m; ++j) {
      double dPi[3] = {0, 0, 0};
      for (int r = 0; r < m; ++r)
        for (int i = 0; i < 3; ++i) dPi[i] += scheme_.S(j, r) * mu[r * 3 + i];
      if (dPi[0] == 0 && dPi[1] == 0 && dPi[2] == 0) continue;
      const Frame& frame = frames_[scheme_.unknown[j]][k];
      const Vec3 n = ConstVec3(frame.n), t = ConstVec3(frame.t);
      add_contact_force(system.nodes, c, n, dPi[0] * n + dPi[1] * t + dPi[2] * n.cross(t), force_.data() + std::size_t(6) * j, stride);
    }
  }
  sum_at_nodes(force_, force_channel_.get());
}

/// V_i and the places of Q_i.
void StageSpheres::set_stages(const System& system) {
  const NodeStore& nodes = system.nodes;
  const int m = problem_.m, s = scheme_.s;
  for (auto& V : V_) V.resize(v_n_.size());
  double dU[max_row_stages][6];
  for (std::int32_t n = 0; n < nodes.size(); ++n) {
    const NodeData& node = nodes[n];
    const double w = 1 / node.mass, w_turn = inverse_theta(node);
    const int dim = is_planar(node.kind) ? 2 : 3;
    const double* f = force_.data() + std::size_t(n) * 6 * m;
    for (int j = 0; j < m; ++j)
      for (int i = 0; i < 6; ++i) dU[j][i] = (i < 3 ? w : w_turn) * f[j * 6 + i] + (i < dim ? h_ * system.gravity[i] : 0.);
    for (int stage = 0; stage < s; ++stage)
      for (int i = 0; i < 6; ++i) {
        double v = v_n_[std::size_t(n) * 6 + i];
        for (int j = 0; j < m; ++j) v += scheme_.velocity(stage, j) * dU[j][i];
        V_[stage][std::size_t(n) * 6 + i] = v;
      }
    const int first = nodes.q_offset()[n];
    for (int stage = 0; stage < s; ++stage)
      for (int i = 0; i < dim; ++i) {
        double q = nodes.q()[first + i];
        for (int j = 0; j < s; ++j) q += h_ * scheme_.A(stage, j) * V_[j][std::size_t(n) * 6 + i];
        Q_[stage][first + i] = q;
      }
  }
}

/// Frames at all stages, psi at the row stages.
void StageSpheres::evaluate_contacts(System& system) {
  const int m = problem_.m;
  const auto candidates = system.candidates.candidates();
  psi_.resize(mu_.size());
  problem_.stopping = 0;
  for (int stage = 0; stage < scheme_.s; ++stage) {
    place_walls(system.walls, t_ + scheme_.c[stage] * h_, t_ + scheme_.c[stage] * h_, planes_);
    system.narrow_phase.update(system.candidates, system.nodes, Q_[stage], planes_, geometry_);
    const auto found = std::ranges::find(scheme_.rows, stage);
    const int r = static_cast<int>(found - scheme_.rows.begin());
    if (stage == scheme_.s - 1) penetration_ = 0;
    for (std::size_t k = 0; k < geometry_.size(); ++k) {
      const Vec3 n = ConstVec3(geometry_[k].n);
      const Vec3 t = (axis_[k] - n.dot(axis_[k]) * n).normalized();
      Frame& frame = frames_[stage][k];
      std::copy_n(n.data(), 3, frame.n), std::copy_n(t.data(), 3, frame.t);
      if (stage == scheme_.s - 1) penetration_ = std::max(penetration_, -geometry_[k].gap);
      if (found == scheme_.rows.end()) continue;
      const Vec3 v = relative_velocity(system, candidates[geometry_[k].candidate], frame.n, Q_[stage], V_[stage]);
      double* psi = psi_.data() + (k * m + r) * 3;
      psi[0] = (geometry_[k].gap - (1 - gap_correction * scheme_.c[stage]) * overlap_[k]) / h_, psi[1] = t.dot(v), psi[2] = n.cross(t).dot(v);
      // Size of the velocities at the contact; those of distant pairs do not count.
      const double speed = v.norm() + std::min(std::abs(psi[0]), v.norm());
      problem_.stopping += speed * speed * problem_.contacts[k].inv_G_N;
    }
  }
}

void StageSpheres::evaluate(System& system) {
  add_percussions(system);
  set_stages(system);
  evaluate_contacts(system);
}

/// Of all contacts and row stages, in the frame of the last stage.
void StageSpheres::to_vectors(const std::vector<double>& components, std::vector<double>& vectors) const {
  vectors.resize(components.size());
  const std::vector<Frame>& frames = frames_.back();
  const int m = problem_.m;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const ConstVec3 n(frames[k].n), t(frames[k].t);
    const Vec3 t_2 = n.cross(t);
    for (std::size_t i = k * m * 3; i < (k + 1) * m * 3; i += 3)
      Eigen::Map<Vec3>(vectors.data() + i) = components[i] * n + components[i + 1] * t + components[i + 2] * t_2;
  }
}

void StageSpheres::linearise() {
  const PhaseScope phase(Phase::assembly);
  to_vectors(psi_, problem_.c), to_vectors(mu_, problem_.mu);
  double* x = problem_.bodies.x.data();
  for (std::size_t line = 0; line * line_size < problem_.bodies.x.size(); ++line) std::fill_n(x + line * line_size, 6, 0.);
  const std::vector<Frame>& last = frames_.back();
  for (std::size_t k = 0; k < last.size(); ++k) std::copy_n(last[k].n, 3, problem_.contacts[k].n);
}

void StageSpheres::advance(System& system) {
  const PhaseScope phase(Phase::assembly);
  const std::vector<Frame>& frames = frames_.back();
  const int m = problem_.m;
  for (std::size_t k = 0; k < frames.size(); ++k) {
    const ConstVec3 n(frames[k].n), t(frames[k].t);
    const Vec3 t_2 = n.cross(t);
    for (std::size_t i = k * m * 3; i < (k + 1) * m * 3; i += 3) {
      const ConstVec3 mu(problem_.mu.data() + i);
      mu_[i] = n.dot(mu), mu_[i + 1] = t.dot(mu), mu_[i + 2] = t_2.dot(mu);
    }
  }
  evaluate(system);
}

}  // namespace percussion
