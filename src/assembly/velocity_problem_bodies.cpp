// Contacts of bodies of any shape in the body view.
#include "assembly/velocity_problem.hpp"

namespace percussion {

namespace {

using Map = Eigen::Map<const Vec3>;

/// Inverse inertia in I, xx, xy, xz, yy, yz, zz, times the number of copies.
void set_inertia(const NodeStore& nodes, std::int32_t i, double copies, double* J) {
  const NodeData& node = nodes[i];
  Mat3 inverse = Mat3::Zero();
  if (node.kind == NodeKind::planar_body) {
    inverse(2, 2) = inverse_theta(node);
  } else if (node.kind == NodeKind::rigid_body) {
    const Mat3 A = placement(node.kind, nodes.q(i).data()).A;
    inverse = A * Vec3(1 / node.inertia[0], 1 / node.inertia[1], 1 / node.inertia[2]).asDiagonal() * A.transpose();
  }
  inverse *= copies;
  J[0] = inverse(0, 0), J[1] = inverse(0, 1), J[2] = inverse(0, 2), J[3] = inverse(1, 1), J[4] = inverse(1, 2), J[5] = inverse(2, 2);
}

}  // namespace

void VelocityProblem::fill_body(const System& system, const SphereContactGeometry& g, BodyContact& s) const {
  const NodeStore& nodes = system.nodes;
  const Candidate& c = system.candidates.candidates()[g.candidate];
  const bool wall = c.is_wall();
  const ContactArms arms = system.arms(g);
  const SurfaceLaw law = surface_law(system, c);
  s = {};
  s.a = layout_.line(c.a), s.b = wall ? problem_.lines : layout_.line(c.b), s.mu = law.mu;
  std::copy_n(g.n, 3, s.n), std::copy_n(arms.a.data(), 3, s.r_a), std::copy_n(arms.b.data(), 3, s.r_b);
  set_inertia(nodes, c.a, shares_.copies(c.a), s.J_a);
  if (!wall) set_inertia(nodes, c.b, shares_.copies(c.b), s.J_b);
  const double* x = problem_.x.data();
  const LocalDelassus G = body_delassus(s, x[std::size_t(s.a) * line_size + 6], x[std::size_t(s.b) * line_size + 6], 1, 1);
  s.inv_G_N = 1 / G.N, s.inv_G_T = 1 / G.T;

  // c: what the wall moves by itself, and e times the relative velocity at the beginning of the step.
  const Vec3 n = Map(s.n), v_wall = wall ? system.wall_velocity(c, system.contact_point(c, arms.a)) : Vec3(Vec3::Zero());
  Vec3 constant = v_wall;
  if (law.e_N > 0 || law.e_F > 0) {
    const Motion<double> a = motion(nodes[c.a].kind, nodes.q(c.a).data(), nodes.u(c.a).data());
    Vec3 before = v_wall - a.v - a.omega.cross(arms.a);
    if (!wall) {
      const Motion<double> b = motion(nodes[c.b].kind, nodes.q(c.b).data(), nodes.u(c.b).data());
      before += b.v + b.omega.cross(arms.b);
    }
    constant += law.e_N * n.dot(before) * n + law.e_F * (before - n.dot(before) * n);
  }
  s.c_N = n.dot(constant);
  Eigen::Map<Vec3>(s.c_T) = constant - s.c_N * n;
  warm_start(active_.memory_scale() * system.remembered(g), s);
}

void VelocityProblem::fill_bodies(const System& system) {
  problem_.bodies.clear(), body_geometry_.clear();
  problem_.body_interface = fill_interface_first(system, false, [&](std::int32_t k) {
    fill_body(system, active_.geometry()[k], problem_.bodies.emplace_back());
    body_geometry_.push_back(k);
  });
}

}  // namespace percussion
