#include "assembly/contact_rows.hpp"

#include <algorithm>

#include "base/timer.hpp"

namespace percussion {

namespace {

MemoryKind turning_kind(MemoryKind rows) {
  return rows == MemoryKind::implicit_percussion ? MemoryKind::implicit_turning : MemoryKind::row_turning;
}

}  // namespace

bool is_round(const NodeStore& nodes, const Candidate& c, const SphereContactGeometry& g) {
  return g.shaped < 0 && is_round(nodes[c.a]) && (c.is_wall() || is_round(nodes[c.b]));
}

SurfaceLaw surface_law(const System& system, const Candidate& c) {
  return c.is_wall() ? surface_law(system.walls, system.planes, c.surface()) : system.law;
}

void ActiveRows::detect(System& system) {
  const PhaseScope phase(Phase::detection);
  generation_ = system.generation();
  geometry_ = system.narrow_phase.evaluate(system.candidates, system.nodes, system.nodes.q(), system.planes, 0.);
  summary_ = {static_cast<std::int64_t>(geometry_.size()), 0.};
  for (const SphereContactGeometry& g : geometry_) summary_.penetration = std::max(summary_.penetration, -g.gap);
}

void ActiveRows::evaluate(const System& system, const VelocityProblemTimes& times, DetectedRows detected) {
  memory_scale_ = last_h_ > 0 ? times.h / last_h_ : 1.;
  last_h_ = times.h;
  blocks_.clear();
  for (std::int32_t k = 0; k < system.contributions.size(); ++k) evaluate_contribution(system, times, k);
  for (std::size_t k = 0; (detected == DetectedRows::all || system.any_turning()) && k < geometry_.size(); ++k)
    if (detected == DetectedRows::all || turns(system, system.candidates.candidates()[geometry_[k].candidate])) blocks_.push_back(detected_rows(system, k));
}

void ActiveRows::evaluate_contribution(const System& system, const VelocityProblemTimes& times, std::int32_t k) {
  const ContributionStore::Entry& entry = system.contributions[k];
  const Contribution& contribution = *entry.contribution;
  const auto local = system.contributions.local_nodes(k);
  const LocalState s = gathered_.gather(system.nodes, local, times.t_position);
  LocalState at_end = s;
  at_end.t = times.t_constraint;
  const Eigen::Map<const VecX> u(s.u, contribution.nu());

  const auto bilateral = [&](const auto* function, RowRole role) {
    if (!function) return;
    PendingRows rows;
    rows.source = {role, entry.id}, rows.nodes = local, rows.bilateral = true;
    rows.W.resize(contribution.nu(), function->rows()), rows.c.resize(function->rows());
    function->W(s, rows.W);
    function->chi(at_end, rows.c);
    rows.P = remembered(rows.source, function->rows());
    blocks_.push_back(std::move(rows));
  };
  bilateral(contribution.constraint(), RowRole::constraint);
  bilateral(contribution.velocity_constraint(), RowRole::velocity_constraint);

  const ContactRows* contact = contribution.contact();
  if (!contact) return;
  PendingRows rows;
  if (contact->gap) {
    VecX gap(1);
    contact->gap->g(s, gap);
    if (gap[0] > 0) return;
    rows.gap = gap[0];
    ++summary_.active;
    summary_.penetration = std::max(summary_.penetration, -gap[0]);
  }
  const int n_N = contact->gap ? 1 : 0, n_F = contact->friction ? contact->friction->rows() : 0;
  rows.source = {RowRole::contact, entry.id}, rows.nodes = local;
  rows.has_normal = n_N == 1, rows.P_N = contact->la_N * times.h;
  rows.W.resize(contribution.nu(), n_N + n_F), rows.c.resize(n_N + n_F);
  VecX chi;
  if (n_N) {
    chi.resize(1);
    contact->gap->W(s, rows.W.leftCols(1));
    contact->gap->chi(at_end, chi);
    rows.c[0] = chi[0] + contact->e_N * (rows.W.col(0).dot(u) + chi[0]);
  }
  if (n_F) {
    chi.resize(n_F);
    contact->friction->W(s, rows.W.rightCols(n_F));
    contact->friction->chi(at_end, chi);
    rows.c.tail(n_F) = chi + contact->e_F * (rows.W.rightCols(n_F).transpose() * u + chi);
  }
  for (FrictionLaw law : contact->laws) {
    law.set = scaled_reservoir(law.set, times.h), law.first += n_N;
    rows.laws.push_back(law);
  }
  rows.P = remembered(rows.source, n_N + n_F);
  blocks_.push_back(std::move(rows));
}

std::vector<FrictionLaw> detected_laws(const SurfaceLaw& law) {
  if (!law.turns()) return {{coulomb_disc(law.mu), 1}};
  return {{coulomb_disc(law.mu), 1}, {coulomb_disc(law.rolling), 3}, {coulomb_interval(law.pivoting), 5}};
}

void contact_directions(const NodeStore& nodes, const Candidate& c, const ContactArms& arms, const Mat3& frame, int rows, MatX& W) {
  const std::int32_t pair[2] = {c.a, c.b};
  const int bodies = c.is_wall() ? 1 : 2;
  int size = 0, before = 0;
  for (int k = 0; k < bodies; ++k) size += nu(nodes[pair[k]].kind, nodes[pair[k]].dofs);
  W.resize(size, rows);
  for (int k = 0; k < bodies; ++k) {
    const NodeData& node = nodes[pair[k]];
    const double sign = k == 0 ? -1. : 1.;
    const int columns = nu(node.kind, node.dofs);
    for (int r = 0; r < rows; ++r) {
      // Row d of W^T: +-d for v, +-(arm x d) for omega (I); of turning: 0 and +-d.
      constexpr int axis[3] = {1, 2, 0};
      const Vec3 along = frame.col(r < 3 ? r : axis[r - 3]), d = r < 3 ? along : Vec3(Vec3::Zero());
      const Vec3 turn = sign * (r < 3 ? Vec3((k == 0 ? arms.a : arms.b).cross(d)) : along);
      Vec6 w = Vec6::Zero();
      if (is_planar(node.kind)) {
        w.head<2>() = sign * d.head<2>(), w[2] = turn[2];
      } else {
        w.head<3>() = sign * d;
        if (node.kind == NodeKind::rigid_body) w.tail<3>() = placement(node.kind, nodes.q(pair[k]).data()).A.transpose() * turn;
      }
      W.col(r).segment(before, columns) = w.head(columns);
    }
    before += columns;
  }
}

namespace {

/// A solver leaves a sliding contact on the boundary of its reservoir up to its tolerance, a sticking one inside.
Friction friction_state(double P_N, double P_F, double reservoir) {
  if (!(P_N > 0)) return Friction::unloaded;
  return P_F >= (1 - 1e-6) * reservoir ? Friction::slip : Friction::stick;
}

}  // namespace

ContactRecord detected_record(const System& system, const SphereContactGeometry& g) {
  const Candidate& c = system.candidates.candidates()[g.candidate];
  const NodeData& a = system.nodes[c.a];
  const std::int64_t id_b = c.is_wall() ? std::int64_t(c.b) : system.nodes[c.b].id;
  const Vec3 n = Eigen::Map<const Vec3>(g.n);
  const Vec3 P = Eigen::Map<const Vec3>(c.P);
  const double P_N = n.dot(P), P_F = (P - P_N * n).norm();
  return {a.id, id_b, system.contact_point(c, system.arms(g).a), n, P, g.gap, friction_state(P_N, P_F, surface_law(system, c).mu * P_N),
          c.is_wall() ? c.surface() : -1};
}

void append_declared_record(const System& system, std::span<const std::int32_t> nodes, const MatX& W, const DeclaredPercussion& percussion,
                            double gap, std::vector<ContactRecord>& contacts) {
  const NodeData& first = system.nodes[nodes[0]];
  if (first.kind == NodeKind::generalized) return;
  const int dim = is_planar(first.kind) ? 2 : 3;
  const std::span<const double> P = percussion.P;
  ContactRecord record{first.id, -1, placement(first.kind, system.nodes.q(nodes[0]).data()).r, Vec3::Zero(), Vec3::Zero(), gap};
  record.P.head(dim) = W.topRows(dim) * Eigen::Map<const VecX>(P.data(), W.cols());
  if (percussion.has_normal) record.n.head(dim) = W.col(0).head(dim);
  const double P_N = percussion.has_normal ? P[0] : percussion.P_N;
  if (percussion.laws.empty()) record.friction = friction_state(P_N, 0., 0.);
  for (const FrictionLaw& law : percussion.laws) {
    // The reservoir of a rectangle is checked by its larger share; the others are round after scaling.
    const bool rectangle = law.set.kind == SetKind::rectangle;
    for (int i = 0; i < (rectangle ? 2 : 1); ++i) {
      const double P_F = rectangle ? std::abs(P[law.first + i]) : Eigen::Map<const VecX>(P.data() + law.first, law.set.dim()).norm();
      record.friction = std::max(record.friction, friction_state(P_N, P_F, scaled_reservoir(law.set, percussion.h).radius(P_N, i)));
    }
  }
  contacts.push_back(record);
}

PendingRows ActiveRows::detected_rows(const System& system, std::size_t k) const {
  const NodeStore& nodes = system.nodes;
  const SphereContactGeometry& g = geometry_[k];
  const Candidate& c = system.candidates.candidates()[g.candidate];
  const SurfaceLaw law = surface_law(system, c);
  const Vec3 n = Eigen::Map<const Vec3>(g.n);
  Mat3 frame;
  frame << n, tangent_frame<double>(n);

  PendingRows rows;
  rows.source = {RowRole::detected, static_cast<std::int64_t>(k)}, rows.gap = g.gap;
  // Candidate::a and b lie side by side, so they are the list of nodes.
  rows.nodes = std::span(&c.a, c.is_wall() ? 1 : 2);
  rows.has_normal = true;
  rows.laws = detected_laws(law);
  const int size = detected_size(law);
  const ContactArms arms = system.arms(g);
  contact_directions(nodes, c, arms, frame, size, rows.W);
  VecX chi = VecX::Zero(size);
  if (c.is_wall()) chi.head<3>() = frame.transpose() * system.wall_velocity(c, system.contact_point(c, arms.a));
  if (c.is_wall() && size > 3) chi.tail<3>() = turning_components(frame, system.wall_spin(system.planes, c));
  VecX before = chi;
  int first = 0;
  for (const std::int32_t i : rows.nodes) {
    const auto u = nodes.u(i);
    before += rows.W.middleRows(first, u.size()).transpose() * Eigen::Map<const VecX>(u.data(), u.size());
    first += static_cast<int>(u.size());
  }
  rows.c = chi + law.e_F * before;
  rows.c[0] = chi[0] + law.e_N * before[0];
  rows.P = VecX::Zero(size);
  rows.P.head<3>() = memory_scale_ * (frame.transpose() * system.remembered(g));
  rows.P[0] = std::max(rows.P[0], 0.);
  if (const auto last = turning_.find(turning_key(system, g)); size > 3 && last != turning_.end())
    rows.P.tail<3>() = memory_scale_ * turning_components(frame, last->second);
  for (const FrictionLaw& l : rows.laws) prox(l.set, rows.P[0], rows.P.data() + l.first);
  return rows;
}

std::array<std::int64_t, 3> ActiveRows::turning_key(const System& system, const SphereContactGeometry& g) const {
  const Candidate& c = system.candidates.candidates()[g.candidate];
  return {system.nodes[c.a].id, c.is_wall() ? c.b : system.nodes[c.b].id, g.shaped >= 0 ? system.narrow_phase.shaped(g).feature : no_feature};
}

VecX ActiveRows::remembered(const RowSource& source, Eigen::Index rows) const {
  const auto found = memory_.find(source);
  if (found == memory_.end() || static_cast<Eigen::Index>(found->second.size()) != rows) return VecX::Zero(rows);
  return memory_scale_ * Eigen::Map<const VecX>(found->second.data(), rows);
}

void ActiveRows::forget(System& system) {
  for (Candidate& c : system.candidates.candidates()) std::fill_n(c.P, 3, 0.);
  memory_.clear(), turning_.clear();
}

void ActiveRows::remember(System& system, const PendingRows& rows, const double* P) {
  if (rows.source.role != RowRole::detected) {
    memory_[rows.source].assign(P, P + rows.c.size());
    return;
  }
  const SphereContactGeometry& g = geometry_[rows.source.id];
  const Vec3 n = Eigen::Map<const Vec3>(g.n);
  const MatT<double, 3, 2> t = tangent_frame<double>(n);
  system.remember(g, P[0] * n + t * Vec2(P[1], P[2]));
  if (rows.c.size() > 3) turning_[turning_key(system, g)] = t * Vec2(P[3], P[4]) + P[5] * n;
}

std::span<const double> ActiveRows::percussion(std::int64_t contribution_id) const {
  for (const RowRole role : {RowRole::constraint, RowRole::velocity_constraint, RowRole::contact}) {
    const auto found = memory_.find({role, contribution_id});
    if (found != memory_.end()) return found->second;
  }
  return {};
}

void ActiveRows::append_contacts(const System& system, std::vector<ContactRecord>& contacts) const {
  PERCUSSION_CHECK(generation_ < 0 || generation_ == system.generation(), "contacts of a step are read before nodes move to other ranks");
  for (const SphereContactGeometry& g : geometry_) contacts.push_back(detected_record(system, g));
  for (const PendingRows& rows : blocks_)
    if (const auto found = memory_.find(rows.source); rows.source.role == RowRole::contact && found != memory_.end())
      append_declared_record(system, rows.nodes, rows.W, {found->second, rows.has_normal, rows.P_N, rows.laws}, rows.gap, contacts);
}

void ActiveRows::save(const System& system, MemoryKind kind, StepMemory& memory) const {
  memory.numbers.push_back(last_h_);
  for_each_remembered(system.contributions, memory_, [&](std::int64_t node, const RowSource& source, const std::vector<double>& P) {
    memory.add(kind, node, static_cast<std::int64_t>(source.role), source.id, P);
  });
  for (const auto& [key, P] : turning_) {
    const double record[] = {static_cast<double>(key[2]), P[0], P[1], P[2]};
    memory.add(turning_kind(kind), key[1] < 0 ? key[0] : designated_node(key[0], key[1]), key[0], key[1], record);
  }
}

void ActiveRows::load(MemoryKind kind, StepMemory& memory) {
  last_h_ = memory.take_number();
  memory_.clear();
  memory.for_each(kind, [&](const MemoryKey& key, std::span<const double> P) {
    memory_[{static_cast<RowRole>(key.a), key.b}].assign(P.begin(), P.end());
  });
  turning_.clear();
  memory.for_each(turning_kind(kind), [&](const MemoryKey& key, std::span<const double> P) {
    turning_[{key.a, key.b, static_cast<std::int64_t>(P[0])}] = Vec3(P[1], P[2], P[3]);
  });
}

RowBlock& append_block(GeneralRows& rows, const PendingRows& pending) {
  const int n = static_cast<int>(pending.c.size());
  PERCUSSION_CHECK(n <= max_small_size, "a constraint or contact has more than 6 rows");
  RowBlock block{};
  block.first_row = static_cast<std::int32_t>(rows.c.size()), block.rows = n;
  block.first_arm = static_cast<std::int32_t>(rows.arms.size());
  block.first_law = static_cast<std::int32_t>(rows.laws.size()), block.laws = static_cast<std::int32_t>(pending.laws.size());
  block.bilateral = pending.bilateral, block.has_normal = pending.has_normal, block.P_N = pending.P_N;
  block.G = SmallMat::Zero(n, n);
  for (const FrictionLaw& law : pending.laws) rows.laws.push_back({law.set, law.first, 0.});
  rows.c.insert(rows.c.end(), pending.c.data(), pending.c.data() + n);
  rows.P.insert(rows.P.end(), pending.P.data(), pending.P.data() + n);
  return rows.blocks.emplace_back(block);
}

void set_block_steps(GeneralRows& rows, RowBlock& block) {
  const SmallMat G = 0.5 * (block.G + block.G.transpose());
  if (block.bilateral) inverse_spd(G, block.G_inv);
  for (int l = 0; l < block.laws; ++l) {
    RowLaw& law = rows.laws[block.first_law + l];
    const int dim = law.set.dim();
    const SmallMat G_law = G.block(law.first, law.first, dim, dim);
    const double lambda = Eigen::SelfAdjointEigenSolver<SmallMat>(G_law, Eigen::EigenvaluesOnly).eigenvalues()[dim - 1];
    law.rho = lambda > 0 ? 1 / lambda : 0.;
  }
}

}  // namespace percussion
