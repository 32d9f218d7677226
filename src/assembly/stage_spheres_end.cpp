// The end of a step of StageSpheres: positions, orientations, and what the velocity level starts from.
#include <algorithm>
#include <cmath>

#include "assembly/stage_spheres.hpp"
#include "base/timer.hpp"

namespace percussion {

namespace {

using ConstVec3 = Eigen::Map<const Vec3>;

}  // namespace


void add_contact_force(const NodeStore& nodes, const Candidate& c, const Vec3& n, const Vec3& F, double* f, std::size_t stride) {
  const Vec3 turn = n.cross(F);
  double* a = f + static_cast<std::size_t>(c.a) * stride;
  for (int i = 0; i < 3; ++i) a[i] -= F[i], a[3 + i] -= nodes[c.a].radius * turn[i];
  if (c.is_wall()) return;
  double* b = f + static_cast<std::size_t>(c.b) * stride;
  for (int i = 0; i < 3; ++i) b[i] += F[i], b[3 + i] -= nodes[c.b].radius * turn[i];
}

double StageSpheres::farthest(const System& system) const {
  const NodeStore& nodes = system.nodes;
  double far2 = 0;
  for (std::int32_t n = 0; n < nodes.owned(); ++n)
    for (const auto& Q : Q_) {
      double d2 = 0;
      for (int i = 0; i < (is_planar(nodes[n].kind) ? 2 : 3); ++i) {
        const double d = Q[nodes.q_offset()[n] + i] - nodes.q()[nodes.q_offset()[n] + i];
        d2 += d * d;
      }
      far2 = std::max(far2, d2);
    }
  MPI_Allreduce(MPI_IN_PLACE, &far2, 1, MPI_DOUBLE, MPI_MAX, system.comm());
  return std::sqrt(far2);
}

// Quaternions: p_i = p_n + h sum_j a_ij 1/2 omega_j (I) o p_j, a contraction with factor h |omega| / 2.
void StageSpheres::positions(const System& system, std::vector<double>& q) const {
  const NodeStore& nodes = system.nodes;
  q = Q_.back();
  Vec4 p[max_row_stages + 1], rate[max_row_stages + 1];
  for (std::int32_t n = 0; n < nodes.size(); ++n) {
    const int first = nodes.q_offset()[n];
    if (nodes[n].kind == NodeKind::planar_body)
      for (int j = 0; j < scheme_.s; ++j) q[first + 2] += h_ * scheme_.b[j] * V_[j][std::size_t(n) * 6 + 5];
    if (nodes[n].kind != NodeKind::rigid_body) continue;
    const Vec4 p_n = Eigen::Map<const Vec4>(nodes.q().data() + first + 3);
    for (int j = 0; j < scheme_.s; ++j) p[j] = p_n;
    for (int pass = 0; pass < 60; ++pass) {
      double change = 0;
      for (int j = 0; j < scheme_.s; ++j) {
        const Vec3 w = ConstVec3(V_[j].data() + std::size_t(n) * 6 + 3), v = p[j].tail<3>();
        rate[j] << -0.5 * w.dot(v), 0.5 * (p[j][0] * w + w.cross(v));
      }
      for (int i = 0; i < scheme_.s; ++i) {
        Vec4 next = p_n;
        for (int j = 0; j < scheme_.s; ++j) next += h_ * scheme_.A(i, j) * rate[j];
        change = std::max(change, (next - p[i]).lpNorm<Eigen::Infinity>());
        p[i] = next;
      }
      if (change <= 1e-16) break;
    }
    Eigen::Map<Vec4>(q.data() + first + 3) = p[scheme_.s - 1].normalized();
  }
}

Vec3 StageSpheres::known_percussion(std::size_t k) const {
  const int m = problem_.m;
  Vec3 known = Vec3::Zero();
  for (int j = 0; j < m; ++j)
    for (int r = 0; r < m; ++r) known += scheme_.b[scheme_.unknown[j]] * scheme_.S(j, r) * ConstVec3(mu_.data() + (k * m + r) * 3);
  return known;
}

void StageSpheres::end_velocities(const System& system, const std::vector<double>& q, std::vector<double>& u) const {
  const NodeStore& nodes = system.nodes;
  u.resize(nodes.u().size());
  for (std::int32_t n = 0; n < nodes.size(); ++n)
    u_from_slot(nodes[n], q.data() + nodes.q_offset()[n], V_.back().data() + std::size_t(n) * 6, u.data() + nodes.u_offset()[n]);
}

void StageSpheres::velocity_level(System& system, const std::vector<double>& q, std::vector<ClosedSphere>& closed, std::vector<double>& u_free) {
  const PhaseScope phase(Phase::assembly);
  const NodeStore& nodes = system.nodes;
  const int m = problem_.m, last = scheme_.s - 1;
  const auto candidates = system.candidates.candidates();
  // force_ still holds the stages; the end has its own: minus the percussions of the step, plus the last stage.
  std::vector<double> back(static_cast<std::size_t>(nodes.size()) * 6, 0.);
  closed.clear();
  for (std::size_t k = 0; k < geometry_.size(); ++k) {
    const Candidate& c = candidates[geometry_[k].candidate];
    const Frame& frame = frames_[last][k];
    const Vec3 n = ConstVec3(frame.n), t = ConstVec3(frame.t), known = known_percussion(k);
    const Vec3 P = known[0] * n + known[1] * t + known[2] * n.cross(t);
    add_contact_force(nodes, c, n, -P, back.data(), 6);
    const double* psi = psi_.data() + (k * m + m - 1) * 3;
    bool is_closed = psi[0] * problem_.contacts[k].inv_G_N <= problem_.C(m - 1, m - 1) * mu_[(k * m + m - 1) * 3];
    for (int r = 0; scheme_.partitioned && r < m - 1; ++r)
      is_closed = is_closed || problem_.C(r, r) * mu_[(k * m + r) * 3] > inner_percussion * std::abs(before_[k][0]) * problem_.contacts[k].inv_G_N;
    if (!is_closed) continue;
    const SurfaceLaw law = surface_law(system, c);
    Vec3 constant = c.is_wall() ? wall_velocity(system, c, n, Q_[last]) : Vec3(Vec3::Zero());
    // Rates of the rows before the step, in the frame of the end.
    constant += law.e_N * before_[k][0] * n + law.e_F * (before_[k][1] * t + before_[k][2] * n.cross(t));
    closed.push_back({geometry_[k], constant, P});
  }
  sum_at_nodes(back, end_channel_.get());
  u_free.resize(nodes.u().size());
  double v[line_size];
  for (std::int32_t i = 0; i < nodes.size(); ++i) {
    const NodeData& node = nodes[i];
    const double w = 1 / node.mass, w_turn = inverse_theta(node);
    const int dim = is_planar(node.kind) ? 2 : 3;
    const double *f = force_.data() + std::size_t(i) * 6 * m, *f_end = back.data() + std::size_t(i) * 6;
    for (int r = 0; r < 6; ++r) {
      const double mass = r < 3 ? w : w_turn;
      double x = V_[last][std::size_t(i) * 6 + r];
      if (scheme_.partitioned) {
        const double gravity = r < dim ? h_ * system.gravity[r] : 0.;
        x = v_n_[std::size_t(i) * 6 + r] + scheme_.b[last] * gravity;
        for (int j = 0; j < m; ++j) x += scheme_.b[scheme_.unknown[j]] * (mass * f[j * 6 + r] + gravity);
      }
      v[r] = x + mass * f_end[r];
    }
    u_from_slot(node, q.data() + nodes.q_offset()[i], v, u_free.data() + nodes.u_offset()[i]);
  }
}

std::size_t StageSpheres::memory() const {
  std::size_t doubles = v_n_.capacity() + force_.capacity() + psi_.capacity() + problem_.c.capacity() + problem_.mu.capacity() + mu_.capacity() + memory_.mu.capacity() + 2 * memory_.pairs.capacity() + 6 * axis_.capacity();
  for (const auto* arrays : {&Q_, &V_})
    for (const auto& a : *arrays) doubles += a.capacity();
  for (const auto& f : frames_) doubles += 6 * f.capacity();
  return doubles * sizeof(double) + problem_.bodies.x.memory() + problem_.contacts.capacity() * sizeof(StageContact) + geometry_.capacity() * sizeof(SphereContactGeometry);
}

}  // namespace percussion
